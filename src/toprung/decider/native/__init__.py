"""The native decider: the rules in Rust, over entries held in memory; it asks for what it lacks."""

from toprung._native import EntryBlocks, SeenIndex
from toprung.decider.native.decider import NativeDecider

__all__ = ["EntryBlocks", "NativeDecider", "SeenIndex"]
"""``SeenIndex`` is the index that a store and its deciders share; ``EntryBlocks`` reads and merges
what a store keeps of entries."""

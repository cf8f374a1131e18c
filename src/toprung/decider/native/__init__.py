"""The native decider: the rules in Rust, over entries held in memory; it asks for what it lacks."""

from toprung._native import SeenIndex
from toprung.decider.native.decider import NativeDecider

__all__ = ["NativeDecider", "SeenIndex"]
"""``SeenIndex`` is the index that a store and its deciders share."""

"""Batches of plain events, read and written in Rust."""

from toprung.batch.native.batches import NativeBatches

__all__ = ["NativeBatches"]

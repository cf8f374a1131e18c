"""The parts that there are twice: in Rust, and in Python as reference and for want of a binary."""

from collections.abc import Callable
from typing import NamedTuple

import structlog

from toprung.decider.reference import ReferenceDecider
from toprung.ports.batches import Batches
from toprung.ports.decider import Decider
from toprung.ports.store import ScoreStore
from toprung.ports.view import RankView
from toprung.rank.reference import ReferenceView
from toprung.store.sqlite import DictIndex, EntryBlocks, PythonBlocks, SeenIndex


class Core(NamedTuple):
    """What decides, ranks, finds event ids and reads batches."""

    seen_index: SeenIndex
    entry_blocks: EntryBlocks
    """Reads and merges what a store keeps of entries."""
    make_decider: Callable[[ScoreStore], Decider]
    """Gives a decider over a store whose event ids are found through ``seen_index``."""
    view: RankView | None
    batches: Batches | None
    """``None``: events are read and answered one by one."""


def make_core(view: str) -> Core:
    """The core with the view of that name, nothing in it.

    Args:
        view: ``native``, or the reference where the compiled core is missing, which is said in the
            log; ``reference``: all of it in Python; ``off``: as ``native``, but no ranks are kept.
    """
    core = _reference() if view == "reference" else _native()
    return core._replace(view=None) if view == "off" else core


def _reference() -> Core:
    return Core(DictIndex(), PythonBlocks(), ReferenceDecider, ReferenceView(), None)


def _native() -> Core:
    try:
        from toprung.batch.native import NativeBatches  # noqa: PLC0415 - the binary may be missing
        from toprung.decider.native import EntryBlocks, NativeDecider, SeenIndex  # noqa: PLC0415
        from toprung.rank.native import NativeView  # noqa: PLC0415 - the binary may be missing
    except ImportError as problem:
        structlog.get_logger("toprung").warning(
            "the compiled core is missing: its reference in Python works, slower and larger",
            reason=str(problem),
        )
        return _reference()
    index = SeenIndex()
    return Core(
        index,
        EntryBlocks(),
        lambda store: NativeDecider(store, index),
        NativeView(),
        NativeBatches(),
    )

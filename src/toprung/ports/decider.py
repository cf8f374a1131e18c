"""Deciding events in log order, over the entries they move; these are written behind the log."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.decide import Decision, EntryKey
from toprung.domain.entries import Entry
from toprung.domain.keeping import SeenBlock, SeenLine
from toprung.domain.outcomes import Outcome
from toprung.ports.moves import Moves
from toprung.ports.packed import PackedEntries
from toprung.ports.pipeline import Arrived

BoardOf = Callable[[int], Board | None]
"""Gives the board of an id as it is for the run; ``None`` for one that is no longer there."""


OUTCOMES = (
    Outcome.COUNTED,
    Outcome.UNCHANGED,
    Outcome.LATE,
    Outcome.EARLY,
    Outcome.OVERFLOW,
    Outcome.DUPLICATE,
    Outcome.CONFLICT,
    Outcome.INVALID,
    Outcome.UNKNOWN_BOARD,
)
"""By their codes in :class:`Effects`."""


class Effects(msgspec.Struct, frozen=True):
    """What a run of events did, column by column, as buffers that cross into native code as they
    are: machine numbers in the byte order of this machine.

    Attributes:
        outcomes: of each event the code of its outcome.
        stretches: the boards, and the periods of their windows, that events of the run fall into.
        spans: for each event which of the stretches it lies in (u32). It says nothing of an event
            whose board is not there.
        known: for each window of each event that spent its id bits (u8): 1, the player was on the
            board; 2, the event was taken.
        before: for each of them the first column before it (i64).
        after: the same after it.
    """

    outcomes: bytes
    stretches: Sequence[tuple[Board, Sequence[Period]]]
    spans: bytes
    known: bytes
    before: bytes
    after: bytes


class Decided(NamedTuple):
    """What became of a run of events."""

    decisions: Sequence[Decision]
    """One an event; empty where they were not asked for."""
    seen: Sequence[SeenBlock]
    """What is to be kept of the events."""
    moves: Moves
    """New places: of all steps of an event whose ranks are asked for, else where one changed. Last
    come those of which nothing is told, as they are after the run: in frozen windows (R18), and in
    segments that events carry (R17)."""
    moved: Sequence[int]
    """How many of the moves each event made, but for those of which nothing is told."""
    latest_at: Mapping[int, int]
    """By board id the latest ``at`` that counted in this run."""
    boards: Mapping[int, Board | None]
    """The boards of the run as they were for it."""
    effects: Effects | None = None
    """The decisions once more; ``None``: they were not asked for, or are not told so."""


class Decider(Protocol):
    """Decides as :func:`toprung.domain.decide.decide_event` does.

    It holds the entries that its decisions changed until they are written to the store, and reads
    the others from there. One thread uses it.

    Entries are written in sweeps. One takes up all that wait when it begins and gives them in the
    order of the store's table, so that those that stand side by side there are written together.
    What begins to wait meanwhile, or changes after it was given, is for the next one.
    """

    def decide(
        self, first: int, rows: Sequence[Arrived], board_of: BoardOf, *, told: bool
    ) -> Decided:
        """Decide consecutive events, whose ``seq`` begin at ``first``.

        Args:
            told: whether decisions shall be given.
        """
        ...

    def redo(
        self, first: int, rows: Sequence[Arrived], board_of: BoardOf, kept: Sequence[SeenLine]
    ) -> Decided:
        """Do again what was decided before: see :func:`toprung.domain.decide.redo_event`.

        Args:
            kept: the lines that were kept of these events.
        """
        ...

    @property
    def unwritten(self) -> int:
        """How many entries the store does not have as they are."""
        ...

    @property
    def oldest(self) -> int | None:
        """All events before this ``seq`` are in the written entries; ``None``: all are.

        It moves when a sweep has ended.
        """
        ...

    @property
    def sweep(self) -> int:
        """How many entries the running sweep had at first; if none runs, how many one had now."""
        ...

    def take(self, limit: int) -> Sequence[PackedEntries]:
        """The next ``limit`` entries of the sweep as they are now, fewer where it ends; a new one
        begins when the last has ended. If ``limit`` is what waits altogether, or more: all of them.

        They come by board and player, packed with the store's numbers of the periods. What was
        taken and not ``written`` is given again.
        """
        ...

    def waiting(self) -> Mapping[EntryKey, Mapping[str, Entry]]:
        """All entries that are not written, in no order."""
        ...

    def held(self, wanted: Mapping[EntryKey, Collection[str]]) -> dict[EntryKey, dict[str, Entry]]:
        """Entries of players in periods as they are now, as far as they are held: those that the
        store does not have so are among them.
        """
        ...

    def written(self) -> None:
        """The store has what ``take`` gave last."""
        ...

    def forget(self, board_id: int, player_ids: Sequence[str] | None = None) -> None:
        """Forget what the store has of a board, or of players on it: somebody else changes it.
        Nothing of it waits.
        """
        ...

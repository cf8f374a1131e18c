"""Decisions made of what the native decider tells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, overload

import msgspec

from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.decide import (
    UNKNOWN_BOARD,
    Decision,
    Seen,
    Slot,
    Step,
    Working,
    decide_event,
)
from toprung.domain.entries import Entry
from toprung.domain.errors import invariant
from toprung.domain.keeping import SeenBlock, seen_lines
from toprung.domain.outcomes import Outcome
from toprung.domain.records import decode_event
from toprung.ports.pipeline import Arrived

_OUTCOMES = (
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
"""By the codes of the native decider."""
_decode_entries: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(list[Entry | None])


class Told(NamedTuple):
    """What is told of a run."""

    outcomes: bytes
    """The code of each event's outcome."""
    stretches: list[int]
    """The number of the stretch that each event lies in."""
    before: bytes
    """MessagePack: for each window of each event that counted or overflowed its entry before."""
    after: bytes
    """The same after it."""
    again: dict[int, int]
    """By the place of a duplicate or conflict the ``seq`` of the first event, if that is in the run
    too, else 0."""


class Context(NamedTuple):
    """What a run was decided over."""

    rows: Sequence[Arrived]
    boards: Mapping[int, Board | None]
    periods: Mapping[int, Sequence[Period]]
    """By the number of a stretch."""
    found: Mapping[int, Seen]
    """By the place of an event what was kept of its id before."""
    blocks: Sequence[SeenBlock]


class Decisions(Sequence[Decision]):
    """The decisions of a run, made when the first of them is looked at."""

    def __init__(self, first: int, told: Told, context: Context) -> None:
        self._first = first
        self._told = told
        self._context = context

    def __len__(self) -> int:
        return len(self._told.outcomes)

    @overload
    def __getitem__(self, place: int) -> Decision: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Decision]: ...
    def __getitem__(self, place: int | slice) -> Decision | Sequence[Decision]:
        return self._all[place]

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._all)

    @cached_property
    def _all(self) -> list[Decision]:
        told, periods = self._told, self._context.periods
        before, after = iter(_entries(told.before)), iter(_entries(told.after))
        found = []
        for place, (code, stretch) in enumerate(zip(told.outcomes, told.stretches, strict=True)):
            outcome = _OUTCOMES[code]
            if outcome.spends_id:
                steps = tuple(map(Step, periods[stretch], before, after))
                found.append(Decision(outcome, steps))
                continue
            slots: Sequence[Period] = ()
            entries: Iterable[Entry | None] = ()
            if outcome is Outcome.OVERFLOW:
                slots = periods[stretch]
                entries = list(islice(before, len(slots)))
                next(islice(after, len(slots) - 1, None))
            found.append(self._refused(place, outcome, slots, entries))
        return found

    def _refused(
        self,
        place: int,
        outcome: Outcome,
        periods: Sequence[Period],
        entries: Iterable[Entry | None],
    ) -> Decision:
        """Why an event did not count, in the words of the rules: they decide it once more.

        Args:
            periods: those in which its entries matter.
            entries: as they were before it.
        """
        row = self._context.rows[place]
        event = decode_event(row.body)
        board = self._context.boards[event.board_id]
        if board is None:
            return UNKNOWN_BOARD
        working = Working()
        if place in self._told.again:
            working.seen[board.board_id, event.event_id] = self._seen(place)
        slots = []
        for period, entry in zip(periods, entries, strict=True):
            slot = Slot(board, period)
            if entry is not None:
                slot.entries[event.player_id] = entry
            slots.append(slot)
        decision = decide_event(working, board, event, slots, self._first + place, row.received_at)
        invariant(decision.outcome is outcome, f"{outcome} where the rules say {decision}")
        return decision

    def _seen(self, place: int) -> Seen:
        seq = self._told.again[place]
        return self._lines[seq] if seq else self._context.found[place]

    @cached_property
    def _lines(self) -> dict[int, Seen]:
        """The lines of this run by ``seq``."""
        lines = [line for block in self._context.blocks for line in seen_lines(block.body)]
        return {line[2].seq: line[2] for line in lines}


def _entries(body: bytes) -> list[Entry | None]:
    entries: list[Entry | None] = _decode_entries.decode(body)
    return entries

"""Decisions made of what the native decider tells."""

from array import array
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
from toprung.ports.decider import OUTCOMES, Effects
from toprung.ports.pipeline import Arrived

_SPENT = sum(outcome.spends_id for outcome in OUTCOMES)
"""The codes of the outcomes that spend an id are smaller."""
_decode_entries: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(list[Entry | None])


class Told(NamedTuple):
    """What is told of a run."""

    outcomes: bytes
    """The code of each event's outcome."""
    stretches: list[int]
    """The numbers of the stretches that it meets."""
    spans: bytes
    """For each event which of them it lies in (u32)."""
    known: bytes
    """See :class:`~toprung.ports.decider.Effects`."""
    first_before: bytes
    """See ``before`` there."""
    first_after: bytes
    """See ``after`` there."""
    before: bytes
    """MessagePack: for each window of each event that counted its entry before."""
    after: bytes
    """The same after it."""
    overflowed: bytes
    """MessagePack: for each window of each event that overflowed its entry before."""
    again: dict[int, int]
    """By the place of a duplicate or conflict the ``seq`` of the first event, if that is in the run
    too, else 0."""


class Context(NamedTuple):
    """What a run was decided over."""

    rows: Sequence[Arrived]
    boards: Mapping[int, Board | None]
    found: Mapping[int, Seen]
    """By the place of an event what was kept of its id before."""
    blocks: Sequence[SeenBlock]
    periods: Sequence[Sequence[Period]]
    """By the place of a stretch all of its periods, those of frozen windows among them."""


class Decisions(Sequence[Decision]):
    """The decisions of a run. Those of events that counted are made when one is looked at, for few
    are: what they did is told by the effects too.
    """

    def __init__(self, first: int, told: Told, effects: Effects, context: Context) -> None:
        self._first = first
        self._told = told
        self._effects = effects
        self._context = context
        self._others = self._refusals()

    def __len__(self) -> int:
        return len(self._told.outcomes)

    @overload
    def __getitem__(self, place: int) -> Decision: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Decision]: ...
    def __getitem__(self, place: int | slice) -> Decision | Sequence[Decision]:
        if isinstance(place, slice):
            return self._all[place]
        return self._others.get(place) or self._all[place]

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._all)

    @cached_property
    def _spans(self) -> Sequence[int]:
        return array("I", self._told.spans)

    def _periods(self, place: int) -> Sequence[Period]:
        return self._effects.stretches[self._spans[place]][1]

    @cached_property
    def _all(self) -> list[Decision]:
        before, after = iter(_entries(self._told.before)), iter(_entries(self._told.after))
        found = []
        for place, code in enumerate(self._told.outcomes):
            other = self._others.get(place)
            if other is None:
                steps = tuple(map(Step, self._periods(place), before, after))
                other = Decision(OUTCOMES[code], steps)
            found.append(other)
        return found

    def _refusals(self) -> dict[int, Decision]:
        """By their places the decisions on the events that did not spend their id."""
        refused = [place for place, code in enumerate(self._told.outcomes) if code >= _SPENT]
        if not refused:
            return {}
        overflowed = iter(_entries(self._told.overflowed))
        found = {}
        for place in refused:
            outcome = OUTCOMES[self._told.outcomes[place]]
            overflows = outcome is Outcome.OVERFLOW
            periods = self._context.periods[self._spans[place]] if overflows else ()
            found[place] = self._refused(place, outcome, periods, islice(overflowed, len(periods)))
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

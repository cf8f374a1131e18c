"""What became of the events of a request, put together from what was told of a whole run."""

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import overload

from toprung.domain.errors import Broken
from toprung.domain.records import Event, decode_event
from toprung.ports.decider import Decided, Effects
from toprung.ports.pipeline import Arrived, EventResult
from toprung.ports.view import RankChanges


class Run:
    """Events that were decided and shown together.

    Attributes:
        first: the ``seq`` of the first of them.
        ranks: those of the moves that they made.
    """

    def __init__(self, first: int, decided: Decided, ranks: RankChanges) -> None:
        self.first = first
        self.decided = decided
        self.ranks = ranks

    @cached_property
    def bounds(self) -> list[int]:
        """Where the moves of each event begin, and where those of the last one end."""
        return list(accumulate(self.decided.moved, initial=0))


class EventResults(Sequence[EventResult]):
    """What became of the events of a request; each result is made when it is looked at.

    Args:
        rows: the events.
        start: where the first of them stands in the run.
    """

    def __init__(self, run: Run, rows: Sequence[Arrived], start: int) -> None:
        self.run = run
        self.start = start
        """Where the first of the events stands in the run."""
        self._rows = rows

    @property
    def first(self) -> int:
        """The ``seq`` of the first of the events."""
        return self.run.first + self.start

    @property
    def are_told_natively(self) -> bool:
        """Whether it is known what the whole run did."""
        return self.run.decided.effects is not None

    @property
    def effects(self) -> Effects:
        """What the whole run did.

        Raises:
            Broken: its decider does not tell that.
        """
        if self.run.decided.effects is None:
            raise Broken("nobody told what a run of events did")
        return self.run.decided.effects

    @property
    def outcomes(self) -> bytes:
        """The code of each event's outcome, see :class:`~toprung.ports.decider.Effects`."""
        return self.effects.outcomes[self.start : self.start + len(self)]

    @property
    def ranks(self) -> tuple[Sequence[int], Sequence[int]]:
        """Those of the moves of these events, before and after."""
        bounds = self.run.bounds
        moves = slice(bounds[self.start], bounds[self.start + len(self)])
        return self.run.ranks.before[moves], self.run.ranks.after[moves]

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> EventResult: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[EventResult]: ...
    def __getitem__(self, place: int | slice) -> EventResult | Sequence[EventResult]:
        found = range(len(self))[place]
        if isinstance(found, range):
            return [self[one] for one in found]
        decided, at, row = self.run.decided, self.start + found, self._rows[found]
        event = row.record if isinstance(row.record, Event) else decode_event(row.body)
        told: Sequence[tuple[int, int]] = ()
        if row.ranked:
            moves = slice(*self.run.bounds[at : at + 2])
            before, after = self.run.ranks
            told = list(zip(before[moves], after[moves], strict=True))
        return EventResult(
            self.run.first + at, decided.decisions[at], decided.boards[event.board_id], told
        )

"""How a player's score and rank came about: over time, and event by event (R24)."""

from collections.abc import Sequence
from typing import NamedTuple

from toprung.domain.board import Board
from toprung.domain.entries import Entry
from toprung.domain.errors import InvalidInput
from toprung.domain.limits import HISTORY_POINTS
from toprung.domain.records import Adjusted, Event


class Point(NamedTuple):
    """A player at a moment."""

    instant: int
    seq: int
    """The last record that had arrived."""
    rank: int | None
    """``None``: not on the board."""
    columns: tuple[int, ...] | None
    total: int
    """Players on the board."""


class Cause(NamedTuple):
    """An event of a player, and what it is to the score."""

    seq: int
    event: Event
    received_at: int
    outcome: str | None
    """``None``: it was refused, and its id came again so soon that only the later one was kept."""
    late: tuple[str, ...]
    """Windows that were closed when it came."""
    is_void: bool
    """Whether it, or its match, was voided (R9)."""
    counts: bool
    """Whether it is among the events of the period."""
    decides: bool
    """Whether the score is made of it: each event that counts under ``sum``, else the one whose
    value is shown."""


class Explained(NamedTuple):
    """All that a player's score was made of."""

    entry: Entry | None
    """``None``: not on the board."""
    causes: Sequence[Cause]
    """In the order of arrival."""


def instants(start: int, end: int, step: int) -> list[int]:
    """The moments ``start``, ``start + step`` and so on, up to ``end``, and ``end``.

    Raises:
        InvalidInput: ``step``, it is none, or there are too many moments.
    """
    if step <= 0:
        raise InvalidInput("step must be longer than nothing", field="step")
    if end < start:
        raise InvalidInput("to is before from", field="to")
    count = -(-(end - start) // step) + 1
    if count > HISTORY_POINTS.maximum:
        raise InvalidInput(
            f"from, to and step make {count} points, at most {HISTORY_POINTS.maximum} are told",
            field="step",
        )
    return [*range(start, end, step), end]


def decides(board: Board, event: Event, points: tuple[int, ...], entry: Entry) -> bool:
    """Whether an event that counts is what an entry shows (R3)."""
    if board.mode == "sum" or isinstance(event, Adjusted):
        return True
    if board.mode == "last":
        return event.event_id == entry.event_id
    return points == entry.columns and event.at == entry.reached_at

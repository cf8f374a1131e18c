"""Keeping the first ranks of a list from the public until they are reviewed.

The rows are left out of what is read, and the others keep their ranks.
"""

from typing import NamedTuple

from toprung.domain.board import Board, Numbering
from toprung.domain.calendar import Period
from toprung.domain.decide import EntryKey
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import format_instant
from toprung.ports.view import BoardReader, PeriodReader
from toprung.query.pages import span_of_ranks


class Withheld(NamedTuple):
    """What is kept back of a list."""

    top: int
    """The last rank that is, as the board numbers them."""
    until: int
    numbering: Numbering
    """That of the board."""
    is_alone: bool
    """Whether a segment is ranked by events of its own, not by those of its board."""


def withheld_of(board: Board, period: Period, now: int) -> Withheld | None:
    """What the public is not shown of a period; ``None``: it is shown everything."""
    return _withheld(board, board.withheld_until(period, now))


def withheld_between(board: Board, start: int | None, end: int | None, now: int) -> Withheld | None:
    """The same of a list that is made of the events in ``[start, end)`` alone."""
    return _withheld(board, board.withheld_between(start, end, now))


def _withheld(board: Board, until: int | None) -> Withheld | None:
    delay = board.settings.publish_delay
    if delay is None or until is None:
        return None
    return Withheld(delay.top, until, board.numbering, board.settings.is_sliced_by_events)


def rows_withheld(
    withheld: Withheld | None, view: BoardReader, whole: EntryKey, asked: PeriodReader
) -> int:
    """How many rows of what is asked about, the first ones, are withheld.

    In a segment they are those of the players who are withheld on the whole board. Where a segment
    has scores of its own it is its own first ranks. Of the past a segment is made without its
    board: there it is the same, and those players are among them.

    Args:
        whole: the key of the period.
        asked: the period, or a segment in it.
    """
    if withheld is None:
        return 0
    board = view.period(whole)
    ranked = asked if withheld.is_alone or not board.total else board
    _, stop = span_of_ranks(ranked, 1, withheld.top, withheld.numbering)
    last = ranked.rows(stop - 1, stop) if stop else []
    if not last:
        return 0
    index = asked.index_at(last[0])
    return index + (asked.rows(index, index + 1) == last)


def rank_withheld(player_id: str, withheld: Withheld | None) -> InvalidInput:
    """What is said of a player whose rank is withheld."""
    until = "" if withheld is None else f" until {format_instant(withheld.until)}"
    return InvalidInput(
        f"the rank of player {player_id!r} is withheld{until}", field="player", code="withheld"
    )

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
    named: tuple[str, ...] | None = None
    """Who is withheld on the whole board, where that is not beside the segment."""


def withheld_of(board: Board, period: Period, now: int) -> Withheld | None:
    """What the public is not shown of a period; ``None``: it is shown everything."""
    delay, until = board.settings.publish_delay, board.withheld_until(period, now)
    if delay is None or until is None:
        return None
    return Withheld(delay.top, until, board.numbering, board.settings.is_sliced_by_events)


def check_shown(board: Board, start: int | None, end: int | None, now: int) -> None:
    """Do nothing when the public may be told of the events in ``[start, end)`` alone.

    Raises:
        InvalidInput: ``withheld``: the scores of a few intervals add up to those of a period of
            which ranks are.
    """
    until = board.withheld_between(start, end, now)
    if until is not None:
        raise InvalidInput(
            "from and to hold a part of a period whose first ranks are withheld until "
            f"{format_instant(until)}",
            field="to" if start is None else "from",
            code="withheld",
        )


def rows_withheld(
    withheld: Withheld | None, view: BoardReader, whole: EntryKey, asked: PeriodReader
) -> int:
    """How many rows of what is asked about, the first ones, are withheld.

    In a segment they are those of the players who are withheld on the whole board. Of the past a
    segment is made without its board: there it is its own first ranks, and those players are among
    them. Where a segment has scores of its own, it is its own first ranks, and all rows down to the
    last of those players: their scores in the segments would add up to what is withheld.

    Args:
        whole: the key of the period.
        asked: the period, or a segment in it.
    """
    if withheld is None:
        return 0
    board = view.period(whole)
    if withheld.is_alone:
        named = named_in(withheld, board) if withheld.named is None else withheld.named
        found = [place.rank_index + 1 for place in asked.places(named) if place is not None]
        return max(_first_rows(withheld, asked), *found, 0)
    ranked = board if board.total else asked
    stop = _first_rows(withheld, ranked)
    last = ranked.rows(stop - 1, stop) if stop else []
    if not last:
        return 0
    index = asked.index_at(last[0])
    return index + (asked.rows(index, index + 1) == last)


def named_in(withheld: Withheld, board: PeriodReader) -> tuple[str, ...]:
    """Who is withheld on a whole board."""
    return tuple(row.player_id for row in board.rows(0, _first_rows(withheld, board)))


def _first_rows(withheld: Withheld, ranked: PeriodReader) -> int:
    """How many rows have the ranks that are withheld."""
    _, stop = span_of_ranks(ranked, 1, withheld.top, withheld.numbering)
    return stop


def rank_withheld(player_id: str, withheld: Withheld | None) -> InvalidInput:
    """What is said of a player whose rank is withheld."""
    until = "" if withheld is None else f" until {format_instant(withheld.until)}"
    return InvalidInput(
        f"the rank of player {player_id!r} is withheld{until}", field="player", code="withheld"
    )

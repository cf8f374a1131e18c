"""The rank that a score would get, and what is missing to better ones."""

from typing import NamedTuple

from toprung.domain.board import Board, Numbering
from toprung.domain.errors import InvalidInput
from toprung.domain.numbers import fits, format_number, parse_number
from toprung.ports.view import PeriodReader


class Target(NamedTuple):
    """A better rank and how far the first column is away from it, as text."""

    rank: int
    points: str


class RankOf(NamedTuple):
    """The rank a score would get."""

    rank: int
    total: int
    seq: int
    next: Target | None
    wanted: Target | None


def read_score(board: Board, score: str) -> tuple[int, ...]:
    """The columns of a score that is asked about.

    Raises:
        InvalidInput: naming ``score``.
    """
    texts = score.split(",")
    columns = board.settings.columns
    if len(texts) > len(columns):
        raise InvalidInput(f"score has more than {len(columns)} columns", field="score")
    return tuple(
        parse_number(text, column.decimals, "score")
        for text, column in zip(texts, columns, strict=False)
    )


def would_be(reader: PeriodReader, columns: tuple[int, ...], numbering: Numbering) -> int:
    """The rank of somebody who reaches ``columns`` now: behind those who have them already."""
    if numbering is Numbering.ORDINAL:
        return reader.count_to(columns) + 1
    if numbering is Numbering.SHARED:
        return reader.count_above(columns) + 1
    return reader.distinct_above(columns) + 1


def target(
    board: Board,
    numbering: Numbering,
    reader: PeriodReader,
    columns: tuple[int, ...],
    rank: int,
    wanted: int,
) -> Target | None:
    """What is missing from ``columns`` to a rank of at most ``wanted``, and the rank it then is.

    ``None`` where nothing can reach it. Ties may skip ``wanted``: then a better rank is told.
    """
    if wanted >= rank:
        return Target(rank, "0")
    holder = _holder(reader, wanted, numbering)
    if holder is None:
        return None
    column = board.settings.columns[0]
    needed = (holder[0], *columns[1:])
    reached = would_be(reader, needed, numbering)
    if reached > wanted:
        needed = (holder[0] + (1 if column.descending else -1), *columns[1:])
        reached = would_be(reader, needed, numbering) if fits(needed[0]) else reached
    if reached > wanted:
        return None
    return Target(reached, format_number(abs(needed[0] - columns[0]), column.decimals))


def _holder(reader: PeriodReader, rank: int, numbering: Numbering) -> tuple[int, ...] | None:
    """The columns of who holds a rank; for a rank that ties skip, of the tie it lies in."""
    if numbering is Numbering.DENSE:
        return reader.distinct(rank - 1)
    rows = reader.rows(rank - 1, rank)
    return rows[0].columns if rows else None

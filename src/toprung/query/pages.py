"""Pages of rows with their shown ranks (R4, R15)."""

from collections.abc import Sequence
from typing import NamedTuple

from toprung.domain.board import Numbering
from toprung.ports.view import PeriodReader, Row


class Standing(NamedTuple):
    """A row with its rank."""

    rank: int
    player_id: str
    columns: tuple[int, ...]
    reached_at: int


class Page(NamedTuple):
    """Rows in board order, with the cursors to go on."""

    rows: list[Standing]
    total: int
    seq: int
    next: str | None
    prev: str | None


def rank_at(reader: PeriodReader, index: int, columns: Sequence[int], numbering: Numbering) -> int:
    """The shown rank of the row at ``index``, which has these ``columns``."""
    if numbering is Numbering.ORDINAL:
        return index + 1
    if numbering is Numbering.SHARED:
        return reader.count_above(columns) + 1
    return reader.distinct_above(columns) + 1


def standings(
    reader: PeriodReader, start: int, rows: Sequence[Row], numbering: Numbering
) -> list[Standing]:
    """``rows``, the first of which stands at index ``start``, with their shown ranks."""
    found: list[Standing] = []
    rank = rank_at(reader, start, rows[0].columns, numbering) if rows else 0
    above: tuple[int, ...] | None = None
    for index, row in enumerate(rows, start):
        if above is not None and (numbering is Numbering.ORDINAL or row.columns != above):
            rank = rank + 1 if numbering is Numbering.DENSE else index + 1
        found.append(Standing(rank, *row))
        above = row.columns
    return found


def span_of_ranks(
    reader: PeriodReader, first: int, last: int, numbering: Numbering
) -> tuple[int, int]:
    """Indexes ``[start, stop)`` of the rows whose shown rank lies in ``[first, last]`` (R15)."""
    if first > last:
        return 0, 0
    if numbering is Numbering.ORDINAL:
        return first - 1, min(last, reader.total)
    if numbering is Numbering.DENSE:
        return _start_of_score(reader, first - 1), _end_of_score(reader, last - 1)
    return _start_shared(reader, first - 1), _end_shared(reader, last - 1)


def _start_of_score(reader: PeriodReader, index: int) -> int:
    columns = reader.distinct(index)
    return reader.total if columns is None else reader.count_above(columns)


def _end_of_score(reader: PeriodReader, index: int) -> int:
    columns = reader.distinct(index)
    return reader.total if columns is None else reader.count_to(columns)


def _start_shared(reader: PeriodReader, index: int) -> int:
    """The first row at or after ``index`` with which a tie begins."""
    rows = reader.rows(index, index + 1)
    if not rows:
        return reader.total
    begins = reader.count_above(rows[0].columns)
    return begins if begins == index else reader.count_to(rows[0].columns)


def _end_shared(reader: PeriodReader, index: int) -> int:
    """The end of the tie that the row at ``index`` is in."""
    rows = reader.rows(index, index + 1)
    return reader.count_to(rows[0].columns) if rows else reader.total

"""What a table of an export is: columns with a kind each, and rows of plain values."""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from typing import Any, NamedTuple

from toprung.cli.errors import Failed

POINTS = "points"


class Kind(Enum):
    """What the values of a column are. Each may also be ``None``."""

    TEXT = auto()
    WHOLE = auto()
    """A whole number."""
    FLAG = auto()
    INSTANT = auto()
    """RFC 3339 text, UTC."""
    JSON = auto()
    """The text of a JSON object, as it was sent."""
    TEXTS = auto()
    """A sequence of texts."""
    POINTS = auto()
    """Decimal text, or a mapping of such by column."""
    NUMBER = auto()
    """Decimal text; stands for ``POINTS`` where every value has a column of its own."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    kind: Kind
    decimals: int = 0
    """Of a number: how many its board keeps."""


class Points(NamedTuple):
    """A column of the board."""

    name: str
    decimals: int


Row = Sequence[Any]
"""Values in the order of the columns."""


class Page(NamedTuple):
    """Rows that came together, and how far they are."""

    rows: Sequence[Row]
    done: int
    total: int
    text: str
    """What ``done`` and ``total`` count."""


class Table(NamedTuple):
    """What is exported: columns, and where the rows come from.

    A further kind of data is a function that makes one of these.
    """

    columns: Sequence[Column]
    points: Sequence[Points]
    """The board's columns."""
    pages: Callable[[], Iterator[Page]]


def flat_columns(table: Table) -> list[Column]:
    """The columns where points have one for each column of the board: ``points.NAME``."""
    found: list[Column] = []
    for column in table.columns:
        if column.kind is not Kind.POINTS:
            found.append(column)
        elif len(table.points) == 1:
            found.append(Column(column.name, Kind.NUMBER, table.points[0].decimals))
        else:
            found += [
                Column(f"{column.name}.{each.name}", Kind.NUMBER, each.decimals)
                for each in table.points
            ]
    return found


def flattener(table: Table) -> Callable[[Row], list[Any]]:
    """Gives the values of a row in the order of the flat columns.

    It raises:
        Failed: ``other_columns``, an event was sent when the board had other columns.
    """
    place = next(n for n, column in enumerate(table.columns) if column.kind is Kind.POINTS)
    names = [each.name for each in table.points]

    def flat(row: Row) -> list[Any]:
        points = row[place]
        if isinstance(points, str):
            values = [points] if len(names) == 1 else None
        else:
            values = [points[name] for name in names] if set(points) == set(names) else None
        if values is None:
            raise Failed(
                "other_columns",
                f"an event was sent when the board had other columns: {points}",
                hint="--format jsonl tells each event by the columns of its time",
            )
        return [*row[:place], *values, *row[place + 1 :]]

    return flat

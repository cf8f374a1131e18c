"""Rows as a Parquet file: numbers exact, instants in UTC, written by DuckDB."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from toprung.cli.data import connect, quoted_name, quoted_text
from toprung.cli.exporting.tables import Column, Kind, Row, Table, flat_columns, flattener
from toprung.cli.exporting.writers import Write, flat_jsonl_writer

TYPES = {
    Kind.TEXT: "VARCHAR",
    Kind.WHOLE: "BIGINT",
    Kind.FLAG: "BOOLEAN",
    Kind.INSTANT: "TIMESTAMPTZ",
    Kind.JSON: "VARCHAR",
    Kind.TEXTS: "VARCHAR[]",
    Kind.NUMBER: "VARCHAR",
}
_FRACTION = re.compile(r"\.([0-9]+)$")
WHOLE_DIGITS = 19
"""Digits of a number of 64 bits before its point."""


def number_type(decimals: int) -> str:
    """The type that holds every number of so many decimals exactly."""
    return "BIGINT" if decimals == 0 else f"DECIMAL({WHOLE_DIGITS + decimals}, {decimals})"


@contextmanager
def parquet_writer(table: Table, path: Path) -> Iterator[Write]:
    """Writes rows to a file that is complete when the context is left.

    They wait on the disk, not in memory, until all of them are there: only then it is known how
    many decimals there are, as older events may have had more than the board has now.

    Raises:
        Failed: DuckDB is not installed.
    """
    waiting = path.with_name(path.name + ".rows")
    with connect() as database:
        try:
            with waiting.open("w", encoding="utf-8", newline="") as file:
                counted = _Decimals(table)
                write = flat_jsonl_writer(table, file)

                def take(rows: Iterable[Row]) -> None:
                    group = list(rows)
                    counted.look(group)
                    write(group)

                yield take
            database.execute(_copying(counted.columns, waiting, path))
        finally:
            waiting.unlink(missing_ok=True)


class _Decimals:
    """The columns, with the most decimals that were met in each."""

    def __init__(self, table: Table) -> None:
        self.columns = flat_columns(table)
        self._flat = flattener(table)
        self._numbers = [n for n, each in enumerate(self.columns) if each.kind is Kind.NUMBER]

    def look(self, rows: Iterable[Row]) -> None:
        for row in rows:
            values = self._flat(row)
            for place in self._numbers:
                match = _FRACTION.search(values[place])
                column = self.columns[place]
                if match is not None and len(match[1]) > column.decimals:
                    self.columns[place] = column._replace(decimals=len(match[1]))


def _copying(columns: Iterable[Column], waiting: Path, path: Path) -> str:
    # Of a file: statements of DuckDB take no parameters where they name one.
    types = ", ".join(f"{quoted_text(each.name)}: '{TYPES[each.kind]}'" for each in columns)
    shown = ", ".join(_shown(each) for each in columns)
    return (
        f"COPY (SELECT {shown} FROM read_json({quoted_text(str(waiting))}, "  # noqa: S608 - quoted
        f"format = 'newline_delimited', columns = {{{types}}})) "
        f"TO {quoted_text(str(path))} (FORMAT parquet, COMPRESSION zstd)"
    )


def _shown(column: Column) -> str:
    name = quoted_name(column.name)
    if column.kind is not Kind.NUMBER:
        return name
    return f"CAST({name} AS {number_type(column.decimals)}) AS {name}"

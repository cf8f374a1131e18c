"""How rows are written as text: CSV for people and tools, JSON lines for programs."""

import csv
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any

import msgspec

from toprung.cli.exporting.tables import Column, Kind, Row, Table, flat_columns, flattener

Write = Callable[[Iterable[Row]], None]
"""Writes rows, in order; may be called many times."""

_RISKY = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes a cell for a formula by."""
_encode = msgspec.json.Encoder().encode


def csv_writer(table: Table, file: IO[str], *, spreadsheet: bool = False) -> Write:
    """Writes CSV with a header.

    Args:
        spreadsheet: texts that a spreadsheet would run as a formula begin with an apostrophe. They
            are no longer what was sent, so an import takes them for others.
    """
    columns, flat = flat_columns(table), flattener(table)
    shown = [_cell_of(column, spreadsheet=spreadsheet) for column in columns]
    plain = csv.writer(file, lineterminator="\n")
    # Left to itself the module quotes no bare return, which ends a row for every reader.
    quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    plain.writerow([column.name for column in columns])

    def write(rows: Iterable[Row]) -> None:
        for row in rows:
            cells = [show(value) for show, value in zip(shown, flat(row), strict=True)]
            writer = quoted if any(isinstance(c, str) and "\r" in c for c in cells) else plain
            writer.writerow(cells)

    return write


def _cell_of(column: Column, *, spreadsheet: bool) -> Callable[[Any], Any]:
    if column.kind is Kind.FLAG:
        return lambda value: "true" if value else "false"
    if column.kind is Kind.TEXTS:
        return " ".join
    if spreadsheet and column.kind in (Kind.TEXT, Kind.JSON):
        return lambda value: f"'{value}" if value is not None and value[:1] in _RISKY else value
    return lambda value: value


def jsonl_writer(table: Table, file: IO[str]) -> Write:
    """Writes a JSON object a line, numbers as text; points of several columns are an object."""
    return _object_writer(table.columns, list, file)


def flat_jsonl_writer(table: Table, file: IO[str]) -> Write:
    """As :func:`jsonl_writer`, with a key for each of the flat columns, and JSON as text."""
    columns = [
        column._replace(kind=Kind.TEXT) if column.kind is Kind.JSON else column
        for column in flat_columns(table)
    ]
    return _object_writer(columns, flattener(table), file)


def _object_writer(
    columns: Sequence[Column], values: Callable[[Row], list[Any]], file: IO[str]
) -> Write:
    names = [column.name for column in columns]
    raw = [n for n, column in enumerate(columns) if column.kind is Kind.JSON]

    def write(rows: Iterable[Row]) -> None:
        for row in rows:
            found = values(row)
            for place in raw:
                if found[place] is not None:
                    found[place] = msgspec.Raw(found[place].encode())
            file.write(_encode(dict(zip(names, found, strict=True))).decode() + "\n")

    return write

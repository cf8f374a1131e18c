"""Files as views that SQL can name, with the columns of our exports in their true types."""

import csv
import gzip
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import msgspec

from toprung.cli.data import quoted_name, quoted_text
from toprung.cli.errors import Failed
from toprung.cli.exporting.parquet import TYPES, number_type
from toprung.cli.exporting.sources import EVENTS, SNAPSHOTS
from toprung.cli.exporting.tables import POINTS, Kind

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_KINDS = {column.name: column.kind for column in (*SNAPSHOTS, *EVENTS)}
_OURS = frozenset({"player_id", "at"})
"""Columns that every export of ours has, beside points."""


def name_views(files: Iterable[Path]) -> dict[str, Path]:
    """A name for each file: its own up to the first point, other signs than word ones as ``_``.

    Raises:
        Failed: ``same_name``.
    """
    named: dict[str, Path] = {}
    for file in files:
        name = re.sub(r"\W", "_", file.name.partition(".")[0])
        if name in named:
            raise Failed(
                "same_name",
                f"{named[name]} and {file} would both be called {name}",
                hint="rename one of them, or give it a link with another name",
            )
        named[name] = file
    return named


def add_view(database: "DuckDBPyConnection", name: str, file: Path) -> None:
    """Let SQL read ``file`` under ``name``.

    Raises:
        OSError: it cannot be read.
        Failed: ``format``, it is none of the kinds that an export writes.
    """
    suffixes = set(file.suffixes)
    if ".parquet" in suffixes:
        with file.open("rb"):
            source = f"SELECT * FROM read_parquet({quoted_text(str(file))})"  # noqa: S608 - quoted
    elif suffixes & {".jsonl", ".ndjson"}:
        source = _json_source(database, file)
    elif ".csv" in suffixes:
        source = _csv_source(database, file)
    else:
        raise Failed("format", f"{file}: the name must end in .parquet, .csv or .jsonl")
    database.execute(f"CREATE VIEW {quoted_name(name)} AS {source}")


def _csv_source(database: "DuckDBPyConnection", file: Path) -> str:
    with _opened(file) as text:
        header = next(csv.reader(text), [])
    where = quoted_text(str(file))
    if not _is_ours(header):
        return f"SELECT * FROM read_csv({where})"  # noqa: S608 - quoted
    types = ", ".join(f"{quoted_text(name)}: '{_csv_type(name)}'" for name in header)
    reader = (
        f"read_csv({where}, header = true, delim = ',', quote = '\"', escape = '\"', "
        f"columns = {{{types}}})"
    )
    points = {name: quoted_name(name) for name in header if _is_points(name)}
    return _typed(database, reader, header, points)


def _csv_type(name: str) -> str:
    kind = Kind.NUMBER if _is_points(name) else _KINDS.get(name, Kind.TEXT)
    return "VARCHAR" if kind is Kind.TEXTS else TYPES[kind]


def _json_source(database: "DuckDBPyConnection", file: Path) -> str:
    with _opened(file) as text:
        first = _first_object(text.readline())
    where = quoted_text(str(file))
    if not _is_ours(list(first)):
        return f"SELECT * FROM read_json({where}, format = 'newline_delimited')"  # noqa: S608
    types = ", ".join(f"{quoted_text(name)}: '{_json_type(name)}'" for name in first)
    reader = f"read_json({where}, format = 'newline_delimited', columns = {{{types}}})"
    told = first[POINTS]
    if isinstance(told, dict):
        path = "->> '$.\"{}\"'"
        points = {f"{POINTS}.{name}": f"({POINTS} {path.format(name)})" for name in told}
    else:
        points = {POINTS: f"({POINTS} ->> '$')"}
    names = [each for name in first for each in (points if name == POINTS else [name])]
    return _typed(database, reader, names, points)


def _json_type(name: str) -> str:
    return "JSON" if name == POINTS else TYPES[_KINDS.get(name, Kind.TEXT)]


def _first_object(line: str) -> dict[str, object]:
    try:
        return msgspec.json.decode(line or "{}", type=dict[str, object])
    except msgspec.DecodeError as error:
        raise Failed("format", f"the first line is no JSON object: {error}") from error


def _is_ours(names: Sequence[str]) -> bool:
    return set(names) >= _OURS and any(map(_is_points, names))


def _is_points(name: str) -> bool:
    return name == POINTS or name.startswith(f"{POINTS}.")


def _typed(
    database: "DuckDBPyConnection", reader: str, names: Iterable[str], points: dict[str, str]
) -> str:
    """A query with numbers as the smallest type that holds each of them exactly."""
    longest = ", ".join(f"max(length(split_part({text}, '.', 2)))" for text in points.values())
    found = database.execute(f"SELECT {longest} FROM {reader}").fetchone()  # noqa: S608 - quoted
    types = dict(zip(points, [number_type(each or 0) for each in found or ()], strict=True))
    shown = ", ".join(
        f"CAST({points[name]} AS {types[name]}) AS {quoted_name(name)}"
        if name in points
        else quoted_name(name)
        for name in names
    )
    return f"SELECT {shown} FROM {reader}"  # noqa: S608 - quoted


def _opened(file: Path) -> IO[str]:
    opener = gzip.open if file.suffix == ".gz" else open
    return cast("IO[str]", opener(file, "rt", encoding="utf-8-sig", newline=""))

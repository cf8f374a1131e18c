"""International Mathematical Olympiad: a sum of points, ties share a rank, no tie-break at all.

Guests have no official rank and are left out of the official numbering, so they are left out here.

Why rows differ: in some years one or two levels of score carry a number that is off, mostly by one,
in the official list; 1959, 1976, 1984 and 1987 are numbered irregularly.
"""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

from toprung.testing.standings.adapter import Bar, Board, Event, Line, Standings, Step, Table

SETTINGS = {"mode": "sum", "ties": "shared", "windows": ["all"]}


def standings(folder: Path) -> Standings:
    """One board a year."""
    tables = _tables(folder)
    ranked = {line.player_id for table in tables for line in table.lines}
    return Standings(
        boards=tuple(Board(table.board, SETTINGS) for table in tables),
        steps=[Step(_events(folder, ranked), tables)],
        bars={"": Bar(values=1, ranks=0.986)},
    )


def _events(folder: Path, ranked: set[str]) -> Iterator[Event]:
    with gzip.open(folder / "events.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["player_id"] in ranked:
                points = (row["points"],)
                yield Event(row["board"], row["event_id"], row["player_id"], points, row["at"])


def _tables(folder: Path) -> tuple[Table, ...]:
    lines: dict[str, list[Line]] = {}
    with (folder / "expected.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["rank"]:
                line = Line(row["player_id"], {"score": row["points"]}, int(row["rank"]))
                lines.setdefault(row["board"], []).append(line)
    return tuple(Table(board, tuple(rows)) for board, rows in lines.items())

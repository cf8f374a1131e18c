"""Major League Baseball: home runs of a season and of all seasons.

One board with a window for the year and one for all years. The data has a line for each batter and
pitcher of a season and no dates inside it; the folder's README says which instants stand for them.

A board needs the lines with home runs, and one line of each batter, so that a total of 0 is on it.
The official table also lists who never came to bat: their entry is the zero event of a roster. The
official ranks follow from the official totals.
"""

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import groupby
from pathlib import Path

from toprung.testing.standings.adapter import (
    Bar,
    Board,
    Event,
    Line,
    Standings,
    Step,
    Table,
    shared_ranks,
)

BOARD = "hr"
SETTINGS = {"mode": "sum", "ties": "shared", "windows": ["all", "yearly"]}
SEASON = timedelta(days=183)
BY_SEASON, ALL_SEASONS = "home runs by season", "home runs of all seasons"

Totals = dict[str, int]


def standings(folder: Path) -> Standings:
    """All seasons on one board, a window each."""
    official = _official(folder)
    return Standings(
        boards=(Board(BOARD, SETTINGS),),
        steps=[Step(_events(folder, official), tuple(_tables(official)))],
        bars={BY_SEASON: Bar(values=1, ranks=1), ALL_SEASONS: Bar(values=1, ranks=1)},
    )


def _official(folder: Path) -> dict[str, Totals]:
    official: dict[str, Totals] = {}
    with (folder / "expected_batting.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            official.setdefault(row["season"], {})[row["player_id"]] = int(row["hr"])
    return official


def _events(folder: Path, official: dict[str, Totals]) -> Iterator[Event]:
    for path in sorted(folder.glob("events-*.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for season, rows in groupby(csv.DictReader(file), key=lambda row: row["season"]):
                yield from _season(season, list(rows), official[season])


def _season(season: str, rows: list[dict[str, str]], roster: Totals) -> Iterator[Event]:
    start = datetime(int(season), 4, 1, tzinfo=UTC)
    batters: set[str] = set()
    for index, row in enumerate(rows):
        if row["hr"] != "0" or row["batter"] not in batters:
            batters.add(row["batter"])
            at = _text(start + index * SEASON / len(rows))
            yield Event(BOARD, f"{season}-{index}", row["batter"], (row["hr"],), at)
    for player in roster.keys() - batters:
        yield Event(BOARD, f"{season}-roster-{player}", player, ("0",), _text(start))


def _tables(official: dict[str, Totals]) -> Iterator[Table]:
    career: Counter[str] = Counter()
    for season, totals in official.items():
        career.update(totals)
        yield Table(BOARD, _lines(totals), "yearly", season, group=BY_SEASON)
    yield Table(BOARD, _lines(career), group=ALL_SEASONS)


def _lines(totals: Totals) -> tuple[Line, ...]:
    ranks = shared_ranks({player: Decimal(total) for player, total in totals.items()})
    return tuple(
        Line(player, {"score": str(total)}, ranks[player]) for player, total in totals.items()
    )


def _text(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")

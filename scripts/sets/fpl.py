"""Fantasy Premier League: the points of each game week, the season's total after it, and the form.

A season is a board. Its game weeks do not overlap, so each is a ``season`` window of the board that
begins with its first match. The official tables also list who had no match in a week, with 0: their
entry is the zero event of a squad list.

No official ranks of these two tables are published; those of the game weeks follow from the totals.

The form is the mean of a player's points of the last 30 days before the table was read, to one
decimal: those points, by another board's count of the matches in which they were got.

Why rows differ: the points of one player were corrected after the tables were published.
"""

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import chain
from pathlib import Path

from toprung.testing.standings.adapter import (
    Bar,
    Board,
    Event,
    Line,
    Season,
    Standings,
    Step,
    Table,
    shared_ranks,
)

SETTINGS = {"mode": "sum", "ties": "shared", "windows": ["season", "all"]}
COUNTS = {"mode": "sum"}
WEEKS, TOTALS, FORM = "game weeks", "season totals", "rolling 30 days"
FORM_DAYS = timedelta(days=30)
# Such a window is open where it begins and closed where it ends; an interval is just the reverse.
MOMENT = timedelta(microseconds=1)

Row = dict[str, str]
Week = tuple[str, int]


@dataclass(frozen=True)
class Fixtures:
    """The matches and the official rows of every week of every season."""

    matches: dict[Week, list[Row]]
    official: dict[Week, list[Row]]

    def begins(self, week: Week) -> str:
        """The first match; where all were postponed, the day of the official table."""
        if week in self.matches:
            return min(row["at"] for row in self.matches[week])
        return self.official[week][0]["as_of"]

    @property
    def weeks(self) -> list[Week]:
        return sorted(self.matches.keys() | self.official.keys())

    @property
    def seasons(self) -> list[str]:
        return sorted({season for season, _ in self.weeks})


def standings(folder: Path) -> Standings:
    """A board a season, imported and compared week by week."""
    fixtures = Fixtures(_matches(folder), _official(folder))
    return Standings(
        boards=(
            *(_board(fixtures, season) for season in fixtures.seasons),
            *(Board(_counts(season), COUNTS) for season in fixtures.seasons),
        ),
        steps=(_step(fixtures, number) for number in sorted({week[1] for week in fixtures.weeks})),
        bars={WEEKS: Bar(values=1, ranks=1), TOTALS: Bar(values=0.9998), FORM: Bar(values=1)},
    )


def _board(fixtures: Fixtures, season: str) -> Board:
    resets = tuple(
        Season(id=_week_key(week), at=fixtures.begins(week), name=_week_key(week))
        for week in fixtures.weeks
        if week[0] == season
    )
    return Board(season, SETTINGS, resets)


def _step(fixtures: Fixtures, number: int) -> Step:
    """The same week of all seasons."""
    weeks = [week for week in fixtures.weeks if week[1] == number]
    tables = chain.from_iterable(_tables(week, fixtures.official.get(week, [])) for week in weeks)
    return Step([event for week in weeks for event in _events(fixtures, week)], tuple(tables))


def _events(fixtures: Fixtures, week: Week) -> Iterator[Event]:
    board, begins = week[0], fixtures.begins(week)
    played = set()
    for row in fixtures.matches.get(week, []):
        played.add(row["player_id"])
        yield Event(board, row["event_id"], row["player_id"], (row["points"],), row["at"])
        yield Event(_counts(board), row["event_id"], row["player_id"], ("1",), row["at"])
    for row in fixtures.official.get(week, []):
        player = row["player_id"]
        if player not in played:
            listed = f"{_week_key(week)}-listed-{player}"
            yield Event(board, listed, player, ("0",), begins)


def _tables(week: Week, official: list[Row]) -> Iterator[Table]:
    if not official:
        return
    board = week[0]
    ranks = shared_ranks({row["player_id"]: Decimal(row["gw_points"]) for row in official})
    yield Table(
        board,
        tuple(
            Line(row["player_id"], {"score": row["gw_points"]}, ranks[row["player_id"]])
            for row in official
        ),
        window="season",
        period=_week_key(week),
        group=WEEKS,
    )
    totals = tuple(Line(row["player_id"], {"score": row["total_points"]}) for row in official)
    yield Table(board, totals, group=TOTALS)
    form = tuple(
        Line(row["player_id"], {"score": str(Decimal(row["form_x10"]) / 10)}) for row in official
    )
    for as_of in sorted({row["as_of"] for row in official}):
        then = tuple(
            line for line, row in zip(form, official, strict=True) if row["as_of"] == as_of
        )
        yield Table(board, then, interval=_last_days(as_of), per=_counts(board), group=FORM)


def _last_days(as_of: str) -> tuple[str, str]:
    end = datetime.fromisoformat(as_of) + MOMENT
    return (end - FORM_DAYS).isoformat(), end.isoformat()


def _counts(board: str) -> str:
    """The board that counts a season's matches."""
    return f"{board}-matches"


def _matches(folder: Path) -> dict[Week, list[Row]]:
    matches: dict[Week, list[Row]] = {}
    for path in sorted(folder.glob("events-*.csv.gz")):
        season = path.name.removeprefix("events-").removesuffix(".csv.gz")
        for row in _rows(path):
            matches.setdefault((season, int(row["gw"])), []).append(row)
    return matches


def _official(folder: Path) -> dict[Week, list[Row]]:
    official: dict[Week, list[Row]] = {}
    for row in _rows(folder / "expected_weekly.csv.gz"):
        official.setdefault((row["season"], int(row["gw"])), []).append(row)
    return official


def _rows(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _week_key(week: Week) -> str:
    return f"gw-{week[1]:02}"

"""A real season, day by day: `rolling:30d` is what the oracle says on every tenth day."""

import csv
import gzip
from datetime import date, timedelta
from pathlib import Path

from toprung.app.core import make_core
from toprung.domain.instants import HOUR, format_instant, parse_instant
from toprung.log.sqlite import SqliteEventLog
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore, Waiting
from toprung.testing.agreement import check_rows
from toprung.testing.oracle import Column, Event, OracleBoard, Put, Roll, Rules, Told
from toprung.testing.oracle.board import Counted, OraclePlayers
from toprung.testing.oracle.periods import day_at
from toprung.testing.path import PROJECT
from toprung.testing.path import Path as RealPath

ZONE, WINDOW = "Europe/London", "rolling:30d"
RULES = Rules("sum", (Column("points", True, 0),), "shared", (WINDOW,), ZONE)
FIRST, DAYS = date(2024, 8, 16), 290
"""Clocks are set in the nights to 27 October and to 30 March."""
LOOKED_AT = 10
"""Days from one that is looked at to the next."""


def noon(day: date) -> int:
    return parse_instant(f"{day.isoformat()}T12:00:00Z", "day")


def matches(folder: Path) -> dict[date, list[Event]]:
    """What each player did in each match, by the day on the board's own calendar."""
    found: dict[date, list[Event]] = {}
    with gzip.open(folder / "events-2024-25.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            at = parse_instant(row["at"], "at")
            event = Event("b", row["event_id"], row["player_id"], {"points": row["points"]}, at)
            found.setdefault(day_at(ZONE, at), []).append(event)
    return found


def native_path() -> RealPath:
    database, core = open_database(None), make_core("native")
    store = SqliteScoreStore(database, Waiting(core.seen_index), core.entry_blocks)
    store.load()
    return RealPath(
        SqliteEventLog(database),
        store,
        lambda: core.view,
        database.transaction,
        format_instant,
        core.make_decider,
    )


def test_the_last_thirty_days_are_the_oracle_s_over_a_season(shared: Path):
    days = matches(shared / "data" / "fpl")
    path, board = native_path(), OracleBoard(0, RULES, OraclePlayers(), noon(FIRST))
    path.send([Told(Put("b", RULES), noon(FIRST))])
    compared = 0
    for number in range(DAYS):
        day = FIRST + timedelta(days=number)
        # The day is told at noon; what is played comes in late in the evening.
        path.send([Told(Roll("b"), noon(day))])
        board.day = day
        arrival = noon(day) + 11 * HOUR
        path.send([Told(event, arrival) for event in days.get(day, [])])
        for place, event in enumerate(days.get(day, [])):
            at = event.at or 0
            board.counted.append(Counted(place, event, at, arrival, frozenset(), arrival))
        if number % LOOKED_AT == 0:
            compared += compare(path, board, day)
    path.stop()
    assert not path.broken
    assert compared > 10_000


def compare(path: RealPath, board: OracleBoard, day: date) -> int:
    """Hold the window against the oracle; how many rows there are."""
    expected = board.standings(WINDOW, day.isoformat())
    scope = path.query.scope(PROJECT, "b")
    assert scope.period.key == day.isoformat()
    total = len(expected.lines)
    check_rows(path.query.top(scope, 1000), expected.rows(0, 1000, "shared"), expected)
    return total

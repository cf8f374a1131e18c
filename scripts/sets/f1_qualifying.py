"""Formula 1 qualifying in two timed sessions: the lowest time wins, and who set it first is ahead.

A weekend is a board. Each session is a day of it; the grid is the best of both. In six weekends the
two times were added up instead: their grid is a board of its own, of those who drove both sessions.

Why rows differ: in five weekends a driver was excluded or lost the times of a session, by ruling.
Everybody behind moves up one in the official table.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toprung.testing.standings.adapter import Bar, Board, Event, Line, Standings, Step, Table

SETTINGS = {
    "mode": "best",
    "columns": [{"name": "ms", "order": "asc"}],
    "ties": "earliest",
    "windows": ["all", "daily"],
}
ADDED_UP = {**SETTINGS, "mode": "sum", "windows": ["all"]}
GROUPS = {"q1": "first session", "q2": "second session"}
BEST_OF_BOTH, SUM_OF_BOTH = "best of both", "sum of both"


@dataclass(frozen=True)
class Weekends:
    """How each weekend's grid was made, and on which day each session was driven."""

    format: dict[str, str]
    day: dict[tuple[str, str], str]

    def is_sum(self, board: str) -> bool:
        return self.format[board] == "AGGREGATE"

    def is_best(self, board: str) -> bool:
        return self.format[board] == "TWO_SESSION"


def standings(folder: Path) -> Standings:
    """A board a weekend, and one more where the times were added up."""
    rows = list(_rows(folder, "events.csv"))
    weekends = Weekends(
        format={row["board"]: row["format"] for row in _rows(folder, "boards.csv")},
        day={(row["board"], "q" + _session(row)): row["at"][:10] for row in rows},
    )
    tables = tuple(_tables(folder, weekends))
    bar = Bar(values=0.993, ranks=0.993)
    return Standings(
        boards=tuple(_boards(weekends)),
        steps=[Step(_events(rows, weekends), tables)],
        columns=("ms",),
        bars=dict.fromkeys((*GROUPS.values(), BEST_OF_BOTH, SUM_OF_BOTH), bar),
    )


def _boards(weekends: Weekends) -> Iterator[Board]:
    for board in weekends.format:
        yield Board(board, SETTINGS)
        if weekends.is_sum(board):
            yield Board(_sum_board(board), ADDED_UP)


def _events(rows: list[dict[str, str]], weekends: Weekends) -> Iterator[Event]:
    sessions = Counter((row["board"], row["player_id"]) for row in rows)
    for row in rows:
        yield _event(row, row["board"])
        drove_both = sessions[row["board"], row["player_id"]] == 2
        if weekends.is_sum(row["board"]) and drove_both:
            yield _event(row, _sum_board(row["board"]))


def _event(row: dict[str, str], board: str) -> Event:
    return Event(board, row["event_id"], row["player_id"], (row["points"],), row["at"])


def _tables(folder: Path, weekends: Weekends) -> Iterator[Table]:
    lines: dict[tuple[str, str], list[Line]] = {}
    for row in _rows(folder, "expected.csv"):
        # Who has no official time or rank, was excluded.
        if row["rank"].isdigit() and row["points"]:
            line = Line(row["player_id"], {"ms": row["points"]}, int(row["rank"]))
            lines.setdefault((row["board"], row["window"]), []).append(line)
    for (board, window), table in lines.items():
        if window in GROUPS:
            day = weekends.day[board, window]
            yield Table(board, tuple(table), "daily", day, group=GROUPS[window])
        elif weekends.is_best(board):
            yield Table(board, tuple(table), group=BEST_OF_BOTH)
        elif weekends.is_sum(board):
            yield Table(_sum_board(board), tuple(table), group=SUM_OF_BOTH)


def _rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _session(row: dict[str, str]) -> str:
    """An event id is season-round-session-rank."""
    return row["event_id"].split("-")[2]


def _sum_board(board: str) -> str:
    return f"{board}.sum"

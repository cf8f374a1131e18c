"""Premier League final tables: points, then goal difference, then goals for; then a shared rank."""

import csv
from pathlib import Path

from toprung.testing.standings.adapter import Bar, Board, Event, Line, Standings, Step, Table

COLUMNS = ("points", "goal_difference", "goals_for")
SETTINGS = {
    "mode": "sum",
    "columns": [{"name": name} for name in COLUMNS],
    "ties": "shared",
    "windows": ["all"],
}


def standings(folder: Path) -> Standings:
    """One board a season."""
    tables = _tables(folder)
    return Standings(
        boards=tuple(Board(table.board, SETTINGS) for table in tables),
        steps=[Step(_events(folder), tables)],
        columns=COLUMNS,
        bars={"": Bar(values=1, ranks=1)},
    )


def _events(folder: Path) -> list[Event]:
    with (folder / "events.csv").open(encoding="utf-8", newline="") as file:
        return [
            Event(
                board=row["board"],
                event_id=row["event_id"],
                player_id=row["player_id"],
                points=(row["points"], _difference(row), row["goals_for"]),
                at=row["at"],
            )
            for row in csv.DictReader(file)
        ]


def _tables(folder: Path) -> tuple[Table, ...]:
    lines: dict[str, list[Line]] = {}
    with (folder / "expected.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values = {
                "points": row["points"],
                "goal_difference": _difference(row),
                "goals_for": row["goals_for"],
            }
            line = Line(row["player_id"], values, int(row["rank"]))
            lines.setdefault(row["board"], []).append(line)
    return tuple(Table(board, tuple(rows)) for board, rows in lines.items())


def _difference(row: dict[str, str]) -> str:
    return str(int(row["goals_for"]) - int(row["goals_against"]))

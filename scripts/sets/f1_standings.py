"""The Formula 1 championship after every round: points, then count-back, then a shared rank.

Count-back asks who has more first places, then more second places, and so on. Twelve counts fit one
column: an event adds 32 ** (12 - place), so that each count is a digit in base 32. A driver meets
fewer than 32 races in a season and a team takes a place at most once a race, so no digit reaches 32
and nothing is carried; twelve digits stay below 32 ** 12 = 2 ** 60, well inside 64 bits. A second
column takes the places 13 to 24, and no race of a season that counts back so far had more.

Why rows differ: drivers before 1991 and constructors before 1979 counted their best results only;
some points of teams were taken away by ruling; until 1999 the official tables counted back by other
rules, or without a clear one; some 29 rows from 2000 are equal in every place and ranked apart.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from toprung.testing.standings.adapter import Bar, Board, Event, Line, Standings, Step, Table

COLUMNS = ("points", "places_1_12", "places_13_24")
SETTINGS = {
    "mode": "sum",
    "columns": [{"name": COLUMNS[0], "decimals": 2}, *({"name": name} for name in COLUMNS[1:])],
    "ties": "shared",
    "windows": ["all"],
}
BASE = 32
PLACES = 12
"""Digits of one column."""

Row = dict[str, str]
Key = tuple[int, str]
"""A season and whose championship it is."""
WHO = {"driver": "player_id", "constructor": "team_id"}


def standings(folder: Path) -> Standings:
    """A board for each season and championship, imported and compared round by round."""
    events = _rows(folder, "events.csv")
    _check_counts(events)
    seasons: dict[int, list[Row]] = {}
    for row in events:
        seasons.setdefault(int(row["season"]), []).append(row)
    histories = [
        list(_history(key, seasons[key[0]], tables)) for key, tables in _official(folder).items()
    ]
    boards = {table.board for history in histories for _, table in history}
    return Standings(
        boards=tuple(Board(name, SETTINGS) for name in sorted(boards)),
        steps=list(_side_by_side(histories)),
        columns=COLUMNS,
        bars={
            "drivers 1991-1999": Bar(values=1),
            "drivers from 2000": Bar(values=1, ranks=0.997),
        },
    )


def packed(place: int) -> tuple[int, int]:
    """What one finish in ``place`` adds to the two columns that count places; 0 is no place."""
    if not 0 <= place <= 2 * PLACES:
        raise ValueError(f"place {place} has no digit")
    digits = [0, 0]
    if place:
        column, digit = divmod(place - 1, PLACES)
        digits[column] = BASE ** (PLACES - 1 - digit)
    return digits[0], digits[1]


def counted_places(season: int) -> int:
    """How far a season's tables count back: over the places that paid points, later over all."""
    if season < 1960:
        return 5
    return 6 if season < 1998 else 2 * PLACES


def _check_counts(events: list[Row]) -> None:
    """No place may be taken so often that its digit would overflow."""
    taken = Counter(
        (row["season"], row[who], row["finish_pos"])
        for row in events
        for who in WHO.values()
        if _place(row)
    )
    (season, who, place), often = taken.most_common(1)[0]
    if often >= BASE:
        raise ValueError(f"{who} finished {often} times in place {place} in {season}")


def _place(row: Row) -> int:
    """The place that counts back: of a Grand Prix, not of a sprint, and not too far down."""
    place = int(row["finish_pos"])
    return place if row["session"] == "R" and place <= counted_places(int(row["season"])) else 0


def _official(folder: Path) -> dict[Key, dict[int, list[Line]]]:
    """The tables of each championship by round; who was excluded has no rank and no line."""
    tables: dict[Key, dict[int, list[Line]]] = {}
    for row in _rows(folder, "expected.csv"):
        if row["rank"].isdigit():
            line = Line(row["player_id"], {"points": row["points"]}, int(row["rank"]))
            rounds = tables.setdefault((int(row["season"]), row["board"]), {})
            rounds.setdefault(int(row["round"]), []).append(line)
    return {key: dict(sorted(rounds.items())) for key, rounds in tables.items()}


@dataclass
class _Board:
    """A board of a championship, and whose events it has taken."""

    name: str
    players: set[str] = field(default_factory=set)
    sent: set[str] = field(default_factory=set)


def _history(
    key: Key, events: list[Row], tables: dict[int, list[Line]]
) -> Iterator[tuple[list[Event], Table]]:
    """What each table of a championship needs imported before it is compared.

    A table lists who takes part by then, so the results of others wait until it does. Somebody who
    leaves the table again was excluded: the rounds from there on are counted on a fresh board.
    """
    season, kind = key
    board = _Board(f"{season}-{kind}")
    for round_, lines in tables.items():
        listed = {line.player_id for line in lines}
        if board.players - listed:
            board = _Board(f"{season}-{kind}.from-{round_}")
        board.players |= listed
        due = [
            row
            for row in events
            if int(row["round"]) <= round_
            and row[WHO[kind]] in listed
            and row["event_id"] not in board.sent
        ]
        board.sent.update(row["event_id"] for row in due)
        imported = [_event(board.name, row, kind) for row in due]
        yield imported, Table(board.name, tuple(lines), group=_group(season, kind))


def _event(board: str, row: Row, kind: str) -> Event:
    points = (row["points"], *map(str, packed(_place(row))))
    return Event(board, row["event_id"], row[WHO[kind]], points, row["at"])


def _group(season: int, kind: str) -> str:
    """Rules changed over the years; the folder's README says where the tables can be recomputed."""
    if kind == "constructor":
        return "constructors to 1978" if season < 1979 else "constructors from 1979"
    if season < 1991:
        return "drivers to 1990"
    return "drivers 1991-1999" if season < 2000 else "drivers from 2000"


def _side_by_side(histories: list[list[tuple[list[Event], Table]]]) -> Iterator[Step]:
    """The first tables of all championships, then the second ones: few imports of many events."""
    for number in range(max(map(len, histories))):
        now = [history[number] for history in histories if number < len(history)]
        yield Step(
            events=[event for events, _ in now for event in events],
            tables=tuple(table for _, table in now),
        )


def _rows(folder: Path, name: str) -> list[Row]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))

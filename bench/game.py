"""The game that is measured: one board, its events as a server sends them, and a past."""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import workload
from common import Connection
from workload import Event, Stream

from toprung.app.offline import rebuild
from toprung.app.opening import prepare
from toprung.domain.instants import format_instant
from toprung.domain.records import BoardPut, encode_record
from toprung.domain.records import Event as EventRecord
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.log import frames_of, record_of
from toprung.sqlite import open_database
from toprung.testing.server import RunningServer, running_server, start_server

BOARD = "bench"
WINDOWS = ("all", "daily", "weekly")
VIEW = "native"
"""The view that a server has where nothing else is said."""
CHUNK = 5000
"""Events of one append, and of one request that fills a board."""


def now_us() -> int:
    """The present, in microseconds since 1970."""
    return time.time_ns() // 1000


def board_settings(mode: str = "sum", columns: int = 1, zone: str = "UTC") -> bytes:
    """The body that makes the board."""
    named = [{"name": f"c{index}"} for index in range(columns)]
    return msgspec.json.encode({"mode": mode, "windows": WINDOWS, "columns": named, "zone": zone})


def body(events: Sequence[Event], columns: int = 1) -> bytes:
    """The body of a request that sends these events together."""
    return msgspec.json.encode({"events": [_wire(event, columns) for event in events]})


def _wire(event: Event, columns: int) -> dict[str, object]:
    many = {f"c{index}": event.points for index in range(columns)}
    return {
        "event_id": event.event_id,
        "board": BOARD,
        "player_id": event.player_id,
        "points": event.points if columns == 1 else many,
        "at": format_instant(event.at_us),
    }


def single(event: Event, path: str) -> str:
    """The request that sends one event, as ``load.replay`` takes it."""
    return f"POST {path} {msgspec.json.encode(_wire(event, 1)).decode()}"


@contextmanager
def game_server(
    folder: Path, settings: bytes, past: Iterable[Sequence[Event]], *arguments: str
) -> Iterator[RunningServer]:
    """A server with the board, where the events of ``past`` were taken in before it started.

    ``folder`` may hold the database of an earlier run: it is used as it is, without its past anew.
    """
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "toprung.db"
    if not database.exists():
        found = start_server(folder, "--view", "off")
        try:
            put_board(found, settings)
        finally:
            found.stop()
        if append(database, past):
            rebuild(database, lambda done, rows: None)
    with running_server(folder, *arguments) as server:
        yield server


def put_board(server: RunningServer, settings: bytes) -> None:
    """Make the board."""
    connection = Connection(server.url, server.keys["admin"])
    connection.send("PUT", f"/v1/boards/{BOARD}", settings)
    connection.close()


def past_of(stream: Stream, events: int) -> Iterator[Sequence[Event]]:
    """So many events of the stream, in chunks."""
    for start in range(0, events, CHUNK):
        yield stream.events(min(CHUNK, events - start))


def one_each(players: int, dice: random.Random) -> Iterator[list[Event]]:
    """One event of each player, in chunks."""
    for start in range(0, players, CHUNK):
        now = now_us()
        yield [
            Event(
                workload.event_id("uuid7", now, dice),
                workload.member_id(number),
                int(dice.random() * workload.POINTS),
                now,
            )
            for number in range(start, min(start + CHUNK, players))
        ]


def append(database: Path, past: Iterable[Sequence[Event]]) -> int:
    """Write events to the log of a database that has the board; how many. They are not applied."""
    written = 0
    with closing(open_database(prepare(database))) as opened:
        log = SqliteEventLog(opened)
        board_id = next(row.seq for row in log.read(0, 100) if isinstance(record_of(row), BoardPut))
        for events in past:
            log.append(frames_of([(event.at_us, _record(board_id, event)) for event in events]))
            written += len(events)
    return written


def _record(board_id: int, event: Event) -> bytes:
    points = (event.points,)
    return encode_record(
        EventRecord(board_id, 1, event.event_id, event.player_id, points, event.at_us, True)
    )

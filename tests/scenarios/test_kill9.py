"""Killed without warning in the middle of a stream, at fifty points (design, invariant 3).

A point is a place in the server's own writing: the write-ahead log has grown by a random number of
bytes since the stream began. So the blow falls between two commits as well as inside one, and no
test waits for time to pass.
"""

import http.client
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from toprung.testing.command import toprung
from toprung.testing.server import RunningServer, start_server

FILES = 5
POINTS_A_FILE = 10
BATCHES = 40
BATCH = 25
PLAYERS = 7
PAGES_MAX = 400
"""Pages of the write-ahead log within which the point lies: some forty batches write as many."""
PAGE_BYTES = 4096


class Stream:
    """Events with ids of their own, and which of them were acknowledged."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._made = 0
        self.sent: dict[str, dict[str, object]] = {}
        self.acknowledged: set[str] = set()

    def batches(self, count: int) -> Iterator[list[dict[str, object]]]:
        """So many batches of new events."""
        for _ in range(count):
            batch = []
            for _ in range(BATCH):
                self._made += 1
                event_id = f"event-{self._made:06}"
                self.sent[event_id] = {
                    "event_id": event_id,
                    "board": "points",
                    "player_id": f"player-{self._dice.randrange(PLAYERS)}",
                    "points": self._dice.randrange(-5, 100),
                }
                batch.append(self.sent[event_id])
            yield batch


class Connection:
    """One connection to a server that may die at any moment."""

    def __init__(self, server: RunningServer) -> None:
        address = urlsplit(server.url)
        self._http = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
        self._headers = {
            "Authorization": f"Bearer {server.keys['admin']}",
            "Content-Type": "application/json",
        }

    def call(self, method: str, path: str, body: object = None) -> dict[str, object]:
        content = None if body is None else msgspec.json.encode(body)
        self._http.request(method, path, content, self._headers)
        reply = self._http.getresponse()
        read: dict[str, object] = msgspec.json.decode(reply.read())
        assert reply.status < 300, read
        return read

    def close(self) -> None:
        self._http.close()


def send_until_it_dies(server: RunningServer, stream: Stream) -> None:
    """Send batch after batch; what was answered is acknowledged."""
    connection = Connection(server)
    try:
        for batch in stream.batches(BATCHES):
            reply = connection.call("POST", "/v1/scores?ranks=false", {"events": batch})
            assert reply["outcomes"].keys() <= {"counted", "unchanged"}, reply["outcomes"]
            stream.acknowledged.update(str(event["event_id"]) for event in batch)
    except (OSError, http.client.HTTPException):
        pass  # the blow fell
    finally:
        connection.close()


def kill_at(server: RunningServer, wal: Path, stream: Stream, growth: int) -> None:
    """Kill the server when its write-ahead log has grown so much, or the stream ends."""
    started_at = wal.stat().st_size
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(send_until_it_dies, server, stream)
        while not sending.done() and wal.stat().st_size < started_at + growth:
            pass
        server.kill()
        sending.result()


def check_against(server: RunningServer, stream: Stream) -> None:
    """Everything acknowledged is there once; sent again, each event counts once in all."""
    connection = Connection(server)
    totals: dict[str, int] = {}
    events = list(stream.sent.values())
    for start in range(0, len(events), 1000):
        batch = events[start : start + 1000]
        reply = connection.call("POST", "/v1/scores?ranks=false", {"events": batch})
        for event, result in zip(batch, reply["results"], strict=True):
            if event["event_id"] in stream.acknowledged:
                assert result["outcome"] == "duplicate", (event, result)
            else:
                assert result["outcome"] in {"duplicate", "counted", "unchanged"}, (event, result)
            stream.acknowledged.add(str(event["event_id"]))
            player = str(event["player_id"])
            totals[player] = totals.get(player, 0) + int(str(event["points"]))
    rows = connection.call("GET", f"/v1/boards/points/top?k={PLAYERS}")["rows"]
    connection.close()
    assert {row["player_id"]: int(row["score"]) for row in rows} == totals


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(FILES))
def test_every_acknowledged_event_is_there_once_after_a_kill(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    stream = Stream(seed)
    server = start_server(tmp_path)
    wal = server.server.database.with_name(server.server.database.name + "-wal")
    try:
        board = {"mode": "sum", "windows": ["all", "daily", "weekly"]}
        connection = Connection(server)
        connection.call("PUT", "/v1/boards/points", board)
        connection.close()
        for _ in range(POINTS_A_FILE):
            kill_at(server, wal, stream, dice.randrange(PAGES_MAX) * PAGE_BYTES)
            server.server.start()
            check_against(server, stream)
    finally:
        server.kill()

    assert stream.acknowledged == stream.sent.keys()
    toprung("verify", "--db", str(server.server.database))

"""Killed without warning while a player is erased: either not begun, or done at the next start.

A point is a place in the server's own writing, as in the test of killing beside it.
"""

import http.client
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from toprung.testing.command import toprung
from toprung.testing.server import RunningServer, start_server
from toprung.testing.traces import files_with

POINTS = 6
EVENTS = 2_000
PAGES_MAX = 300
PAGE_BYTES = 4096


def call(server: RunningServer, method: str, path: str, body: object = None) -> dict[str, object]:
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
    headers = {
        "Authorization": f"Bearer {server.keys['admin']}",
        "Content-Type": "application/json",
    }
    content = None if body is None else msgspec.json.encode(body)
    connection.request(method, path, content, headers)
    reply = connection.getresponse()
    read: dict[str, object] = msgspec.json.decode(reply.read())
    connection.close()
    assert reply.status < 300, read
    return read


def erase_until_it_dies(server: RunningServer, player: str) -> None:
    with suppress(OSError, http.client.HTTPException):  # the blow fell
        call(server, "POST", f"/v1/players/{player}/erase", {})


@pytest.mark.timeout(300)
def test_who_was_being_erased_is_gone_whole_or_there_whole(tmp_path: Path) -> None:
    dice = random.Random(7)
    server = start_server(tmp_path)
    database = server.server.database
    wal = database.with_name(database.name + "-wal")
    left = {f"player-{number}" for number in range(POINTS)}
    try:
        call(server, "PUT", "/v1/boards/points", {"windows": ["all", "daily"]})
        events = [
            {
                "board": "points",
                "player_id": f"player-{number % POINTS}",
                "points": 1,
                "event_id": f"e{number}",
            }
            for number in range(EVENTS)
        ]
        call(server, "POST", "/v1/scores?ranks=false", {"events": events})
        for number in range(POINTS):
            player = f"player-{number}"
            started_at, growth = wal.stat().st_size, dice.randrange(PAGES_MAX) * PAGE_BYTES
            with ThreadPoolExecutor(1) as pool:
                erasing = pool.submit(erase_until_it_dies, server, player)
                while not erasing.done() and wal.stat().st_size < started_at + growth:
                    pass
                server.kill()
                erasing.result()
            server.server.start()
            acts = call(server, "GET", "/v1/audit?kind=erase")["acts"]
            assert isinstance(acts, list)
            if len(acts) == number + 1:
                assert files_with(player, tmp_path) == []
            else:
                assert len(acts) == number
                call(server, "POST", f"/v1/players/{player}/erase", {})
            left.discard(player)
            rows = call(server, "GET", "/v1/boards/points/top?k=100")["rows"]
            assert isinstance(rows, list)
            assert {row["player_id"] for row in rows} == left
    finally:
        server.kill()

    toprung("verify", "--db", str(database))

"""How long others wait while a period of many players is closed, and while its board is dropped.

One board has the players, in a daily period; another one is read all the while, as fast as one
connection can. The clock is moved past the end of the day, and the time is taken until the final
standings are there; then the board is dropped. Shown are the slowest read and the median of each
time, beside those of a quiet second before.

Example: python bench/rollover.py --players 1e6
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from threading import Event, Thread

from toprung.sdk import BoardSettings, Client, ScoreEvent
from toprung.testing.api import Api
from toprung.testing.server import RunningServer, start_server

START = "2026-11-30T12:00:00Z"
AFTER = "2026-12-01T01:00:00Z"
DAY = BoardSettings(windows=("daily",))
CHUNK = 100_000
LOOK_S = 0.05
"""How often it is looked whether the final standings are there."""


def events(board: str, players: int) -> Iterable[ScoreEvent]:
    """A score for each player."""
    for number in range(players):
        yield ScoreEvent(board, f"player-{number:010}", number * 7919 % 1_000_003, f"e{number}")


def fill(client: Client, board: str, players: int) -> None:
    """Make a board with so many players."""
    client.put_board(board, DAY)
    waiting: list[ScoreEvent] = []
    for event in events(board, players):
        waiting.append(event)
        if len(waiting) == CHUNK:
            client.submit_many(waiting, ranks=False)
            waiting.clear()
    if waiting:
        client.submit_many(waiting, ranks=False)


def read(server: RunningServer, stop: Event, seconds: list[float]) -> None:
    """Read the other board until told to stop, and note how long each read took."""
    with Client(server.url, server.keys["client"]) as client:
        while not stop.is_set():
            started = time.perf_counter()
            client.rank("other", "player-0000000007")
            seconds.append(time.perf_counter() - started)


def watched(server: RunningServer, what: str, work: Callable[[], None]) -> None:
    """Do something while the other board is read, and say how the reads were."""
    seconds: list[float] = []
    stop = Event()
    reader = Thread(target=read, args=(server, stop, seconds))
    reader.start()
    started = time.perf_counter()
    work()
    took = time.perf_counter() - started
    stop.set()
    reader.join()
    print(
        f"{what}: {took:.2f} s; {len(seconds)} reads, the slowest {max(seconds) * 1000:.1f} ms, "
        f"median {median(seconds) * 1000:.2f} ms"
    )


def close(server: RunningServer, client: Client) -> None:
    """Move the clock past the end, and wait for the final standings."""
    with Api(lambda: server.url, server.keys["admin"]) as api:
        api.send("POST", "/_control/clock", {"at": AFTER})
    while client.period("large", "2026-11-30").state != "closed":
        time.sleep(LOOK_S)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=lambda text: int(float(text)), default=1_000_000)
    players = parser.parse_args().players
    with tempfile.TemporaryDirectory() as folder:
        server = start_server(Path(folder), "--rate-limit", "0", test_clock=START)
        try:
            with Client(server.url, server.keys["admin"], timeout=120) as client:
                fill(client, "other", 1000)
                fill(client, "large", players)
                watched(server, "quiet", lambda: time.sleep(1))
                watched(server, f"closing {players:,}", lambda: close(server, client))
                watched(server, f"dropping {players:,}", lambda: _drop(client))
        finally:
            server.stop()


def _drop(client: Client) -> None:
    client.drop_board("large")
    time.sleep(3)  # what is left is removed while nothing else is written


if __name__ == "__main__":
    main()

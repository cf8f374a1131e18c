"""What a rolling window costs: with each event, and when a day is over.

Events are sent in batches to a board with a daily window, and to one that has `rolling:30d`
beside it; shown is the time of an event with each. Then a board of many players, some of whom
scored on the day that leaves, goes on by a day while another board is read as fast as one
connection can: shown are the time until readers see the new day, and the slowest read meanwhile,
beside those of a quiet second before.

Example: python bench/rolling.py --players 1e6 --leaving 1e5
"""

import argparse
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from threading import Event, Thread

from toprung.sdk import BoardSettings, Client, ScoreEvent
from toprung.testing.api import Api
from toprung.testing.server import RunningServer, start_server

START = "2026-11-30T12:00:00Z"
LEAVING = "2026-11-24T12:00:00Z"
"""In the last days of START, and not in those of the day after."""
AFTER = "2026-12-01T00:00:00Z"
EVENTS = 100_000
DAYS = 7
CHUNK = 100_000
LOOK_S = 0.02
"""How often it is looked whether the new day is shown."""


def whole(text: str) -> int:
    """A whole number, which may be written as 1e6."""
    return int(float(text))


def send(client: Client, events: Iterable[ScoreEvent]) -> None:
    """Send events in batches."""
    waiting: list[ScoreEvent] = []
    for event in events:
        waiting.append(event)
        if len(waiting) == CHUNK:
            client.submit_many(waiting, ranks=False)
            waiting.clear()
    if waiting:
        client.submit_many(waiting, ranks=False)


def scores(board: str, players: int, at: str, part: str) -> Iterable[ScoreEvent]:
    """A score for each player."""
    for number in range(players):
        score = number * 7919 % 1_000_003
        yield ScoreEvent(board, f"player-{number:010}", score, f"{part}{number}", at=at)


def cost_of_events(client: Client) -> None:
    """Tell how long an event takes without and with a rolling window, for known players."""
    for name, windows in (("daily", ("daily",)), ("both", ("daily", "rolling:30d"))):
        client.put_board(name, BoardSettings(windows=windows))
        send(client, scores(name, EVENTS, START, "a"))
        events = list(scores(name, EVENTS, START, "b"))
        started = time.perf_counter()
        send(client, events)
        took = time.perf_counter() - started
        print(f"{', '.join(windows)}: {took / EVENTS * 1e6:.1f} us an event")


def read(server: RunningServer, stop: Event, seconds: list[float]) -> None:
    """Read a board until told to stop, and note how long each read took."""
    with Client(server.url, server.keys["client"]) as client:
        while not stop.is_set():
            started = time.perf_counter()
            client.rank("large", "player-0000000007")
            seconds.append(time.perf_counter() - started)


def roll(server: RunningServer, client: Client) -> None:
    """Move the clock past midnight, and wait until readers see the new day."""
    with Api(lambda: server.url, server.keys["admin"]) as api:
        api.send("POST", "/_control/clock", {"at": AFTER})
    while client.top("large", k=1).period.key != AFTER[:10]:
        time.sleep(LOOK_S)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=whole, default=1_000_000)
    parser.add_argument("--leaving", type=whole, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = start_server(Path(folder), "--rate-limit", "0", test_clock=START)
        try:
            with Client(server.url, server.keys["admin"], timeout=120) as client:
                cost_of_events(client)
                client.put_board("large", BoardSettings(windows=(f"rolling:{DAYS}d",)))
                send(client, scores("large", given.leaving, LEAVING, "l"))
                send(client, scores("large", given.players, START, "n"))
                time.sleep(5)  # what waits is written while nothing comes
                for what in ("quiet", f"a day of {given.leaving:,} of {given.players:,} leaves"):
                    watched(server, client, what)
        finally:
            server.stop()


def watched(server: RunningServer, client: Client, what: str) -> None:
    """Let a second, or the day, go by while the board is read, and say how the reads were."""
    seconds: list[float] = []
    stop = Event()
    reader = Thread(target=read, args=(server, stop, seconds))
    reader.start()
    started = time.perf_counter()
    if what == "quiet":
        time.sleep(1)
    else:
        roll(server, client)
    took = time.perf_counter() - started
    stop.set()
    reader.join()
    print(
        f"{what}: {took:.2f} s; {len(seconds)} reads, the slowest {max(seconds) * 1000:.1f} ms, "
        f"median {median(seconds) * 1000:.2f} ms"
    )


if __name__ == "__main__":
    main()

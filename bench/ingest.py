"""Events a second through POST /v1/scores, per second of the server's processor time.

Every reply comes after the fsync. Example: python bench/ingest.py --rounds 5 --view off
"""

import argparse
import json
import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common import Connection, cpu_seconds, report, spread

from toprung.testing.server import running_server

BOARD = "bench"
WINDOWS = ["all", "daily", "weekly"]


def event_id(kind: str, dice: random.Random) -> str:
    """A version 7 or version 4 UUID."""
    bits = dice.getrandbits(128)
    if kind == "uuid7":
        bits = (time.time_ns() // 1_000_000) << 80 | bits & ((1 << 80) - 1)
    digits = f"{bits:032x}"
    marked = f"{digits[:12]}{'7' if kind == 'uuid7' else '4'}{digits[13:16]}8{digits[17:]}"
    return "-".join((marked[:8], marked[8:12], marked[12:16], marked[16:20], marked[20:]))


def batch(arguments: argparse.Namespace, dice: random.Random) -> bytes:
    """The body of one request."""
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    events = [
        {
            "event_id": event_id(arguments.ids, dice),
            "board": BOARD,
            "player_id": f"player-{dice.randrange(arguments.players):09}",
            "points": points(arguments.columns, dice),
            "at": at,
        }
        for _ in range(arguments.batch)
    ]
    return json.dumps({"events": events}).encode()


def points(columns: int, dice: random.Random) -> int | dict[str, int]:
    """A number, or one for each column."""
    if columns == 1:
        return dice.randrange(1000)
    return {f"c{index}": dice.randrange(1000) for index in range(columns)}


def settings(columns: int, mode: str) -> bytes:
    """The board's settings."""
    named = [{"name": f"c{index}"} for index in range(columns)]
    return json.dumps({"mode": mode, "windows": WINDOWS, "columns": named}).encode()


def measure(arguments: argparse.Namespace) -> dict[str, object]:
    """Send ``rounds`` times ``requests`` batches; the figures of the rounds."""
    dice = random.Random(arguments.seed)
    path = f"/v1/scores?ranks={'true' if arguments.ranks else 'false'}"
    per_cpu, per_second = [], []
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder), "--view", arguments.view) as server,
        ThreadPoolExecutor(arguments.connections) as pool,
    ):
        admin = Connection(server.url, server.keys["admin"])
        admin.send("PUT", f"/v1/boards/{BOARD}", settings(arguments.columns, arguments.mode))
        lines = [
            Connection(server.url, server.keys["server"]) for _ in range(arguments.connections)
        ]
        for _ in range(arguments.rounds + 1):
            bodies = [batch(arguments, dice) for _ in range(arguments.requests)]
            shares = [bodies[i :: arguments.connections] for i in range(arguments.connections)]
            started, cpu = time.perf_counter(), cpu_seconds(server.server.pid)
            list(pool.map(lambda line, share: [line.send("POST", path, b) for b in share],
                          lines, shares))  # fmt: skip
            events = arguments.requests * arguments.batch
            per_second.append(events / (time.perf_counter() - started))
            per_cpu.append(events / (cpu_seconds(server.server.pid) - cpu))
        for line in (admin, *lines):
            line.close()
    # The first round fills caches and grows the file; it is not counted.
    return {
        "events_per_cpu_second": spread(per_cpu[1:]),
        "events_per_second": spread(per_second[1:]),
    }


def main() -> None:
    """Read the arguments, measure, print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=100, help="requests a round")
    parser.add_argument("--batch", type=int, default=500, help="events a request")
    parser.add_argument("--connections", type=int, default=2)
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--ids", choices=("uuid7", "random"), default="uuid7")
    parser.add_argument("--mode", choices=("sum", "best", "last"), default="sum")
    parser.add_argument("--columns", type=int, default=1)
    parser.add_argument("--view", choices=("off", "reference"), default="off")
    parser.add_argument("--ranks", action="store_true", help="ask for ranks in the replies")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chosen = {key: value for key, value in vars(arguments).items() if key != "seed"}
    report("ingest", {**chosen, "windows": WINDOWS}, measure(arguments))


if __name__ == "__main__":
    main()

"""Rank, top and around reads a second, per second of the server's processor time.

Example: python bench/reads.py --members 100000 --rounds 5
"""

import argparse
import json
import random
import tempfile
from pathlib import Path

from common import Connection, cpu_seconds, read_many, report, spread

from toprung.testing.server import running_server

BOARD = "bench"


def fill(connection: Connection, members: int, dice: random.Random) -> None:
    """Put so many players on the board."""
    connection.send("PUT", f"/v1/boards/{BOARD}", json.dumps({"mode": "best"}).encode())
    for start in range(0, members, 5000):
        events = [
            {"event_id": f"e{i}", "board": BOARD, "player_id": f"player-{i:09}",
             "points": dice.randrange(1_000_000)}
            for i in range(start, min(start + 5000, members))
        ]  # fmt: skip
        body = json.dumps({"events": events}).encode()
        connection.send("POST", "/v1/scores?ranks=false", body)


def measure(arguments: argparse.Namespace) -> dict[str, object]:
    """The figures of each kind of read."""
    dice = random.Random(arguments.seed)
    base = f"/v1/boards/{BOARD}"
    kinds = {
        "rank": lambda: f"{base}/rank/player-{dice.randrange(arguments.members):09}",
        "top": lambda: f"{base}/top?k=10",
        "around": lambda: f"{base}/around/player-{dice.randrange(arguments.members):09}?n=5",
    }
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as server:
        filler = Connection(server.url, server.keys["admin"])
        fill(filler, arguments.members, dice)
        filler.close()
        for kind, path in kinds.items():
            per_cpu = []
            for _ in range(arguments.rounds):
                paths = [path() for _ in range(arguments.requests)]
                cpu = cpu_seconds(server.server.pid)
                read_many(server.url, server.keys["client"], paths, arguments.connections)
                per_cpu.append(len(paths) / (cpu_seconds(server.server.pid) - cpu))
            figures[f"{kind}_reads_per_cpu_second"] = spread(per_cpu)
    return figures


def main() -> None:
    """Read the arguments, measure, print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=20_000, help="requests a round")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chosen = {key: value for key, value in vars(arguments).items() if key != "seed"}
    report("reads", chosen, measure(arguments))


if __name__ == "__main__":
    main()

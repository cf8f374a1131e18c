"""Events taken in through POST /v1/scores, a second of the server's processor time and in all.

Every reply comes after the fsync. Batches come over a few connections; with --single each of 64
connections sends one event and waits for its reply. The time of all threads of the server counts,
that of the load does not.

Example: python bench/ingest.py --stored 5e6 --ids random --ranks
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import game
import workload
from common import Connection, Line, count, cpu_seconds, report
from load import replay
from table import print_table
from workload import Stream

from toprung.testing.server import RunningServer

SINGLE_CONNECTIONS = 64
SINGLE_EVENTS_MAX = 25_000
"""Events prepared for each second of single events; more than any server here takes."""


class Figures(NamedTuple):
    """One round. Latencies are those of single events; 0 for batches."""

    events: int
    seconds: float
    cpu_seconds: float
    p50_ms: float = 0.0
    p99_ms: float = 0.0


def stream(arguments: argparse.Namespace, midnight_us: int | None) -> Stream:
    """The events of this run."""
    return Stream(
        arguments.choice,
        arguments.players,
        random.Random(arguments.seed),
        game.now_us,
        ids=arguments.ids,
        bursts=arguments.bursts,
        midnight_us=midnight_us,
    )


def in_batches(
    arguments: argparse.Namespace, events: Stream, server: RunningServer, path: str
) -> Figures:
    """A round of batches over a few connections."""
    bodies = [
        game.body(events.events(arguments.batch), arguments.columns)
        for _ in range(arguments.requests)
    ]
    lines = [Connection(server.url, server.keys["server"]) for _ in range(arguments.connections)]
    shares = [bodies[index :: len(lines)] for index in range(len(lines))]
    with ThreadPoolExecutor(len(lines)) as pool:
        started, cpu = time.perf_counter(), cpu_seconds(server.server.pid)
        list(pool.map(lambda line, share: [line.send("POST", path, b) for b in share],
                      lines, shares))  # fmt: skip
        seconds = time.perf_counter() - started
        cpu = cpu_seconds(server.server.pid) - cpu
    for line in lines:
        line.close()
    return Figures(arguments.requests * arguments.batch, seconds, cpu)


def one_by_one(
    arguments: argparse.Namespace, events: Stream, server: RunningServer, path: str
) -> Figures:
    """A round of single events."""
    prepared = events.events(SINGLE_EVENTS_MAX * arguments.seconds)
    requests = [game.single(event, path) for event in prepared]
    cpu = cpu_seconds(server.server.pid)
    outcome = replay(
        server.url,
        server.keys["server"],
        requests,
        connections=SINGLE_CONNECTIONS,
        seconds=arguments.seconds,
        once=True,
    )
    cpu = cpu_seconds(server.server.pid) - cpu
    return Figures(outcome.replies, outcome.seconds, cpu, outcome.p50_ms, outcome.p99_ms)


def measure(arguments: argparse.Namespace, folder: Path) -> list[Figures]:
    """The rounds of a run, the first one left out: it fills caches and grows the file."""
    midnight, zone = workload.recent_midnight(game.now_us())
    events = stream(arguments, midnight if arguments.midnight else None)
    settings = game.board_settings(
        arguments.mode, arguments.columns, zone if arguments.midnight else "UTC"
    )
    past = game.past_of(stream(arguments, None), arguments.stored)
    path = f"/v1/scores?ranks={'true' if arguments.ranks else 'false'}"
    a_round: Callable[..., Figures] = one_by_one if arguments.single else in_batches
    options = ("--view", arguments.view, "--rate-limit", "0")
    with game.game_server(folder, settings, past, *options) as server:
        rounds = [a_round(arguments, events, server, path) for _ in range(arguments.rounds + 1)]
    return rounds[1:]


SHOWN = ("choice", "players", "ids", "mode", "columns", "view", "ranks", "stored")


def report_rounds(arguments: argparse.Namespace, rounds: list[Figures]) -> list[Line]:
    """Print a line for each kind of figure."""
    shown = {name: getattr(arguments, name) for name in SHOWN}
    shown |= {name: True for name in ("bursts", "midnight") if getattr(arguments, name)}
    in_all = [figures.events / figures.seconds for figures in rounds]
    per_cpu = [figures.events / figures.cpu_seconds for figures in rounds]
    if not arguments.single:
        shown["batch"] = arguments.batch
        return [
            report("ingest", "events in batches", "events/cpu_s", per_cpu, **shown),
            report("ingest", "events in batches in all", "events/s", in_all, **shown),
        ]
    shown["connections"] = SINGLE_CONNECTIONS
    p50, p99 = ([getattr(figures, name) for figures in rounds] for name in ("p50_ms", "p99_ms"))
    return [
        report("ingest", "single events", "events/s", in_all, **shown),
        report("ingest", "single events by processor", "events/cpu_s", per_cpu, **shown),
        report("ingest", "single events p50", "ms", p50, **shown),
        report("ingest", "single events p99", "ms", p99, **shown),
    ]


def main() -> None:
    """Read the arguments, measure, print a line for each result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=100, help="batches of a round")
    parser.add_argument("--batch", type=int, default=500, help="events of a batch")
    parser.add_argument("--connections", type=int, default=2, help="that send batches")
    parser.add_argument("--single", action="store_true", help="one event a request")
    parser.add_argument("--seconds", type=int, default=4, help="a round of single events lasts")
    parser.add_argument("--players", type=count, default="100000")
    parser.add_argument("--choice", choices=workload.CHOICES, default="uniform")
    parser.add_argument("--bursts", action="store_true", help="many events of a player in a row")
    parser.add_argument("--midnight", action="store_true", help="events around a local midnight")
    parser.add_argument("--ids", choices=("uuid7", "random"), default="uuid7")
    parser.add_argument("--mode", choices=("sum", "best", "last"), default="sum")
    parser.add_argument("--columns", type=int, default=1)
    parser.add_argument("--view", default=game.VIEW, help="as toprung serve --view takes it")
    parser.add_argument("--ranks", action="store_true", help="ask for ranks in the replies")
    parser.add_argument("--stored", type=count, default="0", help="events taken in before")
    parser.add_argument("--folder", type=Path, help="keep the database there, and use it again")
    parser.add_argument("--table", action="store_true", help="print a table, too")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rounds = measure(arguments, arguments.folder or Path(scratch))
    lines = report_rounds(arguments, rounds)
    if arguments.table:
        print_table(lines)


if __name__ == "__main__":
    main()

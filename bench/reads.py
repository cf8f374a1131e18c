"""Rank, top and around reads a second, of the server's processor time and in all, with latencies.

With --beside events come in in batches at that rate meanwhile, and the server's time is then that
of both. The load comes from wrk: 64 connections, each waits for its reply.

Example: python bench/reads.py --members 1e6 --beside 10000
"""

import argparse
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import game
import workload
from common import Connection, Line, count, cpu_seconds, report
from load import Outcome, replay
from table import print_table
from workload import Stream

from toprung.testing.server import RunningServer

PATHS = 20_000
"""Different reads that are made in turn."""
BATCH = 500
SENDERS = 4
"""Connections that events come over, so that one late reply does not hold the others up."""


class Beside:
    """Events that come in at a rate, in batches, from threads that share the work."""

    def __init__(self, server: RunningServer, bodies: Sequence[bytes], rate: int) -> None:
        self.sent = 0
        self._started = time.perf_counter()
        self._due = [(index * BATCH / rate, body) for index, body in enumerate(bodies)]
        self._due.reverse()
        self._next = threading.Lock()
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._send, args=(server,)) for _ in range(SENDERS)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Wait for the last replies."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _send(self, server: RunningServer) -> None:
        line = Connection(server.url, server.keys["server"])
        while (taken := self._take()) is not None:
            due, body = taken
            if self._stopped.wait(max(0.0, self._started + due - time.perf_counter())):
                break
            line.send("POST", "/v1/scores?ranks=false", body)
            with self._next:
                self.sent += BATCH
        line.close()

    def _take(self) -> tuple[float, bytes] | None:
        with self._next:
            return self._due.pop() if self._due else None


class Figures(NamedTuple):
    """One round."""

    outcome: Outcome
    cpu_seconds: float
    events: int


@contextmanager
def beside(
    arguments: argparse.Namespace, server: RunningServer, events: Stream
) -> Iterator[Callable[[], int]]:
    """Events at the rate asked for meanwhile; tells how many were taken in so far."""
    rate: int = arguments.beside
    batches = rate * (arguments.seconds + 1) // BATCH
    writing = Beside(server, [game.body(events.events(BATCH)) for _ in range(batches)], rate)
    try:
        yield lambda: writing.sent
    finally:
        writing.stop()


def a_round(
    arguments: argparse.Namespace, server: RunningServer, events: Stream, requests: list[str]
) -> Figures:
    """Reads for some seconds."""
    with beside(arguments, server, events) as sent:
        before, cpu = sent(), cpu_seconds(server.server.pid)
        outcome = replay(
            server.url,
            server.keys["client"],
            requests,
            connections=arguments.connections,
            seconds=arguments.seconds,
            once=False,
        )
        return Figures(outcome, cpu_seconds(server.server.pid) - cpu, sent() - before)


def paths_of(kind: str, arguments: argparse.Namespace, dice: random.Random) -> list[str]:
    """Reads of a kind, for players drawn by the choice."""
    base = f"/v1/boards/{game.BOARD}"
    if kind == "top":
        return [f"GET {base}/top?k=10"]
    players = workload.member_ids(arguments.choice, arguments.members, PATHS, dice)
    if kind == "rank":
        return [f"GET {base}/rank/{player}" for player in players]
    return [f"GET {base}/around/{player}?n=5" for player in players]


def measure(arguments: argparse.Namespace, folder: Path) -> list[Line]:
    """Fill the board with all members, then the rounds of each kind of read."""
    dice = random.Random(arguments.seed)
    events = Stream(arguments.choice, arguments.members, dice, game.now_us)
    past = game.one_each(arguments.members, dice)
    options = ("--view", arguments.view, "--rate-limit", "0")
    lines: list[Line] = []
    with game.game_server(folder, game.board_settings("best"), past, *options) as server:
        for kind in arguments.kinds:
            requests = paths_of(kind, arguments, dice)
            rounds = [
                a_round(arguments, server, events, requests) for _ in range(arguments.rounds + 1)
            ]
            # The first round warms up.
            lines += report_rounds(kind, arguments, rounds[1:])
    return lines


def report_rounds(kind: str, arguments: argparse.Namespace, rounds: list[Figures]) -> list[Line]:
    """Print a line for each kind of figure."""
    names = ("members", "choice", "view", "connections")
    shown = {name: getattr(arguments, name) for name in names}
    what = kind
    if arguments.beside:
        what = f"{kind} beside events"
        sent = [figures.events / figures.outcome.seconds for figures in rounds]
        shown["events"] = round(sum(sent) / len(sent))
    outcomes = [figures.outcome for figures in rounds]
    in_all = [outcome.replies / outcome.seconds for outcome in outcomes]
    per_cpu = [figures.outcome.replies / figures.cpu_seconds for figures in rounds]
    # Beside events the bar is on what two cores do in all, else on what one does.
    first, second = (f"{what}", in_all, "reads/s"), (f"{what} by processor", per_cpu, "reads/cpu_s")
    if not arguments.beside:
        first, second = (what, per_cpu, "reads/cpu_s"), (f"{what} in all", in_all, "reads/s")
    return [
        report("reads", name, unit, values, **shown) for name, values, unit in (first, second)
    ] + [
        report("reads", f"{what} p50", "ms", [each.p50_ms for each in outcomes], **shown),
        report("reads", f"{what} p99", "ms", [each.p99_ms for each in outcomes], **shown),
    ]


def main() -> None:
    """Read the arguments, measure, print a line for each result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=["rank", "top", "around"])
    parser.add_argument("--members", type=count, default="100000")
    parser.add_argument("--choice", choices=workload.CHOICES, default="uniform")
    parser.add_argument("--beside", type=count, default="0", help="events a second meanwhile")
    parser.add_argument("--view", default=game.VIEW, help="as toprung serve --view takes it")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=4, help="a round lasts")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--folder", type=Path, help="keep the database there, and use it again")
    parser.add_argument("--table", action="store_true", help="print a table, too")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        lines = measure(arguments, arguments.folder or Path(scratch))
    if arguments.table:
        print_table(lines)


if __name__ == "__main__":
    main()

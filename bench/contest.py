"""Ranks and updates of everyone in turns: microseconds an item, round by round."""

import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version

import rivals
import workload
from common import cpu_seconds
from ours import Board
from rivals import Rival
from run import BATCH, Run

Round = tuple[float, float]
"""Microseconds an item: as the caller waits for it, and of the processor time of who answers."""
Timed = Callable[[Run, str], Round]
"""Does a round of items drawn by a choice."""

COMMANDS = {"rank": "zrevrank", "update": "zadd"}


def measure_speed(run: Run, board: Board, against: Sequence[Rival]) -> None:
    """Report the speed of all, and what the others tell of the time inside their server."""
    subjects = {"toprung": of_board(board)} | {rival.name: of_rival(rival) for rival in against}
    asked = {rival.name: rival for rival in against}
    rounds: dict[tuple[str, str, str], list[Round]] = {}
    inside: dict[tuple[str, str, str], list[float]] = {}
    for _ in range(run.rounds + 1):
        for what, choice, who in _turns(subjects):
            if who in asked:
                asked[who].reset()
            rounds.setdefault((what, choice, who), []).append(subjects[who][what](run, choice))
            if who in asked:
                told = asked[who].in_server_us(COMMANDS[what])
                inside.setdefault((what, choice, who), []).append(told)
    waited = {key: [taken for taken, _ in each] for key, each in rounds.items()}
    computed = {key: [cpu for _, cpu in each] for key, each in rounds.items()}
    versions = {"toprung": f"toprung {version('toprung')}"}
    versions |= {rival.name: rival.version for rival in against}
    said = (("", waited), (" by processor", computed), (" in the server", inside))
    for suffix, figures in said:
        for (what, choice, who), values in figures.items():
            # The first round warms up.
            run.report(f"{what}{suffix}", "us", values[1:], choice=choice, who=who,
                       version=versions[who])  # fmt: skip


def _turns(subjects: Mapping[str, Mapping[str, Timed]]) -> list[tuple[str, str, str]]:
    whats = dict.fromkeys(what for operations in subjects.values() for what in operations)
    return [
        (what, choice, who)
        for what in whats
        for choice in workload.CHOICES
        for who, operations in subjects.items()
        if what in operations
    ]


def of_board(board: Board) -> dict[str, Timed]:
    """What is measured of ours."""
    return {
        "rank": _batched(lambda ids, _: board.ranks(ids)),
        "update": _batched(board.update),
        "update with ranks": _batched(board.update_with_ranks),
    }


def _batched(call: Callable[[list[str], list[int]], object]) -> Timed:
    """A round of batches; only the calls are timed, not how the items are drawn."""

    def measure(run: Run, choice: str) -> Round:
        taken = computed = 0.0
        for _ in range(run.items // BATCH):
            ids, scores = run.ids(choice, BATCH), run.scores(BATCH)
            started, cpu = time.perf_counter(), time.process_time()
            call(ids, scores)
            computed += time.process_time() - cpu
            taken += time.perf_counter() - started
        items = run.items // BATCH * BATCH
        return taken / items * 1e6, computed / items * 1e6

    return measure


def of_rival(rival: Rival) -> dict[str, Timed]:
    """What is measured of another one."""

    def rank(run: Run, choice: str) -> Round:
        if choice == "uniform":
            return _benchmark(rival, rivals.RANK, run)
        return _sent(rival, rivals.rank_requests(run.ids(choice, run.items)))

    def update(run: Run, choice: str) -> Round:
        if choice == "uniform":
            return _benchmark(rival, rivals.UPDATE, run)
        ids, scores = run.ids(choice, run.items), run.scores(run.items)
        return _sent(rival, rivals.update_requests(ids, scores))

    return {"rank": rank, "update": update}


def _benchmark(rival: Rival, command: Sequence[str], run: Run) -> Round:
    cpu = cpu_seconds(rival.pid)
    per_second = rival.benchmark(command, run.members, run.items)
    return 1e6 / per_second, (cpu_seconds(rival.pid) - cpu) / run.items * 1e6


def _sent(rival: Rival, requests: Sequence[bytes]) -> Round:
    commands = len(requests) * rivals.PIPELINE
    started, cpu = time.perf_counter(), cpu_seconds(rival.pid)
    rival.pipelined(requests)
    taken, computed = time.perf_counter() - started, cpu_seconds(rival.pid) - cpu
    return taken / commands * 1e6, computed / commands * 1e6

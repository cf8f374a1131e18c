"""Ranks and updates of everyone in turns: microseconds an item, round by round."""

import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version

import rivals
import workload
from ours import Board
from rivals import Rival
from run import BATCH, Run

Timed = Callable[[Run, str], float]
"""Does a round of items drawn by a choice; microseconds an item."""

COMMANDS = {"rank": "zrevrank", "update": "zadd"}


def measure_speed(run: Run, board: Board, against: Sequence[Rival]) -> None:
    """Report the speed of all, and what the others tell of the time inside their server."""
    subjects = {"toprung": of_board(board)} | {rival.name: of_rival(rival) for rival in against}
    asked = {rival.name: rival for rival in against}
    taken: dict[tuple[str, str, str], list[float]] = {}
    inside: dict[tuple[str, str, str], list[float]] = {}
    for _ in range(run.rounds + 1):
        for what, choice, who in _turns(subjects):
            if who in asked:
                asked[who].reset()
            taken.setdefault((what, choice, who), []).append(subjects[who][what](run, choice))
            if who in asked:
                told = asked[who].in_server_us(COMMANDS[what])
                inside.setdefault((what, choice, who), []).append(told)
    # The first round warms up.
    versions = {"toprung": f"toprung {version('toprung')}"} | {
        rival.name: rival.version for rival in against
    }
    for said, figures in (("", taken), (" in the server", inside)):
        for (what, choice, who), values in figures.items():
            told = {"choice": choice, "who": who, "version": versions[who]}
            run.report(f"{what}{said}", "us", values[1:], **told)


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

    def measure(run: Run, choice: str) -> float:
        taken = 0.0
        for _ in range(run.items // BATCH):
            ids, scores = run.ids(choice, BATCH), run.scores(BATCH)
            started = time.perf_counter()
            call(ids, scores)
            taken += time.perf_counter() - started
        return taken / (run.items // BATCH * BATCH) * 1e6

    return measure


def of_rival(rival: Rival) -> dict[str, Timed]:
    """What is measured of another one."""

    def rank(run: Run, choice: str) -> float:
        if choice == "uniform":
            return 1e6 / rival.benchmark(rivals.RANK, run.members, run.items)
        return _sent(rival, rivals.rank_requests(run.ids(choice, run.items)))

    def update(run: Run, choice: str) -> float:
        if choice == "uniform":
            return 1e6 / rival.benchmark(rivals.UPDATE, run.members, run.items)
        ids, scores = run.ids(choice, run.items), run.scores(run.items)
        return _sent(rival, rivals.update_requests(ids, scores))

    return {"rank": rank, "update": update}


def _sent(rival: Rival, requests: Sequence[bytes]) -> float:
    started = time.perf_counter()
    rival.pipelined(requests)
    return (time.perf_counter() - started) / (len(requests) * rivals.PIPELINE) * 1e6

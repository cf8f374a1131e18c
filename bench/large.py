"""Very many members in one process: three windows, their memory, single calls and batches."""

import time
from collections.abc import Callable, Sequence

import workload
from common import memory_bytes
from ours import LARGER_IS_BETTER, Board
from run import BATCH, CHUNK, Run

from toprung._native import RankEngine

SHARES = {"all": 1.0, "weekly": 0.3, "daily": 0.1}
"""How many of the members are on the board of a window."""


def measure_large(run: Run) -> None:
    """Load the windows, then time single calls and batches on the largest."""
    engine = RankEngine()
    boards = {}
    started = time.perf_counter()
    for window, share in SHARES.items():
        boards[window] = Board(engine, engine.add_period(LARGER_IS_BETTER))
        _fill(run, boards[window], int(run.members * share))
    run.report("seconds to load three windows", "s", [time.perf_counter() - started],
               who="toprung")  # fmt: skip
    run.report("resident GiB of three windows", "GiB", [memory_bytes() / 2**30], who="toprung")
    run.report("highest resident GiB", "GiB", [memory_bytes(peak=True) / 2**30], who="toprung")
    board = boards["all"]
    _singles(run, "rank", lambda ids, _: board.rank(ids[0]))
    _singles(run, "update", board.update)
    _batches(run, "rank", lambda ids, _: board.ranks(ids))
    _batches(run, "update", board.update)


def _fill(run: Run, board: Board, entries: int) -> None:
    """Put members on a board batch by batch: bulk loading would hold all texts a second time."""
    for start in range(0, entries, CHUNK):
        chunk = range(start, min(start + CHUNK, entries))
        board.update(list(map(workload.member_id, chunk)), run.scores(len(chunk)))


Call = Callable[[list[str], list[int]], object]


def _singles(run: Run, what: str, call: Call) -> None:
    """How long one call for one member takes."""
    ids, scores = run.ids("uniform", run.items), run.scores(run.items)
    taken = [_time(call, [ids[i]], [scores[i]]) for i in range(run.items)]
    _report(run, f"single {what}", taken)


def _batches(run: Run, what: str, call: Call) -> None:
    """How long an item of a batch takes: the batch's time by its items, batch by batch."""
    taken = [
        _time(call, run.ids("uniform", BATCH), run.scores(BATCH)) / BATCH
        for _ in range(run.items // BATCH)
    ]
    _report(run, f"batched {what}", taken)


def _time(call: Call, ids: list[str], scores: list[int]) -> float:
    started = time.perf_counter()
    call(ids, scores)
    return (time.perf_counter() - started) * 1e6


def _report(run: Run, what: str, taken: Sequence[float]) -> None:
    ordered = sorted(taken)
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        value = ordered[min(int(share * len(ordered)), len(ordered) - 1)]
        run.report(f"{what} {name}", "us", [value], who="toprung")

"""How many bytes boards take: ours by the engine's own account and by the process's memory."""

import gc
import random

import ours
import workload
from common import memory_bytes
from ours import Board
from rivals import Rival
from run import BATCH, CHUNK, Run

from toprung._native import RankEngine

CHURN = 10
"""Random updates a member after which leaves are to be full still."""
SMALL_BOARDS = 10_000
SMALL_ENTRIES = 100


def fill_board(run: Run) -> Board:
    """Ours with all members, and what it takes."""
    before = _resident()
    engine = RankEngine()
    board = run.board(engine, run.members)
    run.report("bytes a member", "B", [_taken(engine) / run.members], who="toprung")
    run.report("resident bytes a member", "B", [(_resident() - before) / run.members],
               who="toprung")  # fmt: skip
    return board


def fill_rival(run: Run, rival: Rival) -> None:
    """Another one with all members, and what it takes."""
    before = rival.used_memory()
    for start in range(0, run.members, CHUNK):
        chunk = range(start, min(start + CHUNK, run.members))
        rival.fill(list(map(workload.member_id, chunk)), run.scores(len(chunk)))
    taken = (rival.used_memory() - before) / run.members
    run.report("bytes a member", "B", [taken], who=rival.name, version=rival.version)


def measure_churn(run: Run, board: Board) -> None:
    """How full leaves are, and what a member takes, after many random updates."""
    _churn(run, board, CHURN * run.members)
    memory = board.engine.memory()
    run.report("leaf fill after churn", "share", [memory["leaf_fill"]], who="toprung")
    run.report("bytes a member after churn", "B", [_taken(board.engine) / run.members],
               who="toprung")  # fmt: skip


def measure_further(run: Run, first: Board) -> None:
    """What one more board of the same members takes, filled in random order."""
    engine = first.engine
    before = _taken(engine)
    further = Board(engine, engine.add_period(ours.LARGER_IS_BETTER))
    order = list(range(run.members))
    run.dice.shuffle(order)
    for start in range(0, run.members, BATCH):
        ids = list(map(workload.member_id, order[start : start + BATCH]))
        further.update(ids, run.scores(len(ids)))
    _churn(run, further, run.members)
    taken = (_taken(engine) - before) / run.members
    run.report("bytes a member of a further board", "B", [taken], who="toprung")
    engine.drop_period(further.period)


def measure_small_boards(run: Run) -> None:
    """Many boards of few entries, whose members together are many; and empty boards."""
    engine = RankEngine()
    before = _taken(engine)
    empty = [engine.add_period(ours.LARGER_IS_BETTER) for _ in range(SMALL_BOARDS)]
    run.report("bytes of an empty board", "B", [(_taken(engine) - before) / SMALL_BOARDS],
               who="toprung")  # fmt: skip
    entries = SMALL_BOARDS * SMALL_ENTRIES
    order = list(range(entries))
    random.Random(1).shuffle(order)
    for index, period in enumerate(empty):
        chosen = order[index * SMALL_ENTRIES : (index + 1) * SMALL_ENTRIES]
        ids = list(map(workload.member_id, chosen))
        Board(engine, period).update(ids, run.scores(len(ids)))
    taken = (_taken(engine) - before) / entries
    run.report("bytes an entry of small boards", "B", [taken], who="toprung", members=entries)


def _churn(run: Run, board: Board, updates: int) -> None:
    for _ in range(updates // BATCH):
        board.update(run.ids("uniform", BATCH), run.scores(BATCH))


def _taken(engine: RankEngine) -> int:
    """Bytes that the engine holds, by its own account."""
    return int(engine.memory()["total"])


def _resident() -> int:
    gc.collect()
    return memory_bytes()

"""Killed at one write to the file, or just before one is made durable, and started again.

The points are counted writes, so that each run meets the same ones: also inside a change of
settings, a recompute, the end of a board, a rebuild. What is left must be the world after the facts
of the log, all that was answered among them; and the rest can then be sent.
"""

import random
import runpy
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.testing.agreement import check_state
from toprung.testing.oracle import World, world_after
from toprung.updater import verify

CHILD = Path(__file__).with_name("crash_child.py")
POINTS = 36

child = runpy.run_path(str(CHILD))


def run(file: Path, last: int) -> tuple[int, list[str]]:
    """How the child ended, and what it said."""
    found = subprocess.run(
        [sys.executable, str(CHILD), str(file), str(last)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return found.returncode, found.stdout.split("\n")[:-1]


@pytest.fixture(scope="module")
def writes(tmp_path_factory) -> int:
    """How many writes there are when nobody dies."""
    code, said = run(tmp_path_factory.mktemp("whole") / "top.db", 0)

    assert code == 0
    return int(said[-1].removeprefix("writes "))


def check(path, world: World) -> None:
    check_state(world, path)
    scratch = open_database(None)
    assert (
        list(verify(path.log, path.store, path.view, SqliteScoreStore(scratch), path.make_decider))
        == []
    )
    scratch.close()


def logged(groups) -> list[list]:
    """The groups without events for a board that is not there: those get no line in the log."""
    verdicts = iter(world_after([told for group in groups for told in group]).verdicts)
    return [
        [told for told in group if next(verdicts).outcome != "unknown_board"] for group in groups
    ]


@pytest.mark.parametrize("point", range(POINTS))
def test_what_is_left_is_whole(tmp_path, writes, point):
    # The first points are in the first opening, the last ones in the rebuild.
    low, high = point * writes // POINTS, (point + 1) * writes // POINTS
    file = tmp_path / "top.db"

    code, said = run(file, random.Random(point).randint(low + 1, high))

    assert code == -signal.SIGKILL, "the child must not come to its end"
    groups = child["scene"]()
    answered = len([line for line in said if not line.startswith("writes")])
    facts = [told for group in logged(groups) for told in group]
    path = child["open_path"](file)
    try:
        kept = path.log.head()[0]
        assert len([t for group in logged(groups)[:answered] for t in group]) <= kept
        assert kept <= len(facts)
        check(path, world_after(facts[:kept]))
        for group in groups:
            path.send(group)
        check(path, world_after(facts[:kept] + [told for group in groups for told in group]))
    finally:
        path.stop()

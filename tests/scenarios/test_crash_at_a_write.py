"""Killed at one write to the file, or just before one is made durable, and started again.

The points are counted writes: in the log, in slices of entries, blocks of seen ids and their
places, copies of the write-ahead log into the file, changes of settings, a recompute, the end of a
board, rebuilds alone and beside the server, an image. What is left must be the world after the
facts of the log, all that was answered among them; and the rest can then be sent. What holds for
the end of a process must hold for the end of the power too, which takes writes with it that nobody
waited for.
"""

import importlib
import random
import runpy
import signal
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from toprung.app.images import image_path
from toprung.decider.reference import ReferenceDecider
from toprung.domain.errors import Trouble
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.testing.agreement import check_state
from toprung.testing.oracle import World, world_after
from toprung.updater import verify

CHILD = Path(__file__).with_name("crash_child.py")
CORES = ["reference", "native"]
KILLS = 104
"""Of each core."""
POWER_CUTS = 40
"""Of each core."""
SECTOR = 512
"""A disk writes so many bytes whole or not at all."""

child = runpy.run_path(str(CHILD))


@pytest.fixture(scope="module", autouse=True)
def _small_parts():
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in child["SMALL"]:
            patch.setattr(importlib.import_module(module), name, value)
        yield


def run(core: str, folder: Path, points: list[int]) -> list[int]:
    """How the processes ended."""
    command = [sys.executable, str(CHILD), core, str(folder), *map(str, points)]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [int(code) for code in found.stdout.split()]


def spread(seed: str, count: int, writes: int) -> list[int]:
    """Points everywhere: the first are in the first opening, the last ones in the rebuild."""
    dice = random.Random(seed)
    edges = [index * writes // count for index in range(count + 1)]
    return [dice.randint(low + 1, high) for low, high in pairwise(edges)]


class Dead(NamedTuple):
    """What a process left behind."""

    core: str
    folder: Path
    points: list[int]


@pytest.fixture(scope="module", params=CORES)
def dead(request, tmp_path_factory) -> Dead:
    """Processes that were killed, one at each of the points."""
    core, folder = request.param, tmp_path_factory.mktemp(request.param)
    assert run(core, folder, [0]) == [0]
    writes = int(said(folder, 0)[-1].removeprefix("writes "))
    # A few writes more or less hang on the order in which sets are walked.
    points = spread(core, KILLS, writes - writes // 50)
    assert run(core, folder, points) == [-signal.SIGKILL] * KILLS, "no child comes to its end"
    return Dead(core, folder, points)


def said(folder: Path, point: int) -> list[str]:
    return (folder / f"{point}.said").read_text().splitlines()


def check(path, world: World) -> None:
    check_state(world, path)
    scratch = open_database(None)
    replayed = SqliteScoreStore(scratch)
    assert list(verify(path.log, path.store, path.view, replayed, ReferenceDecider)) == []
    scratch.close()


def logged(groups) -> list[list]:
    """The groups without events for a board that is not there: those get no line in the log."""
    verdicts = iter(world_after([told for group in groups for told in group]).verdicts)
    return [
        [told for told in group if next(verdicts).outcome != "unknown_board"] for group in groups
    ]


GROUPS = child["scene"]()
LOGGED = logged(GROUPS)


@cache
def worlds(kept: int) -> tuple[World, World]:
    """After so many facts of the log; and when everything was sent once more."""
    facts = [told for group in LOGGED for told in group][:kept]
    return world_after(facts), world_after(facts + [told for group in GROUPS for told in group])


def is_unborn(file: Path) -> bool:
    """Whether the file is as SQLite leaves it before it holds anything, which nobody can tell from
    a copy without its write-ahead log.
    """
    return not Path(f"{file}-wal").exists() and file.read_bytes()[40:44] == bytes(4)


def check_what_is_left(file: Path, core: str, answered: int) -> None:
    """See above.

    Args:
        answered: how many groups were.
    """
    if file.exists() and is_unborn(file):
        with pytest.raises(Trouble, match="holds no table"):
            child["open_path"](file, core)
        assert answered == 0
        return
    path = child["open_path"](file, core)
    try:
        kept = path.log.head()[0]
        assert sum(map(len, LOGGED[:answered])) <= kept <= sum(map(len, LOGGED))
        left, whole = worlds(kept)
        check(path, left)
        for group in GROUPS:
            path.send(group)
        check(path, whole)
    finally:
        path.stop()


@pytest.mark.parametrize("number", range(KILLS))
def test_what_a_kill_leaves_is_whole(dead, number):
    point = dead.points[number]

    check_what_is_left(dead.folder / f"{point}.db", dead.core, len(said(dead.folder, point)))


class Write(NamedTuple):
    """One thing that was done to a file; neither data nor size: a sync."""

    file: str
    offset: int
    data: bytes | None = None
    size: int | None = None


class _Recording(apsw.VFS):
    """The file system, which notes what is done to files."""

    def __init__(self) -> None:
        self._base = apsw.vfs_names()[0]
        self.done: list[Write] = []
        super().__init__("recording", self._base, makedefault=True)

    def xOpen(self, name, flags):  # noqa: N802  SQLite's name for it
        return _RecordedFile(self.done, self._base, name, flags)


class _RecordedFile(apsw.VFSFile):
    def __init__(self, done, base, name, flags) -> None:
        self._done = done
        full = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        # What is made beside the file is of no use after a cut.
        self._name = {"top.db": "", "top.db-wal": "-wal"}.get(Path(full).name, "other")
        super().__init__(base, name, flags)

    def xWrite(self, data, offset):  # noqa: N802
        self._done.append(Write(self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xSync(self, flags):  # noqa: N802
        self._done.append(Write(self._name, 0))
        super().xSync(flags)

    def xTruncate(self, size):  # noqa: N802
        self._done.append(Write(self._name, 0, size=size))
        super().xTruncate(size)


class Recorded(NamedTuple):
    """A life that nobody ended."""

    core: str
    done: list[Write]
    answers: list[int]
    """After how many writes each group was answered."""
    images: dict[int, bytes]
    """After how many writes an image was there."""


@pytest.fixture(scope="module", params=CORES)
def recorded(request, tmp_path_factory) -> Recorded:
    vfs, answers = _Recording(), []
    file = tmp_path_factory.mktemp("whole") / "top.db"
    database, found = open_database(file), {}
    path = child["path_on"](database, request.param)

    def answered(number: int) -> None:
        answers.append(len(vfs.done))
        if image_path(file).exists():
            found[len(vfs.done)] = image_path(file).read_bytes()

    images = child["images_of"](database, path.view)
    rebuilding = child["rebuilding_of"](path, database, images, request.param)
    child["take"](path, images, rebuilding, answered)
    done = list(vfs.done)
    path.stop()
    vfs.unregister()
    return Recorded(request.param, done, answers, found)


def after_power_cut(done: list[Write], dice: random.Random) -> dict[str, bytearray]:
    """The files: all that was synced, and of later writes any, in part."""
    files = {"": bytearray(), "-wal": bytearray()}
    for name, content in files.items():
        own = [write for write in done if write.file == name]
        syncs = [i for i, write in enumerate(own) if write.data is None and write.size is None]
        synced = syncs[-1] if syncs else 0
        share = dice.choice([0.0, 0.5, 0.9, 1.0])
        for place, write in enumerate(own):
            if place < synced:
                _apply(content, write, None)
            elif dice.random() < share:
                _apply(content, write, dice)
    return files


def _apply(content: bytearray, write: Write, dice: random.Random | None) -> None:
    if write.size is not None:
        del content[write.size :]
    elif write.data is not None:
        data = write.data
        if dice is not None and dice.randrange(4) == 0:
            data = data[: dice.randrange(0, len(data) + SECTOR, SECTOR)]
        content.extend(bytes(max(0, write.offset - len(content))))
        content[write.offset : write.offset + len(data)] = data


@pytest.mark.parametrize("number", range(POWER_CUTS))
def test_what_a_power_cut_leaves_is_whole(recorded, tmp_path, number):
    point = spread(f"{recorded.core} power", POWER_CUTS, len(recorded.done))[number]
    file = tmp_path / "top.db"
    for name, content in after_power_cut(recorded.done[:point], random.Random(point)).items():
        file.with_name(file.name + name).write_bytes(content)
    images = [image for at, image in recorded.images.items() if at <= point]
    if images:
        image_path(file).write_bytes(images[-1])

    check_what_is_left(file, recorded.core, sum(at <= point for at in recorded.answers))

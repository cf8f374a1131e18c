"""Takes a scene and dies at one write to its file. Run as a program: CORE FOLDER and which writes.

For each of them a process is forked that takes the scene on FOLDER/<write>.db. It leaves in
FOLDER/<write>.said how many groups were answered, a line each; and, if it lives, how many writes
there were. So what takes long, to begin Python, is done once.
"""

import importlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import apsw

from toprung.app.core import make_core
from toprung.app.images import Images
from toprung.app.rebuilding import Rebuilding, Serving
from toprung.app.scratch import clean_up
from toprung.domain.instants import format_instant
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.view import ImageView
from toprung.sqlite import Database, open_database
from toprung.store.sqlite import SqliteScoreStore, Waiting
from toprung.testing.oracle import Column, Drop, Event, Put, Reset, Rules, Told
from toprung.testing.path import Path as RealPath
from toprung.updater import no_image

SMALL = [
    ("toprung.updater.runs", "REPLAY_ROWS", 7),
    ("toprung.updater.updater", "SWEEP_RECORDS", 24),
    ("toprung.updater.updater", "BEHIND_RECORDS", 2),
    ("toprung.updater.updater", "TIDY_ENTRIES", 3),
    ("toprung.ports.counted", "READ_ROWS", 5),
    ("toprung.log.sqlite.log", "BLOCK_RECORDS", 4),
    ("toprung.store.sqlite.seen", "PLACES_LINES", 10),
    ("toprung.store.sqlite.entries", "BLOCK_BYTES", 90),
    ("toprung.sqlite.database", "CHECKPOINT_PAGES", 60),
]
"""What is done in parts in the product is so here too, though the scene is short."""

HOUR, DAY = 3_600_000_000, 86_400_000_000
RULES = Rules("sum", (Column("score", True, 2),), windows=("all", "daily", "season"), grace=None)


def scene() -> list[list[Told]]:
    """Two boards, events, resets told late, changed settings, a recompute, a board that goes."""
    groups = [[Told(Put("alpha", RULES), 0)], [Told(Put("beta", RULES), 0)]]
    at = 100 * DAY
    for group in range(13):
        events = [
            Event(
                "beta" if number % 3 == 2 else "alpha",
                f"e{group}-{number // 2}",  # every other one is a duplicate or a conflict
                f"player {(number + group) % 3}",
                {"score": f"{number - group}"},
                at + group * 8 * HOUR + number // 3,
            )
            for number in range(6)
        ]
        groups.append([Told(event, at + 9 * DAY + group) for event in events])
        groups += [[Told(act, at + 9 * DAY + group)] for act in ACTS.get(group, [])]
    return groups


OTHER_RULES = Rules("best", (Column("score", False, 3),), windows=("all", "season"), grace=None)
ACTS = {
    2: [Reset("alpha", "r1", None, 100 * DAY + 8 * HOUR)],
    4: [Put("alpha", RULES._replace(windows=("all", "weekly", "season")), "change")],
    6: [Reset("alpha", "r2", "spring", 101 * DAY), Drop("beta")],
    8: [
        Put("alpha", OTHER_RULES, "recompute"),
        Put("beta", RULES),
    ],
    11: [Drop("beta")],
}


def make_small() -> None:
    """Do everything in small parts in this process."""
    for module, name, value in SMALL:
        setattr(importlib.import_module(module), name, value)


def open_path(file: Path, core_name: str) -> RealPath:
    """The real path on a file."""
    return path_on(open_database(file), core_name)


def path_on(database: Database, core_name: str) -> RealPath:
    """The real path on a database."""
    clean_up(Path(database.path), database)
    core = make_core(core_name)
    log = SqliteEventLog(database)
    store = SqliteScoreStore(database, Waiting(core.seen_index), core.entry_blocks)
    store.load()
    images = images_of(database, core.view)
    return RealPath(
        log,
        store,
        lambda: core.view,
        database.transaction,
        format_instant,
        core.make_decider,
        lambda view: no_image if images is None else images.load,
    )


def images_of(database: Database, view: object) -> Images | None:
    """The images of a view that can have some."""
    if not isinstance(view, ImageView):
        return None
    return Images(Path(database.path), database, view, 0)


def rebuilding_of(
    path: RealPath, database: Database, images: Images | None, core_name: str
) -> Rebuilding:
    """What makes everything anew beside the path."""
    return Rebuilding(
        Serving(
            Path(database.path),
            database,
            path.behind,
            path.updater,
            path.writer,
            images,
            lambda: make_core(core_name),
            path.clock.monotonic,
        )
    )


def take(
    path: RealPath,
    images: Images | None,
    rebuilding: Rebuilding,
    answered: Callable[[int], None],
) -> None:
    """Take the scene, with everything that happens beside it.

    Args:
        answered: told how many groups were answered.
    """
    for number, group in enumerate(scene(), 1):
        path.send(group)
        answered(number)
        if number % 2:
            path.writer.run_alone(path.updater.tidy).result()
        path.behind.purge(5)
        if images is not None and number % 3 == 0:
            path.writer.run_alone(images.write).result()
        if number == 9:
            rebuilding.start().result()
        if number == 15:
            path.rebuild()
    path.rebuild()
    rebuilding.start().result()


class _Fatal(apsw.VFS):
    """The file system, with a counter that ends the process."""

    writes = 0
    last = 0

    def __init__(self) -> None:
        self._base = apsw.vfs_names()[0]
        super().__init__("fatal", self._base, makedefault=True)

    def xOpen(self, name, flags):  # noqa: N802  SQLite's name for it
        return _FatalFile(self._base, name, flags)

    @classmethod
    def count(cls) -> None:
        cls.writes += 1
        if cls.writes == cls.last:
            os.kill(os.getpid(), signal.SIGKILL)


def _counted(work: Callable) -> Callable:
    def counted(*args):
        _Fatal.count()
        return work(*args)

    return counted


class _FatalFile(apsw.VFSFile):
    def xWrite(self, data, offset):  # noqa: N802
        _Fatal.count()
        super().xWrite(data, offset)

    def xSync(self, flags):  # noqa: N802
        _Fatal.count()
        super().xSync(flags)

    def xTruncate(self, size):  # noqa: N802
        _Fatal.count()
        super().xTruncate(size)


def live(core: str, file: Path, last: int) -> None:
    """Take the scene and die."""
    vfs = _Fatal()
    _Fatal.last = last
    # An image is a file of its own.
    os.fsync, Path.replace = _counted(os.fsync), _counted(Path.replace)
    with file.with_suffix(".said").open("w", buffering=1) as said:
        database = open_database(file)
        path = path_on(database, core)
        images = images_of(database, path.view)
        rebuilding = rebuilding_of(path, database, images, core)
        take(path, images, rebuilding, lambda number: print(number, file=said))
        print("writes", _Fatal.writes, file=said)
    path.stop()
    del vfs


def main(core: str, folder: str, *points: str) -> None:
    make_small()
    for point in points:
        child = os.fork()
        if child == 0:
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
            live(core, Path(folder, f"{point}.db"), int(point))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

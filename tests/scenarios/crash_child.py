"""Takes a scene and dies at one write to its file. Run as a program: FILE and which write it is.

Prints how many facts were answered, a line each; and, if it lives, how many writes there were.
"""

import os
import signal
import sys
from pathlib import Path

import apsw

from toprung.decider.reference import ReferenceDecider
from toprung.domain.instants import format_instant
from toprung.log.sqlite import SqliteEventLog
from toprung.rank.reference import ReferenceView
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.testing.oracle import Column, Drop, Event, Put, Reset, Rules, Told
from toprung.testing.path import Path as RealPath

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


def open_path(file: Path) -> RealPath:
    """The real path on a file."""
    database = open_database(file)
    log, store = SqliteEventLog(database), SqliteScoreStore(database)
    return RealPath(
        log, store, ReferenceView, database.transaction, format_instant, ReferenceDecider
    )


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


def main(file: str, last: str) -> None:
    vfs = _Fatal()
    _Fatal.last = int(last)
    path = open_path(Path(file))
    answered = 0
    for group in scene():
        path.send(group)
        answered += len(group)
        os.write(1, f"{answered}\n".encode())
        path.store.purge(5)
    path.rebuild()
    os.write(1, f"writes {_Fatal.writes}\n".encode())
    path.stop()
    del vfs


if __name__ == "__main__":
    main(*sys.argv[1:])

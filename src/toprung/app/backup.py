"""A backup of a database file while a server runs on it, and a file made from a backup."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from toprung.app.images import remove_image
from toprung.app.offline import check, existing
from toprung.app.opening import prepare
from toprung.domain.errors import Trouble
from toprung.log.sqlite import SqliteEventLog
from toprung.sqlite import (
    CopyProgress,
    FileLock,
    check_integrity,
    copy_database,
    open_reader,
)


class Copied(NamedTuple):
    """A copy that is complete."""

    seq: int
    """The last record in it."""
    size: int
    """In bytes."""


def back_up(path: Path, target: Path, progress: CopyProgress) -> Copied:
    """Write what is in the file of a server at one moment to ``target``, while it runs or not.

    Everything that was acknowledged before the call is in it. ``target`` is there only when it
    is complete and on the disk.

    Args:
        progress: told the bytes done, and about how many there are.

    Raises:
        Trouble: ``file_exists``, or the file is not there, damaged or out of reach, or the target
            cannot be written.
    """
    path = existing(path)
    _refuse_to_replace(target, "name another file")
    with _becoming(target) as part:
        with closing(open_reader(path)) as database:
            copy_database(database, part, progress)
        return _copied(part)


def restore(
    backup: Path, path: Path, progress: CopyProgress, verifying: Callable[[int, int], None] | None
) -> Copied:
    """Make the file of a server from a backup, and prove it sound before it is there.

    Every page is checked; that the tables are what the log says is proved by a replay.

    Args:
        path: where no database may be. An image that is left there is another one's: it is removed.
        progress: told the bytes copied, and about how many there are.
        verifying: told the log rows replayed, and how many there are; ``None``: without a replay,
            which takes time and memory for each event.

    Raises:
        Trouble: ``file_exists``, ``in_use``, ``damaged_backup``, or the backup is not there or no
            database of ours. There is no file at ``path`` then.
    """
    backup, path = existing(backup), prepare(path)
    lock = FileLock(path)
    try:
        for name in (path, _beside(path, "-wal"), _beside(path, "-journal")):
            _refuse_to_replace(name, "move it away, a database together with its -wal")
        with _becoming(path) as part:
            with closing(open_reader(backup)) as database:
                check_integrity(database)
                copy_database(database, part, progress)
            copied = _copied(part)
            try:
                if verifying is not None:
                    _prove(part, backup, lambda done: verifying(done, copied.seq))
                remove_image(path)
            except BaseException:
                part.unlink()
                raise
            return copied
    finally:
        lock.release()


def _prove(part: Path, backup: Path, progress: Callable[[int], None]) -> None:
    for difference in check(part, progress):
        raise Trouble(
            "damaged_backup",
            f"{backup}: {difference.where}: {difference.what} is not what the log says",
            retryable=False,
            hint=f"toprung verify --db {backup} shows all; rebuild makes it anew from its log",
        )


def _copied(part: Path) -> Copied:
    with closing(open_reader(part)) as database:
        return Copied(SqliteEventLog(database).head()[0], part.stat().st_size)


def _refuse_to_replace(path: Path, hint: str) -> None:
    if os.path.lexists(path):
        raise Trouble("file_exists", f"{path} exists already", retryable=False, hint=hint)


@contextmanager
def _becoming(target: Path) -> Iterator[Path]:
    """Where to write what is to be ``target``: under its name only when all of it is durable."""
    part = _beside(target, ".part")
    _refuse_to_replace(part, "another backup makes it; where none does, remove it: a crash left it")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield part
        part.rename(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise Trouble(
            "storage_unavailable",
            f"{target}: the file cannot be written: {error.strerror}",
            retryable=False,
            hint="check the path and its rights",
        ) from error


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)

"""A copy of one SQLite file as it is at one moment, made beside its writer."""

import os
from collections.abc import Callable
from pathlib import Path

from toprung.domain.errors import Trouble
from toprung.sqlite.database import Database, trouble

STEPS_BETWEEN_LOOKS = 20_000
"""Steps of SQLite's machine after which it is looked how far the copy is: a few milliseconds."""

CopyProgress = Callable[[int, int], None]
"""Told how many bytes are done, and about how many there are."""


def copy_database(source: Database, target: Path, progress: CopyProgress) -> None:
    """Write everything that is committed in ``source`` to ``target``; durable when it returns.

    The copy has no free pages, so nothing in it that was deleted. Who writes to the source
    meanwhile does not wait; its write-ahead log grows by what is written until the copy is made.

    Args:
        source: an open reader, outside any transaction.
        target: where there is no file yet; a crash leaves half of one there.

    Raises:
        Trouble: the source is damaged, or the target cannot be written; half of it is removed.
    """
    # Made before SQLite does, for the rights: a backup tells what only the server's user may know.
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        _fill(source, target, progress)
        os.fsync(handle)
    except BaseException:
        target.unlink()
        raise
    finally:
        os.close(handle)


def _fill(source: Database, target: Path, progress: CopyProgress) -> None:
    connection = source.connection
    total = connection.pragma("page_count") * connection.pragma("page_size")

    def look() -> bool:
        progress(min(target.stat().st_size, total), total)
        return False

    connection.set_progress_handler(look, STEPS_BETWEEN_LOOKS)
    try:
        with trouble(source.path):
            connection.execute("VACUUM INTO ?", (str(target),))
    finally:
        connection.set_progress_handler(None)


def check_integrity(database: Database) -> None:
    """Have SQLite look at every page and every index.

    Raises:
        Trouble: ``storage_corrupt``, naming the first thing that is wrong.
    """
    for (found,) in database.query("PRAGMA integrity_check(1)"):
        if found != "ok":
            raise Trouble(
                "storage_corrupt",
                f"{database.path}: the file is damaged ({found})",
                retryable=False,
                hint="take another backup",
            )

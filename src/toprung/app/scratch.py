"""The file beside a database in which all is made anew, and what is left of one."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from toprung.domain.errors import Trouble
from toprung.sqlite import Database, open_database
from toprung.store.sqlite import remove_left_over


@contextmanager
def scratch_database(database: Path) -> Iterator[Database]:
    """A new file beside a database, for as long as it is of use."""
    _remove_scratch(database)
    try:
        with closing(open_database(_scratch_path(database), synced=False)) as made:
            # It is of no use after a crash, so nothing need be written twice.
            made.execute("PRAGMA journal_mode=MEMORY")
            yield made
    finally:
        _remove_scratch(database)


def _remove_scratch(database: Path) -> None:
    made = _scratch_path(database)
    for path in (made, made.with_name(f"{made.name}-wal"), made.with_name(f"{made.name}-shm")):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise Trouble(
                "rebuild_not_removed",
                f"{path}: {error.strerror}",
                retryable=False,
                hint="remove it by hand",
            ) from error


def _scratch_path(database: Path) -> Path:
    return database.with_name(f"{database.name}.rebuild")


def clean_up(path: Path, database: Database) -> None:
    """Remove what a rebuild that was cut short left in and beside a database file.

    Raises:
        Trouble: the file, or what lies beside it, cannot be written.
    """
    remove_left_over(database)
    _remove_scratch(path)

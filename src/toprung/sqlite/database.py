"""Opening a file, and transactions on it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from toprung.domain.errors import Trouble

APPLICATION_ID = 0x746F7072
"""Says that a file is toprung's (the letters "topr"), in SQLite's header."""
BUSY_MS = 5_000
"""How long to wait for another process (``toprung keys``) that is writing."""
CHECKPOINT_PAGES = 20_000
"""Rarer checkpoints: a page that many events touch is copied into the file once (measured)."""
CACHE_KIB = 65_536
_SOUND_SQLITE = (3, 51, 3)
"""Earlier releases can corrupt a file in WAL mode (the WAL-reset defect, mended in 3.51.3)."""

_HEADER_BYTES = 100
_RESTORE = "restore a backup"

_TROUBLE: list[tuple[type[apsw.Error], str, bool, str, str]] = [
    (apsw.FullError, "storage_full", True, "the disk is full", "free space; nothing was lost"),
    (
        apsw.BusyError,
        "storage_busy",
        True,
        "the file is locked",
        "another process is writing to it",
    ),
    (apsw.LockedError, "storage_busy", True, "the file is locked", "another process uses it"),
    (
        apsw.ReadOnlyError,
        "storage_read_only",
        False,
        "the file cannot be written",
        "check its rights",
    ),
    (
        apsw.NotADBError,
        "foreign_file",
        False,
        "the file is no toprung database",
        "give another --db",
    ),
    (apsw.CorruptError, "storage_corrupt", False, "the file is damaged", _RESTORE),
    (
        apsw.CantOpenError,
        "storage_unavailable",
        False,
        "the file cannot be opened",
        "check the path",
    ),
    (apsw.IOError, "storage_io", True, "the disk could not be read or written", "check the disk"),
]


@contextmanager
def trouble(path: str) -> Iterator[None]:
    """Turn what SQLite says is wrong with file or disk into :class:`Trouble`."""
    try:
        yield
    except apsw.Error as error:
        for kind, code, retryable, message, hint in _TROUBLE:
            if isinstance(error, kind):
                raise Trouble(code, f"{path}: {message}", retryable=retryable, hint=hint) from error
        if isinstance(error, apsw.SQLError) and str(error).startswith("no such "):
            raise _incomplete(path, str(error)) from error
        raise


def _incomplete(path: str, what: str) -> Trouble:
    return Trouble(
        "storage_corrupt",
        f"{path}: the file is incomplete ({what}): was it copied without its -wal?",
        retryable=False,
        hint="copy a database while no server runs on it, or with sqlite3's .backup; a new file "
        "whose first start was cut short holds nothing: delete it",
    )


class Database:
    """A connection with transactions. One thread at a time may use it."""

    def __init__(self, connection: apsw.Connection, path: str, *, synced: bool = True) -> None:
        self.connection = connection
        self._synced = synced
        self.path = path
        self._depth = 0
        self._after_commit: list[Callable[[], None]] = []
        self._after_rollback: list[Callable[[], None]] = []
        self._commit: Callable[[], None] = lambda: self.execute("COMMIT")

    def watch_commits(
        self, monotonic: Callable[[], float], synced: Callable[[float], None]
    ) -> None:
        """Have ``synced`` told the seconds each durable commit takes: to write the pages, and the
        fsync.
        """

        def commit() -> None:
            started = monotonic()
            self.execute("COMMIT")
            synced(monotonic() - started)

        self._commit = commit

    def after_commit(self, settle: Callable[[], None]) -> None:
        """Have ``settle`` called when a transaction was committed: what it wrote is durable."""
        self._after_commit.append(settle)

    def after_rollback(self, forget: Callable[[], None]) -> None:
        """Have ``forget`` called when a transaction failed: what it cached may never have been."""
        self._after_rollback.append(forget)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[None]:
        """All that is written inside is committed together at the end, or not at all.

        Args:
            durable: whether it must survive a crash of the machine from then on. Else it does from
                the next durable one on; what comes later never does without it.

        Raises:
            Trouble: nothing was written.
        """
        if self._depth:
            yield
            return
        with trouble(self.path):
            level = "FULL" if durable and self._synced else "NORMAL" if self._synced else "OFF"
            self.connection.execute(f"PRAGMA synchronous={level}; BEGIN IMMEDIATE")
            self._depth = 1
            try:
                yield
                if durable:
                    self._commit()
                else:
                    self.execute("COMMIT")
                for settle in self._after_commit:
                    settle()
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._depth = 0

    def _roll_back(self) -> None:
        # SQLite may have ended the transaction itself, after a full disk for one.
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
        for forget in self._after_rollback:
            forget()

    def execute(self, sql: str, bindings: Any = ()) -> None:
        """Run statements that give no rows."""
        with trouble(self.path):
            self.connection.execute(sql, bindings)

    def query(self, sql: str, bindings: Any = ()) -> list[Any]:
        """All rows of one statement."""
        with trouble(self.path):
            return self.connection.execute(sql, bindings).fetchall()

    def stream(self, sql: str, bindings: Any = ()) -> Iterator[Any]:
        """The rows of one statement, one after the other, for tables of any size."""
        with trouble(self.path):
            yield from self.connection.execute(sql, bindings)

    def parts(self, sql: str, bindings: Any, rows: int) -> Iterator[list[Any]]:
        """The rows of one statement, so many at a time; of many rows each costs less than alone."""
        with trouble(self.path):
            cursor = self.connection.execute(sql, bindings)
            while part := list(islice(cursor, rows)):
                yield part

    def executemany(self, sql: str, rows: Any) -> None:
        """Run one statement for each of ``rows``."""
        with trouble(self.path):
            self.connection.executemany(sql, rows)

    def damaged(self, what: str, error: Exception | None = None) -> Trouble:
        """What to raise where a row does not hold what was once written."""
        told = f" ({error})" if error is not None else ""
        return Trouble(
            "storage_corrupt",
            f"{self.path}: {what} is damaged{told}",
            retryable=False,
            hint=_RESTORE,
        )

    def compact(self) -> None:
        """Write the file anew, so that nothing of what was removed is left in it, nor in its
        write-ahead log. Not inside a transaction.

        Raises:
            Trouble: ``storage_busy``, somebody reads what was there before; or no room, say.
        """
        with trouble(self.path):
            self.connection.execute("VACUUM")
            rows = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if rows[0][0]:
            raise Trouble(
                "storage_busy", f"{self.path}: somebody reads what was removed", retryable=True
            )

    def close(self) -> None:
        """Close the connection; may be called twice."""
        self.connection.close()


def open_database(path: Path | None, *, synced: bool = True) -> Database:
    """Open a file to read and write, and bring its schema up to date; ``None``: in memory.

    Args:
        synced: whether the disk is waited for; if not, a crash of the machine may damage the file.

    Raises:
        Trouble: the file is another program's, newer than this version, damaged or out of reach, or
            the SQLite library is unsound.
    """
    _check_library()
    name = ":memory:" if path is None else str(path)
    if path is not None:
        _check_whole(path)
    with trouble(name), _connected(apsw.Connection(name)) as connection:
        connection.set_busy_timeout(BUSY_MS)
        _check_file(connection, name)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        database = Database(connection, name, synced=synced)
        _migrate(database)
    return database


def open_reader(path: Path) -> Database:
    """Open a file for reading beside its writer; each statement sees the last commit.

    Raises:
        Trouble: as :func:`open_database`; also when there is no such file.
    """
    _check_library()
    name, flags = str(path), apsw.SQLITE_OPEN_READONLY
    _check_whole(path)
    with trouble(name), _connected(apsw.Connection(name, flags=flags)) as connection:
        connection.set_busy_timeout(BUSY_MS)
        _check_file(connection, name)
        return Database(connection, name)


@contextmanager
def _connected(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """Close the connection where it turns out that it cannot be used."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _check_library() -> None:
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < _SOUND_SQLITE:
        raise Trouble(
            "unsound_sqlite",
            f"SQLite {apsw.sqlite_lib_version()} can damage a file in WAL mode",
            retryable=False,
            hint="install the apsw wheel, which brings its own SQLite",
        )


def _check_whole(path: Path) -> None:
    """Refuse a copy that lacks its write-ahead log with all there ever was: it seems to be empty.

    A crash leaves that log where it is. The header is read here, because SQLite would make a new
    one; not beside an open connection, whose locks this would take away.
    """
    if path.with_name(path.name + "-wal").exists() or not path.is_file():
        return
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError:
        return  # SQLite says what is wrong
    in_wal_mode = header.startswith(b"SQLite format 3\0") and header[18:19] == b"\2"
    if in_wal_mode and header[40:44] == b"\0\0\0\0":
        raise _incomplete(str(path), "it holds no table")


def _check_file(connection: apsw.Connection, path: str) -> None:
    """Refuse a file that holds something else, or that a later version wrote."""
    ours = connection.pragma("application_id") == APPLICATION_ID
    empty = connection.pragma("schema_version") == 0
    if not ours and not empty:
        raise Trouble(
            "foreign_file",
            f"{path} is a database of another program",
            retryable=False,
            hint="give another --db file",
        )
    newest = len(_migrations())
    if connection.pragma("user_version") > newest:
        raise Trouble(
            "newer_file",
            f"{path} was written by a later version of toprung",
            retryable=False,
            hint="install that version, or a later one",
        )


def _migrations() -> list[str]:
    """The migrations in order. Each takes a file from one schema version to the next."""
    folder = files("toprung.sqlite").joinpath("migrations")
    scripts = sorted((item for item in folder.iterdir() if item.name.endswith(".sql")), key=str)
    return [script.read_text(encoding="utf-8") for script in scripts]


def _migrate(database: Database) -> None:
    """Apply what the file lacks, each step with its new version number in one transaction."""
    version = database.connection.pragma("user_version")
    for number, script in enumerate(_migrations()[version:], start=version + 1):
        with database.transaction():
            database.execute(script)
            database.execute(f"PRAGMA application_id={APPLICATION_ID}")
            database.execute(f"PRAGMA user_version={number}")

"""What works on a database file without a server: keys, rebuild, verify."""

import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from toprung.app.clock import SystemClock
from toprung.app.collector import collector_paused
from toprung.app.core import Core, make_core
from toprung.app.images import remove_image
from toprung.app.opening import prepare
from toprung.app.scratch import clean_up
from toprung.domain.access import KEY_ID_BYTES, SECRET_BYTES, Role, hash_secret, write_key
from toprung.domain.errors import InvalidInput, Trouble
from toprung.domain.names import check_name, check_no_controls
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.catalog import Catalog
from toprung.ports.keys import StoredKey
from toprung.sqlite import Database, FileLock, open_database, open_reader
from toprung.store.sqlite import DictIndex, SqliteKeyStore, SqliteScoreStore, Waiting
from toprung.updater import Difference, Updater, verify

KEY_NAME_CHARS = 200
SWITCH_S = 0.0001
"""How long a thread may keep the interpreter from another, in a rebuild: the one that reads the log
ahead would keep the one that decides waiting for 5 ms again and again (measured: a sixth)."""


class NewKey(NamedTuple):
    """A key just made. ``text`` is the only place where its secret ever stands in clear."""

    stored: StoredKey
    text: str


def create_key(path: Path, project: str, role: Role, name: str = "") -> NewKey:
    """Make a key; the file is made when there is none. A server on the file knows it at once.

    Raises:
        InvalidInput: the project or the name cannot be one.
        Trouble: the file is out of reach.
    """
    check_name(project, "project")
    if len(check_no_controls(name, "name")) > KEY_NAME_CHARS:
        raise InvalidInput(f"name must have at most {KEY_NAME_CHARS} characters", field="name")
    key_id, secret = secrets.token_hex(KEY_ID_BYTES), secrets.token_bytes(SECRET_BYTES)
    now = SystemClock().now()
    stored = StoredKey(key_id, project, role, name, hash_secret(secret), now, None)
    path = prepare(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(open_database(path)) as database:
        SqliteKeyStore(database).add(stored)
    return NewKey(stored, write_key(role, key_id, secret))


def list_keys(path: Path, project: str | None) -> list[StoredKey]:
    """The keys of a project, or all, the oldest first.

    Raises:
        Trouble: the file is not there, or out of reach.
    """
    with closing(open_reader(existing(path))) as database:
        return SqliteKeyStore(database).list(project)


def revoke_key(path: Path, key_id: str) -> StoredKey | None:
    """Revoke a key; as it then is, ``None`` when there is none. Revoking it again is fine.

    Raises:
        Trouble: the file is not there, or out of reach.
    """
    with closing(open_database(existing(path))) as database:
        keys = SqliteKeyStore(database)
        keys.revoke(key_id, SystemClock().now())
        return keys.find(key_id)


def rebuild(path: Path, progress: Callable[[int, int], None]) -> int:
    """Make everything that is derived anew from the log, in one transaction.

    Args:
        progress: called with the log rows done and the rows there are.

    Returns:
        How many rows the log has.

    Raises:
        Trouble: ``in_use``, a server runs on the file; or it is out of reach. Nothing was changed.
    """
    path = existing(path)
    lock = _lock(path)
    sys.setswitchinterval(SWITCH_S)
    try:
        remove_image(path)
        with (
            collector_paused(),
            closing(open_database(path)) as database,
            closing(open_reader(path)) as reader,
        ):
            clean_up(path, database)
            core = make_core("off")
            log, store = SqliteEventLog(database), _store(database, core)
            with store.transaction():
                # First of all: what is to be made anew may be damaged, so it is not read.
                store.wipe()
                updater = Updater(log, store, None, Catalog(), core.make_decider)
                return updater.rebuild(progress, SqliteEventLog(reader))
    finally:
        lock.release()


def _lock(path: Path) -> FileLock:
    try:
        return FileLock(path)
    except Trouble as error:
        if error.code != "in_use":
            raise
        raise Trouble(
            "in_use",
            str(error),
            retryable=False,
            hint="a running server does it beside its work: give its --url, and an admin --key",
        ) from None


def log_rows(path: Path) -> int:
    """How many records the log of a file has.

    Raises:
        Trouble: the file is not there, or out of reach.
    """
    with closing(open_reader(existing(path))) as database:
        return SqliteEventLog(database).head()[0]


def check(path: Path, progress: Callable[[int], None]) -> Iterator[Difference]:
    """All differences between the log and the store, at one moment.

    Reads only, so a server may go on writing to the file.

    Args:
        progress: called with the log rows done.

    Raises:
        Trouble: the file is not there, or out of reach.
    """
    with _snapshot(existing(path)) as database, closing(open_database(None)) as scratch:
        core = make_core("off")
        log, replayed = SqliteEventLog(database), _store(scratch, core)
        # Nothing is looked up in the store that is checked, so it needs no index.
        store = SqliteScoreStore(database, Waiting(DictIndex()), core.entry_blocks)
        yield from verify(log, store, None, replayed, core.make_decider, progress)


def _store(database: Database, core: Core) -> SqliteScoreStore:
    return SqliteScoreStore(database, Waiting(core.seen_index), core.entry_blocks)


def has_database(path: Path) -> bool:
    """Whether there is a file with something in it."""
    return path.is_file() and path.stat().st_size > 0


@contextmanager
def _snapshot(path: Path) -> Iterator[Database]:
    """A file as it is at one moment, whatever is written to it meanwhile."""
    with closing(open_reader(path)) as database:
        database.execute("BEGIN")
        yield database


def existing(path: Path) -> Path:
    """A database that is there, under the path by which to open it.

    Raises:
        Trouble: ``no_database``, or as :func:`~toprung.app.opening.prepare`.
    """
    # SQLite would make a file that is not there, and a lock file would be left beside it.
    if not has_database(path):
        raise Trouble(
            "no_database",
            f"there is no database {path}",
            retryable=False,
            hint="give the server's file with --db or TOPRUNG_DB",
        )
    return prepare(path)

"""The real path on SQLite in memory: what the property tests hold against the oracle."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from toprung.decider.reference import ReferenceDecider
from toprung.domain.instants import format_instant
from toprung.log.sqlite import SqliteEventLog
from toprung.rank.reference import ReferenceView
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.testing.path import Path


@pytest.fixture(scope="session")
def real_path() -> Callable[[], AbstractContextManager[Path]]:
    """A path of its own for each example."""

    @contextmanager
    def make() -> Iterator[Path]:
        database = open_database(None)
        log, store = SqliteEventLog(database), SqliteScoreStore(database)
        path = Path(
            log, store, ReferenceView, database.transaction, format_instant, ReferenceDecider
        )
        try:
            yield path
        finally:
            path.stop()
            database.close()

    return make


@pytest.fixture(scope="session")
def empty_store() -> Callable[[], SqliteScoreStore]:
    """A store to replay a log into."""
    return lambda: SqliteScoreStore(open_database(None))

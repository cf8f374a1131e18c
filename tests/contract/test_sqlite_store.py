"""The score store on SQLite passes the suite of its port, whoever reads and merges its blocks."""

import re
from pathlib import Path

import pytest

from toprung.decider.native import EntryBlocks
from toprung.sqlite import load_queries, open_database
from toprung.store.sqlite import PythonBlocks, SqliteScoreStore, entries
from toprung.testing.suites import ScoreStoreSuite


class SqliteHome:
    """A file of its own, opened anew each time."""

    def __init__(self, path: Path, blocks: type = PythonBlocks) -> None:
        self._path = path
        self._blocks = blocks()
        self._database = None

    def open(self) -> SqliteScoreStore:
        self.close()
        self._database = open_database(self._path, synced=False)  # as for the log
        return SqliteScoreStore(self._database, blocks=self._blocks)

    def close(self) -> None:
        if self._database is not None:
            self._database.close()


class TestSqliteStore(ScoreStoreSuite):
    @pytest.fixture
    def make_home(self, tmp_path_factory):
        return lambda: SqliteHome(tmp_path_factory.mktemp("store") / "top.db")


class TestSmallBlocks(ScoreStoreSuite):
    """Blocks of few entries, some of one player alone."""

    @pytest.fixture
    def make_home(self, tmp_path_factory, monkeypatch):
        monkeypatch.setattr(entries, "BLOCK_BYTES", 60)
        return lambda: SqliteHome(tmp_path_factory.mktemp("store") / "top.db", EntryBlocks)


def test_every_table_that_is_made_from_the_log_is_replaced_with_the_others(tmp_path):
    database = open_database(tmp_path / "made.db", synced=False)
    tables = {
        name for (name,) in database.query("SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    database.close()
    statement = load_queries("toprung.store.sqlite", "replacing.sql")["replace"]
    replaced = {name for name in tables if re.search(rf"main\.(new_)?{name}\b", statement)}

    # The log is what the others are made from; keys and facts are not made from it.
    assert tables - replaced == {"log", "keys", "facts"}

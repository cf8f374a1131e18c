"""The event log on SQLite passes the suite of its port."""

from pathlib import Path

import pytest

from toprung.domain.errors import Trouble
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.log import frames_of
from toprung.sqlite import open_database
from toprung.testing.suites import EventLogSuite


class SqliteHome:
    """A file of its own, opened anew each time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = None

    def open(self) -> SqliteEventLog:
        self.close()
        # Made durable by nothing but the file system of the test: what a crash leaves is shown
        # elsewhere, and a disk that is waited for makes a thousand examples slow.
        self._database = open_database(self._path, synced=False)
        return SqliteEventLog(self._database)

    def execute(self, sql, bindings):
        self._database.execute(sql, bindings)

    def transaction(self):
        return self._database.transaction()

    def close(self) -> None:
        if self._database is not None:
            self._database.close()


class TestSqliteLog(EventLogSuite):
    @pytest.fixture
    def make_home(self, tmp_path_factory):
        return lambda: SqliteHome(tmp_path_factory.mktemp("log") / "top.db")

    @pytest.mark.parametrize("gone", [1, 2, 3])
    def test_a_gap_is_damage(self, make_home, gone):
        home = make_home()
        log = home.open()
        for body in (b"a", b"b", b"c", b"d"):
            log.append(frames_of([(1, body)]))
        home.execute("DELETE FROM log WHERE first = ?", (gone,))

        with pytest.raises(Trouble) as caught:
            log.read(0, 9)

        home.close()
        assert caught.value.code == "storage_corrupt"
        assert f"lacks record {gone}" in caught.value.message

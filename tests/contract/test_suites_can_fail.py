"""The suites are known to be able to fail: parts that are wrong in one point do not pass."""

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from toprung.domain.board import Numbering
from toprung.domain.errors import Trouble
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.store import Changes
from toprung.rank.reference import ReferenceView
from toprung.rank.reference.view import _Period
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.store.sqlite.entries import EntryTable
from toprung.testing.suites import log as log_suite
from toprung.testing.suites import store as store_suite
from toprung.testing.suites import view as view_suite

SEARCH = settings(
    max_examples=300,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def does_not_pass(make_machine):
    with pytest.raises((AssertionError, Trouble)):
        run_state_machine_as_test(make_machine, settings=SEARCH)


class ViewHome:
    def open(self):
        return ReferenceView()

    def close(self):
        pass


VIEW_BUGS = {
    "ids are not compared by bytes": lambda patch: patch(
        _Period, "index_at", lambda real: lambda self, row: real(self, row._replace(player_id=""))
    ),
    "a tie counts as better": lambda patch: patch(
        _Period, "count_above", lambda real: lambda self, columns: self.count_to(columns)
    ),
    "distinct scores are all scores": lambda patch: patch(
        _Period, "distinct_above", lambda real: lambda self, columns: self.count_above(columns)
    ),
    "the old place is kept": lambda patch: patch(
        _Period,
        "put",
        lambda real: (
            lambda self, player, columns, at: (
                player in self._key_of or real(self, player, columns, at)
            )
        ),
    ),
    "periods of a replaced window stay": lambda patch: patch(
        ReferenceView,
        "replace",
        lambda real: (
            lambda self, board, order, generation, windows, periods, seq: real(
                self, board, order, generation, [key[1] for key, _ in periods], periods, seq
            )
        ),
    ),
    "the generation stays": lambda patch: patch(
        ReferenceView,
        "replace",
        lambda real: (
            lambda self, board, order, generation, windows, periods, seq: real(
                self, board, order, 1, windows, periods, seq
            )
        ),
    ),
    "the seq goes back": lambda patch: patch(
        ReferenceView, "advance", lambda real: lambda self, seq: setattr(self, "seq", seq)
    ),
    "negative indexes count from the end": lambda patch: patch(
        _Period,
        "rows",
        lambda real: lambda self, start, stop: real(self, 0, self.total)[start:stop],
    ),
}


@pytest.fixture
def patch(monkeypatch):
    """Puts something else in the place of an attribute, made from what is there."""
    return lambda target, name, make: monkeypatch.setattr(target, name, make(getattr(target, name)))


@pytest.mark.parametrize("bug", VIEW_BUGS)
def test_a_wrong_view(bug, patch):
    VIEW_BUGS[bug](patch)

    does_not_pass(lambda: view_suite._Machine(ViewHome, tuple(Numbering)))


class DatabaseHome:
    """A database in memory; what is opened again is the same connection."""

    def __init__(self, part):
        self._database = open_database(None)
        self._part = part

    def open(self):
        return self._part(self._database)

    def transaction(self):
        return self._database.transaction()

    def close(self):
        self._database.close()


STORE_BUGS = {
    "ids without regard to case": lambda patch: patch(
        SqliteScoreStore,
        "entries",
        lambda real: (
            lambda self, wanted: real(
                self, {key: [each.lower() for each in ids] for key, ids in wanted.items()}
            )
        ),
    ),
    "boards share their periods": lambda patch: patch(
        SqliteScoreStore,
        "period_number",
        lambda real: lambda self, key: real(self, (1, *key[1:])),
    ),
    "cleared windows stay": lambda patch: patch(
        EntryTable, "clear", lambda real: lambda self, window: None
    ),
    "a dropped board is never forgotten": lambda patch: patch(
        SqliteScoreStore, "purge", lambda real: lambda self, rows: False
    ),
}


@pytest.mark.parametrize("bug", STORE_BUGS)
def test_a_wrong_store(bug, patch):
    STORE_BUGS[bug](patch)

    does_not_pass(lambda: store_suite.StoreMachine(lambda: DatabaseHome(SqliteScoreStore)))


def _as_if_new(changes):
    """The changes, with entries that claim to reflect the latest record."""
    entries = {
        key: {player: msgspec.structs.replace(entry, seq=99) for player, entry in players.items()}
        for key, players in changes.entries.items()
    }
    return Changes(changes.seq, entries=entries)


def test_a_store_that_lets_older_entries_in(patch):
    patch(
        SqliteScoreStore,
        "_write_entries",
        lambda real: lambda self, changes: real(self, _as_if_new(changes)),
    )

    with pytest.raises(AssertionError):
        store_suite.ScoreStoreSuite().test_an_older_entry_never_replaces_a_newer_one(
            SqliteScoreStore(open_database(None))
        )


LOG_BUGS = {
    "reading repeats the row it goes on after": lambda patch: patch(
        SqliteEventLog, "read", lambda real: lambda self, after, limit: real(self, after - 1, limit)
    ),
    "one row too many": lambda patch: patch(
        SqliteEventLog, "read", lambda real: lambda self, after, limit: real(self, after, limit + 1)
    ),
    "the seq is that of the last row": lambda patch: patch(
        SqliteEventLog,
        "append",
        lambda real: lambda self, frames: real(self, frames) + len(frames.sizes) // 4 - 1,
    ),
}


@pytest.mark.parametrize("bug", LOG_BUGS)
def test_a_wrong_log(bug, patch):
    LOG_BUGS[bug](patch)

    does_not_pass(lambda: log_suite._Machine(lambda: DatabaseHome(SqliteEventLog), True))

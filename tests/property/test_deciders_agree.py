"""Whatever comes, the native decider decides, keeps, moves and holds what the reference does.

Both work on one store, side by side: on the real path, with acts between the events, with a part of
the entries written at odd moments, and with crashes after which what was decided is done again.
"""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.decider.native import EntryBlocks, NativeDecider, SeenIndex, calendar
from toprung.decider.reference import ReferenceDecider
from toprung.domain.instants import format_instant
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.decider import Decided
from toprung.rank.reference import ReferenceView
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.store.sqlite.seen import Waiting
from toprung.testing.path import Path
from toprung.testing.strategies import (
    frozen_scenes,
    gated_scenes,
    limited_scenes,
    moderated_scenes,
    rolling_scenes,
    scenes,
)


class Twins:
    """A decider that is two, and stops when they differ."""

    def __init__(self, reference, native):
        self._both = reference, native

    def _same(self, ask: Callable):
        reference, native = [ask(decider) for decider in self._both]
        assert native == reference
        return reference

    def decide(self, first, rows, board_of, *, told):
        return self._decided(lambda each: each.decide(first, rows, board_of, told=told))

    def redo(self, first, rows, board_of, kept):
        return self._decided(lambda each: each.redo(first, rows, board_of, kept))

    def _decided(self, ask: Callable[..., Decided]) -> Decided:
        reference, native = [ask(decider) for decider in self._both]
        assert list(native.decisions) == list(reference.decisions)
        assert native.seen == reference.seen
        assert native.moves == reference.moves
        assert list(native.moves) == list(reference.moves)
        assert list(native.moved) == list(reference.moved)
        assert native.latest_at == reference.latest_at
        self._same(lambda each: (each.unwritten, each.oldest, each.sweep))
        return native

    @property
    def unwritten(self):
        return self._same(lambda each: each.unwritten)

    @property
    def oldest(self):
        return self._same(lambda each: each.oldest)

    @property
    def sweep(self):
        return self._same(lambda each: each.sweep)

    def take(self, limit):
        return self._same(lambda each: each.take(limit))

    def waiting(self):
        return self._same(lambda each: each.waiting())

    def held(self, wanted):
        reference, native = [decider.held(wanted) for decider in self._both]
        # The native one also holds what is written.
        for key, players in reference.items():
            assert players.items() <= native.get(key, {}).items()
        return native

    def forget(self, board_id, player_ids=None):
        for decider in self._both:
            decider.forget(board_id, player_ids)

    def written(self):
        for decider in self._both:
            decider.written()


def twin_path(database, cached: int) -> Path:
    index = SeenIndex()
    store = SqliteScoreStore(database, Waiting(index), EntryBlocks())
    store.load()

    def make_twins(store):
        return Twins(ReferenceDecider(store), NativeDecider(store, index, cached))

    return Path(
        SqliteEventLog(database),
        store,
        ReferenceView,
        database.transaction,
        format_instant,
        make_twins,
    )


def write_some(path: Path, limit: int) -> None:
    """Write as many entries as the write path might have written by now."""
    with path.behind.transaction():
        path.updater._write(limit)
    path.updater.written()


def crash(path: Path) -> None:
    """Forget what is in memory; what was decided and not written is done again."""
    path.updater.catch_up(path.log.head()[0])


@pytest.mark.parametrize("periods", [1, calendar.PERIODS_MAX])
@given(
    scene=(scenes() | moderated_scenes | frozen_scenes | gated_scenes | limited_scenes)
    | rolling_scenes,
    cached=st.sampled_from([0, 1, 4, 1000]),
    data=st.data(),
)
def test_twins_never_differ(periods, scene, cached, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calendar, "PERIODS_MAX", periods)
        live_through(scene, cached, data)


def live_through(scene, cached, data):
    database = open_database(None)
    path = twin_path(database, cached)
    try:
        for group in scene.groups:
            path.send(group)
            limit = data.draw(st.sampled_from([0, 1, 2, 7]))
            path.writer.run_alone(lambda limit=limit: write_some(path, limit)).result()
            if data.draw(st.integers(0, 4)) == 4:
                path.writer.run_alone(lambda: crash(path)).result()
        assert not path.broken, path.broken
        path.rebuild()
        assert not path.broken, path.broken
    finally:
        path.stop()
        database.close()

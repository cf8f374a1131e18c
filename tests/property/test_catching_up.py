"""Whatever fails, and wherever the store is left behind, what the log has is applied once."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event as Signal

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.app.core import make_core
from toprung.decider.reference import ReferenceDecider
from toprung.domain.errors import Trouble
from toprung.domain.instants import DAY, format_instant
from toprung.domain.limits import Limit
from toprung.log.sqlite import SqliteEventLog
from toprung.sqlite import Database, open_database
from toprung.store.sqlite import SqliteScoreStore, Waiting
from toprung.testing.agreement import check_state
from toprung.testing.oracle import (
    Close,
    Column,
    Describe,
    Drop,
    Erase,
    Event,
    Put,
    Rules,
    Told,
    Void,
    world_after,
)
from toprung.testing.path import Answer, Path
from toprung.testing.strategies import (
    carrying_scenes,
    frozen_scenes,
    gated_scenes,
    limited_scenes,
    rolling_scenes,
    scenes,
    sliced_scenes,
)
from toprung.updater import verify

SMALL = [
    ("toprung.updater.runs", "REPLAY_ROWS", 4),
    ("toprung.updater.updater", "SWEEP_RECORDS", 4),
    ("toprung.updater.updater", "BEHIND_RECORDS", 2),
    ("toprung.updater.updater", "TIDY_ENTRIES", 2),
    ("toprung.ports.counted", "READ_ROWS", 3),
    ("toprung.log.sqlite.log", "BLOCK_RECORDS", 3),
    ("toprung.store.sqlite.seen", "PLACES_LINES", 3),
    ("toprung.updater.closing", "BLOCK_ROWS", 2),
]
"""What is done in parts in the product is so here too, though scenes are short."""


@pytest.fixture(scope="module", autouse=True)
def _small_parts():
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in SMALL:
            patch.setattr(importlib.import_module(module), name, value)
        yield


class NotingPath(Path):
    """A path that notes which facts were handed to the writer."""

    def __init__(self, *parts) -> None:
        super().__init__(*parts)
        self.submitted: list[Told] = []

    def _submit(self, told: Told) -> Callable[[], Answer]:
        before = self.writer.depth
        try:
            return super()._submit(told)
        finally:
            if self.writer.depth > before:
                self.submitted.append(told)


class Life:
    """A database and one path on it after the other: a new one has what was committed, no more."""

    def __init__(self, core: str) -> None:
        self._core = core
        self._connection = open_database(None).connection
        self.facts: list[Told] = []
        """What is in the log."""
        self.path = self._open()

    def _open(self) -> NotingPath:
        database = Database(self._connection, ":memory:")
        core = make_core(self._core)
        store = SqliteScoreStore(database, Waiting(core.seen_index), core.entry_blocks)
        store.load()
        return NotingPath(
            SqliteEventLog(database),
            store,
            lambda: core.view,
            database.transaction,
            format_instant,
            core.make_decider,
        )

    @contextmanager
    def failing_at(self, statement: int | None, error: type[apsw.Error]) -> Iterator[None]:
        """Let one of the next statements fail; a rollback never does."""
        left = statement or 0

        def trace(_cursor, sql, _bindings) -> bool:
            nonlocal left
            left -= not sql.startswith("ROLLBACK")
            if left == 0 and not sql.startswith("ROLLBACK"):
                raise error("planted")
            return True

        self._connection.exec_trace = trace
        try:
            yield
        finally:
            self._connection.exec_trace = None

    def send(self, group: Sequence[Told], statement: int | None, error: type[apsw.Error]) -> None:
        """Have a group written. It may fail, but not in part; what is answered is logged."""
        before, failed, refused = self.path.log.head()[0], False, 0
        self.path.submitted = submitted = []
        with self.failing_at(statement, error):
            try:
                answers = self.path.send(group)
                # Who cannot be erased is not in the log either: that would be taken back.
                refused = sum(
                    isinstance(told.fact, Erase) and getattr(answer, "refused", None) is not None
                    for told, answer in zip(group, answers, strict=True)
                )
            except Trouble:
                failed = True
        assert not self.path.broken, self.path.broken
        added = self.path.log.head()[0] - before
        assert added in ((0, len(submitted)) if failed else (len(submitted) - refused,))
        self.facts += submitted[:added]
        if failed and not all(isinstance(told.fact, Event) for told in submitted):
            # What comes next is read by the boards that are known.
            self.alone(lambda path: path.updater.ready())

    def alone(self, work: Callable[[Path], object]) -> None:
        """Have the writer do something that may fail."""
        with suppress(Trouble):
            self.path.writer.run_alone(lambda: work(self.path)).result()

    def restart(self) -> None:
        """Begin again with what was committed."""
        self.path.stop()
        self.path = self._open()

    def check(self) -> None:
        """Hold everything against the oracle, and the log against the tables."""
        check_state(world_after(self.facts), self.path)
        scratch = open_database(None)
        path, replayed = self.path, SqliteScoreStore(scratch)
        # With a decider of another making, which is held against the rules elsewhere.
        assert list(verify(path.log, path.store, path.view, replayed, ReferenceDecider)) == []
        scratch.close()

    def close(self) -> None:
        """End it."""
        self.path.stop()
        self._connection.close()


errors = st.sampled_from([apsw.FullError, apsw.IOError, apsw.BusyError])
statements = st.none() | st.integers(1, 12) | st.integers(1, 60)
between = st.lists(st.sampled_from(["restart", "tidy", "flush", "rebuild"]), max_size=2)


def do(life: Life, what: str) -> None:
    """One thing that happens between two groups."""
    if what == "restart":
        life.restart()
    elif what == "tidy":
        life.alone(lambda path: path.updater.tidy())
    elif what == "flush":
        life.alone(lambda path: path.updater.flush())
    else:
        life.alone(lambda path: path.updater.rebuild(lambda done, rows: None))


WRITTEN = (
    frozen_scenes | gated_scenes | limited_scenes | sliced_scenes | carrying_scenes | rolling_scenes
)


@pytest.mark.parametrize("core", ["reference", "native"])
@given(scenes() | WRITTEN, st.data())
def test_what_is_in_the_log_is_applied_once(core, scene, data):
    life = Life(core)
    try:
        for group in scene.groups:
            life.send(group, data.draw(statements), data.draw(errors))
            for what in data.draw(between):
                statement = None if what == "restart" else data.draw(statements)
                with life.failing_at(statement, data.draw(errors)):
                    do(life, what)
        life.restart()
        life.check()
        # Time went on for what was not logged, too.
        last = max(told.arrival for told in scene.facts)
        for group in scene.groups:
            again = [told._replace(arrival=last) for told in group]
            life.send(again, None, apsw.FullError)
        life.check()
    finally:
        life.close()


BOARD = Rules("sum", (Column("score", True, 0),), windows=("all", "daily"), grace=None)


def event(event_id: str, at: int | None = None) -> Told:
    """A point for somebody."""
    return Told(Event("alpha", event_id, "ann", {"score": "1"}, at), 0)


def test_the_instant_zero_is_an_instant():
    """A board's latest event may have been then; an earlier one does not become the latest."""
    life = Life("reference")
    life.send([Told(Put("alpha", BOARD), 0)], None, apsw.FullError)
    life.send([event("e0", 0)], None, apsw.FullError)
    life.send([event("e1", -10)], None, apsw.FullError)

    assert life.path.query.board("game", "alpha").state.latest_at == 0
    life.close()


@pytest.mark.parametrize("core", ["reference", "native"])
def test_a_void_event_that_waited_is_the_latest_after_a_restart(core):
    """It moved nothing, but was taken, and nothing else says when the board's latest event was."""
    life = Life(core)
    life.send([Told(Put("alpha", BOARD), 0)], None, apsw.FullError)
    group = [event("e0", 0), Told(Void("alpha", "e1"), 0), event("e1", 5)]
    group.append(Told(Void("alpha", "e9"), 0))  # with it, what was decided is kept
    life.send(group, None, apsw.FullError)
    life.restart()

    assert life.path.query.board("game", "alpha").state.latest_at == 5
    life.check()
    life.close()


@pytest.mark.parametrize("core", ["reference", "native"])
def test_final_standings_have_what_waited_when_the_process_was_killed(core):
    """The record that closed the period was applied, its entries were not written."""
    life = Life(core)
    life.send([Told(Put("alpha", BOARD._replace(grace=0)), 0)], None, apsw.FullError)
    for place, player in enumerate(["ann", "bo"]):
        sent = Event("alpha", f"e{place}", player, {"score": "1"}, place)
        life.send([Told(sent, DAY - 1)], None, apsw.FullError)
    life.send([Told(Close("alpha", "daily", 0), DAY)], None, apsw.FullError)
    life.restart()
    life.send([event("later")._replace(arrival=DAY)], None, apsw.FullError)

    life.check()
    life.close()


@pytest.mark.parametrize("core", ["reference", "native"])
def test_a_board_that_was_not_sliced_is_not_after_a_restart(core, monkeypatch):
    """There were too many values then; profiles that are written ahead have fewer now."""
    for module in ("toprung.ports.segments", "toprung.updater.slicing"):
        monkeypatch.setattr(f"{module}.SEGMENT_VALUES", Limit("values", 0, 1, "", ""))
    life = Life(core)
    sliced = Put("alpha", BOARD._replace(segments=("country",)), "change")
    ann, bo = Describe("ann", {"country": "NO"}), Describe("bo", {"country": "SE"})
    for facts in ([Put("alpha", BOARD)], [ann, bo], [sliced, Describe("bo", {})]):
        life.send([Told(fact, 0) for fact in facts], None, apsw.FullError)
    life.restart()
    refused = life.path.query.board("game", "alpha").settings.segments
    life.send([Told(sliced, 0)], None, apsw.FullError)

    assert refused == ()
    assert life.path.query.board("game", "alpha").settings.segments == ("country",)
    life.close()


@pytest.mark.parametrize("core", ["reference", "native"])
def test_nothing_is_logged_until_what_failed_is_applied(core):
    """An act is in the log and cannot be written: what comes next may hang on it."""
    life = Life(core)
    life.send([Told(Put("alpha", BOARD), 0)], None, apsw.FullError)
    life.send([event("e0")], None, apsw.FullError)
    statements: list[str] = []

    def no_room(_cursor, sql, _bindings) -> bool:
        statements.append(sql)
        if sql.startswith(("DELETE FROM boards", "UPDATE checkpoint")) and commits(statements):
            raise apsw.FullError("planted")
        return True

    def commits(found: Sequence[str]) -> int:
        return sum(sql.startswith("COMMIT") for sql in found)

    life._connection.exec_trace = no_room
    for facts in ([Told(Drop("alpha"), 0)], [event("e1")], [event("e2")]):
        with pytest.raises(Trouble) as caught:
            life.path.send(facts)
        assert caught.value.code == "storage_full"
    life._connection.exec_trace = None

    assert life.path.log.head()[0] == 3
    life.path.send([Told(Put("alpha", BOARD), 0)])
    assert life.path.log.head()[0] == 4
    check_state(world_after([Told(Put("alpha", BOARD), 0)]), life.path)
    life.close()


def test_after_a_bug_nothing_more_is_logged():
    """Also what waited behind the group that met it."""

    class Buggy(ReferenceDecider):
        def decide(self, *_args, **_more):
            raise RuntimeError("planted")

    life = Life("reference")
    life.send([Told(Put("alpha", BOARD), 0)], None, apsw.FullError)
    path, gate = life.path, Signal()
    path.updater._decider = Buggy(path.behind)
    path.writer.run_alone(gate.wait)
    path.clock.instant = 0
    waiting = [path.intake.accept_events("game", [path.draft(event("e0").fact)], ranked=False)]
    path.writer.run_alone(lambda: None)  # ends the group
    waiting.append(path.intake.accept_events("game", [path.draft(event("e1").fact)], ranked=False))
    gate.set()

    with pytest.raises(RuntimeError):
        waiting[0].written.result()
    with pytest.raises(Trouble, match="takes no writes"):
        waiting[1].written.result()
    assert path.log.head()[0] == 2
    life.close()

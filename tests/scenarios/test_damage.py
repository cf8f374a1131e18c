"""A file that was damaged, or copied without what belongs to it, says what is wrong and where."""

import shutil

import apsw
import msgspec
import pytest

from toprung.app import offline
from toprung.app.clock import ControlledClock
from toprung.app.engine import Engine
from toprung.domain.board import Column, Settings
from toprung.domain.errors import Trouble
from toprung.domain.instants import parse_instant
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Profile
from toprung.store.sqlite import seen
from toprung.testing.cli import Cli
from toprung.wire.scores import EventIn

NOON = parse_instant("2026-05-04T12:00:00Z", "at")
BOARD = Settings(
    "sum", (Column("score", True, 0),), "earliest", ("all",), "UTC", 0, None, None, None, ""
)


class NoStats:
    def committed(self, records, seconds):
        """Nobody asks."""

    def synced(self, seconds):
        pass


def engine(file) -> Engine:
    return Engine(file, ControlledClock(NOON), NoStats(), lambda error: None)


def filled(file) -> Engine:
    """An engine that runs; its log has a board, an event and a profile."""
    running = engine(file)
    running.start()
    running.intake.put_board("game", "b", BOARD, "refuse").result()
    running.intake.accept_events("game", [event("e")]).written.result()
    running.intake.put_profile("game", "p", Profile("Ana", None, {})).result()
    return running


def event(event_id: str) -> EventIn:
    return EventIn("b", "p", msgspec.Raw(b"1"), event_id)


def code_of(call) -> tuple[str, str]:
    with pytest.raises(Trouble) as caught:
        call()
    assert caught.value.hint
    return caught.value.code, caught.value.message


def verify(file) -> None:
    list(offline.check(file, lambda done: None))


def rebuild(file) -> None:
    offline.rebuild(file, lambda done, total: None)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "top.db"


def damage(file, statement: str, *values) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(statement, values)
    connection.close()


NONSENSE = [b"", b"\xc1", b"\x90", b"\xa1\xff", b"\x92\xa1e\x01", "text"]


@pytest.mark.parametrize("body", NONSENSE)
@pytest.mark.parametrize(
    ("table", "column", "calls", "place"),
    [
        ("log", "body", (verify, rebuild), "the log at 1 "),
        ("boards", "state", (verify, engine), "the board 1 "),
        ("seen", "body", (verify, engine), "what is kept of events at 2 "),
        ("profiles", "body", (verify,), "the profile 'p' "),
    ],
)
def test_a_damaged_row_is_named(file, body, table, column, calls, place):
    filled(file).stop()
    damage(file, f"UPDATE {table} SET {column} = ?", body)

    for call in calls:
        code, message = code_of(lambda call=call: call(file))

        assert code == "storage_corrupt"
        assert place in message


def test_a_file_without_its_checkpoint(file):
    filled(file).stop()
    damage(file, "DELETE FROM checkpoint")

    for call in (verify, engine):
        assert code_of(lambda call=call: call(file)) == (
            "storage_corrupt",
            f"{file}: the checkpoint is damaged",
        )


def test_a_damaged_event_id_stops_writes_until_a_rebuild(file, monkeypatch):
    """The event is in the log, and what comes after it may hang on what becomes of it."""
    monkeypatch.setattr(seen, "PLACES_LINES", 1)  # so that the line is not read at a start
    running = filled(file)
    running.intake.accept_events("game", [event("later")]).written.result()
    running.stop()
    damage(file, "UPDATE seen SET body = x'c1' WHERE first = 2")
    running = engine(file)
    running.start()

    for event_id in ("e", "other"):
        written = running.intake.accept_events("game", [event(event_id)]).written
        assert code_of(written.result)[0] == "storage_corrupt"
    assert running.log.head()[0] == 5
    assert running.query.board("game", "b").state.latest_at == NOON
    running.stop()

    rebuild(file)
    running = engine(file)
    running.start()
    (result,) = running.intake.accept_events("game", [event("e")]).written.result()
    assert (result.seq, result.decision.outcome) == (6, Outcome.DUPLICATE)
    running.stop()


WAYS = {
    "keys list": lambda file: offline.list_keys(file, None),
    "keys create": lambda file: offline.create_key(file, "game", "admin"),
    "verify": verify,
    "rebuild": rebuild,
    "serve": engine,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_copy_without_its_write_ahead_log(file, tmp_path, way):
    running = filled(file)
    copy = tmp_path / "copy.db"
    shutil.copy(file, copy)
    before = copy.read_bytes()

    code, message = code_of(lambda: way(copy))

    assert code == "storage_corrupt"
    assert "copy.db" in message
    assert "-wal" in message
    assert not (tmp_path / "copy.db-wal").exists()
    assert copy.read_bytes() == before
    running.stop()


def test_a_copy_with_its_write_ahead_log_is_a_whole_one(file, tmp_path):
    running = filled(file)
    for part in ("", "-wal"):
        shutil.copy(f"{file}{part}", f"{tmp_path / 'copy.db'}{part}")
    running.stop()

    verify(tmp_path / "copy.db")
    engine(tmp_path / "copy.db").stop()


def test_a_table_that_is_missing(file):
    filled(file).stop()
    damage(file, "DROP TABLE profiles")

    assert code_of(lambda: verify(file))[0] == "storage_corrupt"


def test_an_empty_file_is_a_new_one(file):
    file.write_bytes(b"")

    opened = engine(file)
    assert opened.log.head() == (0, 0)
    opened.stop()

    assert file.stat().st_size > 0


def test_commands_say_it_in_words(file, tmp_path):
    running = filled(file)
    copy = tmp_path / "copy.db"
    shutil.copy(file, copy)

    for command in (["verify"], ["rebuild"], ["keys", "list"], ["serve", "--port", "0"]):
        ended = Cli({})(*command, "--db", str(copy))

        assert (ended.status, ended.code) == (1, "storage_corrupt")
    running.stop()

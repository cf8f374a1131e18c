"""A file that cannot be used says why, with a code; it is left as it was, and so is its lock."""

import errno
import os
import subprocess
import sys

import apsw
import pytest

from toprung.app.clock import ControlledClock, SystemClock
from toprung.app.engine import Engine
from toprung.decider.reference import ReferenceDecider
from toprung.domain.errors import Trouble
from toprung.domain.instants import format_instant
from toprung.log.sqlite import SqliteEventLog
from toprung.rank.reference import ReferenceView
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.testing.agreement import check_state
from toprung.testing.oracle import Column, Event, Put, Rules, Told, world_after
from toprung.testing.path import Path as RealPath
from toprung.updater import verify


class NoStats:
    def committed(self, records, seconds):
        """Nobody asks."""

    def synced(self, seconds):
        pass


def engine(file, clock=None):
    broken = []
    found = Engine(file, clock or SystemClock(), NoStats(), broken.append)
    assert not broken
    return found


def trouble(file, clock=None) -> str:
    """The code of what is wrong with a file; the engine's message names it."""
    with pytest.raises(Trouble) as caught:
        engine(file, clock)
    assert file.name in caught.value.message
    assert caught.value.hint
    return caught.value.code


@pytest.fixture
def file(tmp_path):
    return tmp_path / "top.db"


def test_two_engines_on_one_file(file):
    first = engine(file)

    assert trouble(file) == "in_use"
    first.stop()
    engine(file).stop()


def test_an_engine_of_another_process_on_the_file(file):
    program = (
        "import sys, pathlib\n"
        "from toprung.sqlite import FileLock\n"
        "lock = FileLock(pathlib.Path(sys.argv[1]))\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    ).replace("\\\n", "\n")
    with subprocess.Popen(
        [sys.executable, "-c", program, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"locked\n"
        assert trouble(file) == "in_use"
        other.kill()

    engine(file).stop()  # the lock is the process's, so it is free


def _foreign(file):
    other = apsw.Connection(str(file))
    other.execute("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')")
    other.close()


def _text(file):
    file.write_text("this is no database, and it is longer than a header of one" * 50)


def _newer(file):
    database = open_database(file)
    database.execute("PRAGMA user_version=9999")
    database.close()


def _damaged(file):
    engine(file).stop()
    content = bytearray(file.read_bytes())
    content[100 : len(content)] = b"\xa5" * (len(content) - 100)
    file.write_bytes(content)


def _cut(file):
    engine(file).stop()
    file.write_bytes(file.read_bytes()[: 3 * 4096 + 100])


def _folder(file):
    file.mkdir()


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (_foreign, "foreign_file"),
        (_text, "foreign_file"),
        (_newer, "newer_file"),
        (_damaged, "storage_corrupt"),
        (_cut, "storage_corrupt"),
        (_folder, "storage_unavailable"),
    ],
)
def test_a_file_that_cannot_be_used(file, make, code):
    make(file)
    before = file.read_bytes() if file.is_file() else None

    assert trouble(file) == code
    assert trouble(file) == code, "a second attempt must not find the lock still held"
    assert (file.read_bytes() if file.is_file() else None) == before


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "not a folder").write_text("")

    assert trouble(tmp_path / "not a folder" / "top.db") == "storage_unavailable"


def test_a_lock_that_may_not_be_made(file, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        assert trouble(file) == "storage_unavailable"
    engine(file).stop()


def test_a_full_disk_loses_nothing_and_space_helps(file):
    """What was refused for it is as if it had never been sent: then it can be sent again."""
    database = open_database(file)
    log, store = SqliteEventLog(database), SqliteScoreStore(database)
    path = RealPath(
        log, store, ReferenceView, database.transaction, format_instant, ReferenceDecider
    )
    rules = Rules("sum", (Column("score", True, 0),), windows=("all", "daily"))
    facts = [Told(Put("alpha", rules), 0)] + [
        Told(Event("alpha", f"{n:0250}", f"player {n}", {"score": "5"}, n), n) for n in range(200)
    ]
    path.send(facts[:1])
    path.send(facts[1:100])
    path.updater.flush()  # what waits would need space too
    database.connection.pragma("max_page_count", database.connection.pragma("page_count"))

    with pytest.raises(Trouble) as caught:
        path.send(facts[100:])
    assert (caught.value.code, caught.value.retryable) == ("storage_full", True)
    check_state(world_after(facts[:100]), path)

    database.connection.pragma("max_page_count", 2**31)
    path.send(facts[100:])
    check_state(world_after(facts), path)
    scratch = SqliteScoreStore(open_database(None))
    assert list(verify(path.log, path.store, path.view, scratch, ReferenceDecider)) == []
    path.stop()
    database.close()


def test_a_file_that_can_only_be_read(file):
    first = engine(file)
    first.start()
    first._database.execute("PRAGMA query_only=ON")

    written = first.intake.drop_board("game", "week")
    with pytest.raises(Trouble) as caught:
        written.result()
    first._database.execute("PRAGMA query_only=OFF")

    assert caught.value.code == "storage_read_only"
    assert first.log.head() == (0, 0)
    first.stop()


@pytest.mark.parametrize(
    ("made_under", "opened_under"),
    [(SystemClock(), ControlledClock(0)), (ControlledClock(0), SystemClock())],
)
def test_the_wrong_clock(file, made_under, opened_under):
    engine(file, made_under).stop()

    assert trouble(file, opened_under) == "wrong_clock"
    engine(file, made_under).stop()


def test_stopping_twice_or_before_the_start(file):
    for begin in (lambda found: None, Engine.start):
        found = engine(file)
        begin(found)
        found.stop()
        found.stop()

        assert not found.writer.healthy
        with pytest.raises(Trouble) as caught:
            found.intake.drop_board("game", "week")
        assert caught.value.code == "stopped"

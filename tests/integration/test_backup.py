"""A backup made while events come is sound, and has all that was acknowledged before it began."""

import os
import signal
import stat
import subprocess
import sys
from contextlib import closing
from threading import Event, Thread

import apsw
import pytest

from toprung.app.backup import back_up, restore
from toprung.app.images import image_path
from toprung.app.offline import check, create_key, log_rows
from toprung.domain.access import Role
from toprung.domain.errors import Trouble
from toprung.sdk import Client, ScoreEvent
from toprung.testing.cli import Cli, Ended
from toprung.testing.server import Server, running_server


def nothing(done, total):
    pass


def good(ended: Ended) -> Ended:
    assert (ended.status, ended.code) == (0, ""), ended.err
    return ended


@pytest.fixture
def database(tmp_path):
    """A file with a key, and no server on it."""
    path = tmp_path / "toprung.db"
    create_key(path, "game", Role.ADMIN)
    return path


def differences(path):
    return list(check(path, lambda done: None))


class Writing:
    """Sends batches until it is told to stop; knows what was acknowledged."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._stop = Event()
        self.some = Event()
        self.acknowledged: list[str] = []
        self._thread = Thread(target=self._run)

    def _run(self) -> None:
        batch = 0
        while not self._stop.is_set():
            events = [
                ScoreEvent("b", f"player-{i % 40}", i, event_id=f"e{batch}-{i}") for i in range(200)
            ]
            reply = self._client.submit_many(events, ranks=False)
            self.acknowledged += [result.event_id for result in reply.results]
            batch += 1
            if batch >= 5:
                self.some.set()

    def __enter__(self):
        self._thread.start()
        assert self.some.wait(60)
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()


def test_a_backup_during_writes_is_restored_with_all_that_was_acknowledged(tmp_path):
    cli, backup, new = Cli(), tmp_path / "backup.db", tmp_path / "new" / "toprung.db"
    (tmp_path / "server").mkdir()
    with (
        running_server(tmp_path / "server") as running,
        Client(running.url, running.keys["admin"]) as client,
    ):
        client.put_board("b")
        with Writing(client) as writing:
            before = list(writing.acknowledged)
            made = good(cli("backup", str(backup), "--db", str(running.server.database)))
    assert "has everything up to record" in made.err

    good(cli("restore", str(backup), "--db", str(new), "--json"))

    assert good(cli("verify", "--db", str(new), "--json")).json["differences"] == 0
    with Server(new) as server, Client(server.url, running.keys["admin"]) as client:
        outcomes = {
            client.event("b", event_id).outcome for event_id in before[:: len(before) // 50]
        }
        repeated = client.submit_many(
            [ScoreEvent("b", f"player-{i % 40}", i, event_id=f"e0-{i}") for i in range(200)]
        )
        assert outcomes <= {"counted", "unchanged"}
        assert repeated.outcomes == {"duplicate": 200}
        assert client.top("b").total == 40


def test_a_backup_tells_its_last_record_and_is_for_its_owner_alone(database, tmp_path):
    target = tmp_path / "folder" / "backup.db"

    made = back_up(database, target, nothing)

    assert (made.seq, made.size) == (log_rows(database), target.stat().st_size)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(path.name for path in target.parent.iterdir()) == ["backup.db"]


def test_what_was_deleted_is_not_in_a_backup(database, tmp_path):
    with closing(apsw.Connection(str(database))) as connection:
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute("INSERT INTO facts VALUES ('gone', ?)", ("erased-player-" * 1000,))
        connection.execute("DELETE FROM facts WHERE name = 'gone'")

    back_up(database, tmp_path / "backup.db", nothing)

    assert b"erased-player" not in (tmp_path / "backup.db").read_bytes()


def test_nothing_is_replaced(database, tmp_path):
    target = tmp_path / "backup.db"
    target.write_text("something else")

    with pytest.raises(Trouble) as made:
        back_up(database, target, nothing)
    target.unlink()
    back_up(database, target, nothing)
    with pytest.raises(Trouble) as restored:
        restore(target, database, nothing, nothing)

    assert (made.value.code, restored.value.code) == ("file_exists", "file_exists")


@pytest.mark.parametrize("remains", ["-wal", "-journal"])
def test_a_file_is_not_restored_under_the_log_of_another_one(database, tmp_path, remains):
    back_up(database, tmp_path / "backup.db", nothing)
    new = tmp_path / "new.db"
    new.with_name(new.name + remains).write_text("of another file")

    with pytest.raises(Trouble) as refused:
        restore(tmp_path / "backup.db", new, nothing, nothing)

    assert refused.value.code == "file_exists"
    assert not new.exists()


def test_the_image_of_another_file_is_removed(database, tmp_path):
    back_up(database, tmp_path / "backup.db", nothing)
    new = tmp_path / "new.db"
    image_path(new).write_text("of another file")

    restore(tmp_path / "backup.db", new, nothing, nothing)

    assert not image_path(new).exists()
    assert differences(new) == []


def test_a_file_with_a_server_on_it_is_not_restored_to(tmp_path):
    (tmp_path / "server").mkdir()
    with running_server(tmp_path / "server") as running:
        database = running.server.database
        back_up(database, tmp_path / "backup.db", nothing)
        for path in (database, database.with_name(database.name + "-wal")):
            path.rename(tmp_path / f"away-{path.name}")

        with pytest.raises(Trouble) as refused:
            restore(tmp_path / "backup.db", database, nothing, nothing)

        for path in (database, database.with_name(database.name + "-wal")):
            (tmp_path / f"away-{path.name}").rename(path)
    assert refused.value.code == "in_use"


def test_a_backup_that_does_not_agree_with_its_log_is_refused(tmp_path):
    (tmp_path / "server").mkdir()
    with (
        running_server(tmp_path / "server") as running,
        Client(running.url, running.keys["admin"]) as client,
    ):
        client.put_board("b")
    backup, new = tmp_path / "backup.db", tmp_path / "new.db"
    back_up(running.server.database, backup, nothing)
    with closing(apsw.Connection(str(backup))) as connection:
        connection.execute("DELETE FROM boards")

    with pytest.raises(Trouble) as refused:
        restore(backup, new, nothing, nothing)

    assert refused.value.code == "damaged_backup"
    assert not list(tmp_path.glob("new.db*[!k]"))

    good(Cli()("restore", str(backup), "--db", str(new), "--no-verify"))
    assert differences(new) != []


def test_a_damaged_page_is_found_before_anything_is_made(database, tmp_path):
    backup, new = tmp_path / "backup.db", tmp_path / "new.db"
    back_up(database, backup, nothing)
    with backup.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(4096))

    with pytest.raises(Trouble) as refused:
        restore(backup, new, nothing, nothing)

    assert refused.value.code == "storage_corrupt"
    assert not new.exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from toprung.app.backup import back_up
from toprung.sqlite import copying

copying.STEPS_BETWEEN_LOOKS = 1
target = Path(sys.argv[2])

def die(done, total):
    if done:
        os.kill(os.getpid(), signal.SIGKILL)

back_up(Path(sys.argv[1]), target, die)
"""


def test_a_backup_killed_half_way_leaves_nothing_under_its_name(database, tmp_path):
    with closing(apsw.Connection(str(database))) as connection:
        # More than the cache of a copy holds, so that half of it is in the file.
        connection.execute("INSERT INTO facts VALUES ('big', zeroblob(16000000))")
    target = tmp_path / "backup.db"

    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(database), str(target)], check=False, timeout=120
    )
    part = target.with_name(target.name + ".part")
    with pytest.raises(Trouble) as refused:
        back_up(database, target, nothing)
    half = part.stat().st_size
    part.unlink()
    made = back_up(database, target, nothing)

    assert ended.returncode == -signal.SIGKILL
    assert refused.value.code == "file_exists"
    assert 0 < half < made.size


def test_there_must_be_a_database(tmp_path):
    ended = Cli()("backup", str(tmp_path / "b.db"), "--db", str(tmp_path / "none.db"))

    assert (ended.status, ended.code) == (1, "no_database")
    assert list(tmp_path.iterdir()) == []

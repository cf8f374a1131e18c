"""A rebuild beside a running server: whatever is sent while it runs, all is as the log says.

Requests are sent at each of its stages, acts on boards among them. What comes out is held against
the oracle and, through ``verify``, against the log.
"""

import importlib
import runpy
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event as Signal
from threading import Thread

import apsw
import pytest

from toprung.app import offline
from toprung.app.rebuilding import Rebuilding
from toprung.decider.reference import ReferenceDecider
from toprung.domain.errors import Trouble
from toprung.ports.moves import Move, moves_of
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.testing.agreement import check_state
from toprung.testing.oracle import Event, Told, world_after
from toprung.testing.path import Path as RealPath
from toprung.updater import verify

child = runpy.run_path(str(Path(__file__).with_name("crash_child.py")))
GROUPS = child["scene"]()
STAGES = ["replaying", "copying", "ranking", "replacing"]


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    for module, name, value in child["SMALL"]:
        monkeypatch.setattr(importlib.import_module(module), name, value)


class Life:
    """The real path on a file, and what rebuilds it."""

    def __init__(self, file: Path, core: str) -> None:
        self.file = file
        self.database = open_database(file)
        self.path: RealPath = child["path_on"](self.database, core)
        images = child["images_of"](self.database, self.path.view)
        self.rebuilding: Rebuilding = child["rebuilding_of"](self.path, self.database, images, core)

    def at_stages(self, act: Callable[[str], None]) -> None:
        """Have ``act`` called by the rebuild when it first comes to each of its stages."""
        show, met = self.rebuilding._show, set()

        def watched(stage: str, total: int, done: int) -> None:
            show(stage, total, done)
            if stage not in met:
                met.add(stage)
                act(stage)

        self.rebuilding._show = watched

    def flush(self) -> None:
        """Have everything that waits written."""
        self.path.writer.run_alone(self.path.updater.flush).result()

    def close(self) -> None:
        self.rebuilding.stop()
        self.path.stop()
        self.database.close()

    def nothing_is_left_over(self) -> None:
        tables = {name for (name,) in self.database.query("SELECT name FROM sqlite_schema")}
        assert not [name for name in tables if name.startswith("new_")]
        assert not list(self.file.parent.glob(f"{self.file.name}.rebuild*"))


@pytest.fixture(params=["reference", "native"])
def core(request) -> str:
    return request.param


@pytest.fixture
def open_life(tmp_path, core):
    lives = []

    def make(name: str = "top.db") -> Life:
        lives.append(Life(tmp_path / name, core))
        return lives[-1]

    yield make
    for life in lives:
        life.close()


def damage(file: Path, sql: str) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute(sql)


def check(life: Life, sent: list[list[Told]]) -> None:
    """All is as after these groups, and stays so: in memory, in the file, after a restart."""
    check_state(world_after([told for group in sent for told in group]), life.path)
    with closing(open_database(None)) as scratch:
        path = life.path
        found = verify(path.log, path.store, path.view, SqliteScoreStore(scratch), ReferenceDecider)
        assert list(found) == []
    assert list(offline.check(life.file, lambda done: None)) == []
    life.nothing_is_left_over()


DAMAGES = [
    "UPDATE checkpoint SET seq = 1",
    "DELETE FROM seen; DELETE FROM seen_places",
    "DELETE FROM dropped",
    "UPDATE periods SET key = 'x' || key WHERE win = 'daily'",
]


@pytest.mark.parametrize("sql", DAMAGES)
@pytest.mark.parametrize("before", [4, 12])
def test_what_is_sent_meanwhile_is_there_and_damage_is_healed(open_life, before, sql):
    life = open_life()
    for group in GROUPS[:before]:
        life.path.send(group)
    life.flush()
    life.close()
    damage(life.file, sql)
    life = open_life()
    rest = GROUPS[before:]
    share = -(-len(rest) // len(STAGES))
    parts = {stage: rest[at * share : (at + 1) * share] for at, stage in enumerate(STAGES)}
    life.at_stages(lambda stage: [life.path.send(group) for group in parts[stage]])

    seq = life.rebuilding.start().result()

    assert seq == life.path.log.head()[0] == life.path.updater.seq
    assert life.rebuilding.status()[:2] == ("done", "replacing")
    check(life, GROUPS)
    life.close()
    again = open_life()
    check(again, GROUPS)
    for group in GROUPS:
        again.path.send(group)
    check(again, GROUPS + GROUPS)


@pytest.mark.parametrize("core", ["native"])
def test_a_server_that_can_write_no_more_is_healed(open_life):
    """It started from its image, and met damaged entries with the first event."""
    life = open_life()
    for group in GROUPS[:13]:
        life.path.send(group)
    life.flush()
    child["images_of"](life.database, life.path.view).write()
    life.close()
    damage(life.file, "UPDATE entry_blocks SET body = zeroblob(length(body))")
    life = open_life()
    with pytest.raises(Trouble, match="damaged"):
        life.path.send(GROUPS[13])

    life.rebuilding.start().result()

    check(life, GROUPS[:14])
    for group in GROUPS[14:]:
        life.path.send(group)
    check(life, GROUPS)


def test_one_after_the_other(open_life):
    life = open_life()
    for at, group in enumerate(GROUPS):
        life.path.send(group)
        if at % 4 == 0:
            life.rebuilding.start().result()
    check(life, GROUPS)


def test_a_reader_meets_the_old_board_or_the_new_one_whole(open_life):
    """Both players of a board have 1 by the log and 100 in memory: never is there one of each."""
    life = open_life()
    event = Event("alpha", "e1", "player 1", {"score": "1"}, 0)
    other = event._replace(event_id="e2", player_id="player 2")
    life.path.send(GROUPS[0])
    life.path.send([Told(event, 1), Told(other, 1)])
    key = (1, "all", "all")
    life.path.view.apply(
        moves_of([Move(key, f"player {number}", (10000,), 1, None) for number in (1, 2)]), 0
    )
    query, seen, ended = life.path.query, set(), Signal()

    def scores() -> tuple[int, ...]:
        rows = query.top(query.scope("game", "alpha", "all", "all"), 10).rows
        return tuple(row.columns[0] for row in rows)

    def read() -> None:
        while not ended.is_set():
            seen.add(scores())

    reader = Thread(target=read)
    life.at_stages(lambda stage: reader.start() if stage == "replacing" else None)
    assert scores() == (10000, 10000)
    try:
        life.rebuilding.start().result()
    finally:
        ended.set()
        reader.join()

    assert seen <= {(10000, 10000), (100, 100)}
    assert scores() == (100, 100)


def test_only_one_runs_at_a_time(open_life):
    life = open_life()
    life.path.send(GROUPS[0])
    refused = []

    def again(stage: str) -> None:
        with pytest.raises(Trouble) as caught:
            life.rebuilding.start()
        refused.append(caught.value.code)

    life.at_stages(again)
    life.rebuilding.start().result()

    assert set(refused) == {"rebuilding"}
    life.rebuilding.start().result()


@pytest.mark.parametrize("stage", STAGES)
def test_a_stop_gives_it_up(open_life, stage):
    life = open_life()
    for group in GROUPS:
        life.path.send(group)
    stopping = Thread(target=life.rebuilding.stop)

    def stop(met: str) -> None:
        if met == stage:
            stopping.start()
            life.rebuilding._stopping.wait()

    life.at_stages(stop)
    future = life.rebuilding.start()
    if stage == "replacing":
        future.result()  # it is as good as done
    else:
        with pytest.raises(Trouble, match="takes no writes"):
            future.result()
        assert life.rebuilding.status().error.code == "stopped"
    stopping.join()

    check(life, GROUPS)
    with pytest.raises(Trouble, match="takes no writes"):
        life.rebuilding.start()


def test_a_damaged_log_ends_it_and_the_server_goes_on(open_life):
    life = open_life()
    for group in GROUPS[:12]:
        life.path.send(group)
    life.flush()
    damage(life.file, "UPDATE log SET body = x'00' WHERE first = 1")

    with pytest.raises(Trouble) as caught:
        life.rebuilding.start().result()

    assert caught.value.code == "storage_corrupt"
    status = life.rebuilding.status()
    assert (status.state, status.error.code, status.seq) == ("failed", "storage_corrupt", 0)
    life.nothing_is_left_over()
    # Without a recompute, which would read the log, too.
    life.path.send(GROUPS[3])
    check_state(
        world_after([told for group in [*GROUPS[:12], GROUPS[3]] for told in group]), life.path
    )


@pytest.mark.parametrize("stage", STAGES)
def test_a_trouble_with_a_write_meanwhile_is_made_up_for(open_life, stage):
    """The events are in the log, and could not be applied: the old state is behind."""
    life = open_life()
    for group in GROUPS[:9]:
        life.path.send(group)
    view = life.path.view

    def fail(*_):
        raise Trouble("storage_full", "the disk is full", retryable=True)

    def send(met: str) -> None:
        if met == stage:
            view.apply = fail
            with pytest.raises(Trouble, match="the disk is full"):
                life.path.send(GROUPS[9])
            del view.apply

    life.at_stages(send)
    life.rebuilding.start().result()

    check(life, GROUPS[:10])
    for group in GROUPS[10:]:
        life.path.send(group)
    check(life, GROUPS)


def test_a_fault_in_the_exchange_is_made_up_for_from_the_tables(open_life):
    """The tables are the new ones, and what is in memory cannot be trusted."""
    life = open_life()
    for group in GROUPS[:9]:
        life.path.send(group)
    view = life.path.view

    def fail(made):
        raise KeyError("a bug")

    view.become = fail
    with pytest.raises(KeyError):
        life.rebuilding.start().result()
    del view.become

    assert life.rebuilding.status().error.code == "internal"
    for group in GROUPS[9:]:
        life.path.send(group)
    check(life, GROUPS)


def test_what_one_left_that_was_cut_short_is_removed_at_the_next_start(open_life):
    life = open_life()
    for group in GROUPS:
        life.path.send(group)
    life.close()
    damage(life.file, "CREATE TABLE new_seen (first INTEGER); INSERT INTO new_seen VALUES (1)")
    scratch = life.file.with_name("top.db.rebuild")
    for suffix in ("", "-wal", "-shm"):
        scratch.with_name(scratch.name + suffix).write_bytes(b"half")

    check(open_life(), GROUPS)

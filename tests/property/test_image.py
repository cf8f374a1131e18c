"""A start from an image gives what a start without one gives, whenever it was written."""

import importlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path as FilePath
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.app.core import make_core
from toprung.domain.instants import format_instant
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.log import frames_of
from toprung.ports.view import Loaded
from toprung.rank.native import NativeView
from toprung.sqlite import Database, open_database
from toprung.store.sqlite import SqliteScoreStore, Waiting
from toprung.testing.agreement import check_state
from toprung.testing.oracle import (
    Column,
    Drop,
    Erase,
    Event,
    Moderate,
    Put,
    Reset,
    Rules,
    Told,
    world_after,
)
from toprung.testing.path import Path
from toprung.testing.strategies import (
    carrying_scenes,
    moderated_scenes,
    rolling_scenes,
    scenes,
    sliced_scenes,
)
from toprung.updater import verify

updater, runs, counted, entries = (
    importlib.import_module(f"toprung.{name}")
    for name in ("updater.updater", "updater.runs", "ports.counted", "store.sqlite.entries")
)


@pytest.fixture(scope="module", autouse=True)
def _small_parts():
    """What is done part by part in the product is so here too, though scenes are short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "REPLAY_ROWS", 4)
        patch.setattr(updater, "SWEEP_RECORDS", 4)
        patch.setattr(updater, "BEHIND_RECORDS", 2)
        patch.setattr(updater, "TIDY_ENTRIES", 3)
        patch.setattr(counted, "READ_ROWS", 3)
        patch.setattr(entries, "BLOCKS_READ", 3)
        patch.setattr(entries, "BLOCK_BYTES", 90)
        yield


@pytest.fixture(scope="module")
def image(tmp_path_factory) -> FilePath:
    return tmp_path_factory.mktemp("image") / "toprung.db.image"


def identity(seq: int) -> str:
    return f"one file at {seq}"


class Started(NamedTuple):
    path: Path
    loads: list[Loaded]


@contextmanager
def started(database: Database, image: FilePath) -> Iterator[Started]:
    """The native path on a database as a process finds it that has just begun."""
    core, loads = make_core("native"), []
    store = SqliteScoreStore(database, Waiting(core.seen_index), core.entry_blocks)
    store.load()

    def load(view, objection) -> Loaded:
        loads.append(view.load_image(image, objection))
        return loads[-1]

    path = Path(
        SqliteEventLog(database),
        store,
        NativeView,
        database.transaction,
        format_instant,
        core.make_decider,
        lambda view: partial(load, view),
    )
    try:
        yield Started(path, loads)
    finally:
        path.stop()


def copy_of(database: Database) -> Database:
    """The database as a crash of the process leaves it."""
    copy = open_database(None)
    with copy.connection.backup("main", database.connection, "main") as backup:
        backup.step()
    return copy


def with_log_of(tables: Database, log: Database) -> Database:
    """A database as a crash of the machine may leave it: the log is whole, the tables are old."""
    found = SqliteEventLog(tables)
    rest = SqliteEventLog(log).read(found.head()[0], 10**6)
    found.append(frames_of([(row.received_at, row.body) for row in rest]))
    return tables


def play(path: Path, group, tidy: int) -> None:
    path.send(group)
    for _ in range(tidy):
        path.writer.run_alone(path.updater.tidy).result()


def check_all_agrees(path: Path) -> None:
    core = make_core("native")
    with closing(open_database(None)) as scratch:
        empty = SqliteScoreStore(scratch, Waiting(core.seen_index), core.entry_blocks)
        found = verify(path.log, path.store, path.view, empty, core.make_decider)
        assert [(each.what, each.expected, each.found) for each in found] == []


def check_restart(groups, image, written_at, kept_at, died_at, tidies) -> Loaded:
    """Crash after some groups, start from an image of an earlier moment, take the others.

    Args:
        kept_at: after which group the tables were last made durable; ``None``: with the log.
        tidies: how many small parts are written after each group while nothing else happens.
    """
    image.unlink(missing_ok=True)
    tables = None
    with closing(open_database(None)) as database:
        with started(database, image) as (path, _):
            for place, group in enumerate(groups[:died_at]):
                play(path, group, tidies[place])
                if place == written_at:
                    path.view.write_image(image, identity)
                is_erasure = any(isinstance(told.fact, Erase) for told in group)
                # Erasing changes the log and the tables together, for good.
                if place == kept_at or (is_erasure and tables is not None):
                    tables = copy_of(database)
        left = copy_of(database) if tables is None else with_log_of(tables, database)
    with closing(left), started(left, image) as (again, loads):
        told = [told for group in groups[:died_at] for told in group]
        check_state(world_after(told), again)
        for place, group in enumerate(groups[died_at:], died_at):
            play(again, group, tidies[place])
        check_state(world_after([told for group in groups for told in group]), again)
        again.view.validate()
        check_all_agrees(again)
    (loaded,) = loads
    return loaded


@given(scenes() | moderated_scenes | rolling_scenes | sliced_scenes | carrying_scenes, st.data())
def test_a_start_from_any_image_is_right(image, scene, data):
    groups = scene.groups
    died_at = data.draw(st.integers(1, len(groups)))
    moments = st.none() | st.integers(0, died_at - 1)
    tidies = [data.draw(st.integers(0, 3)) for _ in groups]

    check_restart(groups, image, data.draw(moments), data.draw(moments), died_at, tidies)


RULES = Rules("sum", (Column("score", True, 0),), windows=("all", "daily", "season"), grace=None)
DAY = 86_400_000_000


def events(number: int, players=("ann", "bob", "cas")) -> list[Told]:
    return [
        Told(Event("alpha", f"{number}-{player}", player, {"score": "1"}, DAY), 2 * DAY + number)
        for player in players
    ]


def told_by(act) -> list[Told]:
    return [Told(act, 2 * DAY)]


BEGUN = [told_by(Put("alpha", RULES)), told_by(Put("beta", RULES)), events(0), events(1, ["bob"])]
"""Records 1 to 6."""


@pytest.mark.parametrize("tidied", range(5))
def test_an_image_is_brought_forward(image, tidied):
    """What the tables have of later records, and what they lack of them and of earlier ones."""
    groups = [*BEGUN, events(2, ["cas"]), events(3, ["ann", "bob"]), events(4)]

    loaded = check_restart(groups, image, 3, None, 6, [0, 0, 0, 0, 0, tidied, 0])

    assert loaded == (6, "")


def test_an_image_may_be_ahead_of_the_tables(image):
    groups = [*BEGUN, events(2), events(3)]

    assert check_restart(groups, image, 4, 2, 5, [1] * 6) == (9, "")


def test_a_board_may_be_made_after_the_image(image):
    groups = [*BEGUN, told_by(Put("gamma", RULES)), events(2), events(3)]

    assert check_restart(groups, image, 3, None, 6, [0] * 7) == (6, "")


@pytest.mark.parametrize("kept_at", [None, 2])
def test_an_image_may_show_who_was_hidden_since_and_lack_who_came_back(image, kept_at):
    begun = [*BEGUN[:3], [*told_by(Moderate("bob", "hide")), *told_by(Moderate("cas", "ban"))]]
    acts = [*told_by(Moderate("bob", "unhide")), *told_by(Moderate("ann", "hide"))]
    groups = [*begun, events(1), acts, events(2)]

    assert check_restart(groups, image, 4, kept_at, 6, [0] * 7) == (10, "")


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Drop("beta"), "it has a board that is gone"),
        (
            Put("alpha", RULES._replace(windows=("all", "daily", "season", "weekly")), "change"),
            "board 'alpha' is of another generation",
        ),
        (
            Put("alpha", RULES._replace(mode="best"), "recompute"),
            "board 'alpha' is of another generation",
        ),
        (Reset("alpha", "r", None, DAY - 1), "board 'alpha' is of another generation"),
    ],
)
def test_an_act_that_takes_places_away_makes_an_image_too_old(image, act, reason):
    groups = [*BEGUN, told_by(act), events(2), events(3)]

    assert check_restart(groups, image, 3, None, 6, [0] * 7) == (None, reason)


def test_an_image_of_more_than_the_log_has_is_refused(image):
    with closing(open_database(None)) as database, started(database, image) as (path, _):
        for group in BEGUN[:3]:
            path.send(group)
        older = copy_of(database)
        path.send(BEGUN[3])
        path.view.write_image(image, identity)
    with closing(older), started(older, image) as (again, loads):
        assert loads == [(None, "it reflects record 6, and the log ends at 5")]
        check_state(world_after([told for group in BEGUN[:3] for told in group]), again)

"""The snapshots of a SQLite file: what is kept comes back, may be written again, and goes whole."""

from contextlib import suppress

import pytest

from toprung.domain.errors import Trouble
from toprung.domain.snapshots import Snapshot
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore

DAY, WEEK = (1, "daily", "2026-11-30"), (1, "weekly", "2026-W49")
OTHER = (2, "daily", "2026-11-30")


def snapshot(seq, key=DAY, version=1, count=0, sha256=b""):
    return Snapshot(seq, *key, version, 7, None, 9, count, sha256)


@pytest.fixture
def database():
    database = open_database(None)
    yield database
    database.close()


@pytest.fixture
def store(database):
    return SqliteScoreStore(database)


def test_a_version_is_written_part_by_part_and_then_complete(store):
    kept = store.snapshots
    kept.begin(snapshot(5))
    kept.add(5, 2, b"c\n")
    kept.add(5, 0, b"a\nb\n")
    assert kept.all() == [snapshot(5)]
    assert not kept.all()[0].is_complete

    kept.finish(snapshot(5, count=3, sha256=b"x"))

    assert kept.of_period(DAY) == [snapshot(5, count=3, sha256=b"x")]
    assert list(kept.lines(5)) == [b"a\nb\n", b"c\n"]


def test_every_write_may_be_repeated(store):
    kept = store.snapshots
    for _ in range(2):
        kept.add(5, 0, b"a\n")
        kept.mark([DAY])
    kept.begin(snapshot(5))
    kept.finish(snapshot(5, count=1, sha256=b"x"))
    kept.begin(snapshot(5))

    assert kept.all() == [snapshot(5, count=1, sha256=b"x")], "what is complete stays so"
    assert list(kept.lines(5)) == [b"a\n"]
    assert kept.marked() == [DAY]


def test_versions_stand_in_the_order_of_their_records(store):
    kept = store.snapshots
    for seq, key, version in [(9, DAY, 2), (5, DAY, 1), (7, WEEK, 1), (8, OTHER, 1)]:
        kept.begin(snapshot(seq, key, version))

    assert [each.seq for each in kept.all()] == [5, 7, 8, 9]
    assert [each.version for each in kept.of_period(DAY)] == [1, 2]


def test_windows_and_boards_are_forgotten_with_their_lines_and_marks(store):
    kept = store.snapshots
    for seq, key in [(5, DAY), (7, WEEK), (8, OTHER)]:
        kept.begin(snapshot(seq, key))
        kept.add(seq, 0, b"a\n")
        kept.mark([key])
    kept.forget(1, ["weekly"])
    assert ([each.seq for each in kept.all()], list(kept.lines(7))) == ([5, 8], [])
    assert sorted(kept.marked()) == [DAY, OTHER]

    kept.forget(1, None)
    assert ([each.seq for each in kept.all()], kept.marked()) == ([8], [OTHER])

    kept.unmark(OTHER)
    store.wipe()
    assert (kept.all(), kept.marked(), list(kept.lines(8))) == ([], [], [])


def test_it_is_part_of_the_store_s_transactions(store):
    with suppress(ZeroDivisionError), store.transaction():
        store.snapshots.begin(snapshot(5))
        raise ZeroDivisionError
    assert store.snapshots.all() == []


@pytest.mark.parametrize(
    "damage",
    ["UPDATE snapshots SET body = x'ff'", "UPDATE snapshot_blocks SET body = x'ff'"],
)
def test_damage_is_told(store, database, damage):
    store.snapshots.begin(snapshot(5))
    store.snapshots.add(5, 0, b"a\n")
    database.execute(damage)

    with pytest.raises(Trouble) as caught:
        [*store.snapshots.all(), *store.snapshots.lines(5)]
    assert caught.value.code == "storage_corrupt"


def test_of_a_version_that_is_taken_back_the_number_is_left(store):
    kept = store.snapshots
    kept.begin(snapshot(5))
    kept.add(5, 0, b"a\n")
    kept.finish(snapshot(5, count=1, sha256=b"x"))

    kept.take_back(kept.of_period(DAY)[0])

    (left,) = kept.of_period(DAY)
    assert (left.version, left.count, left.is_complete, left.is_taken_back) == (1, 0, True, True)
    assert list(kept.lines(5)) == []

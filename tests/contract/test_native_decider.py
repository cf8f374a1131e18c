"""The native decider and the reference pass the suite of their port, over a store in a file."""

from threading import Thread

import pytest

from toprung.decider.native import NativeDecider, SeenIndex
from toprung.decider.reference import ReferenceDecider
from toprung.domain.keeping import event_hash
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.store.sqlite.seen import Waiting
from toprung.store.sqlite.seen_index import DictIndex
from toprung.testing.suites import DeciderSuite
from toprung.testing.suites.samples import ODD_IDS


class Home:
    """A store in memory, with an index that the decider shares."""

    cached = 1_000_000

    def __init__(self):
        self.database = open_database(None)
        self.index = SeenIndex()
        self.store = SqliteScoreStore(self.database, Waiting(self.index))
        self.store.load()

    def open(self):
        return NativeDecider(self.store, self.index, self.cached)

    def close(self):
        self.database.close()


class HomeWithoutRoom(Home):
    cached = 0


class ReferenceHome(Home):
    def open(self):
        return ReferenceDecider(self.store)


class TestNativeDecider(DeciderSuite):
    @pytest.fixture
    def make_home(self):
        return Home


class TestNativeDeciderWithoutRoom(DeciderSuite):
    """Every entry that is written is read from the store again."""

    @pytest.fixture
    def make_home(self):
        return HomeWithoutRoom


class TestReferenceDecider(DeciderSuite):
    @pytest.fixture
    def make_home(self):
        return ReferenceHome


def places(ids, board_id=1, first=1):
    """Places of ids in the order of the log."""
    return b"".join(
        event_hash(board_id, event_id).to_bytes(8, "little") + seq.to_bytes(8, "little")
        for seq, event_id in enumerate(ids, first)
    )


def test_both_indexes_find_the_same_lines():
    native, plain = SeenIndex(), DictIndex()
    ids = [*ODD_IDS, *ODD_IDS[:5], *[f"{i}" for i in range(2000)]]
    for index in (native, plain):
        index.load(places(ids))
        index.load(places(ids[:9], board_id=2, first=9000))
        assert index.find(1, []) == []
    for board_id in (1, 2, 3):
        asked = ["unknown", *reversed(ids), "2000"]
        assert native.find(board_id, asked) == plain.find(board_id, asked)
    assert len(native) == len(ids) + 9
    native.clear()
    assert native.find(1, ids) == []
    assert len(native) == 0


def test_a_place_beyond_40_bits_is_refused():
    index = SeenIndex()
    with pytest.raises(Exception, match="numbered"):
        index.load(places(["a"], first=2**40))
    with pytest.raises(Exception, match="fit"):
        index.load(b"x")
    assert index.find(1, ["a"]) == []


def test_an_index_is_read_while_it_grows():
    index = SeenIndex()
    ids = [f"id-{i}" for i in range(20_000)]
    missed = []

    def look():
        while len(index) < len(ids):
            known = len(index)
            found = {place for place, _ in index.find(1, ids[:known])}
            missed.extend(set(range(known)) - found)

    readers = [Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    for start in range(0, len(ids), 100):
        index.load(places(ids[start : start + 100], first=start + 1))
    for reader in readers:
        reader.join()
    assert missed == []
    assert len(index) == len(ids)

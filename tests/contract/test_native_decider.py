"""The native decider and the reference pass the suite of their port, over a store in a file."""

from threading import Thread

import pytest

from toprung.decider.native import EntryBlocks, NativeDecider, SeenIndex
from toprung.decider.reference import ReferenceDecider
from toprung.domain.board import Board, BoardState, Column, Settings
from toprung.domain.decide import Seen
from toprung.domain.errors import Broken, Trouble
from toprung.domain.keeping import event_hash
from toprung.domain.limits import NUMBER
from toprung.domain.records import Event, encode_record
from toprung.ports.pipeline import Arrived
from toprung.ports.store import Changes
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.store.sqlite.seen import Waiting
from toprung.store.sqlite.seen_index import DictIndex
from toprung.testing.suites import DeciderSuite
from toprung.testing.suites.samples import ODD_IDS

BOARD = BoardState(
    1,
    "game",
    "week",
    Settings(
        "sum", (Column("c", True, 0),), "shared", ("all",), "UTC", 0, None, None, None, "title"
    ),
    1,
    0,
    (),
    None,
)


class Home:
    """A store in memory, with an index that the decider shares."""

    cached = 1_000_000

    def __init__(self):
        self.database = open_database(None)
        self.index = SeenIndex()
        self.store = SqliteScoreStore(self.database, Waiting(self.index), EntryBlocks())
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


def test_what_cannot_be_done_again_ends_the_decider():
    """The store has the entry as it was, and more than the range is said to have counted."""
    home = Home()
    board = Board(BOARD)
    rows = [
        Arrived(0, encode_record(Event(1, 1, f"e{i}", "ana", (NUMBER.maximum,), 0, True)), None)
        for i in (1, 2)
    ]
    kept = [
        (1, f"e{i}", Seen(i, "counted", "ana", (NUMBER.maximum,), 1, 0, True, 0)) for i in (1, 2)
    ]
    decider = home.open()
    with pytest.raises(Trouble, match="done again") as trouble:
        decider.redo(1, rows, lambda _: board, kept)
    assert trouble.value.code == "storage_corrupt"
    with pytest.raises(Broken):
        decider.decide(1, rows, lambda _: board, told=True)
    home.close()


def test_memory_is_counted_and_bounded():
    home = Home()
    board = Board(BOARD)
    decider = NativeDecider(home.store, home.index, 10)
    for seq in range(1, 100):
        event = Event(1, 1, f"e{seq}", f"player {seq}" * 9, (seq,), 0, True)
        decider.decide(seq, [Arrived(0, encode_record(event), None)], lambda _: board, told=False)
        home.store.write(Changes(seq, packed=decider.take(1)))
        decider.written()
    entries, size = decider.memory()
    assert entries == 11
    assert size > 11 * len("player 50" * 9)
    home.close()


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

"""What every score store must do."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import run_state_machine_as_test

from toprung.domain import limits
from toprung.domain.audit import ActLine
from toprung.domain.board import Board, BoardState, Column
from toprung.domain.decide import EntryKey, Seen
from toprung.domain.entries import Entry
from toprung.domain.keeping import BLOCK_LINES
from toprung.domain.moderation import PlayerState
from toprung.domain.records import Profile
from toprung.ports.moves import Move
from toprung.ports.segments import PastValue
from toprung.ports.store import Changes, ScoreStore, StoredFriends, StoredProfile
from toprung.testing.agreement import store_contents, stored_entries
from toprung.testing.suites import samples
from toprung.testing.suites.home import Failure, Home, machine_settings
from toprung.testing.suites.store_machine import (
    ALL,
    DAY,
    LEAST,
    MOST,
    NEXT_DAY,
    OTHER,
    MakeHome,
    StoreMachine,
    StoreModel,
    blocks_of,
    changes_of,
    packed_of,
)


def _rolling_board() -> BoardState:
    state = _board_of_width(1, 1)
    settings = msgspec.structs.replace(state.settings, mode="sum", windows=("rolling:90d",))
    return msgspec.structs.replace(state, settings=settings, day="2026-11-30")


def _board_of_width(board_id: int, width: int) -> BoardState:
    state = samples.board_state(board_id)
    columns = tuple(Column(f"c{place}", True, 0) for place in range(width))
    settled = msgspec.structs.replace(state.settings, columns=columns)
    return msgspec.structs.replace(state, settings=settled)


class ScoreStoreSuite:
    """The conformance suite of :class:`~toprung.ports.store.ScoreStore`."""

    @pytest.fixture
    def make_home(self) -> MakeHome:
        """Makes a home with empty data of its own."""
        raise NotImplementedError

    @pytest.fixture
    def home(self, make_home: MakeHome) -> Iterator[Home[ScoreStore]]:
        """One home, closed after the test."""
        home = make_home()
        yield home
        home.close()

    @pytest.fixture
    def store(self, home: Home[ScoreStore]) -> ScoreStore:
        """An empty store."""
        return home.open()

    def test_an_empty_store(self, store: ScoreStore) -> None:
        assert store_contents(store) == StoreModel().contents()
        assert stored_entries(store, ALL, ["a"]) == {}
        assert store.seen(1, ["a"]) == {}
        assert store.profiles("game", ["a"]) == {}
        assert store.rules("game") is None
        assert store.friends("game", "ann") is None
        assert not store.purge(10)

    def test_of_who_is_erased_ids_and_acts_are_left_for_a_stand_in(
        self, home: Home[ScoreStore]
    ) -> None:
        """Of one project alone; others are as they were, but have one friend less."""
        store = home.open()
        made = ActLine(1, 5, "game", "board_put", "b", None, "a key", "created", None)
        act = ActLine(2, 5, "game", "hide", None, "a", "a key", "changed", None)
        elsewhere = act._replace(seq=3, project="other")
        profile = StoredProfile(Profile("A", None, {}), 5, 4)
        seen = Seen(6, "counted", "a", (1,), 1, 5, at_given=True, received_at=5)
        for line in (made, act, elsewhere):
            store.note(line)
        store.keep(blocks_of({(1, "e"): seen, (2, "e"): msgspec.structs.replace(seen, seq=7)}))
        who, other = ("game", "a"), ("other", "a")
        store.write(
            Changes(
                7,
                profiles={who: profile, other: profile},
                players={who: PlayerState(hidden=True, seq=2), other: PlayerState(seq=3)},
                friends={
                    who: StoredFriends(("b",), 5, 5),
                    ("game", "b"): StoredFriends(("a", "c"), 5, 5),
                },
                recounted=[(1, "a"), (1, "b")],
                past_values=[PastValue("game", "a", "country", 4, None)],
            )
        )

        with store.transaction():
            store.erase("game", "a", "stand-in")

        store = home.open()
        assert set(store.scan_acts()) == {made, act._replace(player_id="stand-in"), elsewhere}
        renamed = store.seen(1, ["e"])["e"]
        assert renamed == msgspec.structs.replace(seen, player_id="stand-in")
        assert store.seen(2, ["e"])["e"].player_id == "a"  # a board of another project
        assert [line[:2] for line in store.scan_profiles()] == [other]
        assert [line[:2] for line in store.scan_players()] == [other]
        assert list(store.scan_friends()) == [("game", "b", StoredFriends(("c",), 5, 5))]
        assert list(store.recounts()) == [(1, "b", 7)]
        assert list(store.scan_past_values()) == []

    def test_nothing_asked_is_nothing_found(self, store: ScoreStore) -> None:
        store.write(changes_of(1, {ALL: {"a": Entry((1,), 1, 1)}}))

        assert stored_entries(store, ALL, []) == {}
        assert store.seen(1, []) == {}
        assert store.profiles("game", []) == {}

    @pytest.mark.parametrize(
        "columns", [(0,), (LEAST,), (MOST,), (2**53 + 1, -(2**53) - 1), (LEAST, -1, 0, 1, MOST)]
    )
    def test_numbers_are_kept_exactly(
        self, home: Home[ScoreStore], columns: tuple[int, ...]
    ) -> None:
        entry = Entry(columns, -(2**55) - 1, 2**53 + 1, True, "e")
        home.open().write(changes_of(1, {ALL: {"a": entry}}))

        assert stored_entries(home.open(), ALL, ["a"]) == {"a": entry}

    def test_many_entries_are_written_together(self, store: ScoreStore) -> None:
        players = {f"p{i}": Entry((i, -i), i, 1, i % 2 == 0, f"e{i}", 5) for i in range(234)}
        store.write(Changes(9, packed=packed_of(store, {ALL: players, DAY: players})))
        older = {who: Entry((0, 0), 0, 1, False, "", 4) for who in players}
        store.write(Changes(9, packed=packed_of(store, {ALL: older})))

        assert stored_entries(store, ALL, list(players)) == players
        assert stored_entries(store, DAY, list(players)) == players

    def test_the_number_of_a_period_is_gone_with_its_transaction(self, store: ScoreStore) -> None:
        entry = Entry((1,), 1, 1)
        store.write(changes_of(1, {ALL: {"a": entry}}))
        with suppress(Failure), store.transaction():
            store.period_number(DAY)
            raise Failure
        store.write(
            Changes(2, packed=packed_of(store, {NEXT_DAY: {"a": entry}, ALL: {"b": entry}}))
        )

        assert stored_entries(store, ALL, ["a", "b"]) == {"a": entry, "b": entry}
        assert stored_entries(store, DAY, ["a", "b"]) == {}
        assert stored_entries(store, NEXT_DAY, ["a", "b"]) == {"a": entry}

    def test_ids_are_compared_byte_for_byte(self, store: ScoreStore) -> None:
        entries = {name: Entry((i,), i, 1, False, name) for i, name in enumerate(samples.ODD_IDS)}
        store.write(changes_of(1, {ALL: entries}))

        assert stored_entries(store, ALL, samples.ODD_IDS) == entries
        for name in samples.ODD_IDS:
            assert stored_entries(store, ALL, [name]) == {name: entries[name]}

    def test_each_period_board_and_project_is_its_own(self, store: ScoreStore) -> None:
        keys = [ALL, DAY, NEXT_DAY, OTHER, (1, "weekly", "2026-11-30"), (11, "all", "all")]
        store.write(changes_of(1, {key: {"a": Entry((i,), i, 1)} for i, key in enumerate(keys)}))

        for index, key in enumerate(keys):
            assert stored_entries(store, key, ["a"])["a"].columns == (index,)
        assert stored_entries(store, (1, "all", "2026"), ["a"]) == {}
        assert stored_entries(store, (3, "all", "all"), ["a"]) == {}

    def test_boards_keep_every_field(self, home: Home[ScoreStore]) -> None:
        states = {i: samples.board_state(i, f"b{i}", at) for i, at in ((7, None), (2**50, -5))}
        home.open().write(Changes(1, boards=states))

        assert {state.board_id: state for state in home.open().boards()} == states

    @settings(
        suppress_health_check=[
            HealthCheck.function_scoped_fixture,
            HealthCheck.too_slow,
            HealthCheck.differing_executors,  # a suite is there for several back ends
        ]
    )
    @given(seen=samples.seen, profile=samples.profiles, entry=samples.entries)
    def test_whatever_is_kept_comes_back(
        self, make_home: MakeHome, seen: Seen, profile: StoredProfile, entry: Entry
    ) -> None:
        home = make_home()
        try:
            store = home.open()
            store.keep(blocks_of({(1, "e"): seen}))
            store.write(changes_of(1, {ALL: {"a": entry}}, profiles={("g", "a"): profile}))
            store = home.open()
            assert store.seen(1, ["e", "f"]) == {"e": seen}
            assert store.profiles("g", ["a", "b"]) == {"a": profile}
            assert stored_entries(store, ALL, ["a", "b"]) == {"a": entry}
            assert store.seen(2, ["e"]) == {}
            assert store.profiles("h", ["a"]) == {}
        finally:
            home.close()

    def test_what_is_kept_is_found_before_it_is_written(self, store: ScoreStore) -> None:
        first = Seen(1, "late", "a", (5,), 1, 1, True, 1)
        again = msgspec.structs.replace(first, seq=2, outcome="counted")
        store.keep(blocks_of({(1, "e"): first}))
        assert store.seen(1, ["e", "f"]) == {"e": first}

        store.keep(blocks_of({(1, "e"): again}))

        assert store.seen(1, ["e"]) == {"e": again}, "the later line is valid"
        assert [line[2] for line in store.kept(0, 9)] == [first, again]
        assert (store.last_kept(), store.checkpoint()) == (2, 0)

    def test_many_lines_are_found_after_a_restart(self, home: Home[ScoreStore]) -> None:
        """More than one block, and some of them written later than others."""
        count = 3 * BLOCK_LINES + 1
        lines = {
            (1, f"e{seq}"): Seen(seq, "counted", "a", (seq,), 1, 1, True, 1)
            for seq in range(1, count + 1)
        }
        store = home.open()
        half = dict(list(lines.items())[: count // 2])
        store.keep(blocks_of(half))
        store.write(Changes(1))
        store.keep(blocks_of({key: line for key, line in lines.items() if key not in half}))
        store.write(Changes(2))

        store = home.open()

        assert store.last_kept() == count
        assert store.seen(1, [event_id for _, event_id in lines]) == {
            event_id: line for (_, event_id), line in lines.items()
        }
        assert store.seen(2, ["e1"]) == {}
        assert [line[2].seq for line in store.kept(BLOCK_LINES - 1, 2)][:2] == [
            BLOCK_LINES,
            BLOCK_LINES + 1,
        ]

    def test_the_same_changes_again_do_no_harm(self, store: ScoreStore) -> None:
        changes = changes_of(3, {ALL: {"a": Entry((5,), 1, 1)}}, boards={1: samples.board_state(1)})
        store.write(changes)
        before = store_contents(store)

        store.write(changes)

        assert store_contents(store) == before

    def test_an_older_entry_never_replaces_a_newer_one(self, store: ScoreStore) -> None:
        new, old = Entry((5,), 9, 2, seq=7), Entry((3,), 1, 1, seq=6)
        store.write(changes_of(7, {ALL: {"a": new}}))

        store.write(changes_of(6, {ALL: {"a": old, "b": old}}))

        assert stored_entries(store, ALL, ["a", "b"]) == {"a": new, "b": old}
        assert store.checkpoint() == 7

    def test_a_window_is_cleared_before_its_entries_are_written(self, store: ScoreStore) -> None:
        entry = Entry((5,), 1, 1)
        keys = [ALL, DAY, NEXT_DAY, OTHER, (2, "daily", "2026-11-30")]
        store.write(changes_of(1, {key: {"a": entry} for key in keys}))

        store.write(changes_of(2, {DAY: {"b": entry}}, cleared_windows=[(1, "daily")]))

        found = {(key, player) for key, player, _ in store.scan()}
        kept = {(key, "a") for key in keys if key[:2] != (1, "daily")}
        assert found == kept | {(DAY, "b")}

    @pytest.mark.parametrize("width", range(1, limits.COLUMNS.maximum + 1))
    def test_places_are_those_of_the_entries_that_reflect_later_records(
        self, store: ScoreStore, width: int
    ) -> None:
        columns = (LEAST, MOST, 0, -1, 1)[:width]
        keys = [ALL, DAY, OTHER, (3, "all", "all")]
        boards = {board_id: _board_of_width(board_id, width) for board_id in (1, 2)}
        entries = {
            key: {
                player: Entry(columns, seq, 1, seq=seq)
                for seq, player in enumerate(samples.ODD_IDS, 1)
            }
            for key in keys
        }
        store.write(changes_of(1, entries, boards=boards))

        for after in (0, 2, len(samples.ODD_IDS)):
            moves = [move for part in store.places(after) for move in part]
            assert sorted(moves) == sorted(
                Move(key, player, columns, seq, None)
                for key in keys[:3]  # nobody asks for the places of a board that is not there
                for seq, player in enumerate(samples.ODD_IDS, 1)
                if seq > after
            )

    def test_a_cleared_entry_can_be_written_by_any_later_change(self, store: ScoreStore) -> None:
        """What is cleared leaves no ``seq`` behind."""
        store.write(changes_of(5, {DAY: {"a": Entry((5,), 1, 1, seq=5)}}))
        store.write(Changes(6, cleared_windows=[(1, "daily")]))
        assert stored_entries(store, DAY, ["a"]) == {}

        store.write(changes_of(7, {DAY: {"a": Entry((1,), 2, 1, seq=4)}}))

        assert stored_entries(store, DAY, ["a"]) == {"a": Entry((1,), 2, 1, seq=4)}

    def test_a_dropped_board_is_gone_at_once(self, store: ScoreStore) -> None:
        self._write_two_boards(store)

        store.write(Changes(2, dropped_boards=[1]))

        self._check_only_the_second_is_left(store)
        while store.purge(1):
            self._check_only_the_second_is_left(store)
        self._check_only_the_second_is_left(store)

    def test_a_board_made_after_one_was_dropped_starts_empty(self, store: ScoreStore) -> None:
        """Whatever the dropped one left, its space not yet given back (R19)."""
        self._write_two_boards(store)
        store.write(Changes(2, dropped_boards=[1, 2]))

        entry = Entry((1,), 1, 1)
        keys: list[EntryKey] = [(3, "all", "all"), (3, "daily", "2026-11-30")]
        store.write(
            changes_of(3, {key: {"z": entry} for key in keys}, boards={3: samples.board_state(3)})
        )

        for _ in range(20):
            assert sorted((key, player) for key, player, _ in store.scan()) == [
                (key, "z") for key in keys
            ]
            assert stored_entries(store, keys[0], ["a", "b", "z"]) == {"z": entry}
            assert list(store.scan_seen()) == []
            store.purge(1)

    def test_dropping_and_making_in_one_change(self, store: ScoreStore) -> None:
        self._write_two_boards(store)
        entry = Entry((1,), 1, 1)

        store.write(
            changes_of(
                2,
                {(3, "all", "all"): {"a": entry}},
                dropped_boards=[1],
                boards={3: samples.board_state(3)},
            )
        )

        assert {state.board_id for state in store.boards()} == {2, 3}
        assert {key for key, _, _ in store.scan()} == {OTHER, (3, "all", "all")}

    @staticmethod
    def _write_two_boards(store: ScoreStore) -> None:
        entry = Entry((5,), 1, 1)
        ids = [(1, "e"), (1, "f"), (2, "e")]
        store.keep(
            blocks_of(
                {
                    identity: Seen(seq, "counted", "a", (5,), 1, 1, True, 1)
                    for seq, identity in enumerate(ids, store.last_kept() + 1)
                }
            )
        )
        store.write(
            changes_of(
                1,
                {ALL: {"a": entry, "b": entry}, DAY: {"a": entry}, OTHER: {"a": entry}},
                boards={1: samples.board_state(1), 2: samples.board_state(2, "month")},
            )
        )

    @staticmethod
    def _check_only_the_second_is_left(store: ScoreStore) -> None:
        assert [state.board_id for state in store.boards()] == [2]
        assert [(key, player) for key, player, _ in store.scan()] == [(OTHER, "a")]
        assert [(board, event) for board, event, _ in store.scan_seen()] == [(2, "e")]
        assert stored_entries(store, ALL, ["a", "b"]) == {}
        assert store.seen(1, ["e", "f"]) == {}
        assert stored_entries(store, OTHER, ["a"]) != {}
        assert store.seen(2, ["e"]) != {}

    def test_a_period_that_is_cleared_is_gone_alone(self, store: ScoreStore) -> None:
        self._write_two_boards(store)
        store.write(Changes(2, cleared_periods=[DAY, (1, "daily", "2000-01-01")]))

        for _ in range(20):
            assert {key for key, _, _ in store.scan()} == {ALL, OTHER}
            store.purge(1)
        entry = Entry((6,), 1, 1)
        store.write(changes_of(3, {DAY: {"b": entry}}))
        assert stored_entries(store, DAY, ["a", "b"]) == {"b": entry}

    def test_days_are_put_together(self, store: ScoreStore) -> None:
        """So many that those of a player stand in several blocks."""
        board = Board(_rolling_board())
        days = board.rolling["rolling:90d"].part_keys("2026-11-30")
        keys: list[EntryKey] = [(1, "rolling:90d", day) for day in days]
        entries = {
            key: {
                player: Entry((number * factor,), number, 1, True)
                for player, factor in (("a", 1), ("b", 1000), ("c", 0))
            }
            for number, key in enumerate(keys)
        }
        store.write(changes_of(1, entries, boards={1: board.state}))

        def found(parts: Sequence[EntryKey]) -> dict[str, tuple[tuple[int, ...], int]]:
            return {
                move.player_id: (move.columns, move.reached_at)
                for moves in store.together(board, parts, keys[-1])
                for move in moves
                if move.key == keys[-1]
            }

        total = 89 * 90 // 2
        assert found(keys) == {"a": ((total,), 89), "b": ((1000 * total,), 89), "c": ((0,), 89)}
        assert found(keys[3:5]) == {"a": ((7,), 4), "b": ((7000,), 4), "c": ((0,), 4)}
        assert found([(1, "rolling:90d", "2000-01-01")]) == {}
        assert [list(moves) for moves in store.places(0)] in ([], [[]])

    def test_a_failed_transaction_leaves_nothing(self, store: ScoreStore) -> None:
        entry = Entry((5,), 1, 1)
        with suppress(Failure), store.transaction():
            store.write(changes_of(1, {ALL: {"a": entry}, DAY: {"a": entry}}))
            assert stored_entries(store, ALL, ["a"]) == {"a": entry}, (
                "a store must see its own writes"
            )
            raise Failure
        assert store_contents(store) == StoreModel().contents()

        # The periods that never were must not be taken for known.
        store.write(changes_of(1, {OTHER: {"b": entry}}))
        store.write(changes_of(2, {ALL: {"a": entry}}))

        found = {(key, player) for key, player, _ in store.scan()}
        assert found == {(OTHER, "b"), (ALL, "a")}

    def test_transactions_may_be_nested(self, store: ScoreStore) -> None:
        entry = Entry((5,), 1, 1)
        with suppress(Failure), store.transaction():
            with store.transaction():
                store.write(changes_of(1, {ALL: {"a": entry}}))
            raise Failure
        assert store.checkpoint() == 0

        with store.transaction(), store.transaction():
            store.write(changes_of(1, {ALL: {"a": entry}}))
        assert store.checkpoint() == 1

    def test_it_is_still_there_after_a_restart(self, home: Home[ScoreStore]) -> None:
        store = home.open()
        self._write_two_boards(store)
        store.write(Changes(2, dropped_boards=[1]))
        before = store_contents(store)

        again = home.open()

        assert store_contents(again) == before
        self._check_only_the_second_is_left(again)

    def test_wiping_removes_all_of_it(self, store: ScoreStore) -> None:
        self._write_two_boards(store)
        store.write(Changes(2, dropped_boards=[1]))

        store.wipe()

        assert store_contents(store) == StoreModel().contents()
        self._write_two_boards(store)
        store.write(Changes(2, dropped_boards=[1]))
        self._check_only_the_second_is_left(store)
        store.wipe()
        self._write_two_boards(store)
        assert len(list(store.scan())) == 4
        assert len(list(store.scan_seen())) == 3

    def test_it_behaves_like_dictionaries(self, make_home: MakeHome) -> None:
        run_state_machine_as_test(
            lambda: StoreMachine(make_home),  # type: ignore[arg-type]
            settings=machine_settings(),
        )

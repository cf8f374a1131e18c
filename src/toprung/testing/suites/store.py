"""What every score store must do."""

from collections.abc import Callable, Iterator
from contextlib import suppress

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from toprung.domain import limits
from toprung.domain.board import BoardState, Column
from toprung.domain.decide import EntryKey, Seen
from toprung.domain.entries import Entry
from toprung.domain.keeping import BLOCK_LINES, SeenBlock, seen_blocks
from toprung.domain.moderation import PlayerState
from toprung.ports.moves import Move
from toprung.ports.packed import PackedEntries, pack_entries
from toprung.ports.store import Changes, ScoreStore, StoredProfile, StoredRules
from toprung.ports.voids import VoidLine
from toprung.testing.agreement import store_contents, stored_entries
from toprung.testing.suites import samples
from toprung.testing.suites.home import Failure, Home, machine_settings

MakeHome = Callable[[], Home[ScoreStore]]

ALL = (1, "all", "all")
DAY = (1, "daily", "2026-11-30")
NEXT_DAY = (1, "daily", "2026-12-01")
OTHER = (2, "all", "all")
LEAST, MOST = limits.NUMBER.minimum, limits.NUMBER.maximum

_keys = st.sampled_from([ALL, DAY, NEXT_DAY, OTHER, (2, "daily", "2026-11-30")])
_few_ids = st.sampled_from(["a", "A", "e\u0301", "\u00e9", "b"])
_few_boards = st.sampled_from([1, 2])
_voids = st.tuples(st.just(""), _few_boards, _few_ids) | st.tuples(
    st.sampled_from(["game", "other"]), st.just(0), _few_ids
)


def _changes(seq: int, entries: dict[EntryKey, dict[str, Entry]], **more: object) -> Changes:
    return Changes(seq, entries=entries, **more)  # type: ignore[arg-type]


def _packed(store: ScoreStore, entries: dict[EntryKey, dict[str, Entry]]) -> list[PackedEntries]:
    boards: dict[int, dict[str, dict[int, Entry]]] = {}
    for key, players in entries.items():
        for player, entry in players.items():
            of_player = boards.setdefault(key[0], {}).setdefault(player, {})
            of_player[store.period_number(key)] = entry
    return [pack_entries(board_id, players) for board_id, players in boards.items()]


def _blocks(seen: dict[tuple[int, str], Seen]) -> list[SeenBlock]:
    return seen_blocks([(*identity, line) for identity, line in seen.items()])


def _board_of_width(board_id: int, width: int) -> BoardState:
    state = samples.board_state(board_id)
    columns = tuple(Column(f"c{place}", True, 0) for place in range(width))
    settled = msgspec.structs.replace(state.settings, columns=columns)
    return msgspec.structs.replace(state, settings=settled)


class _Model:
    """A store as plain dictionaries."""

    def __init__(self) -> None:
        self.seq = 0
        self.boards: dict[int, BoardState] = {}
        self.versions: dict[int, BoardState] = {}
        self.entries: dict[tuple[EntryKey, str], Entry] = {}
        self.seen: dict[tuple[int, str], Seen] = {}
        self.profiles: dict[tuple[str, str], StoredProfile] = {}
        self.players: dict[tuple[str, str], PlayerState] = {}
        self.voids: dict[VoidLine, None] = {}
        self.recounts: dict[tuple[int, str], int] = {}
        self.rules: dict[str, StoredRules] = {}
        self.dropped: dict[int, None] = {}
        """Boards whose lines are gone for ever: a board made again has another id."""

    def keep(self, lines: dict[tuple[int, str], Seen]) -> None:
        self.seen |= {key: seen for key, seen in lines.items() if key[0] not in self.dropped}

    def copy(self) -> "_Model":
        other = _Model()
        for name, value in vars(self).items():
            setattr(other, name, value if isinstance(value, int) else dict(value))
        return other

    def write(self, changes: Changes) -> None:
        dropped, cleared = changes.dropped_boards, changes.cleared_windows
        self.boards = {i: state for i, state in self.boards.items() if i not in dropped}
        self.dropped |= dict.fromkeys(dropped)
        self.seen = {key: seen for key, seen in self.seen.items() if key[0] not in dropped}
        self.boards |= changes.boards
        self.versions = {
            seq: state for seq, state in self.versions.items() if state.board_id not in dropped
        } | changes.versions
        self.entries = {
            (key, player): entry
            for (key, player), entry in self.entries.items()
            if key[0] not in dropped
            and key[:2] not in cleared
            and (key[0], player) not in changes.recounted
        }
        for key, players in changes.entries.items():
            for player, entry in players.items():
                old = self.entries.get((key, player))
                if old is None or entry.seq >= old.seq:
                    self.entries[key, player] = entry
        self.profiles |= changes.profiles
        self.players |= changes.players
        self._mark(changes)
        self.rules |= changes.rules
        self.seq = max(self.seq, changes.seq)

    def _mark(self, changes: Changes) -> None:
        gone = changes.dropped_boards
        self.voids |= dict.fromkeys(changes.voided)
        self.voids = {
            line: None
            for line in self.voids
            if line not in changes.unvoided and line[1] not in gone
        }
        self.recounts |= dict.fromkeys(changes.recounted, changes.seq)
        self.recounts = {who: seq for who, seq in self.recounts.items() if who[0] not in gone}

    def contents(self) -> dict[str, object]:
        return {
            "checkpoint": self.seq,
            "boards": self.boards,
            "versions": self.versions,
            "entries": self.entries,
            "seen": self.seen,
            "profiles": self.profiles,
            "voids": set(self.voids),
            "recounts": self.recounts,
            "players": self.players,
            "rules": self.rules,
        }


class _Machine(RuleBasedStateMachine):
    """A store and plain dictionaries."""

    def __init__(self, make_home: MakeHome) -> None:
        super().__init__()
        self.home = make_home()
        self.store = self.home.open()
        self.model = _Model()
        self.last = Changes(0)
        self.kept = 0

    def _write(self, changes: Changes) -> None:
        self.last = changes
        self.store.write(changes)
        self.model.write(changes)

    @rule(
        entries=st.dictionaries(
            _keys, st.dictionaries(_few_ids, samples.entries, min_size=1, max_size=3), max_size=3
        ),
        seen=st.dictionaries(st.tuples(_few_boards, _few_ids), samples.seen, max_size=3),
    )
    def count(
        self, entries: dict[EntryKey, dict[str, Entry]], seen: dict[tuple[int, str], Seen]
    ) -> None:
        lines = {}
        for identity, line in seen.items():
            self.kept += 1
            lines[identity] = msgspec.structs.replace(line, seq=self.kept)
        self.store.keep(_blocks(lines))
        self.model.keep(lines)
        self.agrees()
        self._write(_changes(self.model.seq + 1, entries))

    @rule(entries=st.dictionaries(_keys, st.dictionaries(_few_ids, samples.entries), max_size=3))
    def write_packed(self, entries: dict[EntryKey, dict[str, Entry]]) -> None:
        with self.store.transaction():
            packed = _packed(self.store, entries)
            self.store.write(Changes(self.model.seq + 1, packed=packed))
        self.model.write(_changes(self.model.seq + 1, entries))

    @rule(board_id=_few_boards, latest_at=st.none() | st.integers(0, 9))
    def put_board(self, board_id: int, latest_at: int | None) -> None:
        state = samples.board_state(board_id, f"b{board_id}", latest_at)
        seq = self.model.seq + 1
        self._write(Changes(seq, boards={board_id: state}, versions={seq: state}))

    @rule(who=st.tuples(st.sampled_from(["game", "other"]), _few_ids), profile=samples.profiles)
    def put_profile(self, who: tuple[str, str], profile: StoredProfile) -> None:
        self._write(Changes(self.model.seq + 1, profiles={who: profile}))

    @rule(line=_voids, taken_off=st.booleans())
    def mark(self, line: VoidLine, taken_off: bool) -> None:
        seq = self.model.seq + 1
        self._write(Changes(seq, unvoided=[line]) if taken_off else Changes(seq, voided=[line]))

    @rule(
        board_id=_few_boards,
        players=st.lists(_few_ids, min_size=1, max_size=2, unique=True),
        key=_keys,
        entry=samples.entries,
    )
    def recount(self, board_id: int, players: list[str], key: EntryKey, entry: Entry) -> None:
        recounted = [(board_id, player) for player in players]
        made = {key: {players[0]: entry}} if key[0] == board_id else {}
        self._write(_changes(self.model.seq + 1, made, recounted=recounted))

    @rule(who=st.tuples(st.sampled_from(["game", "other"]), _few_ids), state=samples.players)
    def put_player(self, who: tuple[str, str], state: PlayerState) -> None:
        self._write(Changes(self.model.seq + 1, players={who: state}))

    @rule(project=st.sampled_from(["game", "other"]), rules=samples.rules)
    def put_rules(self, project: str, rules: StoredRules) -> None:
        self._write(Changes(self.model.seq + 1, rules={project: rules}))
        assert self.store.rules(project) == rules

    @rule(key=_keys, player=_few_ids, entry=samples.entries)
    def fill_window(self, key: EntryKey, player: str, entry: Entry) -> None:
        cleared = [key[:2]]
        self._write(_changes(self.model.seq + 1, {key: {player: entry}}, cleared_windows=cleared))

    @rule(board_id=_few_boards)
    def drop_board(self, board_id: int) -> None:
        ever = self.model.seq + 1
        self._write(Changes(ever, dropped_boards=[board_id]))
        while self.store.purge(1):
            self.agrees()

    @rule()
    def write_again(self) -> None:
        if not self.last.dropped_boards:
            self._write(self.last)

    @rule(entries=st.dictionaries(_keys, st.dictionaries(_few_ids, samples.entries), max_size=3))
    def fail(self, entries: dict[EntryKey, dict[str, Entry]]) -> None:
        before = self.model.copy()
        with suppress(Failure), self.store.transaction():
            self._write(_changes(self.model.seq + 1, entries))
            raise Failure
        self.model = before
        self.last = Changes(0)

    @rule(data=st.data())
    def ask_at(self, data: st.DataObject) -> None:
        seqs = sorted(data.draw(st.sets(st.integers(1, self.kept + 2), max_size=4)))
        found = [line[2].seq for line in self.store.kept_at(seqs)]
        assert found == [seq for seq in seqs if seq <= self.kept]

    @rule(data=st.data())
    def ask_in_order(self, data: st.DataObject) -> None:
        """Lines by their place: all of them, also those whose id was kept again."""
        after = data.draw(st.integers(0, self.kept))
        lines = self.store.kept(after, 2)
        seqs = [line[2].seq for line in lines]
        assert seqs == list(range(after + 1, after + 1 + len(lines)))
        assert len(lines) >= min(2, self.kept - after)
        assert self.store.last_kept() == self.kept

    @rule()
    def open_again(self) -> None:
        self.store = self.home.open()

    @rule()
    def wipe(self) -> None:
        self.store.wipe()
        self.model = _Model()
        self.last = Changes(0)
        self.kept = 0

    @invariant()
    def agrees(self) -> None:
        assert store_contents(self.store) == self.model.contents()

    @rule(key=_keys, players=st.lists(_few_ids, max_size=4))
    def ask(self, key: EntryKey, players: list[str]) -> None:
        entries, seen = self.model.entries, self.model.seen
        assert stored_entries(self.store, key, players) == {
            player: entries[key, player] for player in players if (key, player) in entries
        }
        assert self.store.seen(key[0], players) == {
            player: seen[key[0], player] for player in players if (key[0], player) in seen
        }

    @rule(board_id=_few_boards, players=st.lists(_few_ids, max_size=3, unique=True))
    def ask_of_players(self, board_id: int, players: list[str]) -> None:
        found = self.store.entries_of(board_id, players)
        assert len(found) == len({line[:2] for line in found})
        assert {(key, player): entry for key, player, entry in found} == {
            (key, player): entry
            for (key, player), entry in self.model.entries.items()
            if key[0] == board_id and player in players
        }

    @rule(board_id=_few_boards, seq=st.integers(0, 9))
    def ask_as_it_stood(self, board_id: int, seq: int) -> None:
        before = [
            at
            for at, state in self.model.versions.items()
            if state.board_id == board_id and at <= seq
        ]
        expected = self.model.versions[max(before)] if before else None
        assert self.store.board_at(board_id, seq) == expected

    def teardown(self) -> None:
        self.home.close()


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
        assert store_contents(store) == _Model().contents()
        assert stored_entries(store, ALL, ["a"]) == {}
        assert store.seen(1, ["a"]) == {}
        assert store.profiles("game", ["a"]) == {}
        assert store.rules("game") is None
        assert not store.purge(10)

    def test_nothing_asked_is_nothing_found(self, store: ScoreStore) -> None:
        store.write(_changes(1, {ALL: {"a": Entry((1,), 1, 1)}}))

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
        home.open().write(_changes(1, {ALL: {"a": entry}}))

        assert stored_entries(home.open(), ALL, ["a"]) == {"a": entry}

    def test_many_entries_are_written_together(self, store: ScoreStore) -> None:
        players = {f"p{i}": Entry((i, -i), i, 1, i % 2 == 0, f"e{i}", 5) for i in range(234)}
        store.write(Changes(9, packed=_packed(store, {ALL: players, DAY: players})))
        older = {who: Entry((0, 0), 0, 1, False, "", 4) for who in players}
        store.write(Changes(9, packed=_packed(store, {ALL: older})))

        assert stored_entries(store, ALL, list(players)) == players
        assert stored_entries(store, DAY, list(players)) == players

    def test_the_number_of_a_period_is_gone_with_its_transaction(self, store: ScoreStore) -> None:
        entry = Entry((1,), 1, 1)
        store.write(_changes(1, {ALL: {"a": entry}}))
        with suppress(Failure), store.transaction():
            store.period_number(DAY)
            raise Failure
        store.write(Changes(2, packed=_packed(store, {NEXT_DAY: {"a": entry}, ALL: {"b": entry}})))

        assert stored_entries(store, ALL, ["a", "b"]) == {"a": entry, "b": entry}
        assert stored_entries(store, DAY, ["a", "b"]) == {}
        assert stored_entries(store, NEXT_DAY, ["a", "b"]) == {"a": entry}

    def test_ids_are_compared_byte_for_byte(self, store: ScoreStore) -> None:
        entries = {name: Entry((i,), i, 1, False, name) for i, name in enumerate(samples.ODD_IDS)}
        store.write(_changes(1, {ALL: entries}))

        assert stored_entries(store, ALL, samples.ODD_IDS) == entries
        for name in samples.ODD_IDS:
            assert stored_entries(store, ALL, [name]) == {name: entries[name]}

    def test_each_period_board_and_project_is_its_own(self, store: ScoreStore) -> None:
        keys = [ALL, DAY, NEXT_DAY, OTHER, (1, "weekly", "2026-11-30"), (11, "all", "all")]
        store.write(_changes(1, {key: {"a": Entry((i,), i, 1)} for i, key in enumerate(keys)}))

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
            store.keep(_blocks({(1, "e"): seen}))
            store.write(_changes(1, {ALL: {"a": entry}}, profiles={("g", "a"): profile}))
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
        store.keep(_blocks({(1, "e"): first}))
        assert store.seen(1, ["e", "f"]) == {"e": first}

        store.keep(_blocks({(1, "e"): again}))

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
        store.keep(_blocks(half))
        store.write(Changes(1))
        store.keep(_blocks({key: line for key, line in lines.items() if key not in half}))
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
        changes = _changes(3, {ALL: {"a": Entry((5,), 1, 1)}}, boards={1: samples.board_state(1)})
        store.write(changes)
        before = store_contents(store)

        store.write(changes)

        assert store_contents(store) == before

    def test_an_older_entry_never_replaces_a_newer_one(self, store: ScoreStore) -> None:
        new, old = Entry((5,), 9, 2, seq=7), Entry((3,), 1, 1, seq=6)
        store.write(_changes(7, {ALL: {"a": new}}))

        store.write(_changes(6, {ALL: {"a": old, "b": old}}))

        assert stored_entries(store, ALL, ["a", "b"]) == {"a": new, "b": old}
        assert store.checkpoint() == 7

    def test_a_window_is_cleared_before_its_entries_are_written(self, store: ScoreStore) -> None:
        entry = Entry((5,), 1, 1)
        keys = [ALL, DAY, NEXT_DAY, OTHER, (2, "daily", "2026-11-30")]
        store.write(_changes(1, {key: {"a": entry} for key in keys}))

        store.write(_changes(2, {DAY: {"b": entry}}, cleared_windows=[(1, "daily")]))

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
        store.write(_changes(1, entries, boards=boards))

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
        store.write(_changes(5, {DAY: {"a": Entry((5,), 1, 1, seq=5)}}))
        store.write(Changes(6, cleared_windows=[(1, "daily")]))
        assert stored_entries(store, DAY, ["a"]) == {}

        store.write(_changes(7, {DAY: {"a": Entry((1,), 2, 1, seq=4)}}))

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
            _changes(3, {key: {"z": entry} for key in keys}, boards={3: samples.board_state(3)})
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
            _changes(
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
            _blocks(
                {
                    identity: Seen(seq, "counted", "a", (5,), 1, 1, True, 1)
                    for seq, identity in enumerate(ids, store.last_kept() + 1)
                }
            )
        )
        store.write(
            _changes(
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

    def test_a_failed_transaction_leaves_nothing(self, store: ScoreStore) -> None:
        entry = Entry((5,), 1, 1)
        with suppress(Failure), store.transaction():
            store.write(_changes(1, {ALL: {"a": entry}, DAY: {"a": entry}}))
            assert stored_entries(store, ALL, ["a"]) == {"a": entry}, (
                "a store must see its own writes"
            )
            raise Failure
        assert store_contents(store) == _Model().contents()

        # The periods that never were must not be taken for known.
        store.write(_changes(1, {OTHER: {"b": entry}}))
        store.write(_changes(2, {ALL: {"a": entry}}))

        found = {(key, player) for key, player, _ in store.scan()}
        assert found == {(OTHER, "b"), (ALL, "a")}

    def test_transactions_may_be_nested(self, store: ScoreStore) -> None:
        entry = Entry((5,), 1, 1)
        with suppress(Failure), store.transaction():
            with store.transaction():
                store.write(_changes(1, {ALL: {"a": entry}}))
            raise Failure
        assert store.checkpoint() == 0

        with store.transaction(), store.transaction():
            store.write(_changes(1, {ALL: {"a": entry}}))
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

        assert store_contents(store) == _Model().contents()
        self._write_two_boards(store)
        store.write(Changes(2, dropped_boards=[1]))
        self._check_only_the_second_is_left(store)
        store.wipe()
        self._write_two_boards(store)
        assert len(list(store.scan())) == 4
        assert len(list(store.scan_seen())) == 3

    def test_it_behaves_like_dictionaries(self, make_home: MakeHome) -> None:
        run_state_machine_as_test(
            lambda: _Machine(make_home),  # type: ignore[arg-type]
            settings=machine_settings(),
        )

"""A score store beside plain dictionaries: whatever is done to both, they hold the same."""

from collections.abc import Callable
from contextlib import suppress

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from toprung.domain import limits
from toprung.domain.audit import ActLine
from toprung.domain.board import BoardState
from toprung.domain.decide import EntryKey, Seen
from toprung.domain.entries import Entry
from toprung.domain.keeping import SeenBlock, seen_blocks
from toprung.domain.moderation import PlayerState
from toprung.domain.quarantine import Held
from toprung.ports.packed import PackedEntries, pack_entries
from toprung.ports.segments import PastValue
from toprung.ports.store import (
    Changes,
    ScoreStore,
    StoredFriends,
    StoredProfile,
    StoredRules,
    WantedActs,
)
from toprung.ports.voids import VoidLine
from toprung.testing.agreement import store_contents, stored_entries
from toprung.testing.suites import samples
from toprung.testing.suites.home import Failure, Home

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


def changes_of(seq: int, entries: dict[EntryKey, dict[str, Entry]], **more: object) -> Changes:
    """What a commit of these entries writes."""
    return Changes(seq, entries=entries, **more)  # type: ignore[arg-type]


def packed_of(store: ScoreStore, entries: dict[EntryKey, dict[str, Entry]]) -> list[PackedEntries]:
    """The same entries, packed."""
    boards: dict[int, dict[str, dict[int, Entry]]] = {}
    for key, players in entries.items():
        for player, entry in players.items():
            of_player = boards.setdefault(key[0], {}).setdefault(player, {})
            of_player[store.period_number(key)] = entry
    return [pack_entries(board_id, players) for board_id, players in boards.items()]


def blocks_of(seen: dict[tuple[int, str], Seen]) -> list[SeenBlock]:
    """The blocks of some lines, by board and event id."""
    return seen_blocks([(*identity, line) for identity, line in seen.items()])


class StoreModel:
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
        self.held: dict[tuple[int, str], Held] = {}
        self.past_values: dict[PastValue, None] = {}
        self.recounts: dict[tuple[int, str], int] = {}
        self.rules: dict[str, StoredRules] = {}
        self.acts: dict[int, ActLine] = {}
        self.friends: dict[tuple[str, str], StoredFriends] = {}
        self.dropped: dict[int, None] = {}
        """Boards whose lines are gone for ever: a board made again has another id."""

    def keep(self, lines: dict[tuple[int, str], Seen]) -> None:
        self.seen |= {key: seen for key, seen in lines.items() if key[0] not in self.dropped}

    def copy(self) -> "StoreModel":
        other = StoreModel()
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
        self.past_values |= dict.fromkeys(changes.past_values)
        self._mark(changes)
        self.rules |= changes.rules
        self.friends |= changes.friends
        self.seq = max(self.seq, changes.seq)

    def _mark(self, changes: Changes) -> None:
        gone = changes.dropped_boards
        self.voids |= dict.fromkeys(changes.voided)
        self.voids = {
            line: None
            for line in self.voids
            if line not in changes.unvoided and line[1] not in gone
        }
        self.held |= {line[:2]: line[2] for line in changes.held}
        self.held = {
            key: held
            for key, held in self.held.items()
            if key not in changes.unheld and key[0] not in gone
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
            "held": self.held,
            "past values": set(self.past_values),
            "recounts": self.recounts,
            "players": self.players,
            "rules": self.rules,
            "acts": set(self.acts.values()),
            "friends": self.friends,
        }


class StoreMachine(RuleBasedStateMachine):
    """A store and plain dictionaries."""

    def __init__(self, make_home: MakeHome) -> None:
        super().__init__()
        self.home = make_home()
        self.store = self.home.open()
        self.model = StoreModel()
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
        self.store.keep(blocks_of(lines))
        self.model.keep(lines)
        self.agrees()
        self._write(changes_of(self.model.seq + 1, entries))

    @rule(entries=st.dictionaries(_keys, st.dictionaries(_few_ids, samples.entries), max_size=3))
    def write_packed(self, entries: dict[EntryKey, dict[str, Entry]]) -> None:
        with self.store.transaction():
            packed = packed_of(self.store, entries)
            self.store.write(Changes(self.model.seq + 1, packed=packed))
        self.model.write(changes_of(self.model.seq + 1, entries))

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
        event_id=_few_ids,
        seq=st.integers(1, 9),
        how=st.sampled_from(["hold", "hold", "put", "remove"]),
    )
    def hold(self, board_id: int, event_id: str, seq: int, how: str) -> None:
        held = Held(seq, "a limit", is_rejected=how == "put")
        line, identity = (board_id, event_id, held), (board_id, event_id)
        if board_id in self.model.dropped:
            return
        if how == "hold":
            self.store.hold([line])
            self.model.held[identity] = held
            self.agrees()
            self._write(changes_of(self.model.seq + 1, {}))
        elif how == "put":
            self._write(changes_of(self.model.seq + 1, {}, held=[line]))
        else:
            self._write(changes_of(self.model.seq + 1, {}, unheld=[identity]))

    @rule(
        board_id=_few_boards,
        players=st.lists(_few_ids, min_size=1, max_size=2, unique=True),
        key=_keys,
        entry=samples.entries,
    )
    def recount(self, board_id: int, players: list[str], key: EntryKey, entry: Entry) -> None:
        recounted = [(board_id, player) for player in players]
        made = {key: {players[0]: entry}} if key[0] == board_id else {}
        self._write(changes_of(self.model.seq + 1, made, recounted=recounted))

    @rule(
        who=st.tuples(st.sampled_from(["game", "other"]), _few_ids),
        value=st.none() | st.sampled_from(["", "NO"]),
    )
    def change_value(self, who: tuple[str, str], value: str | None) -> None:
        seq = self.model.seq + 1
        self._write(Changes(seq, past_values=[PastValue(*who, "country", seq, value)]))

    @rule(who=st.tuples(st.sampled_from(["game", "other"]), _few_ids), state=samples.players)
    def put_player(self, who: tuple[str, str], state: PlayerState) -> None:
        self._write(Changes(self.model.seq + 1, players={who: state}))

    @rule(who=st.tuples(st.sampled_from(["game", "other"]), _few_ids), friends=samples.friends)
    def put_friends(self, who: tuple[str, str], friends: StoredFriends) -> None:
        self._write(Changes(self.model.seq + 1, friends={who: friends}))
        assert self.store.friends(*who) == friends

    @rule(project=st.sampled_from(["game", "other"]), rules=samples.rules)
    def put_rules(self, project: str, rules: StoredRules) -> None:
        self._write(Changes(self.model.seq + 1, rules={project: rules}))
        assert self.store.rules(project) == rules

    @rule(act=samples.acts)
    def note(self, act: ActLine) -> None:
        self.store.note(act)
        self.model.acts.setdefault(act.seq, act)

    @rule(wanted=samples.wanted_acts, before=st.integers(0, 9), limit=st.integers(1, 3))
    def ask_for_acts(self, wanted: WantedActs, before: int, limit: int) -> None:
        expected = [
            act
            for _, act in sorted(self.model.acts.items(), reverse=True)
            if act.seq < before
            and act.project == wanted.project
            and wanted.kind in (None, act.kind)
            and wanted.board in (None, act.board)
            and wanted.player_id in (None, act.player_id)
            and wanted.actor in (None, act.actor)
            and (wanted.since is None or act.received_at >= wanted.since)
            and (wanted.until is None or act.received_at < wanted.until)
        ]
        assert self.store.acts(wanted, before, limit) == expected[:limit]

    @rule(key=_keys, player=_few_ids, entry=samples.entries)
    def fill_window(self, key: EntryKey, player: str, entry: Entry) -> None:
        cleared = [key[:2]]
        self._write(changes_of(self.model.seq + 1, {key: {player: entry}}, cleared_windows=cleared))

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
            self._write(changes_of(self.model.seq + 1, entries))
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
        self.model = StoreModel()
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

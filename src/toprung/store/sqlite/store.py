"""The score store in a SQLite file."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

import apsw
import msgspec

from toprung.domain.audit import ActLine
from toprung.domain.board import Board, BoardState, check_settings
from toprung.domain.decide import EntryKey, Seen
from toprung.domain.entries import Entry
from toprung.domain.errors import InvalidInput
from toprung.domain.keeping import SeenBlock, SeenLine
from toprung.domain.moderation import PlayerState
from toprung.domain.quarantine import HeldLine
from toprung.domain.records import UNREADABLE
from toprung.ports.moves import Moves
from toprung.ports.packed import PackedEntries, pack_entries
from toprung.ports.players import PlayerLine
from toprung.ports.segments import PastValue
from toprung.ports.store import (
    Changes,
    StoredEntries,
    StoredFriends,
    StoredProfile,
    StoredRules,
    WantedActs,
)
from toprung.ports.voids import VoidLine
from toprung.sqlite import Database, load_queries
from toprung.store.sqlite.blocks import EntryBlocks, PythonBlocks
from toprung.store.sqlite.entries import EntryTable
from toprung.store.sqlite.held import HeldTable
from toprung.store.sqlite.seen import SeenTable, Waiting
from toprung.store.sqlite.seen_index import DictIndex
from toprung.store.sqlite.snapshots import SqliteSnapshots

_SQL = load_queries("toprung.store.sqlite")
_Kept = TypeVar("_Kept")

_encode = msgspec.msgpack.Encoder().encode
_decode_board = msgspec.msgpack.Decoder(BoardState).decode
_decode_player = msgspec.msgpack.Decoder(PlayerState).decode
_decode_friends = msgspec.msgpack.Decoder(StoredFriends).decode
_decode_rules = msgspec.msgpack.Decoder(StoredRules).decode
_decode_profile = msgspec.msgpack.Decoder(StoredProfile).decode


class SqliteScoreStore:
    """A :class:`~toprung.ports.store.ScoreStore` on ``database``."""

    def __init__(
        self,
        database: Database,
        waiting: Waiting | None = None,
        blocks: EntryBlocks | None = None,
    ) -> None:
        self._database = database
        self._entries = EntryTable(database, blocks or PythonBlocks())
        self._seen = SeenTable(database, waiting or Waiting(DictIndex()))
        if waiting is None:
            self._seen.load()
        self._held = HeldTable(database)
        self.snapshots = SqliteSnapshots(database)
        self._wiped = self._lost = False
        database.after_commit(self._committed)
        database.after_rollback(self._rolled_back)

    def load(self) -> None:
        """Make the index of event ids from the file."""
        self._seen.load()

    def _committed(self) -> None:
        self._seen.committed()
        self._held.committed()
        self._wiped = False

    def _rolled_back(self) -> None:
        self._entries.forget()
        self._seen.rolled_back()
        self._held.rolled_back()
        if self._wiped:
            self._held.forget()
            self._lost = True
            self._wiped = False
            self._find_again()

    def _find_again(self) -> None:
        self._seen.load()
        self._lost = False

    def transaction(self) -> AbstractContextManager[None]:
        """See the port."""
        # All of it is made from the log, which is durable by itself.
        return self._database.transaction(durable=False)

    def checkpoint(self) -> int:
        """See the port."""
        for (seq,) in self._database.query(_SQL["checkpoint"]):
            return int(seq)
        raise self._database.damaged("the checkpoint")

    def boards(self) -> list[BoardState]:
        """See the port."""
        return [self._board(*row) for row in self._database.query(_SQL["boards"])]

    def board_at(self, board_id: int, seq: int) -> BoardState | None:
        """See the port."""
        for (body,) in self._database.query(_SQL["version_at"], (board_id, seq)):
            return self._board(board_id, body)
        return None

    def scan_versions(self) -> Iterator[tuple[int, BoardState]]:
        """See the port."""
        for board_id, seq, body in self._database.stream(_SQL["scan_versions"]):
            yield seq, self._board(board_id, body)

    def _board(self, board_id: int, body: bytes) -> BoardState:
        state = self._decoded(_decode_board, body, "the board", board_id)
        try:
            check_settings(state.settings)
        except InvalidInput as error:
            raise self._database.damaged(f"the board {board_id}", error) from error
        if state.board_id != board_id:
            raise self._database.damaged(f"the board {board_id}")
        return state

    def seen(self, board_id: int, event_ids: Sequence[str]) -> dict[str, Seen]:
        """See the port."""
        found = self._seen.find(board_id, event_ids)
        return found if found and board_id not in self._dropped() else {}

    def keep(self, blocks: Sequence[SeenBlock]) -> None:
        """See the port."""
        self._seen.keep(blocks)

    def hold(self, lines: Sequence[HeldLine]) -> None:
        """See the port."""
        self._held.hold(lines)

    def kept(self, after: int, limit: int) -> list[SeenLine]:
        """See the port."""
        return self._seen.after(after, limit)

    def kept_at(self, seqs: Sequence[int]) -> list[SeenLine]:
        """See the port."""
        return self._seen.at(seqs)

    def last_kept(self) -> int:
        """See the port."""
        if self._lost:
            # Who begins again asks this first, and must not take ids for new that are not.
            self._find_again()
        return self._seen.last()

    def _dropped(self) -> set[int]:
        return {board_id for (board_id,) in self._database.query(_SQL["dropped"])}

    def entries(self, wanted: Mapping[EntryKey, Iterable[str]]) -> StoredEntries:
        """See the port."""
        return self._entries.find(wanted)

    def entries_of(
        self, board_id: int, player_ids: Sequence[str]
    ) -> list[tuple[EntryKey, str, Entry]]:
        """See the port."""
        found = self._entries.of_players(board_id, player_ids).by_key()
        return [
            (key, player_id, entry)
            for key, players in found.items()
            for player_id, entry in players.items()
        ]

    def profiles(self, project: str, player_ids: Sequence[str]) -> dict[str, StoredProfile]:
        """See the port."""
        if not player_ids:
            return {}
        rows = self._database.query(_SQL["profiles"], (project, apsw.carray(tuple(player_ids))))
        return {
            player_id: self._decoded(_decode_profile, body, "the profile", player_id)
            for player_id, body in rows
        }

    def _decoded(
        self, decode: Callable[[bytes], _Kept], body: bytes, what: str, key: object
    ) -> _Kept:
        try:
            return decode(body)
        except UNREADABLE as error:
            raise self._database.damaged(f"{what} {key!r}", error) from error

    def write(self, changes: Changes) -> None:
        """See the port."""
        with self.transaction():
            self._held.write()  # before boards are dropped, with what was held of them
            for board_id in changes.dropped_boards:
                self._drop(board_id)
            for board_id, state in changes.boards.items():
                self._database.execute(_SQL["put_board"], (board_id, _encode(state)))
            for seq, state in changes.versions.items():
                self._database.execute(_SQL["put_version"], (state.board_id, seq, _encode(state)))
            for window in changes.cleared_windows:
                self._entries.clear(window)
            for key in changes.cleared_periods:
                self._entries.clear_period(key)
            self._write_recounted(changes)
            self._write_entries(changes)
            self._seen.write()
            self._database.executemany(
                _SQL["put_profile"],
                [(*who, _encode(profile)) for who, profile in changes.profiles.items()],
            )
            self._database.executemany(
                _SQL["put_player"],
                [(*who, _encode(state)) for who, state in changes.players.items()],
            )
            self._database.executemany(
                _SQL["put_friends"],
                [(*who, _encode(friends)) for who, friends in changes.friends.items()],
            )
            self._database.executemany(
                _SQL["put_rules"],
                [(project, _encode(rules)) for project, rules in changes.rules.items()],
            )
            self._database.executemany(_SQL["put_past_value"], changes.past_values)
            self._held.put(changes.held)
            self._held.remove(changes.unheld)
            self._database.executemany(_SQL["put_void"], changes.voided)
            self._database.executemany(_SQL["remove_void"], changes.unvoided)
            self._database.execute(_SQL["set_checkpoint"], (changes.seq,))

    def _write_recounted(self, changes: Changes) -> None:
        boards: dict[int, set[str]] = {}
        for board_id, player_id in changes.recounted:
            boards.setdefault(board_id, set()).add(player_id)
        for board_id, players in boards.items():
            self._entries.remove(board_id, players)
        self._database.executemany(
            _SQL["put_recount"], [(*whose, changes.seq) for whose in changes.recounted]
        )

    def _write_entries(self, changes: Changes) -> None:
        for part in self._packed(changes.entries):
            self._entries.write(part)
        for part in changes.packed:
            self._entries.write(part)

    def _packed(self, entries: Mapping[EntryKey, Mapping[str, Entry]]) -> Iterator[PackedEntries]:
        boards: dict[int, dict[str, dict[int, Entry]]] = {}
        for key, players in entries.items():
            number = self.period_number(key)
            board = boards.setdefault(key[0], {})
            for player, entry in players.items():
                board.setdefault(player, {})[number] = entry
        return (pack_entries(board_id, board) for board_id, board in boards.items())

    def period_keys(self) -> list[EntryKey]:
        """See the port."""
        return self._entries.keys()

    def period_entries(self, key: EntryKey) -> Iterator[tuple[str, Entry]]:
        """See the port."""
        return self._entries.of_period(key)

    def period_number(self, key: EntryKey) -> int:
        """See the port."""
        return self._entries.number(key)

    def _drop(self, board_id: int) -> None:
        for query in (
            "drop_board",
            "drop_versions",
            "drop_voids",
            "drop_recounts",
            "add_dropped",
        ):
            self._database.execute(_SQL[query], (board_id,))
        self._held.drop(board_id)
        self._entries.drop(board_id)

    def purge(self, rows: int) -> bool:
        """See the port."""
        with self.transaction():
            for (board_id,) in self._database.query(_SQL["left_over"]):
                if not self._entries.purge_dropped(board_id, rows):
                    self._database.execute(_SQL["all_purged"], (board_id,))
                return True
            return self._entries.purge_cleared(rows)

    def scan(self, board_id: int | None = None) -> Iterator[tuple[EntryKey, str, Entry]]:
        """See the port."""
        return self._entries.scan(board_id)

    def places(self, after: int) -> Iterator[Moves]:
        """See the port."""
        for state in self.boards():
            yield from self._entries.places(state, after)

    def together(self, board: Board, parts: Collection[EntryKey], key: EntryKey) -> Iterator[Moves]:
        """See the port."""
        return self._entries.together(board, parts, key)

    def scan_seen(self) -> Iterator[tuple[int, str, Seen]]:
        """See the port."""
        dropped = self._dropped()
        lines = {line[:2]: line[2] for line in self._seen.all() if line[0] not in dropped}
        for (board_id, event_id), seen in lines.items():
            yield board_id, event_id, seen

    def scan_profiles(self) -> Iterator[tuple[str, str, StoredProfile]]:
        """See the port."""
        for project, player_id, body in self._database.stream(_SQL["scan_profiles"]):
            yield project, player_id, self._decoded(_decode_profile, body, "the profile", player_id)

    def scan_voids(self) -> Iterator[VoidLine]:
        """See the port."""
        yield from self._database.stream(_SQL["scan_voids"])

    def scan_held(self) -> Iterator[HeldLine]:
        """See the port."""
        yield from self._held.scan()

    def recounts(self) -> Iterator[tuple[int, str, int]]:
        """See the port."""
        yield from self._database.stream(_SQL["recounts"])

    def scan_past_values(self) -> Iterator[PastValue]:
        """See the port."""
        yield from map(PastValue._make, self._database.stream(_SQL["scan_past_values"]))

    def scan_players(self) -> Iterator[PlayerLine]:
        """See the port."""
        for project, player_id, body in self._database.stream(_SQL["scan_players"]):
            yield project, player_id, self._decoded(_decode_player, body, "the player", player_id)

    def erase(self, project: str, player_id: str, stand_in: str) -> None:
        """See the port."""
        boards = {board_id for (board_id,) in self._database.query(_SQL["boards_of"], (project,))}
        if player_id != stand_in:
            self._seen.rename(boards, player_id, stand_in)
            self._database.execute(_SQL["rename_acts"], (project, player_id, stand_in))
        for query in ("erase_profile", "erase_friends", "erase_player", "erase_past_values"):
            self._database.execute(_SQL[query], (project, player_id))
        self._database.executemany(
            _SQL["erase_recounts"], [(board_id, player_id) for board_id in boards]
        )
        for owner, player, kept in list(self.scan_friends()):
            if owner == project and player_id in kept.friends:
                left = tuple(friend for friend in kept.friends if friend != player_id)
                body = _encode(msgspec.structs.replace(kept, friends=left))
                self._database.execute(_SQL["put_friends"], (owner, player, body))

    def note(self, act: ActLine) -> None:
        """See the port."""
        self._database.execute(_SQL["put_act"], act)

    def acts(self, wanted: WantedActs, before: int, limit: int) -> list[ActLine]:
        """See the port."""
        bindings = (wanted.project, before, *wanted[1:], limit)
        return [ActLine(*row) for row in self._database.query(_SQL["acts"], bindings)]

    def scan_acts(self) -> Iterator[ActLine]:
        """See the port."""
        for row in self._database.stream(_SQL["scan_acts"]):
            yield ActLine(*row)

    def rules(self, project: str) -> StoredRules | None:
        """See the port."""
        for (body,) in self._database.query(_SQL["rules"], (project,)):
            return self._decoded(_decode_rules, body, "the rules of", project)
        return None

    def scan_rules(self) -> Iterator[tuple[str, StoredRules]]:
        """See the port."""
        for project, body in self._database.stream(_SQL["scan_rules"]):
            yield project, self._decoded(_decode_rules, body, "the rules of", project)

    def friends(self, project: str, player_id: str) -> StoredFriends | None:
        """See the port."""
        for (body,) in self._database.query(_SQL["friends"], (project, player_id)):
            return self._decoded(_decode_friends, body, "the friends of", player_id)
        return None

    def scan_friends(self) -> Iterator[tuple[str, str, StoredFriends]]:
        """See the port."""
        for project, player_id, body in self._database.stream(_SQL["scan_friends"]):
            yield (
                project,
                player_id,
                self._decoded(_decode_friends, body, "the friends of", player_id),
            )

    def become(self, made: "SqliteScoreStore") -> None:
        """Know what a store of another file knows, whose tables are in this file now."""
        self._seen.become(made._seen)  # noqa: SLF001  of the same class
        self._entries.forget()

    def wipe(self) -> None:
        """See the port."""
        with self.transaction():
            # First: what fails in the midst of it is rolled back too.
            self._wiped = True
            self._database.execute(_SQL["wipe"])
            self._entries.wipe()
            self._seen.wipe()
            self._held.forget()
            self.snapshots.wipe()

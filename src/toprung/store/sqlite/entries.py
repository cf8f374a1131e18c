"""Entries in a file: in blocks, which are found by their first keys."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TypeVar

import apsw

from toprung.domain.board import Board, BoardState
from toprung.domain.calendar import rolling_days
from toprung.domain.decide import EntryKey
from toprung.domain.entries import Entry, together
from toprung.domain.freezing import thawed
from toprung.ports.moves import Move, Moves, moves_of
from toprung.ports.packed import PackedEntries, pack_entries
from toprung.ports.store import StoredEntries
from toprung.sqlite import Database, load_queries
from toprung.store.sqlite.blocks import (
    Block,
    EntryBlocks,
    Missing,
    entry_key,
    read_blocks,
    without,
)

BLOCK_BYTES = 850
"""What the entries of a block take at most. With its keys a row then takes less than a quarter of a
page, and SQLite keeps what is more outside the table's tree: to read one costs three times as much,
to write one all the same, for the file has as many pages (measured)."""
BLOCKS_TOGETHER = 32
"""Blocks that one statement writes: each step of SQLite waits for the interpreter's lock once."""
PLAYERS_BESIDE = 2
"""Entries are written in the order of their players. One look for blocks side by side, one for so
many players, costs a third of a look for each, and finds all where much of a board is written."""
BLOCKS_READ = 2_000
"""Blocks whose places are given to a view together: some 60,000 entries."""
PLACES_TOGETHER = 4_000
"""Places that are put together from several entries and given to a view at a time."""

_SQL = load_queries("toprung.store.sqlite", "entries.sql")
_NOTHING = pack_entries(0, {}).body

_Done = TypeVar("_Done")
_PUT_TOGETHER = _SQL["put_block"].replace("(?, ?, ?)", ", ".join(["(?, ?, ?)"] * BLOCKS_TOGETHER))


class EntryTable:
    """The entries of a file, over one connection."""

    def __init__(self, database: Database, blocks: EntryBlocks) -> None:
        self._database = database
        self._blocks = blocks
        # What is known of the tables, until a transaction fails.
        self._numbers: dict[EntryKey, int] = {}
        self._gone: dict[int, list[int]] = {}
        self._shed: dict[int, bytes] = {}

    def forget(self) -> None:
        """Forget what is known of the tables: it may never have been."""
        self._numbers.clear()
        self._gone.clear()
        self._shed.clear()

    # Periods.

    def number(self, key: EntryKey) -> int:
        """The number of a period; made when it is first asked for."""
        number = self._find_number(key)
        if number is None:
            ((number,),) = self._database.query(_SQL["add_period"], key)
            self._numbers[key] = number
        return int(number)

    def _find_number(self, key: EntryKey) -> int | None:
        number = self._numbers.get(key)
        if number is None:
            for (number,) in self._database.query(_SQL["period_id"], key):
                self._numbers[key] = number
        return number

    def _gone_numbers(self, board_id: int) -> list[int]:
        """The numbers of a board's periods that were cleared: blocks may still have entries."""
        gone = self._gone.get(board_id)
        if gone is None:
            rows = self._database.query(_SQL["gone_periods"], (board_id,))
            gone = self._gone[board_id] = [number for (number,) in rows]
        return gone

    # Reading.

    def find(self, wanted: Mapping[EntryKey, Iterable[str]]) -> StoredEntries:
        """The entries of players in periods."""
        numbers = {key: self._find_number(key) for key in wanted}
        keys: dict[int, set[bytes]] = {}
        for key, players in wanted.items():
            number = numbers[key]
            if number is not None:
                found = [entry_key(player, number) for player in players]
                keys.setdefault(key[0], set()).update(found)
        packed = [self._find(board_id, sorted(found)) for board_id, found in keys.items() if found]
        periods = {number: key for key, number in numbers.items() if number is not None}
        return StoredEntries(periods, packed)

    def of_players(self, board_id: int, player_ids: Sequence[str]) -> StoredEntries:
        """The entries of players in all periods of a board."""
        periods = self._database.query(_SQL["board_periods"], (board_id,))
        return self.find({(board_id, window, key): player_ids for _, window, key in periods})

    def _find(self, board_id: int, keys: Sequence[bytes]) -> PackedEntries:
        def find(blocks: bytes) -> tuple[PackedEntries, Missing]:
            body, count, missing = self._blocks.find(board_id, blocks, keys)
            return PackedEntries(board_id, count, body), missing

        return self._in_blocks(board_id, find, self._blocks_of)

    def _in_blocks(
        self,
        board_id: int,
        work: Callable[[bytes], tuple[_Done, Missing]],
        look: Callable[[int, Missing], bytes],
    ) -> _Done:
        """What work gives over the blocks that it needs.

        Args:
            look: how to look for them at first; it need not find all.
        """
        blocks = b""
        with self._damage(board_id):
            done, missing = work(blocks)
            while missing:
                found = look(board_id, missing)
                if not found and (blocks or self._has_blocks(board_id)):
                    raise ValueError("a block is missing")
                blocks += found or self._blocks.first_block(board_id)
                before, (done, missing) = missing, work(blocks)
                if missing == before:
                    raise ValueError("a block does not hold what it should")
                look = self._blocks_of
        return done

    def _blocks_of(self, board_id: int, keys: Missing) -> bytes:
        """The blocks that keys lie in, one for each."""
        return self._joined("blocks_of_keys", board_id, apsw.carray(tuple(keys)))

    def _blocks_beside(self, board_id: int, keys: Missing) -> bytes:
        """Blocks from the first of many keys on, as many as they may lie in if they lie close."""
        count = len(keys) // PLAYERS_BESIDE + 1
        return self._joined("blocks_beside", board_id, keys[0], keys[-1], count)

    def _joined(self, query: str, *bindings: object) -> bytes:
        ((blocks,),) = self._database.query(_SQL[query], bindings)
        return blocks or b""

    def _has_blocks(self, board_id: int) -> bool:
        return bool(self._database.query(_SQL["any_block"], (board_id,)))

    @contextmanager
    def _damage(self, board_id: int) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            raise self._database.damaged(
                f"a block of entries of board {board_id}", error
            ) from error

    def keys(self) -> list[EntryKey]:
        """Every period of every board."""
        found: list[EntryKey] = []
        for _, board_id, window, key in self._database.query(_SQL["periods"]):
            if not isinstance(window, str) or not isinstance(key, str):
                raise self._database.damaged(f"the periods of board {board_id}")
            found.append((board_id, window, key))
        return found

    def of_period(self, key: EntryKey) -> Iterator[tuple[str, Entry]]:
        """Every entry of a period with its player, in the order of players."""
        number = self._find_number(key)
        for block in () if number is None else self._read(key[0]):
            for player, entries in block.players.items():
                if number in entries:
                    yield player, entries[number]

    def scan(self, only: int | None = None) -> Iterator[tuple[EntryKey, str, Entry]]:
        """Every entry with its period and player; of one board, or of all."""
        names: dict[int, dict[int, EntryKey]] = {}
        for number, *key in self._database.query(_SQL["periods"]):
            if only in (None, key[0]):
                names.setdefault(key[0], {})[number] = (key[0], key[1], key[2])
        for board_id, periods in names.items():
            for block in self._read(board_id):
                for player, entries in block.players.items():
                    for number, entry in entries.items():
                        if number in periods:
                            yield periods[number], player, entry

    def _read(self, board_id: int) -> Iterator[Block]:
        end: bytes | None = b""
        with self._damage(board_id):
            for (body,) in self._database.stream(_SQL["board_blocks"], (board_id,)):
                for block in read_blocks(board_id, body):
                    if block.first != end:
                        raise ValueError("a block is missing")
                    end = block.end
                    yield block
            if end:
                raise ValueError("a block is missing")

    def places(self, state: BoardState, after: int) -> Iterator[Moves]:
        """Where players of a board stand by the entries that reflect a record after ``after``."""
        board_id, width = state.board_id, len(state.settings.columns)
        found = [
            row
            for row in self._database.query(_SQL["board_periods"], (board_id,))
            if rolling_days(thawed(row[1])) is None
        ]
        keys = [(board_id, window, key) for _, window, key in found]
        numbers = [number for number, _, _ in found]
        end: bytes | None = b""
        with self._damage(board_id):
            for part in self._database.parts(_SQL["board_blocks"], (board_id,), BLOCKS_READ):
                if end is None:
                    raise ValueError("a block comes after the last one")
                blocks = b"".join(chain.from_iterable(part))
                players, ends, period, player, columns, reached_at, end = self._blocks.places(
                    board_id, blocks, end, after, width, numbers
                )
                yield Moves(
                    tuple(keys),
                    [width] * len(keys),
                    players,
                    ends,
                    period,
                    player,
                    bytes(len(player) // 4),
                    columns,
                    reached_at,
                )
            if end:
                raise ValueError("a block is missing")

    def together(self, board: Board, parts: Collection[EntryKey], key: EntryKey) -> Iterator[Moves]:
        """Where players stand by their entries in some periods put together."""
        numbers = [number for part in parts if (number := self._find_number(part)) is not None]
        moves: list[Move] = []
        for player, entries in self._players(board.board_id) if numbers else ():
            counted = [entries[number] for number in numbers if number in entries]
            entry = together(board.mode, board.descending, counted)
            if entry is not None:
                moves.append(Move(key, player, entry.columns, entry.reached_at, None))
            if len(moves) == PLACES_TOGETHER:
                yield moves_of(moves)
                moves = []
        yield moves_of(moves)

    def _players(self, board_id: int) -> Iterator[tuple[str, dict[int, Entry]]]:
        """Every player of a board with all entries, which may stand in several blocks."""
        last: tuple[str, dict[int, Entry]] | None = None
        for block in self._read(board_id):
            for player, entries in block.players.items():
                if last is not None and last[0] == player:
                    last = player, last[1] | entries
                    continue
                if last is not None:
                    yield last
                last = player, entries
        if last is not None:
            yield last

    # Writing.

    def write(self, packed: PackedEntries) -> None:
        """Write entries, none in the place of one with a larger ``seq``."""
        if not packed.size:
            return
        board_id = packed.board_id
        gone = self._gone_numbers(board_id)

        def merge(blocks: bytes) -> tuple[Sequence[tuple[bytes, bytes]], Missing]:
            return self._blocks.merge(board_id, blocks, packed.body, gone, BLOCK_BYTES)

        changed = self._in_blocks(board_id, merge, self._blocks_beside)
        self._put(board_id, changed)

    def _put(self, board_id: int, changed: Sequence[tuple[bytes, bytes]]) -> None:
        rows = [(board_id, *block) for block in changed]
        full = len(rows) // BLOCKS_TOGETHER * BLOCKS_TOGETHER
        for start in range(0, full, BLOCKS_TOGETHER):
            together = tuple(chain.from_iterable(rows[start : start + BLOCKS_TOGETHER]))
            self._database.execute(_PUT_TOGETHER, together)
        self._database.executemany(_SQL["put_block"], rows[full:])

    def remove(self, board_id: int, player_ids: Collection[str]) -> None:
        """Remove all entries of players from a board."""
        periods = self._database.query(_SQL["board_periods"], (board_id,))
        numbers = [*(number for number, _, _ in periods), *self._gone_numbers(board_id)]
        keys = [entry_key(player, number) for player in player_ids for number in numbers]
        if not keys:
            return
        with self._damage(board_id):
            changed = without(board_id, self._blocks_of(board_id, keys), player_ids)
        self._put(board_id, changed)

    def clear(self, window: tuple[int, str]) -> None:
        """Remove all periods of a board's window."""
        self._database.execute(_SQL["clear_window"], window)
        self.forget()

    def clear_period(self, key: EntryKey) -> None:
        """Remove a period."""
        self._database.execute(_SQL["clear_period"], key)
        self.forget()

    def drop(self, board_id: int) -> None:
        """Remove all periods of a board, which nobody asks for any more."""
        self._database.execute(_SQL["drop_periods"], (board_id,))
        self.forget()

    def purge_dropped(self, board_id: int, blocks: int) -> bool:
        """Remove some blocks of a dropped board; whether there were any."""
        self._database.execute(_SQL["purge_blocks"], (board_id, blocks))
        return bool(self._database.connection.changes())

    def purge_cleared(self, blocks: int) -> bool:
        """Remove the entries of cleared periods from some blocks; whether there may be more."""
        for (board_id,) in self._database.query(_SQL["cleared_board"]):
            start = self._shed.get(board_id, b"")
            rows = self._database.query(_SQL["blocks_from"], (board_id, start, blocks))
            if rows:
                with self._damage(board_id):
                    changed, _ = self._blocks.merge(
                        board_id,
                        b"".join([body for _, body in rows]),
                        _NOTHING,
                        self._gone_numbers(board_id),
                        BLOCK_BYTES,
                    )
                self._put(board_id, changed)
                self._shed[board_id] = rows[-1][0] + b"\0"
            else:
                self._database.execute(_SQL["forget_cleared"], (board_id,))
                self.forget()
            return True
        return False

    def wipe(self) -> None:
        """Remove all entries and periods."""
        self._database.execute(_SQL["wipe_entries"])
        self.forget()

"""Entries of a board in blocks: all of a stretch of consecutive players, as one row keeps them.

A block holds all entries of its board from its first key on, up to its end: the first key of the
next block. The first one of a board begins with the empty key and the last one has no end, so that
every key lies in one block, and a block that is missing is met. A key is the player's UTF-8 (each
zero byte followed by 255), a zero byte and the period's number in eight bytes, big-endian: keys
compare as the player's bytes and then the number do. A block may also begin where the entries of
a player do, which is the key without the number.

A row's body is a checksum (CRC-32 of the board id in eight bytes, the first key and the content),
the length of the content and that of the first key, little-endian in four, four and two bytes;
then the content: MessagePack, version, end and packed entries (:mod:`toprung.ports.packed`).

Blocks are handed about as bytes: each its body and its first key, one block after the other.
"""

import struct
from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, Protocol
from zlib import crc32

import msgspec

from toprung.domain.entries import Entry
from toprung.ports.packed import (
    pack_entries,
    packed_players,
    unpack_entries,
    unpacked_players,
)

VERSION = 1
PERIOD_BYTES = 8
"""What the number of a period takes in a key."""
_PLAYER_BYTES = 6
"""What a player takes beside the id and the entries, about."""
_HEAD = struct.Struct("<IIH")
_Content = tuple[int, bytes | None, dict[str, bytes]]

_encode = msgspec.msgpack.Encoder().encode
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(_Content)

Missing = list[bytes]
"""Of each player the first key that lies in none of the blocks."""
Places = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes | None]
"""``players``, ``ends``, ``period``, ``player``, ``columns`` and ``reached_at`` of
:class:`~toprung.ports.moves.Moves`, and where the last block ends."""


class EntryBlocks(Protocol):
    """Reads and merges blocks. It may be used by any thread.

    All raise ``ValueError`` where a block is not as it was written.
    """

    def first_block(self, board_id: int) -> bytes:
        """A block that has all keys and no entry: what a board begins with."""
        ...

    def find(
        self, board_id: int, blocks: bytes, keys: Sequence[bytes]
    ) -> tuple[bytes, int, Missing]:
        """Of the entries of some keys, which are in order, those that the blocks have: packed, and
        how many they are.
        """
        ...

    def merge(
        self, board_id: int, blocks: bytes, packed: bytes, gone: Sequence[int], limit: int
    ) -> tuple[list[tuple[bytes, bytes]], Missing]:
        """Merge entries into the blocks that they lie in; if any lies in none, nothing is merged.

        An entry is not replaced by one of a smaller ``seq``. A block that takes more than ``limit``
        bytes becomes several, cut between players where that can be.

        Args:
            gone: numbers of periods, in order; their entries are left out of the blocks.

        Returns:
            The blocks that changed or came, first key and body of each.
        """
        ...

    def places(
        self,
        board_id: int,
        blocks: bytes,
        first: bytes,
        after: int,
        width: int,
        periods: Sequence[int],
    ) -> Places:
        """Where players stand by the entries that reflect a record after ``after``.

        Args:
            blocks: consecutive ones, in order; the first begins with ``first``.
            width: how many columns an entry has.
            periods: the numbers of the periods that count, in order; a place is told by which of
                them it is in.
        """
        ...


class Block(NamedTuple):
    """A block that was read."""

    first: bytes
    end: bytes | None
    """``None``: it is the last one."""
    players: dict[str, dict[int, Entry]]

    def reaches(self, key: bytes) -> bool:
        """Whether a key lies before the end."""
        return self.end is None or key < self.end


def player_key(player: str) -> bytes:
    """Where the entries of a player begin."""
    return player.encode().replace(b"\0", b"\0\xff") + b"\0"


def entry_key(player: str, period: int) -> bytes:
    """The key of an entry."""
    return player_key(player) + period.to_bytes(PERIOD_BYTES, "big")


def read_blocks(board_id: int, blocks: bytes) -> Iterator[Block]:
    """The blocks of some bytes.

    Raises:
        ValueError: one is not as it was written.
    """
    start = 0
    try:
        while start < len(blocks):
            checked, size, width = _HEAD.unpack_from(blocks, start)
            middle = start + _HEAD.size + size
            stop = middle + width
            content, first = blocks[start + _HEAD.size : middle], blocks[middle:stop]
            if stop > len(blocks) or checked != _checksum(board_id, first, content):
                raise ValueError("the checksum is wrong")
            version, end, players = _decoder.decode(content)
            if version != VERSION:
                raise ValueError(f"it is of version {version}")
            yield Block(first, end, unpacked_players(players))
            start = stop
    except (struct.error, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from error


def without(board_id: int, blocks: bytes, player_ids: Collection[str]) -> list[tuple[bytes, bytes]]:
    """The blocks that have entries of some players, without these: first key and body of each.

    Raises:
        ValueError: a block is not as it was written.
    """
    changed = []
    for block in read_blocks(board_id, blocks):
        left = {who: entries for who, entries in block.players.items() if who not in player_ids}
        if len(left) < len(block.players):
            changed.append((block.first, _body(board_id, block._replace(players=left))))
    return changed


def _checksum(board_id: int, first: bytes, content: bytes) -> int:
    return crc32(content, crc32(first, crc32(board_id.to_bytes(8, "little", signed=True))))


def _body(board_id: int, block: Block) -> bytes:
    content = _encode((VERSION, block.end, packed_players(block.players)))
    checked = _checksum(board_id, block.first, content)
    return _HEAD.pack(checked, len(content), len(block.first)) + content


class PythonBlocks:
    """:class:`EntryBlocks` in Python; the oracle of what is faster."""

    def first_block(self, board_id: int) -> bytes:
        """See the protocol."""
        return _body(board_id, Block(b"", None, {}))

    def find(
        self, board_id: int, blocks: bytes, keys: Sequence[bytes]
    ) -> tuple[bytes, int, Missing]:
        """See the protocol."""
        there = _in_order(board_id, blocks)
        entries = {key: line for block in there for key, line in _by_key(block.players)}
        found: dict[str, dict[int, Entry]] = {}
        for key in keys:
            if key in entries:
                player, number, entry = entries[key]
                found.setdefault(player, {})[number] = entry
        packed = pack_entries(board_id, found)
        return packed.body, packed.size, _missing(there, keys)

    def merge(
        self, board_id: int, blocks: bytes, packed: bytes, gone: Sequence[int], limit: int
    ) -> tuple[list[tuple[bytes, bytes]], Missing]:
        """See the protocol."""
        new = dict(_by_key(_unpacked(packed)))
        changed: list[tuple[bytes, bytes]] = []
        there = _in_order(board_id, blocks)
        if missing := _missing(there, list(new)):
            return [], missing
        for block in there:
            entries = dict(_by_key(block.players))
            mine = {key: new.pop(key) for key in list(new) if _holds(block, key)}
            if not mine and not any(number in gone for _, number, _ in entries.values()):
                continue
            for key, line in mine.items():
                if key not in entries or line[2].seq >= entries[key][2].seq:
                    entries[key] = line
            players: dict[str, dict[int, Entry]] = {}
            for player, number, entry in entries.values():
                if number not in gone:
                    players.setdefault(player, {})[number] = entry
            parts = _divided(block._replace(players=_sorted(players)), limit)
            changed += [(part.first, _body(board_id, part)) for part in parts]
        return changed, []

    def places(
        self,
        board_id: int,
        blocks: bytes,
        first: bytes,
        after: int,
        width: int,
        periods: Sequence[int],
    ) -> Places:
        """See the protocol."""
        ordinals = {number: ordinal for ordinal, number in enumerate(periods)}
        end: bytes | None = first
        texts: list[bytes] = []
        period, player = array("I"), array("I")
        columns, reached_at = array("q"), array("q")
        for block in read_blocks(board_id, blocks):
            if block.first != end:
                raise ValueError("a block is missing")
            end = block.end
            for name, entries in block.players.items():
                counted = {n: entry for n, entry in entries.items() if n in ordinals}
                if any(len(entry.columns) != width for entry in counted.values()):
                    raise ValueError("an entry has other columns than its board")
                later = {n: entry for n, entry in counted.items() if entry.seq > after}
                if later:
                    texts.append(name.encode())
                for number, entry in later.items():
                    period.append(ordinals[number])
                    player.append(len(texts) - 1)
                    columns.extend(entry.columns)
                    reached_at.append(entry.reached_at)
        return (
            b"".join(texts),
            array("I", accumulate(map(len, texts))).tobytes(),
            period.tobytes(),
            player.tobytes(),
            columns.tobytes(),
            reached_at.tobytes(),
            end,
        )


def _unpacked(packed: bytes) -> dict[str, dict[int, Entry]]:
    try:
        return unpack_entries(packed)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from error


def _in_order(board_id: int, blocks: bytes) -> list[Block]:
    """The blocks by their first keys, each once."""
    found = {block.first: block for block in read_blocks(board_id, blocks)}
    return [found[first] for first in sorted(found)]


def _missing(blocks: Sequence[Block], keys: Sequence[bytes]) -> Missing:
    found = [key for key in keys if not any(_holds(block, key) for block in blocks)]
    return list({key[:-PERIOD_BYTES]: key for key in reversed(found)}.values())[::-1]


def _holds(block: Block, key: bytes) -> bool:
    return block.first <= key and block.reaches(key)


def _sorted(players: dict[str, dict[int, Entry]]) -> dict[str, dict[int, Entry]]:
    return {
        player: dict(sorted(players[player].items())) for player in sorted(players, key=str.encode)
    }


_Line = tuple[str, int, Entry]


def _by_key(players: dict[str, dict[int, Entry]]) -> Iterator[tuple[bytes, _Line]]:
    for player, entries in players.items():
        for number, entry in entries.items():
            yield entry_key(player, number), (player, number, entry)


def _divided(block: Block, limit: int) -> list[Block]:
    """A block as one or several, about as long and none longer than ``limit``."""
    bodies = packed_players(block.players)
    heads = {player: len(player.encode()) + _PLAYER_BYTES for player in block.players}
    whole = {player: heads[player] + len(bodies[player]) for player in block.players}
    total = sum(whole.values())
    target = -(-total // max(1, -(-total // limit)))
    begun: list[tuple[bytes, dict[str, dict[int, Entry]]]] = [(block.first, {})]
    taken = 0
    for player, entries in block.players.items():
        if taken and (taken >= target or taken + whole[player] > limit):
            begun.append((player_key(player), {}))
            taken = 0
        if whole[player] <= limit:
            begun[-1][1][player] = entries
            taken += whole[player]
            continue
        taken = heads[player]
        for number, entry in entries.items():
            more = len(_encode(entry)) + 1
            if taken > heads[player] and taken + more > limit:
                begun.append((entry_key(player, number), {}))
                taken = heads[player]
            begun[-1][1].setdefault(player, {})[number] = entry
            taken += more
    ends = [*[first for first, _ in begun[1:]], block.end]
    return [Block(first, end, players) for (first, players), end in zip(begun, ends, strict=True)]

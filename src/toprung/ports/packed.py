"""Packed entries: many of one board, as store and decider hand them to each other.

MessagePack: a map from player to bytes, in the order of the players' UTF-8. These bytes are a map
from the period's number to the entry, in the order of the numbers. In this form entries cross into
native code and into a database without an object for each of them, and who does not care for a
player passes over the bytes.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from toprung.domain.entries import Entry

Players = Mapping[str, Mapping[int, Entry]]
"""By player and by the number of the period (see :class:`~toprung.ports.store.ScoreStore`)."""

_encode = msgspec.msgpack.Encoder().encode
_decode_players: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(dict[str, bytes])
_decode_entries: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(dict[int, Entry])


class PackedEntries(NamedTuple):
    """Entries of one board."""

    board_id: int
    size: int
    """How many they are."""
    body: bytes


def pack_entries(board_id: int, players: Players) -> PackedEntries:
    """Pack some entries, which may come in any order."""
    body = _encode(packed_players(players))
    return PackedEntries(board_id, sum(map(len, players.values())), body)


def packed_players(players: Players) -> dict[str, bytes]:
    """By player, in order, what packed entries have of each."""
    return {
        player: _encode(dict(sorted(players[player].items())))
        for player in sorted(players, key=str.encode)
    }


def unpack_entries(body: bytes) -> dict[str, dict[int, Entry]]:
    """The entries of a body, in order.

    Raises:
        msgspec.DecodeError: these are none.
    """
    return unpacked_players(_decode_players.decode(body))


def unpacked_players(players: Mapping[str, bytes]) -> dict[str, dict[int, Entry]]:
    """The reverse of :func:`packed_players`.

    Raises:
        msgspec.DecodeError: these are none.
    """
    return {player: _decode_entries.decode(entries) for player, entries in players.items()}

"""Packed entries: many of one board, as store and decider hand them to each other.

MessagePack: a map from player to a map from the period's number to the entry, in the order of the
players' UTF-8 and then of the numbers. In this form entries cross into native code and into a
database without an object for each of them.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from toprung.domain.entries import Entry

Players = Mapping[str, Mapping[int, Entry]]
"""By player and by the number of the period (see :class:`~toprung.ports.store.ScoreStore`)."""

_encode = msgspec.msgpack.Encoder().encode
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(dict[str, dict[int, Entry]])


class PackedEntries(NamedTuple):
    """Entries of one board."""

    board_id: int
    size: int
    """How many they are."""
    body: bytes


def pack_entries(board_id: int, players: Players) -> PackedEntries:
    """Pack some entries, which may come in any order."""
    ordered = in_order(players)
    return PackedEntries(board_id, sum(map(len, ordered.values())), _encode(ordered))


def unpack_entries(body: bytes) -> dict[str, dict[int, Entry]]:
    """The entries of a body, in order.

    Raises:
        msgspec.DecodeError: these are none.
    """
    players: dict[str, dict[int, Entry]] = _decoder.decode(body)
    return players


def in_order(players: Players) -> dict[str, dict[int, Entry]]:
    """The same entries by the bytes of the players and the numbers."""
    names = sorted(players, key=str.encode)
    return {name: dict(sorted(players[name].items())) for name in names}

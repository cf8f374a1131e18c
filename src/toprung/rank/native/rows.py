"""Rows as the buffers that the engine builds a period of."""

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from toprung.ports.view import Row


class PackedRows(NamedTuple):
    """Rows column by column: machine numbers in the byte order of this machine."""

    players: bytes
    """The UTF-8 of the players, one after the other."""
    ends: bytes
    """Where each of these texts ends (u32)."""
    columns: bytes
    """The columns of all rows, one after the other (i64)."""
    reached_at: bytes
    """Of each row (i64)."""


def pack(rows: Sequence[Row]) -> PackedRows:
    """Some rows, at most so many that their players' texts stay below 4 GiB."""
    texts = [player.encode() for player, _, _ in rows]
    columns = array("q")
    for _, each, _ in rows:
        columns.extend(each)
    return PackedRows(
        b"".join(texts),
        array("I", accumulate(map(len, texts))).tobytes(),
        columns.tobytes(),
        array("q", [reached_at for _, _, reached_at in rows]).tobytes(),
    )

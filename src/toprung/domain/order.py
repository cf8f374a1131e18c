"""The total order of entries as bytes (R4).

An order key is one byte string; comparing two of them byte by byte compares the entries: columns by
their directions, then ``reached_at`` (earlier first), then the player id's bytes. Every column is
written big-endian with its sign flipped, and complemented where larger is better. A prefix of whole
columns compares by these columns alone: that is what ``shared`` and ``dense`` numbering ask for.
"""

import struct
from collections.abc import Sequence

_BIAS = 2**63
_TOP = 2**64 - 1


class OrderKeys:
    """Makes and reads order keys of one board.

    Args:
        descending: for each column whether larger is better.
    """

    def __init__(self, descending: Sequence[bool]) -> None:
        self.descending = tuple(descending)
        self.width = 8 * len(self.descending)
        """Length of the part that holds the columns, in bytes."""
        self._columns = struct.Struct(f">{len(self.descending)}Q")
        self._whole = struct.Struct(f">{len(self.descending) + 1}Q")

    def prefix(self, columns: Sequence[int]) -> bytes:
        """The key's beginning for ``columns``; fewer than the board has are compared by alone."""
        encoded = self._encode(columns)
        return struct.pack(f">{len(encoded)}Q", *encoded)

    def key(self, columns: Sequence[int], reached_at: int, player_id: str) -> bytes:
        """The key of an entry."""
        if len(columns) == 1:
            value = columns[0] + _BIAS
            first = _TOP - value if self.descending[0] else value
            return self._whole.pack(first, reached_at + _BIAS) + player_id.encode()
        return self._whole.pack(*self._encode(columns), reached_at + _BIAS) + player_id.encode()

    def read(self, key: bytes) -> tuple[tuple[int, ...], int, str]:
        """Columns, ``reached_at`` and player id of a key."""
        *encoded, reached = self._whole.unpack_from(key)
        return self._decode(encoded), reached - _BIAS, key[self.width + 8 :].decode()

    def read_columns(self, prefix: bytes) -> tuple[int, ...]:
        """The columns of a key, or of its part that holds them."""
        return self._decode(self._columns.unpack_from(prefix))

    def _decode(self, encoded: Sequence[int]) -> tuple[int, ...]:
        if len(encoded) == 1:
            return ((_TOP - encoded[0] if self.descending[0] else encoded[0]) - _BIAS,)
        return tuple(
            [
                (_TOP - value if down else value) - _BIAS
                for value, down in zip(encoded, self.descending, strict=True)
            ]
        )

    def _encode(self, columns: Sequence[int]) -> list[int]:
        return [
            _TOP - (value + _BIAS) if down else value + _BIAS
            for value, down in zip(columns, self.descending, strict=False)
        ]


_LAST = b"\xff" * 64
"""Larger than every key: after at most five columns comes ``reached_at``, which never begins so."""


def after_prefix(prefix: bytes) -> bytes:
    """The smallest byte string larger than every key that begins with ``prefix``."""
    successor = int.from_bytes(prefix) + 1
    if successor.bit_length() > 8 * len(prefix):
        return _LAST
    return successor.to_bytes(len(prefix))

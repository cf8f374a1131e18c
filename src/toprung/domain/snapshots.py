"""The final standings of a closed period, in a form that anybody can check (R10).

A snapshot's canonical form is one line for each player, in board order: a JSON array of the ordinal
rank, the player id, the columns as text (in the board's order, without trailing zeros) and
``reached_at``, written without spaces as RFC 8785 has it, in UTF-8, and ended by a line feed.
Numbers and instants read as in replies of the API. Its SHA-256 is that of all lines, one after the
other.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

import msgspec

from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.decide import EntryKey
from toprung.domain.instants import format_instant, parse_instant

Place = tuple[str, tuple[int, ...], int]
"""A player, the scaled columns and ``reached_at``."""


_TAKEN_BACK = b"-"


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """One version of the final standings of a period; its rows are kept beside it.

    Attributes:
        seq: the record that made it: what it reflects.
        board_id: the board, with ``window`` and ``key`` naming the period.
        version: the first is 1; each correction of a closed period makes another one.
        closed_at: when that record arrived, in microseconds.
        start: the period's first instant, ``None``: open.
        end: the first instant after it.
        count: how many players it has; 0 as long as it is being written.
        sha256: of the canonical form; empty as long as it is being written.
    """

    seq: int
    board_id: int
    window: str
    key: str
    version: int
    closed_at: int
    start: int | None
    end: int | None
    count: int = 0
    sha256: bytes = b""

    @property
    def period(self) -> EntryKey:
        """The period in store and view."""
        return self.board_id, self.window, self.key

    @property
    def is_complete(self) -> bool:
        """Whether nothing of it is still to be written."""
        return bool(self.sha256)

    @property
    def is_taken_back(self) -> bool:
        """Whether its rows were removed, because somebody on it was erased (R9)."""
        return self.sha256 == _TAKEN_BACK


def taken_back(snapshot: Snapshot) -> Snapshot:
    """A version of which nothing is left but its number."""
    return msgspec.structs.replace(snapshot, count=0, sha256=_TAKEN_BACK)


def begin_snapshot(
    board: Board, period: Period, seq: int, closed_at: int, last: Snapshot | None
) -> Snapshot:
    """The next version of a period's snapshot, whose rows are still to come.

    Args:
        last: the version before it.
    """
    version = 1 if last is None else last.version + 1
    start, end = period.start, period.end
    return Snapshot(seq, board.board_id, period.window, period.key, version, closed_at, start, end)


_encoder = msgspec.json.Encoder()
_decode = msgspec.json.Decoder(tuple[int, str, tuple[str, ...], str]).decode_lines


def canonical_rows(board: Board, first: int, places: Iterable[Place]) -> bytes:
    """The canonical lines of some players, the first of whom has ``first`` players above."""
    return _encoder.encode_lines(
        [
            (rank, player_id, board.format_columns(columns), format_instant(reached_at))
            for rank, (player_id, columns, reached_at) in enumerate(places, first + 1)
        ]
    )


def read_rows(board: Board, lines: bytes) -> Sequence[Place]:
    """The players of some canonical lines, whose numbers are read by the board's columns.

    Raises:
        InvalidInput: they are of other columns.
        msgspec.DecodeError: they are no such lines.
    """
    return [
        (player_id, board.parse_points(columns, "columns"), parse_instant(at, "reached_at"))
        for _, player_id, columns, at in _decode(lines)
    ]


def row_of(player_id: str) -> bytes:
    """What stands in canonical lines where, and only where, one of them is a player's."""
    return _encoder.encode(player_id) + b",["


def digest(lines: Iterable[bytes]) -> bytes:
    """The SHA-256 of a snapshot, from its canonical lines."""
    found = sha256()
    for part in lines:
        found.update(part)
    return found.digest()

"""New places of players, as a batch of buffers that crosses into native code as it is."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from toprung.domain.board import Numbering
from toprung.domain.decide import EntryKey

NUMBERING_CODES: dict[Numbering | None, int] = {
    None: 0,
    Numbering.ORDINAL: 1,
    Numbering.SHARED: 2,
    Numbering.DENSE: 3,
}
_NUMBERINGS = {code: numbering for numbering, code in NUMBERING_CODES.items()}


class Move(NamedTuple):
    """A player's new place in a period; absolute, so that applying it twice does no harm."""

    key: EntryKey
    player_id: str
    columns: tuple[int, ...]
    reached_at: int
    numbering: Numbering | None
    """How the ranks before and after are to be counted; ``None``: they are not asked for."""


class Moves(msgspec.Struct, frozen=True):
    """Moves in order, column by column: machine numbers in the byte order of this machine.

    Attributes:
        keys: the periods that are met.
        widths: how many columns an entry of each of ``keys`` has.
        players: the UTF-8 of the players that are met, one after the other.
        ends: for each of them where its text ends (u32).
        period: for each move which of ``keys`` it is in (u32).
        player: for each move which of the players it is of (u32).
        numbering: for each move a code of ``NUMBERING_CODES`` (u8).
        columns: the columns of all moves, one after the other (i64).
        reached_at: of each move (i64).
    """

    keys: Sequence[EntryKey]
    widths: Sequence[int]
    players: bytes
    ends: bytes
    period: bytes
    player: bytes
    numbering: bytes
    columns: bytes
    reached_at: bytes

    def __len__(self) -> int:
        return len(self.numbering)

    def __iter__(self) -> Iterator[Move]:
        columns, at = array("q", self.columns), 0
        names = self.names()
        for period, player, numbering, reached_at in zip(
            array("I", self.period),
            array("I", self.player),
            self.numbering,
            array("q", self.reached_at),
            strict=True,
        ):
            end = at + self.widths[period]
            yield Move(
                self.keys[period],
                names[player],
                tuple(columns[at:end]),
                reached_at,
                _NUMBERINGS[numbering],
            )
            at = end

    def names(self) -> list[str]:
        """The players that are met, by their numbers."""
        bounds = pairwise([0, *array("I", self.ends)])
        return [self.players[start:end].decode() for start, end in bounds]


def moves_of(moves: Iterable[Move]) -> Moves:
    """The batch of some moves."""
    keys: dict[EntryKey, int] = {}
    widths: list[int] = []
    players: dict[str, int] = {}
    period, player, numbering = array("I"), array("I"), bytearray()
    columns, reached = array("q"), array("q")
    for move in moves:
        if move.key not in keys:
            keys[move.key] = len(keys)
            widths.append(len(move.columns))
        period.append(keys[move.key])
        player.append(players.setdefault(move.player_id, len(players)))
        numbering.append(NUMBERING_CODES[move.numbering])
        columns.extend(move.columns)
        reached.append(move.reached_at)
    texts = [name.encode() for name in players]
    ends, end = array("I"), 0
    for text in texts:
        end += len(text)
        ends.append(end)
    return Moves(
        tuple(keys),
        widths,
        b"".join(texts),
        ends.tobytes(),
        period.tobytes(),
        player.tobytes(),
        bytes(numbering),
        columns.tobytes(),
        reached.tobytes(),
    )

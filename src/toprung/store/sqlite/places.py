"""Rows of entries as a batch of places, column by column: a row costs a call of C each, no more."""

from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from toprung.domain.board import BoardState
from toprung.ports.moves import Moves

_Row = tuple[Any, ...]
"""Player, period, ``reached_at``, columns."""


class Periods:
    """The periods of a board, by their numbers in the file.

    Args:
        names: window and key of each.
    """

    def __init__(self, state: BoardState, names: Mapping[int, tuple[str, str]]) -> None:
        self._keys = [(state.board_id, *name) for name in names.values()]
        self._place = {period_id: place for place, period_id in enumerate(names)}
        self._width = len(state.settings.columns)
        self.columns = [f"c{place}" for place in range(self._width)]
        """What the columns of the board are called in the file."""

    def moves(self, rows: Sequence[_Row]) -> Moves:
        """Where these rows say that players stand."""
        players, periods, reached_at, *columns = zip(*rows, strict=True)
        by_row = columns[0] if self._width == 1 else chain.from_iterable(zip(*columns, strict=True))
        number = {player: place for place, player in enumerate(dict.fromkeys(players))}
        texts = [player.encode() for player in number]
        return Moves(
            tuple(self._keys),
            [self._width] * len(self._keys),
            b"".join(texts),
            array("I", accumulate(map(len, texts))).tobytes(),
            array("I", map(self._place.__getitem__, periods)).tobytes(),
            array("I", map(number.__getitem__, players)).tobytes(),
            bytes(len(rows)),
            array("q", by_row).tobytes(),
            array("q", reached_at).tobytes(),
        )

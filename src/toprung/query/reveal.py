"""Showing what a freeze kept back, from the last place up, as contests do (R18)."""

from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import NamedTuple

from toprung.domain.board import Board, Numbering
from toprung.ports.view import Row


class Step(NamedTuple):
    """A player whose full score is shown."""

    player_id: str
    before: int | None
    """The rank on the list as it is then; ``None``: the player is not on it yet."""
    columns_before: tuple[int, ...] | None
    after: int
    """The rank on the list once the full score is shown."""
    columns: tuple[int, ...]
    total: int
    """Players on the list then."""


class _Mixed:
    """A list in which some have their full score, and the others what they had at the freeze."""

    def __init__(self, board: Board, numbering: Numbering, rows: Sequence[Row]) -> None:
        self._orders = board.orders
        self._numbering = numbering
        self._keys = sorted(map(self._key, rows))
        self._scores = sorted(key[: self._orders.width] for key in self._keys)
        self._distinct = sorted(set(self._scores))

    def __len__(self) -> int:
        return len(self._keys)

    def _key(self, row: Row) -> bytes:
        return self._orders.key(row.columns, row.reached_at, row.player_id)

    def rank(self, row: Row) -> int:
        """The shown rank of a row of the list."""
        key = self._key(row)
        if self._numbering is Numbering.ORDINAL:
            return bisect_left(self._keys, key) + 1
        scores = self._scores if self._numbering is Numbering.SHARED else self._distinct
        return bisect_left(scores, key[: self._orders.width]) + 1

    def add(self, row: Row) -> None:
        """Put a row on the list."""
        key = self._key(row)
        score = key[: self._orders.width]
        insort(self._keys, key)
        place = bisect_left(self._scores, score)
        if place == len(self._scores) or self._scores[place] != score:
            insort(self._distinct, score)
        self._scores.insert(place, score)

    def remove(self, row: Row) -> None:
        """Take a row off the list."""
        key = self._key(row)
        score = key[: self._orders.width]
        del self._keys[bisect_left(self._keys, key)]
        place = bisect_left(self._scores, score)
        del self._scores[place]
        if place == len(self._scores) or self._scores[place] != score:
            del self._distinct[bisect_left(self._distinct, score)]


def steps_of(
    board: Board, numbering: Numbering, frozen: Sequence[Row], full: Sequence[Row]
) -> list[Step]:
    """The steps that lead from the frozen list to the full one.

    Each shows the full score of the player who stands lowest among those who do not have it yet. In
    the beginning those who came after the freeze stand below all others, in the order of the full
    list: they are the first whose score is shown.

    Args:
        frozen, full: all rows in board order.
    """
    mixed = _Mixed(board, numbering, frozen)
    known = {row.player_id for row in frozen}
    new = [row for row in full if row.player_id not in known]
    shown = {row.player_id: row for row in full}
    steps = []
    for row in reversed(new):
        mixed.add(row)
        steps.append(Step(row.player_id, None, None, mixed.rank(row), row.columns, len(mixed)))
    for old in reversed(frozen):
        row = shown[old.player_id]
        before = mixed.rank(old)
        mixed.remove(old)
        mixed.add(row)
        steps.append(
            Step(row.player_id, before, old.columns, mixed.rank(row), row.columns, len(mixed))
        )
    return steps

"""Standings of one period: sort all lines, then count (R4, R8, R13-R15)."""

from collections.abc import Sequence
from typing import NamedTuple


class Line(NamedTuple):
    """A player's line."""

    player_id: str
    columns: tuple[int, ...]
    reached_at: int
    events: int


class Standings:
    """All lines of a period in order, and every question one can ask of them."""

    def __init__(self, lines: Sequence[Line], larger_is_better: Sequence[bool]) -> None:
        self._larger = larger_is_better

        def place(line: Line) -> tuple[list[int], int, bytes]:
            return self.goodness(line.columns), line.reached_at, line.player_id.encode()

        self.lines = sorted(lines, key=place)

    def only(self, player_ids: Sequence[str]) -> "Standings":
        """The standings of some of the players, as if nobody else were there."""
        return Standings(
            [line for line in self.lines if line.player_id in player_ids], self._larger
        )

    def fit(self) -> bool:
        """Whether every number can be held in 64 bits (R6)."""
        return all(-(2**63) <= n < 2**63 for line in self.lines for n in line.columns)

    def goodness(self, columns: Sequence[int]) -> list[int]:
        """Smaller is better; two scores compare as these lists do."""
        return [-c if down else c for c, down in zip(columns, self._larger, strict=False)]

    def find(self, player_id: str) -> int | None:
        """The player's place, counted from 0."""
        for index, line in enumerate(self.lines):
            if line.player_id == player_id:
                return index
        return None

    def rank_at(self, index: int, numbering: str) -> int:
        """The rank shown at a place: ordinal 1,2,3,4 - shared 1,2,2,4 - dense 1,2,2,3."""
        mine = self.lines[index].columns
        above = [line.columns for line in self.lines[:index] if line.columns != mine]
        if numbering == "ordinal":
            return index + 1
        return 1 + (len(above) if numbering == "shared" else len(set(above)))

    def rank(self, player_id: str, numbering: str) -> int | None:
        """The player's rank, or ``None``."""
        index = self.find(player_id)
        return None if index is None else self.rank_at(index, numbering)

    def rows(self, start: int, stop: int, numbering: str) -> list[tuple[int, Line]]:
        """The lines of some places with their ranks; places that are not there are left out."""
        return [
            (self.rank_at(index, numbering), self.lines[index])
            for index in range(max(start, 0), min(stop, len(self.lines)))
        ]

    def ranks(self, first: int, last: int, numbering: str) -> list[tuple[int, Line]]:
        """The lines whose shown rank lies in ``[first, last]``."""
        rows = self.rows(0, len(self.lines), numbering)
        return [(rank, line) for rank, line in rows if first <= rank <= last]

    def scores(self, low: int | None, high: int | None, numbering: str) -> list[tuple[int, Line]]:
        """The lines whose first column lies in ``[low, high]``."""
        rows = self.rows(0, len(self.lines), numbering)
        return [
            (rank, line)
            for rank, line in rows
            if (low is None or low <= line.columns[0]) and (high is None or line.columns[0] <= high)
        ]

    def around(self, player_id: str, n: int, numbering: str) -> list[tuple[int, Line]] | None:
        """The player with ``n`` above and ``n`` below, fewer at an edge."""
        index = self.find(player_id)
        return None if index is None else self.rows(index - n, index + n + 1, numbering)

    def around_size(
        self, player_id: str, size: int, numbering: str
    ) -> list[tuple[int, Line]] | None:
        """``size`` rows with the player as near the middle as the edges allow."""
        index = self.find(player_id)
        if index is None:
            return None
        above = (size - 1) // 2 if size % 2 == 1 else size // 2
        start = index - above
        while start + size > len(self.lines):
            start -= 1
        start = max(start, 0)
        return self.rows(start, start + size, numbering)

    def shared_rank(self, player_id: str) -> int | None:
        """What percentiles are counted from."""
        return self.rank(player_id, "shared")

    def would_be(self, columns: Sequence[int], numbering: str) -> int:
        """The rank of somebody who reaches ``columns`` now, after all who have them already; fewer
        columns than the board has are compared by alone.
        """
        width, mine = len(columns), self.goodness(columns)
        theirs = [self.goodness(line.columns) for line in self.lines]
        above = [each for each in theirs if each[:width] < mine]
        if numbering == "ordinal":
            return 1 + len([each for each in theirs if each[:width] <= mine])
        return 1 + (len(above) if numbering == "shared" else len({tuple(each) for each in above}))

"""Numbers that stand for boards' periods in the native decider."""

from typing import NamedTuple

from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.decide import EntryKey
from toprung.domain.errors import invariant

PERIODS_MAX = 250_000
"""So many periods and stretches are known at most: some 100 MB."""


class Stretch(NamedTuple):
    """Instants of a board that fall into the same periods: ``[low, high)``."""

    number: int
    low: int
    high: int
    slots: list[tuple[int, int | None, str]]
    """For each window that has a period then its number, the first arrival that is late there, and
    its key."""


class Numbers:
    """Gives numbers to periods and stretches, and tells what they stand for.

    A number is never used again, so that entries which are held under a forgotten one are not found
    any more.

    Attributes:
        keys: what the number of a period stands for.
        stretches: by the number of a stretch its board and the period of each window, those of
            which nothing is told last.
    """

    def __init__(self) -> None:
        self.keys: dict[int, EntryKey] = {}
        self.stretches: dict[int, tuple[int, tuple[Period, ...]]] = {}
        self._numbers: dict[EntryKey, int] = {}
        self._next = 0

    def is_full(self) -> bool:
        """Whether it is time to forget."""
        return len(self.keys) + len(self.stretches) > PERIODS_MAX

    def forget(self, but: list[int]) -> None:
        """Forget all stretches, and all periods but those of these numbers."""
        self.keys = {number: self.keys[number] for number in but}
        self._numbers = {key: number for number, key in self.keys.items()}
        self.stretches = {}

    def stretch(self, board: Board, at: int) -> Stretch:
        """The stretch of a board that holds an instant."""
        periods = tuple(board.parts_at(at))
        low, high = board.stretch_of(at, periods)
        invariant(low <= at < high, f"an event at {at}, where there is no time")
        number = self._take()
        self.stretches[number] = board.board_id, periods
        slots = [
            (self._period(board, period), board.closes_at(period), period.key) for period in periods
        ]
        return Stretch(number, low, high, slots)

    def _period(self, board: Board, period: Period) -> int:
        key = (board.board_id, period.window, period.key)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._take()
            self.keys[number] = key
        return number

    def number(self, key: EntryKey) -> int | None:
        """The number of a period; ``None``: it has none."""
        return self._numbers.get(key)

    def _take(self) -> int:
        self._next += 1
        return self._next

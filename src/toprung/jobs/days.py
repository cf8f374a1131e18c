"""Rolling windows go on when a local day is over (R5).

Which day it is follows from the arrival of the record: late or twice, after a long downtime or a
jump of the clock, each day is passed once and in order, and two processes do no harm.
"""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from toprung.domain.board import Board
from toprung.ports.catalog import Catalog
from toprung.ports.clock import Clock


class Days:
    """Looks on which boards with rolling windows a day is over.

    Args:
        roll: hands a board to the log; done when its windows have gone on.
    """

    def __init__(
        self, clock: Clock, catalog: Catalog, roll: Callable[[int], "Future[Any]"]
    ) -> None:
        self._clock = clock
        self._catalog = catalog
        self._roll = roll

    def look(self) -> None:
        """Have the windows of one board after the other go on; returns when all have.

        Raises:
            Trouble: not all could be written; the next look goes on.
        """
        now = self._clock.now()
        for board in self._catalog.all():
            if _is_over(board, now):
                self._roll(board.board_id).result()


def _is_over(board: Board, now: int) -> bool:
    day = board.state.day
    if day is None or not board.rolling:
        return False
    return next(iter(board.rolling.values())).part_at(now).key > day

"""When a period may be closed (R10)."""

from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.errors import InvalidInput


def period_to_close(board: Board, window: str, key: str, received_at: int) -> Period | None:
    """The period that a record closes which arrived at ``received_at``; ``None``: it still takes
    events.

    Raises:
        InvalidInput: the board has no such window, or the window no such period, or none that
            closes.
    """
    if window in board.rolling:
        raise InvalidInput("the periods of a rolling window are not closed", field="window")
    period = board.window(window).parse(key)
    closes_at = board.closes_at(period)
    return None if closes_at is None or received_at < closes_at else period

"""When a period may be closed (R10)."""

from toprung.domain.acts import Refused
from toprung.domain.board import Board
from toprung.domain.calendar import Period


def period_to_close(board: Board, window: str, key: str, received_at: int) -> Period:
    """The period that a record closes which arrived at ``received_at``.

    Raises:
        InvalidInput: the board has no such window, or the window no such period.
        Refused: ``period_open``: it still takes events.
    """
    period = board.window(window).parse(key)
    closes_at = board.closes_at(period)
    if closes_at is None or received_at < closes_at:
        raise Refused("period_open", f"the period {key!r} still takes events", "period")
    return period

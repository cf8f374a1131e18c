"""What is asked of an event before it is decided: whether its player may take part (R23), and
whether it is plausible.

An id that was counted before is no concern of these: it is a duplicate or a conflict (R2).
"""

from collections.abc import Mapping

from toprung.domain.board import Board
from toprung.domain.decide import Decision, Slot, refused_by_time
from toprung.domain.eligibility import refused_by
from toprung.domain.limits import QUARANTINE
from toprung.domain.outcomes import Outcome
from toprung.domain.plausible import Breach
from toprung.domain.records import Event

_NOT_ON_THE_BOARD = Decision(
    Outcome.INELIGIBLE,
    field="update_only",
    message="the player is not on the board, and the event is for players who are",
)


def why_ineligible(
    board: Board, event: Event, attributes: Mapping[str, str], *, is_on_board: bool
) -> Decision | None:
    """Why the player may not take part; ``None``: may.

    Args:
        attributes: of the player for whom the event counts, as they were when it came.
        is_on_board: whether that player has an entry in any period of the board; asked of events
            that say ``update_only``.
    """
    if event.update_only and not is_on_board:
        return _NOT_ON_THE_BOARD
    attribute = refused_by(board.settings.admit, attributes)
    if attribute is None:
        return None
    return Decision(
        Outcome.INELIGIBLE,
        field="player_id",
        message=f"the board admits players by their attribute {attribute!r}, and not this one",
    )


def implausible(breach: Breach, *, is_held: bool) -> Decision:
    """What becomes of an event that breaks a limit.

    Args:
        is_held: whether it waits in quarantine.
    """
    where = "; it waits in quarantine" if is_held else ""
    return Decision(Outcome.IMPLAUSIBLE, field=breach.field, message=f"{breach.message}{where}")


def may_be_held(board: Board, event: Event, received_at: int, waiting: int) -> bool:
    """Whether an event that breaks a limit waits in quarantine: one that could not count when it is
    approved does not, nor one more than so many.

    Args:
        waiting: how many of the board wait.
    """
    if board.settings.limits.on_breach != "quarantine" or waiting >= QUARANTINE.maximum:
        return False
    slots = [Slot(board, period) for period in board.parts_at(event.at)]
    return refused_by_time(board, event, slots, received_at)[0] is None

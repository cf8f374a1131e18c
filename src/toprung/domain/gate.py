"""What is asked of an event before it is decided: whether its player may take part (R23), and
whether it is plausible.

An id that was counted before is no concern of these: it is a duplicate or a conflict (R2).
"""

from collections.abc import Mapping

from toprung.domain.board import Board
from toprung.domain.decide import Decision
from toprung.domain.eligibility import refused_by
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


def implausible(breach: Breach) -> Decision:
    """What becomes of an event that breaks a limit."""
    return Decision(Outcome.IMPLAUSIBLE, field=breach.field, message=breach.message)

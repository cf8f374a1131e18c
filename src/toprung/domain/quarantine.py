"""Events that broke a limit and wait for somebody to look at them: their ids are spent."""

from typing import Literal

import msgspec

from toprung.domain.acts import Refused
from toprung.domain.board import Board
from toprung.domain.decide import EntryKey, Seen, Slot, refused_by_time
from toprung.domain.errors import InvalidInput
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Judged


class Held(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of an event in quarantine.

    Attributes:
        seq: where the event stands in the log.
        reason: the limit that it breaks.
        is_rejected: whether somebody looked, and it shall not count.
    """

    seq: int
    reason: str
    is_rejected: bool = False


HeldLine = tuple[int, str, Held]
"""Board, event id and what is kept."""


class JudgeChange(msgspec.Struct, frozen=True):
    """What became of an event in quarantine."""

    result: Literal["approved", "rejected", "unchanged"]
    board: Board
    touched: tuple[EntryKey, ...] = ()
    """The periods that hold another entry than before."""


def approve(board: Board, act: Judged, seq: int) -> Seen:
    """What is kept of an event that counts from the record ``seq`` on: as late as its own arrival
    was, by the rules of now.

    Raises:
        InvalidInput: the board's columns changed meanwhile.
        Refused: ``late`` or ``early``, where no window would have taken it.
    """
    if board.points_now(act.points, act.revision) is None:
        raise InvalidInput("the board's columns changed meanwhile", field="points")
    slots = [Slot(board, period) for period in board.parts_at(act.at)]
    refusal, late = refused_by_time(board, act, slots, act.arrived_at)
    if refusal is not None:
        raise Refused(refusal.outcome.value, refusal.message or "", refusal.field)
    return Seen(
        seq,
        Outcome.COUNTED.value,
        act.player_id,
        act.points,
        act.revision,
        act.at,
        act.at_given,
        act.arrived_at,
        late=late,
    )

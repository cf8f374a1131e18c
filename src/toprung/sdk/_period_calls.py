"""The operations on periods of a board; see ``Calls``."""

from dataclasses import dataclass

from toprung.sdk._asking import Asking
from toprung.sdk._exchange import Exchange
from toprung.wire.periods import ScheduleReply


@dataclass(frozen=True, slots=True)
class PeriodCalls(Asking):
    """What can be asked about the periods of a board."""

    def schedule(
        self, board: str, *, count: int = 10, window: str | None = None
    ) -> Exchange[ScheduleReply]:
        """The next ``count`` boundaries (1 to 366) of each window of a board, or of one: where a
        period ends and the next begins, in UTC and by the clock of the board's zone.

        Raises ``NotFound`` for an unknown board, ``InvalidRequest`` for a window it does not have.
        """
        query = {"next": count, "window": window}
        return self._read(ScheduleReply, query, "boards", board, "schedule")

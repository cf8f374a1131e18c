"""Ending bans whose end has come (R9).

A ban is over by a record, as everything that changes a board: late or twice, it ends what is over
and leaves everything else alone.
"""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from toprung.ports.clock import Clock
from toprung.ports.players import Players


class Bans:
    """Looks which bans are over.

    Args:
        end: hands a player of a project to the log; done when the ban was ended.
    """

    def __init__(
        self, clock: Clock, players: Players, end: Callable[[str, str], "Future[Any]"]
    ) -> None:
        self._clock = clock
        self._players = players
        self._end = end

    def look(self) -> None:
        """End what is over, the earliest first; returns when all is ended.

        Raises:
            Trouble: not all could be written; the next look goes on.
        """
        now = self._clock.now()
        due = [(until, who) for who, until in self._players.ends() if until <= now]
        for ended in [self._end(*who) for _, who in sorted(due)]:
            ended.result()

"""Seasons that begin by a schedule (R5).

The next one is always told ahead, so that it is known and events divide at its very instant,
whenever this runs. What fired while nobody looked is told afterwards, in order; ids make each begin
once.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import islice
from typing import Any

from toprung.domain.board import BoardState
from toprung.domain.calendar import SCHEDULED, SeasonSchedule
from toprung.domain.cron import occurrences
from toprung.domain.instants import to_datetime
from toprung.domain.limits import SEASONS
from toprung.ports.catalog import Catalog
from toprung.ports.clock import Clock

TOGETHER = 100
"""Seasons of a board that are told in one look."""

Begin = Callable[[str, str, str, None, int], "Future[Any]"]
"""Tells a season: project, board, id, name and instant."""


class ScheduledSeasons:
    """Looks which seasons begin by a schedule.

    Args:
        begin: hands a season to the log; done when it is told.
    """

    def __init__(self, clock: Clock, catalog: Catalog, begin: Begin) -> None:
        self._clock = clock
        self._catalog = catalog
        self._begin = begin

    def look(self) -> None:
        """Tell what has begun since the last look, and the next one.

        Raises:
            Trouble: not all could be written; the next look goes on.
        """
        now = self._clock.now()
        for board in self._catalog.all():
            state = board.state
            if state.schedule is not None and "season" in state.settings.windows:
                room = SEASONS.maximum - len(state.seasons)
                for at in islice(_due(state, state.schedule, now), min(TOGETHER, max(room, 0))):
                    self._begin(state.project, state.name, season_id(at), None, at).result()


def season_id(at: int) -> str:
    """The id of the reset that a schedule makes at an instant."""
    return f"{SCHEDULED}{to_datetime(at):%Y%m%dt%H%M%Sz}"


def _due(state: BoardState, schedule: SeasonSchedule, now: int) -> Iterator[int]:
    """The instants at which seasons begin that are not told yet: up to now, and the first after."""
    told = [season.at for season in state.seasons if season.id.startswith(SCHEDULED)]
    last = max([schedule.since, *told])
    if last > now:
        return
    for at in occurrences(schedule.cron, schedule.zone, last):
        if not _is_taken(state, at):
            yield at
        if at > now:
            return


def _is_taken(state: BoardState, at: int) -> bool:
    """Whether another season begins then, or runs by plan."""
    return any(
        other.at == at or (other.ends_at is not None and other.at < at < other.ends_at)
        for other in state.seasons
    )

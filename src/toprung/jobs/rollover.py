"""Closing periods whose end and grace have passed (R10).

Lateness hangs on the arrivals in the log, never on when this runs: late or twice, after a long
downtime or a jump of the clock, it only makes snapshots later. A period that is closed already is
left alone by the updater, so two processes do no harm.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from toprung.domain.decide import EntryKey
from toprung.ports.clock import Clock
from toprung.ports.periods import KnownPeriod, PeriodBook

TOGETHER = 500
"""Periods that are closed in one step."""


class Rollover:
    """Looks which periods are to be closed.

    Args:
        close: hands periods to the log; done when they were closed.
    """

    def __init__(
        self,
        clock: Clock,
        book: PeriodBook,
        close: Callable[[Sequence[EntryKey]], "Future[Any]"],
    ) -> None:
        self._clock = clock
        self._book = book
        self._close = close
        self._looked_at: int | None = None

    def look(self) -> None:
        """Close what is due, the earliest first; returns when all is closed.

        Raises:
            Trouble: not all could be written; the next look goes on.
        """
        due = self._due()
        for start in range(0, len(due), TOGETHER):
            self._close(due[start : start + TOGETHER]).result()

    def _due(self) -> list[EntryKey]:
        now, touched = self._clock.now(), self._book.take_touched()
        due = [
            (known.closes_at, key)
            for key, known in self._book.all()
            if self._is_due(known, now, moves=key in touched)
        ]
        self._looked_at = now
        return [key for _, key in sorted(due)]

    def _is_due(self, known: KnownPeriod, now: int, *, moves: bool) -> bool:
        if known.closes_at is None or now < known.closes_at or not known.wants_snapshot:
            return False
        # History that is being imported: one snapshot when it comes to rest, not one a second.
        was_due = self._looked_at is not None and known.closes_at <= self._looked_at
        return not (moves and was_due)

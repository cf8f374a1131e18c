"""The periods of a board, and what became of them."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from toprung.domain.board import Board
from toprung.domain.calendar import Period, Window
from toprung.domain.decide import EntryKey
from toprung.domain.errors import InvalidInput
from toprung.domain.limits import PERIOD_ROWS
from toprung.domain.snapshots import Snapshot
from toprung.ports.catalog import Catalog
from toprung.ports.clock import Clock
from toprung.ports.periods import KnownPeriod
from toprung.query.withholding import Withheld, withheld_of

State = Literal["open", "closing", "closed"]


class PeriodTold(NamedTuple):
    """A period with its state and its snapshots."""

    period: Period
    state: State
    """``closing``: it takes nothing more, and its standings are not kept yet as they are now."""
    closes_at: int | None
    versions: list[Snapshot]
    """Those that are complete, the first one first."""
    withheld: Withheld | None = None
    """What the public is not shown of it."""


class Periods:
    """Answers about periods, as the clock and the records so far have it.

    Args:
        snapshots: all versions of a period's snapshot, the first one first.
    """

    def __init__(
        self, catalog: Catalog, clock: Clock, snapshots: Callable[[EntryKey], list[Snapshot]]
    ) -> None:
        self._book = catalog.periods
        self._clock = clock
        self._snapshots = snapshots

    def one(
        self, board: Board, period: Period, frozen_at: int | None = None, *, full: bool = False
    ) -> PeriodTold:
        """What became of a period; nobody need ever have been on it.

        Args:
            frozen_at: final standings with events from then on are not told of (R18).
            full: whether final standings of which ranks are withheld are told of.
        """
        key = (board.board_id, period.window, period.key)
        # Readers see the present period of a rolling window alone: another takes its place.
        closes_at = None if period.window in board.rolling else board.closes_at(period)
        state = _state(self._clock.now(), closes_at, self._book.get(key))
        is_shown = frozen_at is None or (period.end is not None and period.end <= frozen_at)
        withheld = None if full else withheld_of(board, period, self._clock.now())
        is_shown = is_shown and withheld is None
        found = [each for each in self._snapshots(key) if is_shown and _is_there(each)]
        return PeriodTold(period, state, closes_at, found, withheld)

    def all(
        self,
        board: Board,
        window: Window,
        limit: int,
        before: str | None,
        frozen_at: int | None = None,
        *,
        full: bool = False,
    ) -> tuple[list[PeriodTold], str | None]:
        """The present period of a window and all that anybody ever was on, the latest first.

        Args:
            before: the key of a period: only earlier ones are told.
            frozen_at: nor that somebody was on a period that begins then or later (R18).
            full: as in :meth:`one`.

        Returns:
            The periods, and the key of the last of them where there are earlier ones.
        """
        PERIOD_ROWS.check(limit, "limit")
        found = {
            period.key: period
            for period in self._known(board, window)
            if frozen_at is None or period.start is None or period.start < frozen_at
        }
        present = board.period_now(window.window, self._clock.now())
        found[present.key] = present
        periods = sorted(found.values(), key=_start, reverse=True)
        if before is not None:
            bound = _start(_bound(window, before))
            periods = [period for period in periods if _start(period) < bound]
        told = [self.one(board, period, frozen_at, full=full) for period in periods[:limit]]
        return told, told[-1].period.key if len(periods) > limit else None

    def _known(self, board: Board, window: Window) -> list[Period]:
        periods = []
        for key, _ in self._book.of_window(board.board_id, window.window):
            try:
                periods.append(window.parse(key))
            except InvalidInput:
                continue  # of another calendar, which the board had once
        return periods


def _is_there(snapshot: Snapshot) -> bool:
    return snapshot.is_complete and not snapshot.is_taken_back


def _bound(window: Window, before: str) -> Period:
    try:
        return window.parse(before)
    except InvalidInput as error:
        raise InvalidInput(error.message, field="before", hint=error.hint) from None


def _state(now: int, closes_at: int | None, known: KnownPeriod | None) -> State:
    if closes_at is None or now < closes_at:
        return "open"
    if known is not None and (known.wants_snapshot or known.is_closing):
        return "closing"
    return "closed"


def _start(period: Period) -> tuple[bool, int]:
    return period.start is not None, period.start or 0

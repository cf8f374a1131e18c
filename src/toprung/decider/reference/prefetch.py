"""What a run of events needs: which periods it falls into, and of which players."""

from collections.abc import Mapping, Sequence

from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.decide import EntryKey, Slot, Working
from toprung.domain.records import Event


class _Stretch:
    """Events of one board that fall into the same periods."""

    def __init__(self, slots: list[Slot], bounds: tuple[int, int]) -> None:
        self.slots = slots
        self.players: set[str] = set()
        self.low, self.high = bounds


class Plan:
    """Which periods the events of one board need, and of which players."""

    def __init__(self, working: Working, board: Board) -> None:
        self.event_ids: list[str] = []
        self.stretches: dict[tuple[Period, ...], _Stretch] = {}
        self._working = working
        self._board = board
        self._recent: _Stretch | None = None

    def add(self, event: Event) -> list[Slot]:
        """For each window the slot of the period that holds the event, and last the slots of which
        nothing is told.
        """
        self.event_ids.append(event.event_id)
        stretch = self._recent
        if stretch is None or not stretch.low <= event.at < stretch.high:
            stretch = self._recent = self._stretch_at(event.at)
        stretch.players.add(event.player_id)
        return stretch.slots

    def players(self) -> dict[EntryKey, set[str]]:
        """The players that are met in each period."""
        found: dict[EntryKey, set[str]] = {}
        for stretch in self.stretches.values():
            for slot in stretch.slots:
                found.setdefault(slot.key, set()).update(stretch.players)
        return found

    def _stretch_at(self, at: int) -> _Stretch:
        periods = tuple(self._board.parts_at(at))
        found = self.stretches.get(periods)
        if found is None:
            slots = [self._working.slot(self._board, period) for period in periods]
            bounds = self._board.stretch_of(at, periods)
            found = self.stretches[periods] = _Stretch(slots, bounds)
        return found


def plan_run(
    working: Working, events: Sequence[Event], boards: Mapping[int, Board | None]
) -> tuple[dict[int, Plan], list[list[Slot]]]:
    """The plan of each board that is there, and the slots of each event."""
    plans = {i: Plan(working, board) for i, board in boards.items() if board is not None}
    slots: list[list[Slot]] = []
    for event in events:
        plan = plans.get(event.board_id)
        slots.append([] if plan is None else plan.add(event))
    return plans, slots

"""A run of events: prefetch what they need, decide them in order, say what changed."""

from collections.abc import Mapping, Sequence

import msgspec

from toprung.domain.board import Board, BoardState
from toprung.domain.calendar import Period
from toprung.domain.decide import Decision, EntryKey, Slot, Working, decide_event
from toprung.domain.instants import INSTANT_MAX, INSTANT_MIN
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.ports.store import Changes, ScoreStore

LoggedEvent = tuple[int, int, Event, bool]
"""``seq``, arrival, the event, and whether ranks are asked for."""

_UNKNOWN = Decision(
    Outcome.UNKNOWN_BOARD, field="board", message="the board was dropped before the event came"
)


def decide_run(
    rows: Sequence[LoggedEvent],
    boards: Mapping[int, Board | None],
    states: Mapping[int, BoardState],
    store: ScoreStore,
) -> tuple[list[Decision], Changes]:
    """The decisions of consecutive events, and what they change.

    Args:
        boards: the boards of the events by id; ``None`` for one that is no longer there.
        states: their present states.
    """
    working, planned = _prefetch(rows, boards, store)
    decisions = []
    for (seq, received_at, event, _), slots in zip(rows, planned, strict=True):
        board = boards[event.board_id]
        if board is None:
            decisions.append(_UNKNOWN)
            continue
        decisions.append(decide_event(working, board, event, slots, seq, received_at))
    return decisions, _changes(working, states, rows[-1][0])


class _Stretch:
    """Events of one board that fall into the same periods."""

    def __init__(self, slots: list[Slot]) -> None:
        self.slots = slots
        self.players: set[str] = set()
        starts = [slot.period.start for slot in slots]
        ends = [slot.period.end for slot in slots]
        self.low = max([INSTANT_MIN if start is None else start for start in starts])
        self.high = min([INSTANT_MAX + 1 if end is None else end for end in ends])


class _Plan:
    """Which periods the events of one board need, and of which players."""

    def __init__(self, working: Working, board: Board) -> None:
        self.event_ids: list[str] = []
        self.stretches: dict[tuple[Period, ...], _Stretch] = {}
        self._working = working
        self._board = board
        self._recent: _Stretch | None = None

    def add(self, event: Event) -> list[Slot]:
        """For each window the slot of the period that holds the event."""
        self.event_ids.append(event.event_id)
        stretch = self._recent
        if stretch is None or not stretch.low <= event.at < stretch.high:
            stretch = self._recent = self._stretch_at(event.at)
        stretch.players.add(event.player_id)
        return stretch.slots

    def _stretch_at(self, at: int) -> _Stretch:
        periods = tuple(self._board.periods_at(at))
        found = self.stretches.get(periods)
        if found is None:
            slots = [self._working.slot(self._board, period) for period in periods]
            found = self.stretches[periods] = _Stretch(slots)
        return found


def _prefetch(
    rows: Sequence[LoggedEvent], boards: Mapping[int, Board | None], store: ScoreStore
) -> tuple[Working, list[list[Slot]]]:
    working = Working()
    plans = {i: _Plan(working, board) for i, board in boards.items() if board is not None}
    planned: list[list[Slot]] = []
    for _, _, event, _ in rows:
        plan = plans.get(event.board_id)
        planned.append([] if plan is None else plan.add(event))
    for board_id, plan in plans.items():
        for event_id, seen in store.seen(board_id, plan.event_ids).items():
            working.seen[board_id, event_id] = seen
        players: dict[EntryKey, set[str]] = {}
        for stretch in plan.stretches.values():
            for slot in stretch.slots:
                players.setdefault(slot.key, set()).update(stretch.players)
        for key, wanted in players.items():
            working.slots[key].entries = store.entries(key, list(wanted))
    return working, planned


def _changes(working: Working, states: Mapping[int, BoardState], seq: int) -> Changes:
    changes = Changes(seq, seen=working.new_seen)
    for key, slot in working.slots.items():
        if slot.touched:
            entries = slot.entries
            changes.entries[key] = {player: entries[player] for player in slot.touched}
            changes.periods[key] = slot.period
    for board_id, latest_at in working.latest_at.items():
        state = states[board_id]
        if state.latest_at is None or latest_at > state.latest_at:
            changes.boards[board_id] = msgspec.structs.replace(state, latest_at=latest_at)
    return changes

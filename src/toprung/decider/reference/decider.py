"""A decider of plain dictionaries."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from toprung.decider.reference.prefetch import Plan, plan_run
from toprung.domain.board import Board
from toprung.domain.decide import (
    Decision,
    EntryKey,
    Slot,
    Working,
    decide_event,
    redo_event,
)
from toprung.domain.entries import Entry
from toprung.domain.keeping import SeenLine, seen_blocks
from toprung.domain.outcomes import Outcome
from toprung.domain.records import UNREADABLE, Event, decode_event
from toprung.ports.decider import BoardOf, Decided
from toprung.ports.log import damaged_record
from toprung.ports.moves import Move, moves_of
from toprung.ports.pipeline import Arrived
from toprung.ports.store import ScoreStore

_UNKNOWN = Decision(
    Outcome.UNKNOWN_BOARD, field="board", message="the board was dropped before the event came"
)


class _Unwritten(NamedTuple):
    """An entry that the store does not have, and the first event that it lacks."""

    entry: Entry
    since: int


class ReferenceDecider:
    """A :class:`~toprung.ports.decider.Decider` that calls the domain for each event."""

    def __init__(self, store: ScoreStore) -> None:
        self._store = store
        # In the order in which they began to wait: replacing a value keeps its place.
        self._unwritten: dict[tuple[EntryKey, str], _Unwritten] = {}
        self._taken: list[tuple[EntryKey, str]] = []

    def decide(
        self, first: int, rows: Sequence[Arrived], board_of: BoardOf, *, told: bool
    ) -> Decided:
        """See the port."""
        events = [_event(seq, row) for seq, row in enumerate(rows, first)]
        boards = {board_id: board_of(board_id) for board_id in {e.board_id for e in events}}
        working = Working()
        plans, planned = plan_run(working, events, boards)
        self._fetch_seen(working, plans)
        self._fetch_entries(working, plans)
        decisions = []
        for seq, (row, event, slots) in enumerate(zip(rows, events, planned, strict=True), first):
            board = boards[event.board_id]
            decisions.append(
                _UNKNOWN
                if board is None
                else decide_event(working, board, event, slots, seq, row.received_at)
            )
        self._hold(working, first)
        lines = [(*identity, seen) for identity, seen in working.new_seen.items()]
        lines.sort(key=lambda line: line[2].seq)
        moves: list[Move] = []
        moved = [
            _add_moves(moves, boards[event.board_id], event.player_id, decision, row.ranked)
            for row, event, decision in zip(rows, events, decisions, strict=True)
        ]
        return Decided(decisions, seen_blocks(lines), moves_of(moves), moved, working.latest_at)

    def redo(
        self, first: int, rows: Sequence[Arrived], board_of: BoardOf, kept: Sequence[SeenLine]
    ) -> Decided:
        """See the port."""
        events = [_event(seq, row) for seq, row in enumerate(rows, first)]
        boards = {board_id: board_of(board_id) for board_id in {e.board_id for e in events}}
        working = Working()
        plans, planned = plan_run(working, events, boards)
        self._fetch_entries(working, plans)
        seen = {line[2].seq: line[2] for line in kept}
        for seq, (event, slots) in enumerate(zip(events, planned, strict=True), first):
            board = boards[event.board_id]
            if board is not None and seq in seen:
                redo_event(working, board, event, slots, seen[seq])
        self._hold(working, first)
        moves = [
            Move(key, player, slot.entries[player].columns, slot.entries[player].reached_at, None)
            for key, slot in working.slots.items()
            for player in slot.touched
        ]
        return Decided((), (), moves_of(moves), (), working.latest_at)

    def _fetch_seen(self, working: Working, plans: Mapping[int, Plan]) -> None:
        for board_id, plan in plans.items():
            for event_id, seen in self._store.seen(board_id, plan.event_ids).items():
                working.seen[board_id, event_id] = seen

    def _fetch_entries(self, working: Working, plans: Mapping[int, Plan]) -> None:
        for plan in plans.values():
            for key, players in plan.players().items():
                self._fetch_slot(working.slots[key], players)

    def _fetch_slot(self, slot: Slot, players: set[str]) -> None:
        missing = []
        for player in players:
            held = self._unwritten.get((slot.key, player))
            if held is None:
                missing.append(player)
            else:
                slot.entries[player] = held.entry
        slot.entries |= self._store.entries(slot.key, missing)

    def _hold(self, working: Working, first: int) -> None:
        for key, slot in working.slots.items():
            for player in slot.touched:
                held = self._unwritten.get((key, player))
                since = first if held is None else held.since
                self._unwritten[key, player] = _Unwritten(slot.entries[player], since)

    @property
    def unwritten(self) -> int:
        """See the port."""
        return len(self._unwritten)

    @property
    def oldest(self) -> int | None:
        """See the port."""
        for held in self._unwritten.values():
            return held.since
        return None

    def take(self, limit: int) -> dict[EntryKey, dict[str, Entry]]:
        """See the port."""
        self._taken = list(islice(self._unwritten, limit))
        found: dict[EntryKey, dict[str, Entry]] = {}
        for key, player in self._taken:
            found.setdefault(key, {})[player] = self._unwritten[key, player].entry
        return found

    def written(self) -> None:
        """See the port."""
        for place in self._taken:
            del self._unwritten[place]
        self._taken = []


def _event(seq: int, row: Arrived) -> Event:
    if isinstance(row.record, Event):
        return row.record
    try:
        return decode_event(row.body)
    except UNREADABLE as error:
        raise damaged_record(seq, error) from error


def _add_moves(
    moves: list[Move], board: Board | None, player_id: str, decision: Decision, ranked: bool
) -> int:
    """Add what an event moves; how much that is."""
    if board is None:
        return 0
    before = len(moves)
    for step in decision.steps:
        after, period = step.after, step.period
        if after is None or (not ranked and after.same_standing(step.before)):
            continue
        key = (board.board_id, period.window, period.key)
        numbering = board.numbering if ranked else None
        moves.append(Move(key, player_id, after.columns, after.reached_at, numbering))
    return len(moves) - before

"""A decider of plain dictionaries."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from toprung.decider.reference.prefetch import Plan, plan_run
from toprung.domain.board import Board
from toprung.domain.decide import (
    UNKNOWN_BOARD,
    Decision,
    EntryKey,
    Working,
    decide_event,
    redo_event,
)
from toprung.domain.entries import Entry
from toprung.domain.keeping import SeenLine, seen_blocks
from toprung.domain.records import UNREADABLE, Event, decode_event
from toprung.ports.decider import BoardOf, Decided
from toprung.ports.log import damaged_record
from toprung.ports.moves import Move, moves_of
from toprung.ports.packed import PackedEntries, pack_entries
from toprung.ports.pipeline import Arrived
from toprung.ports.store import ScoreStore

_Place = tuple[EntryKey, str]


def _in_the_table(place: _Place) -> tuple[int, bytes, EntryKey]:
    """Where an entry stands in the store's table: by board, player and period."""
    key, player = place
    return key[0], player.encode(), key


class ReferenceDecider:
    """A :class:`~toprung.ports.decider.Decider` that calls the domain for each event."""

    def __init__(self, store: ScoreStore) -> None:
        self._store = store
        self._unwritten: dict[_Place, Entry] = {}
        # The running sweep in order, how much of it is written, and the first event that the store
        # lacks of it.
        self._sweep: list[_Place] = []
        self._done = 0
        self._since = 0
        self._given: list[_Place] = []
        self._to_come: set[_Place] = set()
        # What the next sweep has, each with the first event that the store lacks.
        self._next: dict[_Place, int] = {}

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
                UNKNOWN_BOARD
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
        moves += _moves(working, working.untold)
        told_decisions = decisions if told else []
        return Decided(
            told_decisions, seen_blocks(lines), moves_of(moves), moved, working.latest_at, boards
        )

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
        touched = [(key, player) for key, slot in working.slots.items() for player in slot.touched]
        moves = moves_of(_moves(working, touched))
        return Decided((), (), moves, (), working.latest_at, boards)

    def _fetch_seen(self, working: Working, plans: Mapping[int, Plan]) -> None:
        for board_id, plan in plans.items():
            for event_id, seen in self._store.seen(board_id, plan.event_ids).items():
                working.seen[board_id, event_id] = seen

    def _fetch_entries(self, working: Working, plans: Mapping[int, Plan]) -> None:
        missing: dict[EntryKey, list[str]] = {}
        for plan in plans.values():
            for key, players in plan.players().items():
                for player in players:
                    held = self._unwritten.get((key, player))
                    if held is None:
                        missing.setdefault(key, []).append(player)
                    else:
                        working.slots[key].entries[player] = held
        for key, entries in self._store.entries(missing).by_key().items():
            working.slots[key].entries |= entries

    def _hold(self, working: Working, first: int) -> None:
        for key, slot in working.slots.items():
            for player in slot.touched:
                place = key, player
                self._unwritten[place] = slot.entries[player]
                if place not in self._to_come:
                    self._next.setdefault(place, first)

    @property
    def unwritten(self) -> int:
        """See the port."""
        return len(self._sweep) - self._done + len(self._next)

    @property
    def oldest(self) -> int | None:
        """See the port."""
        return self._since if self._sweep else next(iter(self._next.values()), None)

    @property
    def sweep(self) -> int:
        """See the port."""
        return len(self._sweep or self._next)

    def take(self, limit: int) -> list[PackedEntries]:
        """See the port."""
        self._to_come.update(self._given)
        if limit and self._next and (not self._sweep or limit >= self.unwritten):
            self._begin_sweep()
        self._given = self._sweep[self._done : self._done + limit]
        self._to_come.difference_update(self._given)
        numbers = {key: self._store.period_number(key) for key in {key for key, _ in self._given}}
        boards: dict[int, dict[str, dict[int, Entry]]] = {}
        for key, player in self._given:
            entries = boards.setdefault(key[0], {}).setdefault(player, {})
            entries[numbers[key]] = self._unwritten[key, player]
        return [pack_entries(board_id, players) for board_id, players in boards.items()]

    def _begin_sweep(self) -> None:
        self._since = self.oldest or 0
        self._to_come.update(self._next)
        self._sweep = sorted(self._to_come, key=_in_the_table)
        self._done = 0
        self._next = {}

    def waiting(self) -> dict[EntryKey, dict[str, Entry]]:
        """See the port."""
        found: dict[EntryKey, dict[str, Entry]] = {}
        for (key, player), entry in self._unwritten.items():
            found.setdefault(key, {})[player] = entry
        return found

    def held(self, wanted: Mapping[EntryKey, Collection[str]]) -> dict[EntryKey, dict[str, Entry]]:
        """See the port."""
        return {
            key: {
                player: self._unwritten[key, player]
                for player in players
                if (key, player) in self._unwritten
            }
            for key, players in wanted.items()
        }

    def written(self) -> None:
        """See the port."""
        for place in self._given:
            if place not in self._next:
                del self._unwritten[place]
        self._done += len(self._given)
        self._given = []
        if self._done == len(self._sweep):
            self._sweep, self._done = [], 0

    def forget(self, board_id: int, player_ids: Sequence[str] | None = None) -> None:
        """See the port. Nothing is held but what waits."""


def _event(seq: int, row: Arrived) -> Event:
    if isinstance(row.record, Event):
        return row.record
    try:
        return decode_event(row.body)
    except UNREADABLE as error:
        raise damaged_record(seq, error) from error


def _moves(working: Working, places: Iterable[_Place]) -> Iterator[Move]:
    """Where entries stand now; nobody asks for the ranks."""
    for key, player in places:
        entry = working.slots[key].entries[player]
        yield Move(key, player, entry.columns, entry.reached_at, None)


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

"""A run of events on its way: it is decided part by part, where some are not for the decider."""

from collections.abc import Callable, Sequence

from toprung.domain.board import Board
from toprung.domain.decide import Decision, Working, keep_refused
from toprung.domain.keeping import seen_blocks
from toprung.domain.quarantine import HeldLine
from toprung.domain.records import UNREADABLE, Event, decode_event
from toprung.ports.catalog import Catalog
from toprung.ports.decider import Decided, Decider
from toprung.ports.log import damaged_record
from toprung.ports.moves import Moves, moves_of
from toprung.ports.pipeline import Arrived
from toprung.ports.store import ScoreStore


class Parts:
    """Consecutive events, of which the first ones are decided, and kept.

    Args:
        settle: has everything written that was decided, also the parts that it is given.
        first: the ``seq`` of the first event.
        told: whether decisions shall be given.
    """

    def __init__(
        self,
        decider: Decider,
        store: ScoreStore,
        catalog: Catalog,
        settle: Callable[[Sequence[Decided]], None],
        first: int,
        rows: Sequence[Arrived],
        *,
        told: bool,
    ) -> None:
        self._decider = decider
        self._store = store
        self._catalog = catalog
        self._settle = settle
        self._first = first
        self._rows = rows
        self._told = told
        self._parts: list[Decided] = []
        self._next = 0
        # What was refused last, in a row: it is kept together.
        self._refusals: list[Decision] = []
        self._working = Working()
        self._held: list[HeldLine] = []
        self._boards: dict[int, Board | None] = {}

    def place(self, place: int) -> tuple[int, int]:
        """The ``seq`` and the arrival of the event at ``place``."""
        return self._first + place, self._rows[place].received_at

    def decide_to(self, place: int) -> None:
        """Have everything before ``place`` decided and kept."""
        self._keep_refused()
        if self._next < place:
            # A run that is whole is handed on as it is: it may be one buffer.
            is_whole = place - self._next == len(self._rows)
            rows = self._rows if is_whole else self._rows[self._next : place]
            seq, board_of = self._first + self._next, self._catalog.by_id
            self._add(self._decider.decide(seq, rows, board_of, told=self._told))
            self._next = place

    def take(self, decided: Decided) -> None:
        """This became of the next event."""
        self._add(decided)
        self._next += 1

    def refuse(self, place: int, board: Board, event: Event, refusal: Decision) -> None:
        """The event at ``place`` is refused."""
        if self._next < place:
            self.decide_to(place)
        seq, received_at = self._first + place, self._rows[place].received_at
        self._refusals.append(keep_refused(self._working, board, event, seq, received_at, refusal))
        self._boards[board.board_id] = board
        self._next = place + 1

    def hold(self, line: HeldLine) -> None:
        """The event that was refused last waits in quarantine."""
        self._held.append(line)

    def answer(self, place: int, board: Board, decision: Decision) -> None:
        """The event at ``place`` is answered, and nothing is kept of it."""
        if self._next < place:
            self.decide_to(place)
        self._refusals.append(decision)
        self._boards[board.board_id] = board
        self._next = place + 1

    def written(self, place: int) -> None:
        """Have everything before ``place`` decided, and written."""
        self.decide_to(place)
        if self._decider.unwritten:
            self._settle(self._parts)

    def end(self) -> Decided:
        """What became of all events."""
        self.decide_to(len(self._rows))
        return self._parts[0] if len(self._parts) == 1 else joined(self._parts, told=self._told)

    def _keep_refused(self) -> None:
        if not self._refusals:
            return
        lines = [(*identity, seen) for identity, seen in self._working.new_seen.items()]
        decisions, boards = self._refusals, self._boards
        moved = [0] * len(decisions)
        self._store.hold(self._held)
        self._refusals, self._working, self._boards, self._held = [], Working(), {}, []
        self._add(Decided(decisions, seen_blocks(lines), moves_of(()), moved, {}, boards))

    def _add(self, part: Decided) -> None:
        self._store.keep(part.seen)
        self._parts.append(part)


def event_of(seq: int, row: Arrived) -> Event:
    """The event of a row.

    Raises:
        Trouble: ``storage_corrupt``, it is none.
    """
    if isinstance(row.record, Event):
        return row.record
    try:
        return decode_event(row.body)
    except UNREADABLE as error:
        raise damaged_record(seq, error) from error


def _moves(parts: Sequence[Decided]) -> Moves:
    """The moves of all events, and behind them, as in each part, those that are of no event."""
    found = [(list(part.moves), sum(part.moved)) for part in parts]
    counted = [move for moves, count in found for move in moves[:count]]
    return moves_of(counted + [move for moves, count in found for move in moves[count:]])


def joined(parts: Sequence[Decided], *, told: bool) -> Decided:
    """What became of all events of a run."""
    latest_at: dict[int, int] = {}
    for part in parts:
        for board_id, at in part.latest_at.items():
            latest_at[board_id] = max(at, latest_at.get(board_id, at))
    return Decided(
        [decision for part in parts for decision in part.decisions] if told else (),
        [block for part in parts for block in part.seen],
        _moves(parts),
        [moved for part in parts for moved in part.moved],
        latest_at,
        {board_id: board for part in parts for board_id, board in part.boards.items()},
    )

"""What becomes of an event: one pure function (R2, R3, R5, R6, R10).

``decide_event`` reads and writes nothing but the ``Working`` copy it is given. The decider fills
that copy with what the events of a run need, calls it event by event in log order, and keeps what
it then holds. ``redo_event`` repeats, after a restart, what was decided before.
"""

from collections.abc import Sequence

import msgspec

from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.entries import Entry, EntryOverflow, fold
from toprung.domain.freezing import is_frozen, thawed
from toprung.domain.instants import format_duration
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.domain.segments import segment_in

EntryKey = tuple[int, str, str]
"""Board id, window and period key: names a period of a board."""


class Seen(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept of an event id: its content, to compare by meaning, and its first outcome."""

    seq: int
    outcome: str
    player_id: str
    points: tuple[int, ...]
    revision: int
    at: int
    at_given: bool
    received_at: int
    columns: tuple[int, ...] | None = None
    """The player's columns afterwards, in the first window that took the event."""
    previous: tuple[int, ...] | None = None
    """The columns before it; ``None``: the player was not on the board."""
    late: tuple[str, ...] = ()
    """The windows in which it was late."""


class Step(msgspec.Struct, frozen=True, gc=False):
    """What an event did in one window: the entry before and after, or that it came too late."""

    period: Period
    before: Entry | None
    after: Entry | None
    """``None``: the period was closed."""


class Decision(msgspec.Struct, frozen=True, gc=False):
    """The outcome of one event, and its steps in the order of the board's windows."""

    outcome: Outcome
    steps: tuple[Step, ...] = ()
    first: Seen | None = None
    """For a duplicate or a conflict: the event that came first."""
    field: str | None = None
    message: str | None = None


UNKNOWN_BOARD = Decision(
    Outcome.UNKNOWN_BOARD, field="board", message="the board was dropped before the event came"
)
"""What becomes of an event whose board is not there any more."""

_SPENT = frozenset(outcome.value for outcome in Outcome if outcome.spends_id)
_UNREADABLE = Decision(
    Outcome.INVALID, field="points", message="the board's columns changed meanwhile"
)
_OVERFLOW = Decision(
    Outcome.OVERFLOW, field="points", message="a total would leave the 64-bit range"
)
_LATE = Decision(
    Outcome.LATE, field="at", message="every window it belongs to was closed when it arrived"
)


class Slot:
    """A period in a working copy.

    Attributes:
        closes_at: the first arrival that is late here; ``None``: never (R10).
        entries: by player. A player who is not on the board is missing.
        is_told: whether it is told what events do here: not in a frozen window (R18), nor in a
            segment (R17).
        touched: the players whose entry is other than before, in the order of their events.
    """

    __slots__ = ("_by_receipt", "closes_at", "entries", "is_told", "key", "period", "touched")

    def __init__(self, board: Board, period: Period) -> None:
        self.key: EntryKey = (board.board_id, period.window, period.key)
        self.period = period
        self.is_told = not is_frozen(period.window) and segment_in(period.key) is None
        self.closes_at = board.closes_at(period)
        self._by_receipt = period.window in board.rolling
        self.entries: dict[str, Entry] = {}
        self.touched: dict[str, None] = {}

    def is_late(self, event: Event, received_at: int) -> bool:
        """Whether an event comes too late for this period."""
        if self.closes_at is None:
            return False
        arrival = event.at if event.history and not self._by_receipt else received_at
        return arrival >= self.closes_at


class Working:
    """The part of the state that a run of events needs; ``decide_event`` moves it on.

    Attributes:
        seen: by board id and event id.
        new_seen: the ids of this run, to be stored.
        slots: the periods of the run.
        latest_at: by board id, the latest ``at`` that counted.
        untold: the entries that are other than before, of which nothing is told, in the order of
            events.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[int, str], Seen] = {}
        self.new_seen: dict[tuple[int, str], Seen] = {}
        self.slots: dict[EntryKey, Slot] = {}
        self.latest_at: dict[int, int] = {}
        self.untold: dict[tuple[EntryKey, str], None] = {}

    def note_latest(self, board_id: int, at: int) -> None:
        """An event at ``at`` has counted on the board."""
        if at > self.latest_at.get(board_id, at - 1):
            self.latest_at[board_id] = at

    def slot(self, board: Board, period: Period) -> Slot:
        """The slot of a period; made when it is first asked for."""
        key = (board.board_id, period.window, period.key)
        found = self.slots.get(key)
        if found is None:
            found = self.slots[key] = Slot(board, period)
        return found


def decide_event(
    working: Working,
    board: Board,
    event: Event,
    slots: Sequence[Slot],
    seq: int,
    received_at: int,
) -> Decision:
    """The outcome of ``event`` and what it changes; ``working`` holds the state after it.

    Args:
        slots: for each window the period that holds ``event.at``, and last those of which
            nothing is told.
        seq: where the event stands in the log.
        received_at: when it arrived, as the log has it.
    """
    identity = (board.board_id, event.event_id)
    first = working.seen.get(identity)
    # R2: this check comes before every check that depends on state.
    if first is not None and first.outcome in _SPENT:
        return repeated(board, first, event)
    points = board.points_now(event.points, event.revision)
    if points is None:
        return _UNREADABLE
    refusal = _refuse_by_time(board, event, received_at)
    if refusal is None:
        try:
            steps = _steps(board, event, points, slots, seq, received_at)
        except EntryOverflow:
            refusal = _OVERFLOW
        else:
            taken = _settle(working, board, event, slots, steps, seq, received_at)
            if taken is not None:
                return taken
            refusal = _LATE
    return keep_refused(working, board, event, seq, received_at, refusal)


def redo_event(
    working: Working, board: Board, event: Event, slots: Sequence[Slot], seen: Seen
) -> None:
    """Do again what was decided of ``event``, where its effect is not in the entries yet.

    An entry may already reflect it, or later events: its ``seq`` tells. What was decided then is
    obeyed, since it may hang on entries that have moved on (R25).
    """
    points = board.points_now(event.points, event.revision)
    if seen.outcome not in _SPENT or points is None:
        return
    for slot in slots:
        before = slot.entries.get(event.player_id)
        is_late = thawed(slot.period.window) in seen.late
        if is_late or (before is not None and before.seq >= seen.seq):
            continue
        after = fold(
            board.mode, board.descending, before, points, event.at, event.event_id, seen.seq
        )
        slot.entries[event.player_id] = after
        slot.touched[event.player_id] = None
    working.note_latest(board.board_id, event.at)


def decide_voided(
    working: Working,
    board: Board,
    event: Event,
    slots: Sequence[Slot],
    seq: int,
    received_at: int,
) -> Decision:
    """The outcome of an event whose id or match is void: it is taken as it would be, and nothing
    moves (R9). The arguments are those of :func:`decide_event`.
    """
    identity = (board.board_id, event.event_id)
    first = working.seen.get(identity)
    if first is not None and first.outcome in _SPENT:
        return repeated(board, first, event)
    if board.points_now(event.points, event.revision) is None:
        return _UNREADABLE
    refusal, late = refused_by_time(board, event, slots, received_at)
    if refusal is not None:
        return keep_refused(working, board, event, seq, received_at, refusal)
    working.note_latest(board.board_id, event.at)
    seen = Seen(
        seq,
        Outcome.UNCHANGED.value,
        event.player_id,
        event.points,
        event.revision,
        event.at,
        event.at_given,
        received_at,
        late=late,
    )
    working.seen[identity] = working.new_seen[identity] = seen
    return Decision(Outcome.UNCHANGED)


def refused_by_time(
    board: Board, event: Event, slots: Sequence[Slot], received_at: int
) -> tuple[Decision | None, tuple[str, ...]]:
    """Why an event comes at no time at which it could count, if it does, and the windows in which
    it is late.

    Args:
        slots: for each part of the board the period that holds ``event.at``.
    """
    late = tuple(
        [slot.period.window for slot in slots if slot.is_told and slot.is_late(event, received_at)]
    )
    refusal = _refuse_by_time(board, event, received_at)
    if refusal is None and len(late) == len(board.windows):
        refusal = _LATE
    return refusal, late


def leaves_out(board: Board, period: Period, event: Event, seen: Seen) -> bool:
    """Whether a period of the board as it is leaves out an event that counted elsewhere on it."""
    window = thawed(period.window)
    filled = board.filled.get(window)
    # A season that a reset divides keeps what it took; its end was not known when the event came.
    if filled is None or seen.seq > filled.seq or window == "season":
        return window in seen.late
    if window in board.rolling:
        return seen.received_at >= board.rolling[window].leaves_at(period.key)
    if filled.grace is None or period.end is None:
        return False
    return (event.at if event.history else seen.received_at) >= period.end + filled.grace


def outcome_of_repeat(board: Board, first: Seen | None, event: Event, seq: int) -> Outcome | None:
    """The outcome of an event of which no line of its own is kept; ``None``: it was refused, and
    came again before that was written, or the board's columns had changed.

    Args:
        first: what is kept of its id.
        seq: where the event stands in the log.
    """
    if first is None or first.seq > seq or first.outcome not in _SPENT:
        return None
    return repeated(board, first, event).outcome


def repeated(board: Board, first: Seen, event: Event) -> Decision:
    """A known id: the same content by meaning, or a conflict that names the first field (R2)."""
    field = None
    if first.player_id != event.player_id:
        field = "player_id"
    elif board.points_now(first.points, first.revision) != board.points_now(
        event.points, event.revision
    ):
        field = "points"
    elif first.at != event.at and first.at_given and event.at_given:
        field = "at"
    if field is None:
        return Decision(Outcome.DUPLICATE, first=first)
    message = f"this event id was used before with another {field}; the first stands"
    return Decision(Outcome.CONFLICT, first=first, field=field, message=message)


def _refuse_by_time(board: Board, event: Event, received_at: int) -> Decision | None:
    # Both by the true arrival, also in an import of history: an id older than the memory may have
    # been forgotten, and nothing can have arrived from the future.
    settings = board.settings
    if settings.remember is not None and event.at < received_at - settings.remember:
        memory = format_duration(settings.remember, unlimited="forever")
        return Decision(
            Outcome.LATE, field="at", message=f"older than the board's memory of {memory}"
        )
    if settings.max_ahead is not None and event.at > received_at + settings.max_ahead:
        ahead = format_duration(settings.max_ahead, unlimited="none")
        return Decision(
            Outcome.EARLY, field="at", message=f"more than {ahead} in the future of its arrival"
        )
    return None


def _steps(
    board: Board,
    event: Event,
    points: tuple[int, ...],
    slots: Sequence[Slot],
    seq: int,
    received_at: int,
) -> tuple[Step, ...]:
    """What the event does in each window; nothing is written before all of them are known."""
    steps = []
    mode, descending = board.mode, board.descending
    player_id, at, event_id = event.player_id, event.at, event.event_id
    for slot in slots:
        if slot.is_late(event, received_at):
            steps.append(Step(slot.period, None, None))
            continue
        before = slot.entries.get(player_id)
        after = fold(mode, descending, before, points, at, event_id, seq)
        if slot.period.window in board.rolling and not board.holds(
            slot.period.window, after.columns
        ):
            raise EntryOverflow
        steps.append(Step(slot.period, before, after))
    return tuple(steps)


def _settle(
    working: Working,
    board: Board,
    event: Event,
    slots: Sequence[Slot],
    steps: tuple[Step, ...],
    seq: int,
    received_at: int,
) -> Decision | None:
    """Write the steps into the working copy and keep the id; ``None``: no window takes it."""
    board_id, player_id, at = board.board_id, event.player_id, event.at
    outcome = Outcome.UNCHANGED
    shown: Step | None = None
    late: tuple[str, ...] = ()
    for slot, step in zip(slots, steps, strict=True):
        after = step.after
        if after is None:
            late += (slot.period.window,) if slot.is_told else ()
            continue
        slot.entries[player_id] = after
        slot.touched[player_id] = None
        if not slot.is_told:
            working.untold[slot.key, player_id] = None
            continue
        if shown is None:
            shown = step
        if not after.same_standing(step.before):
            outcome = Outcome.COUNTED
    if shown is None:
        return None
    working.note_latest(board_id, at)
    before, after = shown.before, shown.after
    seen = Seen(
        seq,
        outcome.value,
        player_id,
        event.points,
        event.revision,
        at,
        event.at_given,
        received_at,
        None if after is None else after.columns,
        None if before is None else before.columns,
        late,
    )
    identity = (board_id, event.event_id)
    working.seen[identity] = working.new_seen[identity] = seen
    return Decision(outcome, steps[: len(board.windows)])


def keep_refused(
    working: Working,
    board: Board,
    event: Event,
    seq: int,
    received_at: int,
    refusal: Decision,
) -> Decision:
    """Keep the outcome of a refused event, so that it can be asked for; its id stays free (R2)."""
    seen = Seen(
        seq,
        refusal.outcome.value,
        event.player_id,
        event.points,
        event.revision,
        event.at,
        event.at_given,
        received_at,
    )
    identity = (board.board_id, event.event_id)
    working.seen[identity] = working.new_seen[identity] = seen
    return refusal

"""What becomes of an event: one pure function (R2, R3, R5, R6, R10).

``decide_event`` reads and writes nothing but the ``Working`` copy it is given. The updater fills
that copy with what the events of a run need, calls it event by event in log order, and commits what
it then holds.
"""

from collections.abc import Iterable

import msgspec

from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.entries import Entry, EntryOverflow, fold
from toprung.domain.instants import format_duration
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event

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


_SPENT = frozenset(outcome.value for outcome in Outcome if outcome.spends_id)
_OVERFLOW = Decision(
    Outcome.OVERFLOW, field="points", message="a total would leave the 64-bit range"
)
_LATE = Decision(
    Outcome.LATE, field="at", message="every window it belongs to was closed when it arrived"
)


class Working:
    """The part of the state that a run of events needs; ``decide_event`` moves it on.

    Attributes:
        seen: by board id and event id.
        entries: by period, then by player. A player who is not on the board is missing.
        new_seen: the ids of this run, to be stored.
        touched: the players of each period whose entry is other than before.
        latest_at: by board id, the latest ``at`` that counted.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[int, str], Seen] = {}
        self.entries: dict[EntryKey, dict[str, Entry]] = {}
        self.new_seen: dict[tuple[int, str], Seen] = {}
        self.touched: dict[EntryKey, set[str]] = {}
        self.periods: dict[EntryKey, Period] = {}
        self.latest_at: dict[int, int] = {}

    def need(self, board_id: int, periods: Iterable[Period]) -> None:
        """Make room for the entries of ``periods``."""
        for period in periods:
            key = (board_id, period.window, period.key)
            if key not in self.entries:
                self.entries[key] = {}
                self.touched[key] = set()
                self.periods[key] = period


def decide_event(
    working: Working, board: Board, event: Event, periods: list[Period], seq: int, received_at: int
) -> Decision:
    """The outcome of ``event`` and what it changes; ``working`` holds the state after it.

    Args:
        periods: the period of each window that holds ``event.at``.
        seq: where the event stands in the log.
        received_at: when it arrived, as the log has it.
    """
    identity = (board.board_id, event.event_id)
    first = working.seen.get(identity)
    # R2: this check comes before every check that depends on state.
    if first is not None and first.outcome in _SPENT:
        return _again(board, first, event)
    points = board.points_now(event.points, event.revision)
    if points is None:
        return Decision(
            Outcome.INVALID, field="points", message="the board's columns changed meanwhile"
        )
    arrival = event.at if event.history else received_at
    refusal = _refuse_by_time(board, event, arrival, received_at)
    if refusal is None:
        try:
            steps = _steps(working, board, event, points, periods, arrival)
        except EntryOverflow:
            refusal = _OVERFLOW
        else:
            if any([step.after is not None for step in steps]):
                return _settle(working, board, event, steps, seq, received_at)
            refusal = _LATE
    return _refused(working, identity, event, seq, received_at, refusal)


def _again(board: Board, first: Seen, event: Event) -> Decision:
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


def _refuse_by_time(board: Board, event: Event, arrival: int, received_at: int) -> Decision | None:
    settings = board.settings
    # By the true arrival, also in an import of history: an id older than the memory may be forgotten.
    if settings.remember is not None and event.at < received_at - settings.remember:
        memory = format_duration(settings.remember, unlimited="forever")
        return Decision(
            Outcome.LATE, field="at", message=f"older than the board's memory of {memory}"
        )
    if settings.max_ahead is not None and event.at > arrival + settings.max_ahead:
        ahead = format_duration(settings.max_ahead, unlimited="none")
        return Decision(
            Outcome.EARLY, field="at", message=f"more than {ahead} in the future of its arrival"
        )
    return None


def _steps(
    working: Working,
    board: Board,
    event: Event,
    points: tuple[int, ...],
    periods: list[Period],
    arrival: int,
) -> tuple[Step, ...]:
    """What the event does in each window; nothing is written before all of them are known."""
    steps = []
    board_id, player_id, at = board.board_id, event.player_id, event.at
    for period in periods:
        if period.end is not None and board.closed(period, arrival):
            steps.append(Step(period, None, None))
            continue
        before = working.entries[board_id, period.window, period.key].get(player_id)
        after = fold(board.mode, board.descending, before, points, at, event.event_id)
        steps.append(Step(period, before, after))
    return tuple(steps)


def _settle(
    working: Working,
    board: Board,
    event: Event,
    steps: tuple[Step, ...],
    seq: int,
    received_at: int,
) -> Decision:
    """Write the steps into the working copy and keep the id."""
    board_id, player_id = board.board_id, event.player_id
    outcome = Outcome.UNCHANGED
    shown: Step | None = None
    late: tuple[str, ...] = ()
    for step in steps:
        period, after = step.period, step.after
        if after is None:
            late += (period.window,)
            continue
        shown = shown or step
        key = (board_id, period.window, period.key)
        working.entries[key][player_id] = after
        working.touched[key].add(player_id)
        if not after.same_standing(step.before):
            outcome = Outcome.COUNTED
    if event.at > working.latest_at.get(board_id, event.at - 1):
        working.latest_at[board_id] = event.at
    seen = Seen(
        seq,
        outcome.value,
        player_id,
        event.points,
        event.revision,
        event.at,
        event.at_given,
        received_at,
        shown.after.columns if shown and shown.after else None,
        shown.before.columns if shown and shown.before else None,
        late,
    )
    identity = (board_id, event.event_id)
    working.seen[identity] = working.new_seen[identity] = seen
    return Decision(outcome, steps)


def _refused(
    working: Working,
    identity: tuple[int, str],
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
    working.seen[identity] = working.new_seen[identity] = seen
    return refusal

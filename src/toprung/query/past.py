"""Boards as they stood, and as they are by the events of some time alone (R24).

What is void or hidden today is so in the past too: a board is shown as if it never had been (R9).

Both are made anew, from the events that count, beside what readers see now; a view holds them, so
that they are asked in the same words.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import NamedTuple

from toprung.domain.adjusting import count
from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.decide import EntryKey, Seen, leaves_out, repeated
from toprung.domain.entries import Entry, together
from toprung.domain.errors import InvalidInput, Trouble, invariant
from toprung.domain.instants import (
    INSTANT_MIN,
    format_instant,
    looks_like_instant,
    parse_instant,
)
from toprung.domain.numbers import fits
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.ports.catalog import Catalog
from toprung.ports.clock import Clock
from toprung.ports.counted import Told, counted_events, events_of
from toprung.ports.log import EventLog
from toprung.ports.moves import Move, moves_of
from toprung.ports.store import ScoreStore
from toprung.ports.view import RankView
from toprung.query.history import Cause, Explained, Point, decides
from toprung.query.query import Query, Scope, no_ranks, numbering_of, segment_of
from toprung.query.withholding import check_shown, named_in, withheld_of

INTERVAL = "interval"
"""Stands for a window where a board is read by the events of some time alone."""
HELD_ENTRIES = 2_000_000
"""Entries of past boards that are held for the next question about the same, at some 350 bytes
each."""
_SEQ_DIGITS = 18
_Held = tuple[EntryKey, int | None, int, int | None, int]


class Moment(NamedTuple):
    """A past moment."""

    seq: int
    """The last record that readers saw."""
    instant: int
    """What the clock said."""


class Still:
    """A clock that stands."""

    def __init__(self, instant: int) -> None:
        self._instant = instant

    def now(self) -> int:
        """See :class:`~toprung.ports.clock.Clock`."""
        return self._instant

    def monotonic(self) -> float:
        """See :class:`~toprung.ports.clock.Clock`."""
        return 0.0


class _Stood:
    """A period, or a segment in it, that was made anew in a view of its own."""

    def __init__(self, scope: Scope, catalog: Catalog, view: RankView) -> None:
        self._board = board = scope.board
        self._scope = scope
        self._catalog = catalog
        self.view = view
        self.entries: dict[str, Entry] = {}
        self.seq = 0
        self._sliced_at = 0
        view.open_board(board.board_id, board.descending, board.state.shown_by)

    def take(self, events: Iterator[tuple[Event, Seen]], until: int, sliced_at: int = 0) -> None:
        """Count further events, up to the record ``until``.

        Args:
            sliced_at: the record after which players are in the segments they are in; 0: now.
        """
        board, touched = self._board, dict[str, Entry]()
        for event, seen in events:
            player = self._catalog.counts_for(board, event)
            if player is None:
                continue
            points = board.points_now(event.points, event.revision)
            invariant(points is not None, "an event that counts cannot be read by its board")
            entry = count(board, self.entries.get(player), event, points or (), seen.seq)
            if entry is not None:
                self.entries[player] = touched[player] = entry
        masked = self._catalog.players.masked(board.state.project)
        left = self._leave(touched, sliced_at)
        moves = [
            Move(self._scope.key, player, entry.columns, entry.reached_at, None)
            for player, entry in touched.items()
            if player not in masked and player not in left
        ]
        # A board's windows may each hold totals that all of their events together do not, and what
        # is void today may have kept a total small.
        if not all(fits(column) for move in moves for column in move.columns):
            raise InvalidInput("a total would leave the 64-bit range", code="overflow")
        self.view.place_players(board.board_id, left, moves_of(moves), until, [self._scope.key])
        self.view.advance(until)
        self.seq = until

    def _leave(self, touched: dict[str, Entry], sliced_at: int) -> list[str]:
        """Those who are not in the segment; who may have come into it is added to ``touched``."""
        segment, board, key = self._scope.segment, self._board, self._scope.period_key
        if segment is None or board.settings.is_sliced_by_events:
            return []
        attribute = self._catalog.segments.get(board.state.project, segment.name)
        for player in attribute.changed_after(self._sliced_at):
            if player in self.entries:
                touched[player] = self.entries[player]
        self._sliced_at = sliced_at
        seq = self._catalog.sliced_at(board, key, segment.name, sliced_at)
        return [player for player in touched if attribute.at(player, seq) != segment.value]


class Past:
    """Reads boards at past moments. Its methods may be called from any thread; the work is done one
    question after the other.

    Args:
        store: over a connection that nobody else uses.
        make_view: gives a view with nothing in it; ``None``: no ranks are kept.
    """

    def __init__(
        self,
        log: EventLog,
        store: ScoreStore,
        catalog: Catalog,
        clock: Clock,
        make_view: Callable[[], RankView | None],
    ) -> None:
        self._log = log
        self._store = store
        self._catalog = catalog
        self._clock = clock
        self._make_view = make_view
        self._lock = Lock()
        self._stopped = False
        self._held: OrderedDict[_Held, _Stood] = OrderedDict()

    def stop(self) -> None:
        """Give up what is being found, and answer nothing more."""
        self._stopped = True
        with self._lock:
            self._held.clear()

    def moment(self, text: str, field: str) -> Moment:
        """The moment that a text names: an RFC 3339 instant, or a ``seq`` that a reply told.

        Raises:
            InvalidInput: it is neither, or has not come yet.
        """
        head, _ = self._log.head()
        if looks_like_instant(text):
            instant = parse_instant(text, field)
            if instant > self._clock.now():
                raise InvalidInput(f"{field} has not come yet", field=field)
            return Moment(self._last_arrived(instant, head), instant)
        if not (text.isascii() and text.isdigit() and len(text) <= _SEQ_DIGITS):
            raise InvalidInput(f"{field} must be an RFC 3339 instant or a seq", field=field)
        seq = int(text)
        if seq > head:
            raise InvalidInput(f"{field}: the last record is {head}", field=field)
        rows = self._log.read(seq - 1, 1) if seq else ()
        return Moment(seq, rows[0].received_at if rows else 0)

    def _last_arrived(self, instant: int, head: int) -> int:
        """The last record that had arrived by ``instant``: arrivals never go back."""
        low, high = 0, head
        while low < high:
            middle = (low + high + 1) // 2
            if self._log.read(middle - 1, 1)[0].received_at <= instant:
                low = middle
            else:
                high = middle - 1
        return low

    def as_of(
        self,
        project: str,
        name: str,
        moment: Moment,
        window: str | None = None,
        period: str | None = None,
        numbering: str | None = None,
        segment: str | None = None,
        *,
        full: bool = False,
    ) -> tuple[Query, Scope]:
        """What answers as a reader would have been answered then, and what is asked about.

        What is kept from the public now is kept from it also as of before.

        Args:
            window, period, numbering, segment, full: as in :meth:`~toprung.query.Query.scope`; the
                present period is that of the moment.

        Raises:
            InvalidInput: naming the argument; ``unknown_board`` also where it was made later.
        """
        with self._lock:
            board = self._board_at(project, name, moment)
            catalog, clock = Catalog([board]), Still(moment.instant)
            query = Query(catalog, None, clock)
            scope = query.scope(project, name, window, period, numbering, segment, full=full)
            present = self._catalog.by_name(project, name)
            if not full and present is not None:
                freezes = [at for at in (scope.frozen_at, present.freeze_at) if at is not None]
                scope = scope._replace(frozen_at=min(freezes, default=None))
                became = _became(present, scope.period)
                withheld = withheld_of(present, became, self._clock.now())
                scope = scope._replace(withheld=withheld)
            self._check_known(scope)
            stood = self._made(scope, moment.seq, moment.seq)
            return Query(catalog, stood.view, clock), self._naming(scope, moment.seq)

    def _naming(self, scope: Scope, seq: int) -> Scope:
        """The same, naming who is withheld on the whole board where a segment cannot tell."""
        withheld = scope.withheld
        if withheld is None or not withheld.is_alone or scope.segment is None:
            return scope
        whole = self._made(scope._replace(segment=None), seq, seq)
        with whole.view.read() as view:
            named = named_in(withheld, view.period(scope.period_key))
        return scope._replace(withheld=withheld._replace(named=named))

    def _board_at(self, project: str, name: str, moment: Moment) -> Board:
        present = self._catalog.by_name(project, name)
        state = None
        if present is not None:
            state = self._store.board_at(present.board_id, moment.seq)
        if state is None:
            raise InvalidInput(
                f"there was no board {name!r} then", field="board", code="unknown_board"
            )
        return Board(state)

    def _check_known(self, scope: Scope) -> None:
        """Refuse a segment of then that no board of the project has now: who was in it is known of
        those that are used alone.
        """
        if scope.segment is None or scope.board.settings.is_sliced_by_events:
            return
        project, name = scope.board.state.project, scope.segment.name
        if name not in self._catalog.segments.names(project):
            raise InvalidInput(
                f"who was in segment {name!r} then is not known: no board has it now",
                field="segment",
            )

    def between(
        self,
        project: str,
        name: str,
        start: int | None,
        end: int | None,
        numbering: str | None = None,
        segment: str | None = None,
        *,
        full: bool = False,
    ) -> tuple[Query, Scope]:
        """What answers by the events with ``at`` in ``[start, end)`` alone, whichever windows took
        them, and what is asked about. It follows the board as it goes on.

        Args:
            start, end: ``None``: without end on that side.
            segment: as in :meth:`~toprung.query.Query.scope`; players are in those of now.

        Raises:
            InvalidInput: ``unknown_board``, ``to`` is before ``from``, or ``withheld``.
        """
        if start is not None and end is not None and end < start:
            raise InvalidInput("to is before from", field="to")
        with self._lock:
            board = Query(self._catalog, None, self._clock).board(project, name)
            # As ISO 8601-2 writes intervals that are open.
            key = "/".join(".." if at is None else format_instant(at) for at in (start, end))
            period = Period(INTERVAL, key, start, end)
            frozen_at = None if full else board.freeze_at
            shown = numbering_of(numbering, board.numbering)
            if not full:
                check_shown(board, start, end, self._clock.now())
            scope = Scope(board, period, shown, frozen_at, segment_of(board, segment))
            stood = self._made(scope, self._present(), None)
            return Query(Catalog([board]), stood.view, self._clock), scope

    def history(self, scope: Scope, player_id: str, moments: Sequence[int]) -> list[Point]:
        """A player's score and rank in a period when the clock said each of ``moments``, which are
        in order: by what had arrived then, and by the present rules of the board. Nothing is
        withheld here; ask :meth:`~toprung.query.Query.standing` about the player before.

        Raises:
            InvalidInput: ``overflow``.
            Trouble: ``stopped``, or no ranks are kept.
        """
        points = []
        with self._lock:
            scope = scope._replace(withheld=None)
            then, stood, head = scope, self._empty(scope), self._present()
            logged, _ = self._log.head()
            for instant in moments:
                seq, sliced_at = (self._last_arrived(instant, each) for each in (head, logged))
                found = self._scope_then(scope, seq, instant)
                if found != then:
                    then, stood = found, self._empty(found)
                stood.take(self._events(then, stood.seq, seq), seq, sliced_at)
                query = Query(Catalog([then.board]), stood.view, self._clock)
                page = query.ranks_of(then, [player_id]).page
                rank = columns = None
                for standing in page.rows:
                    rank, columns = standing.rank, standing.columns
                points.append(Point(instant, seq, rank, columns, page.total))
        return points

    def _scope_then(self, scope: Scope, seq: int, instant: int) -> Scope:
        """What is asked about as it was at a record: a rolling window showed other days then."""
        rolling = scope.board.rolling.get(scope.period.window)
        if rolling is None:
            return scope
        state = self._store.board_at(scope.board.board_id, seq)
        if state is None or state.day is None:
            return scope._replace(period=rolling.period_at(instant))
        return scope._replace(period=rolling.parse(state.day))

    def explain(self, scope: Scope, player_id: str) -> Explained:
        """Every event of a player on a board, and what the score in a period is made of.

        Raises:
            Trouble: ``stopped``.
        """
        board, period = scope.board, scope.period
        players = self._catalog.players.counting_for(board.state.project, [player_id])
        parts: dict[str, Entry] = {}
        found: list[tuple[Told, Outcome | None, str | None, tuple[int, ...] | None]] = []
        with self._lock:
            for told in events_of(self._log, self._store, board.board_id, players, self._present()):
                self._go_on()
                event, seen = told.event, told.seen
                if not _is_shown(scope, event):
                    continue
                outcome = self._outcome(board, told)
                whose = self._catalog.counts_for(board, event)
                counts = (
                    seen is not None
                    and outcome is not None
                    and outcome.spends_id
                    and whose == player_id
                    and period.holds(event.at)
                    and _is_in(scope, event)
                    and not _is_late(board, period, event, seen)
                )
                points = board.points_now(event.points, event.revision) if counts else None
                if points is not None:
                    part = _part_of(board, period, event.at)
                    counted = count(board, parts.get(part), event, points, told.seq)
                    if counted is None:
                        points = None
                    else:
                        parts[part] = counted
                found.append((told, outcome, whose, points))
        entry = together(board.mode, board.descending, parts.values())
        return Explained(
            entry,
            [
                Cause(
                    told.seq,
                    told.event,
                    told.received_at,
                    None if outcome is None else outcome.value,
                    () if told.seen is None else told.seen.late,
                    whose is None,
                    points is not None,
                    points is not None
                    and entry is not None
                    and decides(board, told.event, points, entry)
                    and _is_where_it_shows(board, period, told.event, entry),
                )
                for told, outcome, whose, points in found
            ],
        )

    def _outcome(self, board: Board, told: Told) -> Outcome | None:
        """What became of an event. Of one whose id was known before nothing is kept.

        ``None``: it was refused, and its id came again so soon that only the later one was kept.
        """
        if told.seen is not None:
            return Outcome(told.seen.outcome)
        first = self._store.seen(board.board_id, [told.event.event_id]).get(told.event.event_id)
        if first is not None and first.seq > told.seq:
            return None
        # Nothing at all is kept of an event whose points could not be read any more when it came.
        return Outcome.INVALID if first is None else repeated(board, first, told.event).outcome

    def _go_on(self) -> None:
        if self._stopped:
            raise Trouble("stopped", "the server stops", retryable=True)

    def _present(self) -> int:
        """The last record whose events are decided."""
        return max(self._store.last_kept(), self._store.checkpoint())

    def _made(self, scope: Scope, until: int, fixed: int | None) -> _Stood:
        """The period up to a record, from what is held where that serves."""
        shown_by, marks = scope.board.state.shown_by, self._catalog.marks
        if scope.segment is not None:
            marks += self._catalog.segments.changes
        held = (scope.key, scope.frozen_at, shown_by, fixed, marks)
        stood = self._held.pop(held, None)
        if stood is None:
            stood = self._empty(scope)
        if stood.seq < until or not stood.seq:
            stood.take(self._events(scope, stood.seq, until), until, fixed or 0)
        self._held[held] = stood
        while self._held and sum(len(each.entries) for each in self._held.values()) > HELD_ENTRIES:
            self._held.popitem(last=False)
        return stood

    def _empty(self, scope: Scope) -> _Stood:
        view = self._make_view()
        if view is None:
            raise no_ranks()
        return _Stood(scope, self._catalog, view)

    def _events(self, scope: Scope, after: int, until: int) -> Iterator[tuple[Event, Seen]]:
        """The events that count in the period."""
        board, period = scope.board, scope.period
        after = max(after, board.board_id)
        for event, seen in counted_events(
            self._log, self._store, board.board_id, after, until, self._go_on
        ):
            is_inside = period.holds(event.at) and _is_shown(scope, event) and _is_in(scope, event)
            if is_inside and not _is_late(board, period, event, seen):
                yield event, seen


def _is_shown(scope: Scope, event: Event) -> bool:
    return scope.frozen_at is None or event.at < scope.frozen_at


def _is_in(scope: Scope, event: Event) -> bool:
    """Whether an event counts in the segment that is asked about, where that hangs on the event."""
    segment = scope.segment
    return (
        segment is None
        or not scope.board.settings.is_sliced_by_events
        or (segment.name, segment.value) in event.segments
    )


def _is_late(board: Board, period: Period, event: Event, seen: Seen) -> bool:
    if period.window == INTERVAL:
        return False
    if period.window in board.rolling:
        period = board.rolling[period.window].part_at(event.at)
    return leaves_out(board, period, event, seen)


def _became(present: Board, period: Period) -> Period:
    """A period of the past as it is now: a season may have been ended since."""
    window = present.windows.get(period.window)
    if window is None:
        return period
    return window.period_at(INSTANT_MIN if period.start is None else period.start)


def _part_of(board: Board, period: Period, at: int) -> str:
    """Of a rolling window the day of an instant, for days are counted one by one; else all is one
    part.
    """
    rolling = board.rolling.get(period.window)
    return "" if rolling is None else rolling.part_at(at).key


def _is_where_it_shows(board: Board, period: Period, event: Event, entry: Entry) -> bool:
    """Whether an event is in the part of a window that an entry shows; of a sum, all are."""
    if board.mode == "sum":
        return True
    return _part_of(board, period, event.at) == _part_of(board, period, entry.reached_at)

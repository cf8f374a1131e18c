"""How a player's score and rank came about: over time, and event by event."""

from collections.abc import Sequence
from typing import Any

import msgspec

from toprung.api.operation import Call, Later
from toprung.api.points import points_told
from toprung.api.reads import scope_of, segment_told, to_period
from toprung.api.services import Services
from toprung.api.viewing import frozen_since, is_full, withheld_told
from toprung.domain.access import Role
from toprung.domain.board import Board
from toprung.domain.instants import (
    SECOND,
    format_duration,
    format_instant,
    parse_instant,
    parse_length,
)
from toprung.domain.limits import PAGE_ROWS
from toprung.domain.records import Adjusted
from toprung.query import Cause, Explained, Point, Scope, Stood, instants
from toprung.wire import past as wire

POINTS = 100
"""About so many points are told where the caller does not say how far apart they shall be."""

TRIES = 3
"""How often the events of a player are looked at who scores again and again meanwhile."""
NOTHING = Explained(None, ())


def history(services: Services, call: Call) -> Any:
    """A player's score and rank over time."""
    params, player_id = call.params, call.path[1]
    scope = scope_of(services, call)
    start, end = _bounds(services, call, scope)
    step = _step(start, end) if params.step is None else parse_length(params.step, "step")
    moments = instants(start, end, step)

    def answer(points: list[Point]) -> wire.HistoryReply:
        return wire.HistoryReply(
            scope.board.state.name,
            scope.period.window,
            to_period(scope.period),
            scope.numbering.value,
            player_id,
            format_duration(step, unlimited=""),
            tuple(_point(scope.board, point) for point in points),
            segment_told(scope),
            frozen_since(services, scope),
            withheld_told(scope.withheld),
        )

    def work() -> list[Point]:
        if scope.withheld is not None:
            services.query.standing(scope, player_id)  # says so where the player is withheld
        return services.past.history(scope, player_id, moments)

    return Later(work, answer)


def _bounds(services: Services, call: Call, scope: Scope) -> tuple[int, int]:
    """The first and the last moment: those of the period, as far as it has come."""
    params, period, now = call.params, scope.period, services.clock.now()
    start = scope.board.state.created_at if period.start is None else period.start
    end = now if period.end is None else min(now, period.end)
    if params.start is not None:
        start = parse_instant(params.start, "from")
    if params.stop is not None:
        end = min(now, parse_instant(params.stop, "to"))
    return start, max(start, end) if params.stop is None else end


def _step(start: int, end: int) -> int:
    """Whole seconds that make about ``POINTS`` points."""
    return max(1, -(-(end - start) // (POINTS * SECOND))) * SECOND


def _point(board: Board, point: Point) -> wire.HistoryPoint:
    return wire.HistoryPoint(
        format_instant(point.instant),
        str(point.seq),
        point.rank,
        None if point.columns is None else board.format_score(point.columns),
        point.total,
    )


def explain(services: Services, call: Call) -> Any:
    """Which events made a player's score."""
    scope, player_id = scope_of(services, call), call.path[1]
    limit, full = PAGE_ROWS.check(call.params.limit, "limit"), is_full(call)

    is_public = call.role is not Role.ADMIN

    def work(tries: int = TRIES) -> tuple[Explained, Stood]:
        # What a hidden player did is for admins alone (R9).
        hidden = is_public and services.query.hides(call.project, player_id)
        explained = NOTHING if hidden else services.past.explain(scope, player_id)
        if not full:
            explained = explained._replace(causes=_shown(services, scope, explained.causes))
        stood = services.query.standing(scope, player_id)
        return (explained, stood) if tries == 1 or _agree(explained, stood) else work(tries - 1)

    def answer(found: tuple[Explained, Stood]) -> wire.ExplainReply:
        reply = _explained(scope, player_id, limit, *found)
        return msgspec.structs.replace(
            reply,
            frozen_at=frozen_since(services, scope),
            withheld=withheld_told(scope.withheld),
        )

    return Later(work, answer)


def _shown(services: Services, scope: Scope, causes: Sequence[Cause]) -> Sequence[Cause]:
    """The events without those of other periods whose standings are withheld."""
    board, now = scope.board, services.clock.now()
    return [
        cause
        for cause in causes
        if cause.counts or board.withheld_between(cause.event.at, cause.event.at + 1, now) is None
    ]


def _agree(explained: Explained, stood: Stood) -> bool:
    """Whether both are of one state: the player may have scored in between."""
    entry, standing = explained.entry, stood.standing
    return entry is None or standing is None or entry.columns == standing.columns


def _explained(
    scope: Scope, player_id: str, limit: int, explained: Explained, stood: Stood
) -> wire.ExplainReply:
    board, entry, causes, standing = scope.board, explained.entry, explained.causes, stood.standing
    return wire.ExplainReply(
        board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        player_id,
        None if standing is None else standing.rank,
        None if entry is None else board.format_score(entry.columns),
        None if entry is None else format_instant(entry.reached_at),
        stood.total,
        None if standing is None else stood.above,
        None if standing is None else stood.equal,
        sum(cause.counts for cause in causes),
        tuple(_event(board, cause) for cause in causes[-limit:]),
        max(0, len(causes) - limit),
        str(stood.seq),
        segment_told(scope),
    )


def _event(board: Board, cause: Cause) -> wire.ExplainedEvent:
    event = cause.event
    return wire.ExplainedEvent(
        event.event_id,
        event.player_id,
        str(cause.seq),
        format_instant(event.at),
        format_instant(cause.received_at),
        points_told(board, event.points, event.revision),
        cause.outcome,
        cause.late,
        cause.is_void,
        cause.counts,
        cause.decides,
        isinstance(event, Adjusted),
    )

"""Periods of a board: those that come, and what became of those that were."""

from datetime import tzinfo

from toprung.api.boards import by, instant
from toprung.api.operation import Call
from toprung.api.services import Services
from toprung.api.viewing import frozen_since, is_full, withheld_told
from toprung.api.waiting import acted
from toprung.domain.board import Board
from toprung.domain.calendar import Period, Window, load_zone
from toprung.domain.errors import Broken
from toprung.domain.instants import format_duration, format_instant, to_datetime
from toprung.domain.limits import SCHEDULE
from toprung.domain.schedule import Boundary, boundaries
from toprung.domain.snapshots import Snapshot
from toprung.query import PeriodTold
from toprung.wire import periods as wire


def one(services: Services, call: Call) -> wire.PeriodReply:
    """One period."""
    full = is_full(call)
    scope = services.query.scope(
        call.project, call.path[0], call.params.window, call.path[1], full=full
    )
    seq = services.seq()
    told = services.periods.one(scope.board, scope.period, scope.frozen_at, full=full)
    return _told(scope.board, told, seq, frozen_since(services, scope))


async def publish(services: Services, call: Call) -> wire.PublishReply:
    """Show the public what is withheld of a period."""
    name = call.path[0]
    period = services.query.scope(call.project, name, call.params.window, call.path[1]).period
    written = services.intake.publish(call.project, name, period.window, period.key, by(call))
    result = await acted(written)
    if result.change is None:
        raise Broken("a period was published, and what changed is not known")
    change = result.change.result
    return wire.PublishReply(
        name,
        period.window,
        period.key,
        change,  # type: ignore[arg-type]
        str(result.seq),
    )


def all_(services: Services, call: Call) -> wire.PeriodsReply:
    """The periods of a window, the latest first."""
    params, full = call.params, is_full(call)
    scope = services.query.scope(call.project, call.path[0], params.window, full=full)
    board, since = scope.board, frozen_since(services, scope)
    window = board.window(params.window)
    seq = services.seq()
    found, following = services.periods.all(
        board, window, params.limit, params.before, scope.frozen_at, full=full
    )
    return wire.PeriodsReply(
        board.state.name,
        window.window,
        tuple(_told(board, told, seq, since) for told in found),
        following,
        str(seq),
    )


def _told(board: Board, told: PeriodTold, seq: int, frozen_at: str | None) -> wire.PeriodReply:
    period = told.period
    return wire.PeriodReply(
        board.state.name,
        period.window,
        period.key,
        told.state,
        instant(period.start),
        instant(period.end),
        instant(told.closes_at),
        tuple(_version(snapshot) for snapshot in told.versions),
        str(seq),
        frozen_at,
        withheld_told(told.withheld),
    )


def _version(snapshot: Snapshot) -> wire.PeriodVersion:
    return wire.PeriodVersion(
        snapshot.version,
        snapshot.count,
        snapshot.sha256.hex(),
        str(snapshot.seq),
        format_instant(snapshot.closed_at),
    )


def schedule(services: Services, call: Call) -> wire.ScheduleReply:
    """The coming boundaries of the windows of a board."""
    count = SCHEDULE.check(call.params.next, "next")
    board = services.query.board(call.project, call.path[0])
    name = call.params.window
    windows = list(board.windows.values()) if name is None else [board.window(name)]
    now = services.clock.now()
    return wire.ScheduleReply(
        board.state.name,
        board.settings.zone,
        format_instant(now),
        tuple(_window(board, window, now, count) for window in windows),
        str(services.seq()),
    )


def _window(board: Board, window: Window, now: int, count: int) -> wire.WindowSchedule:
    zone = load_zone(board.settings.zone, "zone")
    coming = boundaries(window, now, count)
    return wire.WindowSchedule(
        window.window,
        board.period_now(window.window, now).key,
        tuple(_boundary(board, zone, boundary) for boundary in coming),
    )


def _boundary(board: Board, zone: tzinfo, boundary: Boundary) -> wire.Boundary:
    at, ends, begins = boundary
    return wire.Boundary(
        format_instant(at),
        to_datetime(at).astimezone(zone).isoformat(),
        ends.key,
        begins.key,
        None if ends.window in board.rolling else instant(board.closes_at(ends)),
        _length(begins),
    )


def _length(period: Period) -> str | None:
    if period.start is None or period.end is None:
        return None
    return format_duration(period.end - period.start, unlimited="")

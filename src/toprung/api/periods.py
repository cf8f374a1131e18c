"""Periods of a board: those that come."""

from datetime import tzinfo

from toprung.api.boards import instant
from toprung.api.operation import Call
from toprung.api.services import Services
from toprung.domain.board import Board
from toprung.domain.calendar import Period, Window, load_zone
from toprung.domain.instants import format_duration, format_instant, to_datetime
from toprung.domain.limits import SCHEDULE
from toprung.domain.schedule import Boundary, boundaries
from toprung.wire import periods as wire


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
        window.period_at(now).key,
        tuple(_boundary(board, zone, boundary) for boundary in coming),
    )


def _boundary(board: Board, zone: tzinfo, boundary: Boundary) -> wire.Boundary:
    at, ends, begins = boundary
    return wire.Boundary(
        format_instant(at),
        to_datetime(at).astimezone(zone).isoformat(),
        ends.key,
        begins.key,
        instant(board.closes_at(ends)),
        _length(begins),
    )


def _length(period: Period) -> str | None:
    if period.start is None or period.end is None:
        return None
    return format_duration(period.end - period.start, unlimited="")

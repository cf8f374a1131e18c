"""The events of a board, from the log."""

import msgspec

from toprung.api.operation import Call
from toprung.api.points import points_told
from toprung.api.services import Services
from toprung.domain.board import Board
from toprung.domain.instants import format_instant
from toprung.domain.records import Adjusted
from toprung.query import LoggedEvent
from toprung.wire import events as wire


def list_events(services: Services, call: Call) -> wire.EventsReply:
    """The next page of a board's events."""
    name, params, seq = call.path[0], call.params, services.seq()
    board = services.query.board(call.project, name)
    page = services.events.page(board, params.limit, params.cursor, seq)
    rows = tuple(_told(board, logged) for logged in page.rows)
    return wire.EventsReply(name, str(seq), rows, page.next)


def _told(board: Board, logged: LoggedEvent) -> wire.LoggedEvent:
    event = logged.event
    return wire.LoggedEvent(
        str(logged.seq),
        format_instant(logged.received_at),
        event.event_id,
        event.player_id,
        points_told(board, event.points, event.revision),
        format_instant(event.at),
        logged.outcome,
        tuple(logged.late),
        event.history,
        event.match_id,
        isinstance(event, Adjusted),
        msgspec.UNSET if event.metadata is None else msgspec.Raw(event.metadata),
        event.update_only,
        logged.is_void,
        dict(event.segments),
    )

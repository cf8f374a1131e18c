"""Events in quarantine."""

from collections.abc import Iterator

from toprung.api.errors import ApiError
from toprung.api.moderation import by, changed_periods
from toprung.api.operation import Call
from toprung.api.points import points_told
from toprung.api.services import Services
from toprung.api.waiting import acted, settled
from toprung.domain.board import Board
from toprung.domain.errors import Broken, InvalidInput
from toprung.domain.instants import format_instant
from toprung.domain.limits import CURSOR_CHARS, JUDGED
from toprung.domain.moderation import check_reason
from toprung.domain.names import check_id, check_name
from toprung.domain.quarantine import JudgeChange
from toprung.intake import Waiting
from toprung.ports.pipeline import ActResult, Applied
from toprung.query import HeldEvent
from toprung.wire import quarantine as wire

_SEQ_DIGITS = 18


def list_quarantine(services: Services, call: Call) -> wire.QuarantineReply:
    """The last events that broke a limit."""
    params, seq = call.params, services.seq()
    boards = services.query.boards(call.project)
    if params.board is not None:
        boards = [services.query.board(call.project, params.board)]
    before = None if params.cursor is None else _read_cursor(params.cursor)
    rejected = params.state == "rejected"
    found = services.quarantined.page(boards, params.limit, before, rejected=rejected)
    is_full = len(found) == params.limit
    following = str(found[-1].held.seq) if is_full else None
    return wire.QuarantineReply(tuple(map(_told, found)), following, str(seq))


def _read_cursor(text: str) -> int:
    CURSOR_CHARS.check(len(text), "cursor")
    if not (text.isascii() and text.isdigit() and len(text) <= _SEQ_DIGITS):
        raise InvalidInput("cursor is none that this server gave", field="cursor")
    return int(text)


def _told(found: HeldEvent) -> wire.HeldEvent:
    event = found.event
    return wire.HeldEvent(
        found.board.state.name,
        event.event_id,
        event.player_id,
        points_told(found.board, event.points, event.revision),
        format_instant(event.at),
        format_instant(found.received_at),
        event.match_id,
        found.held.reason,
        "rejected" if found.held.is_rejected else "waiting",
        str(found.held.seq),
    )


async def approve_event(services: Services, call: Call) -> wire.JudgedEvent:
    """Have an event in quarantine count."""
    return await _judge(services, call, is_approved=True)


async def reject_event(services: Services, call: Call) -> wire.JudgedEvent:
    """Have an event in quarantine never count."""
    return await _judge(services, call, is_approved=False)


async def _judge(services: Services, call: Call, *, is_approved: bool) -> wire.JudgedEvent:
    ref = wire.EventRef(*call.path)
    board = services.query.board(call.project, ref.board)
    event = _waiting(services, board, ref.event_id)
    written = services.intake.judge(call.project, [event], by(call), is_approved=is_approved)
    return _judged(services, call.project, ref, await acted(written))


async def judge_events(services: Services, call: Call) -> wire.JudgeReply:
    """Have many events in quarantine count, or never."""
    body = call.body
    JUDGED.check(len(body.events), "events")
    check_reason(body.reason)
    for place, ref in enumerate(body.events):
        check_name(ref.board, f"events[{place}].board")
        check_id(ref.event_id, f"events[{place}].event_id")
    found: list[tuple[wire.EventRef, Waiting | wire.JudgedEvent]] = []
    for ref in body.events:
        try:
            board = services.query.board(call.project, ref.board)
            found.append((ref, _waiting(services, board, ref.event_id)))
        except (ApiError, InvalidInput) as error:
            found.append((ref, _refused(ref, error.code, error.message)))
    waiting = [each for _, each in found if isinstance(each, Waiting)]
    results: Iterator[Applied] = iter(())
    if waiting:
        is_approved = body.decision == "approve"
        written = services.intake.judge(call.project, waiting, by(call), is_approved=is_approved)
        applied = await settled(written)
        results = iter(applied)
    return wire.JudgeReply(
        tuple(
            each
            if isinstance(each, wire.JudgedEvent)
            else _judged(services, call.project, ref, next(results))
            for ref, each in found
        )
    )


def _waiting(services: Services, board: Board, event_id: str) -> Waiting:
    """An event that is in quarantine, or was approved there.

    Raises:
        InvalidInput: the id cannot be one.
        ApiError: ``unknown_event``.
    """
    check_id(event_id, "event_id")
    found = services.quarantined.event(board, event_id)
    if found is None:
        raise ApiError("unknown_event", f"no event {event_id!r} is in quarantine", field="event_id")
    return Waiting(*found)


def _refused(ref: wire.EventRef, code: str, message: str) -> wire.JudgedEvent:
    return wire.JudgedEvent(ref.board, ref.event_id, "refused", code=code, message=message)


def _judged(
    services: Services, project: str, ref: wire.EventRef, result: object
) -> wire.JudgedEvent:
    if not isinstance(result, ActResult):
        raise Broken("an act was answered like an event")
    if result.refused is not None:
        return _refused(ref, result.refused.code, result.refused.message)
    change: JudgeChange | None = result.judged
    if change is None:
        raise Broken("an event was judged, and what that changed is not known")
    periods = changed_periods(services, project, change.touched)
    return wire.JudgedEvent(ref.board, ref.event_id, change.result, periods, str(result.seq))

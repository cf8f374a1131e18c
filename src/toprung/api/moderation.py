"""Acts of moderation."""

from collections.abc import Sequence

import msgspec

from toprung.api.operation import Call
from toprung.api.points import points_told
from toprung.api.services import Services
from toprung.api.waiting import acted
from toprung.domain.decide import EntryKey
from toprung.domain.errors import Broken, InvalidInput
from toprung.domain.instants import format_instant, parse_instant
from toprung.domain.moderation import VoidChange
from toprung.intake import Adjustment, By
from toprung.ports.pipeline import ActResult
from toprung.wire import moderation as wire


async def hide_player(services: Services, call: Call) -> wire.PlayerActed:
    """Take a player out of every public answer."""
    return await _act_on_player(services, call, "hide")


async def unhide_player(services: Services, call: Call) -> wire.PlayerActed:
    """Bring a hidden player back."""
    return await _act_on_player(services, call, "unhide")


async def ban_player(services: Services, call: Call) -> wire.PlayerActed:
    """Take a player out, until an instant or for good."""
    until = call.body.until
    end = None if until is None else parse_instant(until, "until")
    return await _act_on_player(services, call, "ban", end)


async def unban_player(services: Services, call: Call) -> wire.PlayerActed:
    """Bring a banned player back."""
    return await _act_on_player(services, call, "unban")


async def merge_player(services: Services, call: Call) -> wire.PlayerActed:
    """Have a player's events count for another one."""
    return await _act_on_player(services, call, "merge", into=call.body.into)


async def unmerge_player(services: Services, call: Call) -> wire.PlayerActed:
    """Have a merged player's events count for the player again."""
    return await _act_on_player(services, call, "unmerge")


async def _act_on_player(
    services: Services,
    call: Call,
    action: str,
    until: int | None = None,
    into: str | None = None,
) -> wire.PlayerActed:
    written = services.intake.moderate_player(
        call.project, call.path[0], action, by(call), until=until, into=into
    )
    return _player(await acted(written))


def by(call: Call) -> By:
    """Who asks for an act, and why."""
    return By(call.key_id, call.body.reason)


def _player(result: ActResult) -> wire.PlayerActed:
    change = result.player
    if change is None:
        raise Broken("an act on a player was applied, and what it changed is not known")
    state = change.state
    until = None if state.until is None else format_instant(state.until)
    return wire.PlayerActed(
        change.player_id,
        change.result,
        state.hidden,
        state.banned,
        until,
        state.into,
        str(result.seq),
    )


async def erase_player(services: Services, call: Call) -> wire.PlayerErased:
    """Erase a player."""
    (player,) = call.path
    try:
        result = await acted(
            services.intake.erase_player(call.project, player, services.new_receipt(), by(call))
        )
    finally:
        services.profiles.forget(call.project, player)
    change = result.erased
    if change is None:
        raise Broken("a player was erased, and what that changed is not known")
    return wire.PlayerErased(
        change.receipt,
        format_instant(change.erased_at),
        str(result.seq),
        change.events,
        change.entries,
        change.snapshots,
        change.sha256,
        changed_periods(services, call.project, change.touched),
    )


async def adjust_player(services: Services, call: Call) -> wire.Adjusted:
    """Correct a player's score."""
    (name, player), body = call.path, call.body
    given = [points for points in (body.by, body.to) if isinstance(points, msgspec.Raw)]
    if len(given) != 1:
        raise InvalidInput("one of by and to must be given", field="by")
    is_target = isinstance(body.to, msgspec.Raw)
    at = None if body.at is None else parse_instant(body.at, "at")
    asked = Adjustment(name, player, body.event_id, given[0], is_target, body.window, at)
    result = await acted(services.intake.adjust(call.project, asked, by(call)))
    change = result.adjusted
    if change is None:
        raise Broken("a score was corrected, and what that changed is not known")
    difference = points_told(change.board, change.difference, change.revision)
    periods = changed_periods(services, call.project, change.touched)
    return wire.Adjusted(
        name, player, body.event_id, change.result, difference, periods, str(result.seq)
    )


async def void_event(services: Services, call: Call) -> wire.EventActed:
    """Mark an event id as void."""
    return await _act_on_event(services, call, is_void=True)


async def unvoid_event(services: Services, call: Call) -> wire.EventActed:
    """Take the mark off an event id."""
    return await _act_on_event(services, call, is_void=False)


async def _act_on_event(services: Services, call: Call, *, is_void: bool) -> wire.EventActed:
    board, event_id = call.path
    written = services.intake.void_event(call.project, board, event_id, by(call), is_void=is_void)
    result = await acted(written)
    change, periods = _voided(services, call.project, result)
    return wire.EventActed(board, event_id, change.result, change.is_void, periods, str(result.seq))


async def void_match(services: Services, call: Call) -> wire.MatchActed:
    """Mark a match as void."""
    return await _act_on_match(services, call, is_void=True)


async def unvoid_match(services: Services, call: Call) -> wire.MatchActed:
    """Take the mark off a match."""
    return await _act_on_match(services, call, is_void=False)


async def _act_on_match(services: Services, call: Call, *, is_void: bool) -> wire.MatchActed:
    (match_id,) = call.path
    written = services.intake.void_match(call.project, match_id, by(call), is_void=is_void)
    result = await acted(written)
    change, periods = _voided(services, call.project, result)
    return wire.MatchActed(match_id, change.result, change.is_void, periods, str(result.seq))


def _voided(
    services: Services, project: str, result: ActResult
) -> tuple[VoidChange, tuple[wire.ChangedPeriod, ...]]:
    change = result.void
    if change is None:
        raise Broken("a mark was set, and what it changed is not known")
    return change, changed_periods(services, project, change.touched)


def changed_periods(
    services: Services, project: str, keys: Sequence[EntryKey]
) -> tuple[wire.ChangedPeriod, ...]:
    """Periods by the names of their boards, without those of boards that were dropped since."""
    names = {board.board_id: board.state.name for board in services.query.boards(project)}
    return tuple(
        wire.ChangedPeriod(names[board_id], window, key)
        for board_id, window, key in keys
        if board_id in names
    )

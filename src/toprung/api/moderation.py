"""Acts of moderation."""

from toprung.api.operation import Call
from toprung.api.services import Services
from toprung.api.waiting import acted
from toprung.domain.errors import Broken
from toprung.domain.instants import format_instant, parse_instant
from toprung.intake import By
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


async def _act_on_player(
    services: Services, call: Call, action: str, until: int | None = None
) -> wire.PlayerActed:
    written = services.intake.moderate_player(
        call.project, call.path[0], action, _by(call), until=until
    )
    return _player(await acted(written))


def _by(call: Call) -> By:
    return By(call.key_id, call.body.reason)


def _player(result: ActResult) -> wire.PlayerActed:
    change = result.player
    if change is None:
        raise Broken("an act on a player was applied, and what it changed is not known")
    state = change.state
    until = None if state.until is None else format_instant(state.until)
    return wire.PlayerActed(
        change.player_id, change.result, state.hidden, state.banned, until, str(result.seq)
    )

"""Players' profiles and lists of friends."""

from toprung.api.errors import ApiError
from toprung.api.operation import Call
from toprung.api.services import Services
from toprung.api.waiting import acted
from toprung.domain.errors import Broken
from toprung.domain.instants import format_instant
from toprung.domain.names import check_id
from toprung.domain.records import Profile
from toprung.ports.store import StoredFriends, StoredProfile
from toprung.wire import reads as wire


async def put_player(services: Services, call: Call) -> wire.PlayerReply:
    """Set a profile."""
    player_id, body = call.path[0], call.body
    profile = Profile(body.name, body.avatar_url, body.attributes)
    written = services.intake.put_profile(call.project, player_id, profile)
    try:
        result = await acted(written)
    finally:
        services.profiles.forget(call.project, player_id)
    if result.profile is None:
        raise Broken("a profile was put and is not known")
    return _reply(player_id, result.profile)


def get_player(services: Services, call: Call) -> wire.PlayerReply:
    """A profile."""
    player_id = check_id(call.path[0], "player_id")
    stored = services.store.profiles(call.project, [player_id]).get(player_id)
    if stored is None:
        raise ApiError("unknown_player", f"player {player_id!r} has no profile", field="player")
    return _reply(player_id, stored)


async def put_friends(services: Services, call: Call) -> wire.FriendList:
    """Set a list of friends."""
    player_id = call.path[0]
    written = services.intake.put_friends(call.project, player_id, call.body.players)
    try:
        result = await acted(written)
    finally:
        services.friends.forget(call.project, player_id)
    if result.friends is None:
        raise Broken("a list of friends was put and is not known")
    return _list(player_id, result.friends)


def get_friends(services: Services, call: Call) -> wire.FriendList:
    """A list of friends."""
    player_id = check_id(call.path[0], "player_id")
    return _list(player_id, services.friends.of(call.project, player_id))


def _list(player_id: str, stored: StoredFriends) -> wire.FriendList:
    return wire.FriendList(
        player_id, stored.friends, format_instant(stored.updated_at), str(stored.seq)
    )


def _reply(player_id: str, stored: StoredProfile) -> wire.PlayerReply:
    profile = stored.profile
    return wire.PlayerReply(
        player_id,
        profile.name,
        profile.avatar_url,
        profile.attributes,
        format_instant(stored.updated_at),
        str(stored.seq),
    )

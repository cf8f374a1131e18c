"""The operations that take players and events out, and bring them back."""

from toprung.api import moderation
from toprung.api import moderation_examples as examples
from toprung.api.operation import Body, Operation
from toprung.domain.access import Role
from toprung.wire import moderation as wire

_ON_ALL_BOARDS = (
    "On all boards of the project, in every window, at once; also before the player's first event. "
    "Done twice it is done once. "
)

MODERATION = (
    Operation(
        "hidePlayer",
        "POST",
        "/v1/players/{player}/hide",
        Role.ADMIN,
        "Take a player out of every public answer",
        moderation.hide_player,
        {200: wire.PlayerActed},
        examples.PLAYER_HIDDEN,
        body=Body(wire.ActRequest, examples.ACT_IN),
        tag="moderation",
        description=_ON_ALL_BOARDS + "Ranks close up. Events of the player go on counting out of "
        "sight; their results tell no ranks.",
        writes=True,
    ),
    Operation(
        "unhidePlayer",
        "POST",
        "/v1/players/{player}/unhide",
        Role.ADMIN,
        "Bring a hidden player back",
        moderation.unhide_player,
        {200: wire.PlayerActed},
        examples.PLAYER_SHOWN,
        body=Body(wire.ActRequest, examples.ACT_IN),
        tag="moderation",
        description="With everything that counted meanwhile.",
        writes=True,
    ),
    Operation(
        "banPlayer",
        "POST",
        "/v1/players/{player}/ban",
        Role.ADMIN,
        "Take a player out until an instant, or for good",
        moderation.ban_player,
        {200: wire.PlayerActed},
        examples.PLAYER_BANNED,
        body=Body(wire.BanRequest, examples.BAN_IN),
        tag="moderation",
        description=_ON_ALL_BOARDS + "Another `until` takes the place of the one before.",
        writes=True,
    ),
    Operation(
        "unbanPlayer",
        "POST",
        "/v1/players/{player}/unban",
        Role.ADMIN,
        "Bring a banned player back",
        moderation.unban_player,
        {200: wire.PlayerActed},
        examples.PLAYER_SHOWN,
        body=Body(wire.ActRequest, examples.ACT_IN),
        tag="moderation",
        description="With everything that counted meanwhile. A player who is hidden too stays so.",
        writes=True,
    ),
    Operation(
        "voidEvent",
        "POST",
        "/v1/boards/{board}/events/{event_id}/void",
        Role.ADMIN,
        "Mark an event id as void",
        moderation.void_event,
        {200: wire.EventActed},
        examples.EVENT_VOIDED,
        ("unknown_board",),
        body=Body(wire.ActRequest, examples.ACT_IN),
        tag="moderation",
        description="The board behaves as if the event never was, in every window, closed ones "
        "too: a player's next best comes back. The mark may come before the event, which is then "
        "answered `unchanged`. `periods` names where somebody stands otherwise.",
        writes=True,
    ),
    Operation(
        "unvoidEvent",
        "POST",
        "/v1/boards/{board}/events/{event_id}/unvoid",
        Role.ADMIN,
        "Take the mark off an event id",
        moderation.unvoid_event,
        {200: wire.EventActed},
        examples.EVENT_UNVOIDED,
        ("unknown_board", "overflow"),
        body=Body(wire.ActRequest, examples.ACT_IN),
        tag="moderation",
        description="The event counts in the windows that took it when it came.",
        writes=True,
    ),
    Operation(
        "voidMatch",
        "POST",
        "/v1/matches/{match}/void",
        Role.ADMIN,
        "Mark a match as void",
        moderation.void_match,
        {200: wire.MatchActed},
        examples.MATCH_VOIDED,
        body=Body(wire.ActRequest, examples.ACT_IN),
        tag="moderation",
        description="All events with this `match_id`, past and to come, on all boards of the "
        "project.",
        writes=True,
    ),
    Operation(
        "unvoidMatch",
        "POST",
        "/v1/matches/{match}/unvoid",
        Role.ADMIN,
        "Take the mark off a match",
        moderation.unvoid_match,
        {200: wire.MatchActed},
        examples.MATCH_UNVOIDED,
        ("overflow",),
        body=Body(wire.ActRequest, examples.ACT_IN),
        tag="moderation",
        description="Its events count in the windows that took them when they came; one that is "
        "void by itself stays so.",
        writes=True,
    ),
)

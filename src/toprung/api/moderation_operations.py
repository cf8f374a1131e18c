"""The operations that take players and events out, and bring them back."""

from toprung.api import auditing, moderation
from toprung.api import moderation_examples as examples
from toprung.api.operation import Body, Operation
from toprung.api.parameters import AuditParams
from toprung.domain.access import Role
from toprung.wire import audit as wire_audit
from toprung.wire import moderation as wire

_ON_ALL_BOARDS = (
    "On all boards of the project, in every window, at once; also before the player's first event. "
    "Done twice it is done once. "
)

MODERATION = (
    Operation(
        "audit",
        "GET",
        "/v1/audit",
        Role.ADMIN,
        "Who did what, and when",
        auditing.list_acts,
        {200: wire_audit.AuditReply},
        examples.AUDIT,
        params=AuditParams,
        tag="moderation",
        description="The latest first: what was done to boards, seasons, rules, players and "
        "events, also what was refused. It goes on by `next`.",
    ),
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
        "mergePlayer",
        "POST",
        "/v1/players/{player}/merge",
        Role.ADMIN,
        "Have a player's events count for another player",
        moderation.merge_player,
        {200: wire.PlayerActed},
        examples.PLAYER_MERGED,
        ("overflow",),
        body=Body(wire.MergeRequest, examples.MERGE_IN),
        tag="moderation",
        description="All of them, past and to come, on all boards of the project; the player is on "
        "no board then. A player who is merged already must be unmerged first; nobody is merged in "
        "a circle.",
        writes=True,
    ),
    Operation(
        "unmergePlayer",
        "POST",
        "/v1/players/{player}/unmerge",
        Role.ADMIN,
        "Have a merged player's events count for the player again",
        moderation.unmerge_player,
        {200: wire.PlayerActed},
        examples.PLAYER_SHOWN,
        ("overflow",),
        body=Body(wire.ActRequest, examples.ACT_IN),
        tag="moderation",
        description="Both players are then what their own events make them.",
        writes=True,
    ),
    Operation(
        "erasePlayer",
        "POST",
        "/v1/players/{player}/erase",
        Role.ADMIN,
        "Erase a player for good",
        moderation.erase_player,
        {200: wire.PlayerErased},
        examples.PLAYER_ERASED,
        ("rebuilding", "overflow"),
        body=Body(wire.ActRequest, examples.ERASE_IN),
        tag="moderation",
        description="Cannot be undone. The id is found nowhere from then on: not in the file, in "
        "exports, or in backups made afterwards. Event ids stay spent: sent again, they are a "
        "`conflict`. Final standings with the player are taken back, and other versions are made. "
        "Who counted for the player counts for oneself again. The same id may come again, as "
        "somebody else.",
        writes=True,
    ),
    Operation(
        "adjustPlayer",
        "POST",
        "/v1/boards/{board}/players/{player}/adjust",
        Role.ADMIN,
        "Correct a player's score: by an amount, or to a value",
        moderation.adjust_player,
        {200: wire.Adjusted},
        examples.PLAYER_ADJUSTED,
        ("unknown_board", "unranked_player", "conflict", "overflow"),
        body=Body(wire.AdjustRequest, examples.ADJUST_IN),
        tag="moderation",
        description="Recorded as the difference, under an event id of its own. It counts in every "
        "window that holds its `at`, closed ones too, which get another version. On a board that "
        "adds up it counts as an event does; else it moves the score that stands, and later events "
        "compare with what it made of it. Voiding its id undoes it.",
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

"""The operations on boards whose public view stands still."""

from toprung.api import freezing
from toprung.api.examples import BOARD, PLAYER
from toprung.api.operation import Operation
from toprung.api.parameters import RevealParams
from toprung.domain.access import Role
from toprung.wire import freezing as wire
from toprung.wire.reads import Period

_AT = "2026-11-30T12:00:00Z"
_UNFROZEN = wire.UnfreezeReply(BOARD, "changed", _AT, "9")
_REVEALED = wire.RevealReply(
    BOARD,
    "all",
    Period("all", None, None),
    "ordinal",
    _AT,
    2,
    (
        wire.RevealStep(1, "bo", 2, "7", 1, "19", 2),
        wire.RevealStep(2, PLAYER, 2, "12", 2, "12", 2, name="Ana"),
    ),
    None,
    "8",
)

FREEZING = (
    Operation(
        "unfreeze",
        "POST",
        "/v1/boards/{board}/unfreeze",
        Role.ADMIN,
        "Show the public what a freeze keeps back",
        freezing.unfreeze,
        {200: wire.UnfreezeReply},
        _UNFROZEN,
        ("unknown_board",),
        tag="boards",
        description="Every public answer has everything from then on. The setting stays, so that "
        "the same settings put again change nothing; to freeze again, set another instant, or none "
        "and then the same one.",
        writes=True,
    ),
    Operation(
        "reveal",
        "GET",
        "/v1/boards/{board}/reveal",
        Role.ADMIN,
        "The steps from the frozen list to the full one",
        freezing.reveal,
        {200: wire.RevealReply},
        _REVEALED,
        ("unknown_board", "not_frozen", "unsupported"),
        RevealParams,
        tag="boards",
        description="From the last place up, as contests show it: at each step the lowest player "
        "who does not have it yet gets the full score and moves to the new rank. Who came after "
        "the freeze is shown first. After the last step the list is the full one.",
    ),
)

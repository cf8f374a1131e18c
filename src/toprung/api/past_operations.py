"""The operations on how scores and ranks came about."""

from toprung.api import past
from toprung.api.examples import BOARD, EVENT, PLAYER
from toprung.api.operation import Operation
from toprung.api.parameters import ExplainParams, HistoryParams
from toprung.domain.access import Role
from toprung.wire import past as wire
from toprung.wire.reads import Period

_CODES = ("unknown_board", "unsupported", "withheld")
_ALL = Period("all", None, None)
_HISTORY = wire.HistoryReply(
    BOARD,
    "all",
    _ALL,
    "ordinal",
    PLAYER,
    "1h",
    (
        wire.HistoryPoint("2026-11-30T12:00:00Z", "0", None, None, 0),
        wire.HistoryPoint("2026-11-30T13:00:00Z", "3", 1, "12", 2),
    ),
)
_EXPLAINED = wire.ExplainReply(
    BOARD,
    "all",
    _ALL,
    "ordinal",
    PLAYER,
    1,
    "12",
    "2026-11-30T12:00:00Z",
    2,
    0,
    0,
    1,
    (
        wire.ExplainedEvent(
            EVENT,
            PLAYER,
            "2",
            "2026-11-30T12:00:00Z",
            "2026-11-30T12:00:00Z",
            "12",
            "counted",
            (),
            void=False,
            counts=True,
            decides=True,
        ),
    ),
    0,
    "3",
)

PAST = (
    Operation(
        "history",
        "GET",
        "/v1/boards/{board}/history/{player}",
        Role.CLIENT,
        "A player's score and rank over time",
        past.history,
        {200: wire.HistoryReply},
        _HISTORY,
        _CODES,
        HistoryParams,
        tag="reads",
        description="In one period, at moments that are `step` apart, each by what had arrived by "
        "then, and by the present rules of the board.",
    ),
    Operation(
        "explain",
        "GET",
        "/v1/boards/{board}/explain/{player}",
        Role.CLIENT,
        "Which events made a player's score",
        past.explain,
        {200: wire.ExplainReply},
        _EXPLAINED,
        _CODES,
        ExplainParams,
        tag="reads",
        description="Every event of the player on the board with what became of it, whether it "
        "counts in the period, and whether the score is made of it; and how the rank follows.",
    ),
)

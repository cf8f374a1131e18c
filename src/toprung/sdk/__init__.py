"""The Python SDK: ``Client`` for blocking code, ``AsyncClient`` for asyncio.

    with Client("http://127.0.0.1:8080", key) as client:
        client.submit("daily-high", "ana", 1200)
        print(client.rank("daily-high", "ana"))

It needs httpx2 and msgspec, and nothing of the server. Both clients have the same methods;
every reply is a plain object of the API, scores in it are text (``score_of`` makes them
``Decimal``). Whatever goes wrong is a ``ToprungError``.
"""

from toprung.sdk._async_batcher import AsyncBatcher, AsyncReceipt
from toprung.sdk._async_client import AsyncClient
from toprung.sdk._batcher import Batcher, Receipt
from toprung.sdk._client import Client
from toprung.sdk._errors import (
    Conflict,
    EventRefused,
    Forbidden,
    InvalidRequest,
    NotFound,
    RateLimited,
    ToprungError,
    Unauthorized,
    Unavailable,
)
from toprung.sdk._events import Instant, Number, PartialBatch, Points, ScoreEvent
from toprung.sdk._exchange import Retries
from toprung.sdk._ids import EventIds
from toprung.sdk._named import NamedEvent
from toprung.sdk._numbers import columns_of, score_of
from toprung.sdk._outbox import BatchFailed
from toprung.sdk._system import System
from toprung.wire.admin import RebuildReply
from toprung.wire.audit import AuditedAct, AuditReply
from toprung.wire.boards import (
    Board,
    BoardDropped,
    BoardLimits,
    BoardPutReply,
    BoardSettings,
    BoardsReply,
    Column,
    PeriodNow,
    PointsRange,
    PublishDelay,
    Season,
    SeasonReply,
    SeasonScheduleReply,
    SeasonsReply,
)
from toprung.wire.events import EventsReply, LoggedEvent
from toprung.wire.moderation import (
    Adjusted,
    ChangedPeriod,
    EventActed,
    MatchActed,
    PlayerActed,
    PlayerErased,
)
from toprung.wire.past import ExplainedEvent, ExplainReply, HistoryPoint, HistoryReply
from toprung.wire.periods import (
    Boundary,
    PeriodReply,
    PeriodsReply,
    PeriodVersion,
    PublishReply,
    ScheduleReply,
    WindowSchedule,
)
from toprung.wire.quarantine import HeldEvent, JudgedEvent, JudgeReply, QuarantineReply
from toprung.wire.reads import (
    FriendList,
    FriendRow,
    FriendsPage,
    FriendsReply,
    Health,
    Period,
    PlayerReply,
    RankOfReply,
    RankReply,
    RanksReply,
    Row,
    StandingsReply,
    Target,
    Withheld,
)
from toprung.wire.rules import (
    NamedBatchReply,
    NamedResult,
    Rule,
    RulesPutReply,
    RulesReply,
    TrialReply,
    TrialResult,
    TrialScore,
)
from toprung.wire.scores import BatchReply, EventReply, ScoreResult, WindowResult

__all__ = [
    "Adjusted",
    "AsyncBatcher",
    "AsyncClient",
    "AsyncReceipt",
    "AuditReply",
    "AuditedAct",
    "BatchFailed",
    "BatchReply",
    "Batcher",
    "Board",
    "BoardDropped",
    "BoardLimits",
    "BoardPutReply",
    "BoardSettings",
    "BoardsReply",
    "Boundary",
    "ChangedPeriod",
    "Client",
    "Column",
    "Conflict",
    "EventActed",
    "EventIds",
    "EventRefused",
    "EventReply",
    "EventsReply",
    "ExplainReply",
    "ExplainedEvent",
    "Forbidden",
    "FriendList",
    "FriendRow",
    "FriendsPage",
    "FriendsReply",
    "Health",
    "HeldEvent",
    "HistoryPoint",
    "HistoryReply",
    "Instant",
    "InvalidRequest",
    "JudgeReply",
    "JudgedEvent",
    "LoggedEvent",
    "MatchActed",
    "NamedBatchReply",
    "NamedEvent",
    "NamedResult",
    "NotFound",
    "Number",
    "PartialBatch",
    "Period",
    "PeriodNow",
    "PeriodReply",
    "PeriodVersion",
    "PeriodsReply",
    "PlayerActed",
    "PlayerErased",
    "PlayerReply",
    "Points",
    "PointsRange",
    "PublishDelay",
    "PublishReply",
    "QuarantineReply",
    "RankOfReply",
    "RankReply",
    "RanksReply",
    "RateLimited",
    "RebuildReply",
    "Receipt",
    "Retries",
    "Row",
    "Rule",
    "RulesPutReply",
    "RulesReply",
    "ScheduleReply",
    "ScoreEvent",
    "ScoreResult",
    "Season",
    "SeasonReply",
    "SeasonScheduleReply",
    "SeasonsReply",
    "StandingsReply",
    "System",
    "Target",
    "ToprungError",
    "TrialReply",
    "TrialResult",
    "TrialScore",
    "Unauthorized",
    "Unavailable",
    "WindowResult",
    "WindowSchedule",
    "Withheld",
    "columns_of",
    "score_of",
]

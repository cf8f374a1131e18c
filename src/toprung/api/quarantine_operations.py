"""The operations on events in quarantine."""

from toprung.api import quarantine
from toprung.api.examples import BOARD, EVENT, PLAYER
from toprung.api.moderation_examples import ACT_IN
from toprung.api.operation import Body, Operation
from toprung.api.parameters import QuarantineParams
from toprung.domain.access import Role
from toprung.wire import moderation as wire_moderation
from toprung.wire import quarantine as wire

_AT = "2026-11-30T12:00:00Z"
_HELD = wire.HeldEvent(
    BOARD,
    EVENT,
    PLAYER,
    "9000",
    _AT,
    _AT,
    None,
    "points.score.max: 9000 is more than 500",
    "waiting",
    "4",
)
_PERIODS = (wire_moderation.ChangedPeriod(BOARD, "all", "all"),)
_APPROVED = wire.JudgedEvent(BOARD, EVENT, "approved", _PERIODS, "8")
_REJECTED = wire.JudgedEvent(BOARD, EVENT, "rejected", (), "8")
_JUDGE_IN = {
    "decision": "reject",
    "events": [{"board": BOARD, "event_id": EVENT}],
    "reason": "a bot",
}

QUARANTINE = (
    Operation(
        "quarantine",
        "GET",
        "/v1/quarantine",
        Role.ADMIN,
        "Events that broke a limit and wait for somebody to look",
        quarantine.list_quarantine,
        {200: wire.QuarantineReply},
        wire.QuarantineReply((_HELD,), None, "7"),
        ("unknown_board",),
        QuarantineParams,
        tag="moderation",
        description="The last that came first, with the limit that each breaks. On boards whose "
        "`limits` say `on_breach: quarantine`.",
    ),
    Operation(
        "judgeEvents",
        "POST",
        "/v1/quarantine",
        Role.ADMIN,
        "Approve or reject many events in quarantine",
        quarantine.judge_events,
        {200: wire.JudgeReply},
        wire.JudgeReply((_REJECTED,)),
        body=Body(wire.JudgeRequest, _JUDGE_IN),
        tag="moderation",
        description="As for one by itself; what cannot be done for one is told in its result, and "
        "costs the others nothing.",
        writes=True,
    ),
    Operation(
        "approveEvent",
        "POST",
        "/v1/quarantine/{board}/{event_id}/approve",
        Role.ADMIN,
        "Have an event in quarantine count",
        quarantine.approve_event,
        {200: wire.JudgedEvent},
        _APPROVED,
        ("unknown_board", "unknown_event", "late", "early", "overflow"),
        body=Body(wire_moderation.ActRequest, ACT_IN),
        tag="moderation",
        description="It counts at its own time: in the windows that were open when it arrived, "
        "closed ones too, whose final standings get another version. A rejected one can still be "
        "approved. To undo it, void the event.",
        writes=True,
    ),
    Operation(
        "rejectEvent",
        "POST",
        "/v1/quarantine/{board}/{event_id}/reject",
        Role.ADMIN,
        "Have an event in quarantine never count",
        quarantine.reject_event,
        {200: wire.JudgedEvent},
        _REJECTED,
        ("unknown_board", "unknown_event"),
        body=Body(wire_moderation.ActRequest, ACT_IN),
        tag="moderation",
        description="Its id stays spent. An event that was approved is not in quarantine any more.",
        writes=True,
    ),
)

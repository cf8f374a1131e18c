"""The examples of the documents on moderation: more of the story in ``examples``."""

from toprung.wire import audit, moderation

PLAYER = "ana"
ACT_IN = {"reason": "looked into: see ticket 311"}
BAN_IN = {"until": "2027-01-01T00:00:00Z", "reason": "used an aim bot"}
PLAYER_HIDDEN = moderation.PlayerActed(PLAYER, "changed", True, False, None, None, "6")
PLAYER_SHOWN = moderation.PlayerActed(PLAYER, "changed", False, False, None, None, "7")
PLAYER_BANNED = moderation.PlayerActed(
    PLAYER, "changed", False, True, "2027-01-01T00:00:00Z", None, "6"
)

_PERIODS = (
    moderation.ChangedPeriod("arena", "all", "all"),
    moderation.ChangedPeriod("arena", "daily", "2026-11-30"),
)
EVENT_VOIDED = moderation.EventActed("arena", "match-1:ana", "changed", True, _PERIODS, "8")
EVENT_UNVOIDED = moderation.EventActed("arena", "match-1:ana", "changed", False, _PERIODS, "9")
MATCH_VOIDED = moderation.MatchActed("match-1", "changed", True, _PERIODS, "8")
MATCH_UNVOIDED = moderation.MatchActed("match-1", "changed", False, _PERIODS, "9")
ERASE_IN = {"reason": "asked for by ticket 412"}
PLAYER_ERASED = moderation.PlayerErased(
    "5d0c7e1b9a3f42688c1d2e3f4a5b6c7d",
    "2026-11-30T12:00:00Z",
    "10",
    2,
    4,
    1,
    "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865",
    _PERIODS,
)
ADJUST_IN = {"event_id": "fix-17", "by": "-20", "reason": "a bonus was paid twice"}
PLAYER_ADJUSTED = moderation.Adjusted("arena", PLAYER, "fix-17", "counted", "-20", _PERIODS, "8")
AUDIT = audit.AuditReply(
    (
        audit.AuditedAct(
            "9",
            "2026-11-30T12:00:00Z",
            "hide",
            None,
            PLAYER,
            "3f2a6c0d9b1e",
            "looked into: see ticket 311",
            "changed",
            None,
            {},
        ),
    ),
    None,
    "9",
)
MERGE_IN = {"into": "bo", "reason": "two accounts of one person"}
PLAYER_MERGED = moderation.PlayerActed(PLAYER, "changed", False, False, None, "bo", "6")

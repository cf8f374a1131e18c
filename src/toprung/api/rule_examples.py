"""The examples of the documents about rules for named events."""

from typing import Any

from toprung.api.examples import BOARD, EVENT, PLAYER, RESULT
from toprung.wire import rules

_AT = "2026-11-30T12:00:00Z"
RULE_IN: dict[str, Any] = {
    "name": "xp",
    "event": "match_finished",
    "board": BOARD,
    "points": "properties.xp_earned * 2",
    "when": "properties.won == true",
    "max": 500,
}
_RULE = rules.Rule(**RULE_IN | {"max": "500"})
RULES_IN = {"rules": [RULE_IN]}
RULES = rules.RulesReply((_RULE,), _AT, "3")
RULES_PUT = rules.RulesPutReply("created", (_RULE,), _AT, "3")

NAMED_EVENT_IN: dict[str, Any] = {
    "event_id": EVENT,
    "player_id": PLAYER,
    "name": "match_finished",
    "properties": {"won": True, "xp_earned": 6},
    "at": _AT,
}
_LOST = NAMED_EVENT_IN | {"event_id": "match-1:bo", "player_id": "bo", "properties": {"won": False}}
_BROKEN = NAMED_EVENT_IN | {"event_id": "match-1:cy", "player_id": "cy", "properties": {}}
NAMED_BATCH_IN = {"events": [NAMED_EVENT_IN, _LOST, _BROKEN]}
_FAULT = "rule 'xp': properties.won is missing"
NAMED_BATCH = rules.NamedBatchReply(
    (
        rules.NamedResult("applied", EVENT, PLAYER, "match_finished", (RESULT,)),
        rules.NamedResult("ignored", "match-1:bo", "bo", "match_finished"),
        rules.NamedResult(
            "invalid",
            "match-1:cy",
            "cy",
            "match_finished",
            (),
            "events[2].properties.won",
            _FAULT,
        ),
    ),
    {"applied": 1, "ignored": 1, "invalid": 1},
    {"counted": 1},
    "2",
)
TRIAL_IN = {"events": [NAMED_EVENT_IN, _BROKEN], "rules": [RULE_IN]}
TRIAL = rules.TrialReply(
    (
        rules.TrialResult(
            "applied",
            EVENT,
            PLAYER,
            "match_finished",
            (rules.TrialScore(BOARD, PLAYER, "12", ("xp",)),),
        ),
        rules.TrialResult(
            "invalid",
            "match-1:cy",
            "cy",
            "match_finished",
            (),
            "events[1].properties.won",
            _FAULT,
        ),
    ),
    {"applied": 1, "invalid": 1},
)

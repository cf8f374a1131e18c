"""JSON Schemas of everything that travels: the wire types, with the limits of the domain.

The wire types carry no bounds themselves: checking a pattern in every text would cost more than
decoding it. The bounds are checked where the rules are; here they are only told.
"""

import ast
import inspect
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from toprung.api.errors import CODES
from toprung.domain import limits
from toprung.domain.calendar import ROLLING_PATTERN, WINDOWS
from toprung.domain.limits import Limit
from toprung.domain.names import NAME_PATTERN, RESERVED_NAMES
from toprung.domain.numbers import NUMBER_PATTERN
from toprung.domain.outcomes import Outcome
from toprung.wire import (
    admin,
    audit,
    boards,
    errors,
    events,
    freezing,
    moderation,
    past,
    periods,
    quarantine,
    reads,
    rules,
    scores,
)

Schema = dict[str, Any]

WIRE_MODULES = (
    admin,
    audit,
    boards,
    errors,
    events,
    freezing,
    moderation,
    past,
    periods,
    quarantine,
    reads,
    rules,
    scores,
)
"""Where the types are; their names differ."""

WINDOW: Schema = {
    "anyOf": [{"enum": list(WINDOWS)}, {"type": "string", "pattern": f"^{ROLLING_PATTERN}$"}]
}
"""What a window may be called."""

REF = "#/components/schemas/{name}"


def ref(name: str) -> Schema:
    """A reference to the component of that name."""
    return {"$ref": REF.format(name=name)}


def up_to(maximum: int) -> str:
    """A pattern of the whole numbers from 0 to ``maximum``, without leading zeros."""
    digits = str(maximum)
    parts = ["0", f"[1-9][0-9]{{0,{len(digits) - 2}}}"] if len(digits) > 1 else []
    for at, digit in enumerate(digits):
        least = "1" if at == 0 and len(digits) > 1 else "0"
        if digit > least:
            below = chr(ord(digit) - 1)
            parts.append(f"{digits[:at]}[{least}-{below}][0-9]{{{len(digits) - at - 1}}}")
    return "|".join([*parts, digits])


def integer(limit: Limit) -> Schema:
    """Whole numbers within a limit."""
    return {"type": "integer", "minimum": limit.minimum, "maximum": limit.maximum}


def _characters(limit: Limit, **more: Any) -> Schema:
    text = {"type": "string", "minLength": limit.minimum, "maxLength": limit.maximum}
    return text | {"pattern": _NO_CONTROLS} | more


def _items(limit: Limit, **more: Any) -> Schema:
    return {"minItems": limit.minimum, "maxItems": limit.maximum} | more


def _duration(unlimited: str) -> Schema:
    parts = _lengths(limits.DURATION_DAYS)
    return {"type": "string", "pattern": f"^({unlimited}|{parts})$", "examples": ["90s", "1h"]}


def _length(days: Limit) -> Schema:
    """A duration that has an end."""
    return {"type": "string", "pattern": f"^({_lengths(days)})$", "examples": ["24h", "7d"]}


def _lengths(days: Limit) -> str:
    most = days.maximum
    seconds = min(10**9 - 1, most * 86_400)
    units = {"s": seconds, "m": most * 1440, "h": most * 24, "d": most}
    return "|".join(f"({up_to(most)}){unit}" for unit, most in units.items())


_NO_CONTROLS = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$"
_NOT_RESERVED = f"(?!({'|'.join(sorted(RESERVED_NAMES))})$)"
_SEGMENT_NAME: Schema = {
    "type": "string",
    "pattern": f"^{_NOT_RESERVED}{NAME_PATTERN.replace(':', '')}$",
}
NAME: Schema = {"type": "string", "pattern": f"^{_NOT_RESERVED}{NAME_PATTERN}$"}
# The limit is one of UTF-8 bytes, which a schema cannot say; the format stands for it.
ID = _characters(limits.ID_BYTES, format="id")
INSTANT: Schema = {
    "type": "string",
    "format": "date-time",
    "pattern": r"^[1-8][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
    r"([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
}
DECIMAL: Schema = {
    "type": "string",
    "format": "decimal",
    "pattern": f"^{NUMBER_PATTERN}$",
    "maxLength": limits.NUMBER_TEXT.maximum,
}
_SEQ: Schema = {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}
_RANK: Schema = {"type": "integer", "minimum": 1}
_NUMBER = {
    "type": "number",
    "minimum": limits.NUMBER.minimum,
    "maximum": limits.NUMBER.maximum,
}
_BY_COLUMN: Schema = {
    "type": "object",
    "propertyNames": NAME,
    "additionalProperties": {"anyOf": [_NUMBER, DECIMAL]},
    "minProperties": limits.COLUMNS.minimum,
    "maxProperties": limits.COLUMNS.maximum,
}
_POINTS: Schema = {"anyOf": [_NUMBER, DECIMAL, _BY_COLUMN]}
_TEXTS_BY_COLUMN: Schema = {"type": "object", "additionalProperties": DECIMAL}
_OUTCOME: Schema = {"enum": [outcome.value for outcome in Outcome]}
_SCORES = {"score": DECIMAL, "previous_score": DECIMAL}
_PROFILE = {
    "name": _characters(limits.PROFILE_NAME_CHARS),
    "avatar_url": _characters(
        limits.AVATAR_URL_CHARS,
        pattern=_NO_CONTROLS.replace("^", "^https?://", 1),
    ),
}
_CARRIED: Schema = {
    "type": "object",
    "propertyNames": _SEGMENT_NAME,
    "maxProperties": limits.SEGMENTS.maximum,
    "additionalProperties": _characters(limits.ATTRIBUTE_CHARS),
}
REASON = _characters(limits.REASON_CHARS)
_BOUND: Schema = {
    "anyOf": [
        DECIMAL,
        {"type": "integer", "minimum": limits.NUMBER.minimum, "maximum": limits.NUMBER.maximum},
        {"type": "null"},
    ]
}
_SETTINGS: dict[str, Schema] = {
    "columns": _items(limits.COLUMNS),
    "windows": _items(limits.WINDOWS, items=WINDOW, uniqueItems=True),
    "zone": {"format": "time-zone"},
    "grace": _duration("none"),
    "max_ahead": _duration("none"),
    "remember": _duration("forever"),
    "title": _characters(limits.TITLE_CHARS),
    "admit": {
        "type": "object",
        "propertyNames": NAME,
        "maxProperties": limits.ATTRIBUTES.maximum,
        "additionalProperties": _items(
            limits.ADMIT_VALUES, type="array", items=_characters(limits.ATTRIBUTE_CHARS)
        ),
    },
    "segments": _items(limits.SEGMENTS, items=_SEGMENT_NAME, uniqueItems=True),
    "freeze_at": INSTANT,
}

_EXPRESSION = _characters(limits.EXPRESSION_CHARS, format="expression")
_EXPRESSION_OR_NUMBER: Schema = {"anyOf": [_EXPRESSION, {"type": "integer"}]}
_ITEM_OUTCOME: Schema = {"enum": ["applied", "ignored", Outcome.INVALID, Outcome.UNKNOWN_BOARD]}
_NAMED_EVENT: dict[str, Schema] = {
    "player_id": ID,
    "name": _characters(limits.EVENT_NAME_BYTES, format="id"),
    "event_id": ID,
}
_RULES: dict[str, Schema] = {"rules": _items(limits.RULES), "updated_at": INSTANT, "seq": _SEQ}

BOUNDS: dict[type[msgspec.Struct], dict[str, Schema]] = {
    admin.RebuildReply: {
        "done": {"minimum": 0},
        "total": {"minimum": 0},
        "seconds": {"minimum": 0},
        "seq": _SEQ,
    },
    errors.ErrorDetail: {"code": {"enum": list(CODES)}},
    boards.Column: {"name": NAME, "decimals": integer(limits.DECIMALS)},
    boards.BoardSettings: _SETTINGS,
    boards.PublishDelay: {"top": integer(limits.PUBLISH_TOP), "for": _length(limits.PUBLISH_DAYS)},
    boards.PointsRange: {"min": _BOUND, "max": _BOUND},
    boards.BoardLimits: {
        "points": {"propertyNames": NAME, "maxProperties": limits.COLUMNS.maximum},
        "points_per_hour": _BOUND,
        "events_per_minute": integer(limits.EVENTS_PER_MINUTE),
    },
    boards.Board: {
        **{name: bounds for name, bounds in _SETTINGS.items() if name != "windows"},
        "board": NAME,
        "created_at": INSTANT,
        "frozen_at": INSTANT,
        "seq": _SEQ,
    },
    freezing.UnfreezeReply: {"board": NAME, "freeze_at": INSTANT, "seq": _SEQ},
    freezing.RevealStep: {
        "step": {"minimum": 1},
        "rank_before": _RANK,
        "score_before": DECIMAL,
        "rank": _RANK,
        "score": DECIMAL,
        "total": {"minimum": 1},
    },
    freezing.RevealReply: {
        "board": NAME,
        "window": {"enum": list(WINDOWS)},
        "frozen_at": INSTANT,
        "total": {"minimum": 0},
        "next": {"minimum": 1},
        "seq": _SEQ,
    },
    boards.PeriodNow: {
        "window": WINDOW,
        "start": INSTANT,
        "end": INSTANT,
        "next_change": INSTANT,
    },
    boards.BoardDropped: {"board": NAME, "seq": _SEQ},
    boards.SeasonRequest: {
        "id": NAME,
        "name": {"type": "string", "pattern": f"^{_NOT_RESERVED}(?![0-9]+$){NAME_PATTERN}$"},
        "at": INSTANT,
        "ends_at": INSTANT,
    },
    boards.SeasonScheduleIn: {
        "cron": _characters(limits.CRON_CHARS, format="cron"),
        "zone": {"format": "time-zone"},
    },
    boards.SeasonScheduleReply: {"board": NAME, "seq": _SEQ},
    boards.SeasonEnd: {"id": NAME, "at": INSTANT},
    boards.Season: {"start": INSTANT, "end": INSTANT, "index": {"minimum": 0}},
    boards.SeasonReply: {"board": NAME, "seq": _SEQ},
    boards.SeasonsReply: {"board": NAME},
    periods.PeriodVersion: {
        "version": {"minimum": 1},
        "count": {"minimum": 0},
        "sha256": {"pattern": "^[0-9a-f]{64}$"},
        "seq": _SEQ,
        "closed_at": INSTANT,
    },
    periods.PublishReply: {"board": NAME, "window": WINDOW, "seq": _SEQ},
    periods.PeriodReply: {
        "board": NAME,
        "window": WINDOW,
        "start": INSTANT,
        "end": INSTANT,
        "closes_at": INSTANT,
        "seq": _SEQ,
    },
    periods.PeriodsReply: {"board": NAME, "window": WINDOW, "seq": _SEQ},
    periods.Boundary: {"at": INSTANT, "closes_at": INSTANT},
    periods.WindowSchedule: {"window": WINDOW},
    periods.ScheduleReply: {
        "board": NAME,
        "zone": {"format": "time-zone"},
        "now": INSTANT,
        "seq": _SEQ,
    },
    scores.EventIn: {
        "board": NAME,
        "player_id": ID,
        "points": _POINTS,
        "event_id": ID,
        "at": INSTANT,
        "match_id": _characters(limits.MATCH_ID_BYTES, format="id"),
        "metadata": {"type": ["object", "null"], "format": "metadata"},
        "segments": {**_CARRIED, "type": ["object", "null"]},
    },
    scores.WindowResult: {
        "window": WINDOW,
        "rank": _RANK,
        "previous_rank": _RANK,
        **_SCORES,
    },
    scores.ScoreResult: {"outcome": _OUTCOME, "first": _OUTCOME, "seq": _SEQ, **_SCORES},
    scores.BatchReply: {
        "seq": _SEQ,
        "outcomes": {"propertyNames": _OUTCOME, "additionalProperties": {"minimum": 1}},
    },
    scores.EventReply: {
        "points": {"anyOf": [DECIMAL, _TEXTS_BY_COLUMN]},
        "at": INSTANT,
        "received_at": INSTANT,
        "outcome": _OUTCOME,
        "seq": _SEQ,
        **_SCORES,
    },
    events.LoggedEvent: {
        "seq": _SEQ,
        "received_at": INSTANT,
        "points": {"anyOf": [DECIMAL, _TEXTS_BY_COLUMN]},
        "at": INSTANT,
        "outcome": _OUTCOME,
        "metadata": {"type": "object"},
        "segments": _CARRIED,
    },
    events.EventsReply: {"board": NAME, "seq": _SEQ},
    rules.Rule: {
        "name": NAME,
        "event": _characters(limits.EVENT_NAME_BYTES, format="id"),
        "board": NAME,
        "points": {
            "anyOf": [
                *_EXPRESSION_OR_NUMBER["anyOf"],
                {
                    "type": "object",
                    "propertyNames": NAME,
                    "additionalProperties": _EXPRESSION_OR_NUMBER,
                    "minProperties": limits.COLUMNS.minimum,
                    "maxProperties": limits.COLUMNS.maximum,
                },
            ]
        },
        "when": _EXPRESSION,
        "member": _EXPRESSION,
        "min": DECIMAL,
        "max": DECIMAL,
    },
    rules.RulesIn: {"rules": _items(limits.RULES)},
    rules.RulesReply: _RULES,
    rules.RulesPutReply: _RULES,
    rules.NamedEventIn: _NAMED_EVENT
    | {
        "properties": {"type": "object", "format": "properties"},
        "at": INSTANT,
        "match_id": _characters(limits.MATCH_ID_BYTES, format="id"),
    },
    rules.NamedResult: {"outcome": _ITEM_OUTCOME},
    rules.NamedBatchReply: {
        "seq": _SEQ,
        "outcomes": {"propertyNames": _ITEM_OUTCOME, "additionalProperties": {"minimum": 1}},
        "board_outcomes": {"propertyNames": _OUTCOME, "additionalProperties": {"minimum": 1}},
    },
    rules.RulesTrial: {
        "events": _items(limits.SAMPLE_EVENTS, items={"anyOf": [ref("NamedEventIn"), {}]}),
        "rules": _items(limits.RULES),
    },
    rules.TrialScore: {
        "board": NAME,
        "points": {"anyOf": [{"type": "string"}, {"type": "object"}]},
    },
    rules.TrialResult: {"outcome": _ITEM_OUTCOME},
    rules.TrialReply: {"outcomes": {"propertyNames": _ITEM_OUTCOME}},
    reads.Withheld: {
        "top": integer(limits.PUBLISH_TOP),
        "until": INSTANT,
        "players": {"items": ID},
    },
    reads.Period: {"start": INSTANT, "end": INSTANT},
    reads.Row: {"rank": _RANK, "score": DECIMAL, "reached_at": INSTANT},
    reads.RankReply: {"rank": _RANK, "score": DECIMAL, "reached_at": INSTANT, "seq": _SEQ},
    reads.StandingsReply: {"total": {"minimum": 0}, "seq": _SEQ},
    reads.RanksReply: {"total": {"minimum": 0}, "seq": _SEQ},
    reads.FriendsRequest: {"players": _items(limits.FRIENDS, items=ID)},
    reads.FriendRow: {
        "rank": _RANK,
        "board_rank": _RANK,
        "score": DECIMAL,
        "reached_at": INSTANT,
    },
    reads.FriendsReply: {"total": {"minimum": 0}, "seq": _SEQ},
    reads.FriendsPage: {
        "player_id": ID,
        "ranked": {"minimum": 0},
        "total": {"minimum": 0},
        "seq": _SEQ,
    },
    reads.FriendsIn: {"players": _items(limits.FRIENDS_KEPT, items=ID)},
    reads.FriendList: {"updated_at": INSTANT, "seq": _SEQ},
    reads.Target: {"rank": _RANK, "points": DECIMAL},
    reads.RankOfReply: {"rank": _RANK, "total": {"minimum": 0}, "seq": _SEQ},
    reads.RanksRequest: {"players": _items(limits.MANY_PLAYERS, items=ID)},
    reads.ProfileIn: {
        **_PROFILE,
        "attributes": {
            "maxProperties": limits.ATTRIBUTES.maximum,
            "propertyNames": NAME,
            "additionalProperties": _characters(limits.ATTRIBUTE_CHARS),
        },
    },
    reads.PlayerReply: {"updated_at": INSTANT, "seq": _SEQ},
    reads.Health: {"seq": _SEQ},
    # Its board is what was asked for, also where no board could have that name.
    audit.AuditedAct: {"seq": _SEQ, "at": INSTANT, "details": {"type": "object"}},
    audit.AuditReply: {"seq": _SEQ},
    moderation.ActRequest: {"reason": REASON},
    moderation.BanRequest: {"until": INSTANT, "reason": REASON},
    moderation.MergeRequest: {"into": ID, "reason": REASON},
    quarantine.HeldEvent: {
        "board": NAME,
        "points": {"anyOf": [DECIMAL, _TEXTS_BY_COLUMN]},
        "at": INSTANT,
        "received_at": INSTANT,
        "seq": _SEQ,
    },
    quarantine.QuarantineReply: {"seq": _SEQ},
    quarantine.EventRef: {"board": NAME, "event_id": ID},
    quarantine.JudgeRequest: {"events": _items(limits.JUDGED), "reason": REASON},
    quarantine.JudgedEvent: {"code": {"enum": list(CODES)}, "seq": _SEQ},
    moderation.AdjustRequest: {
        "event_id": ID,
        "by": _POINTS,
        "to": _POINTS,
        "window": {"enum": list(WINDOWS)},
        "at": INSTANT,
        "reason": REASON,
    },
    moderation.PlayerErased: {
        "erased_at": INSTANT,
        "seq": _SEQ,
        "events": {"minimum": 0},
        "entries": {"minimum": 0},
        "snapshots": {"minimum": 0},
        "sha256": {"pattern": "^[0-9a-f]{64}$"},
    },
    moderation.Adjusted: {
        "board": NAME,
        "by": {"anyOf": [DECIMAL, _TEXTS_BY_COLUMN]},
        "seq": _SEQ,
    },
    moderation.PlayerActed: {"until": INSTANT, "seq": _SEQ},
    moderation.ChangedPeriod: {"board": NAME},
    moderation.EventActed: {"board": NAME, "seq": _SEQ},
    moderation.MatchActed: {"seq": _SEQ},
}

BATCHES: dict[type[msgspec.Struct], str] = {
    scores.EventIn: "EventBatch",
    rules.NamedEventIn: "NamedEventBatch",
}
"""What a batch of such items is called."""


def _batch(item: str, limit: Limit) -> Schema:
    """What a batch is on the wire. An item of any shape is answered, so any shape is allowed."""
    return {
        "title": item.removesuffix("In") + "Batch",
        "type": "object",
        "description": "A batch of events. An item that is no event is answered `invalid` and "
        "costs the others nothing.",
        "properties": {
            "events": {"type": "array", **_items(limit), "items": {"anyOf": [ref(item), {}]}}
        },
        "required": ["events"],
        "additionalProperties": False,
    }


_BATCH_SCHEMAS = {
    "EventBatch": _batch("EventIn", limits.BATCH_EVENTS),
    "NamedEventBatch": _batch("NamedEventIn", limits.NAMED_EVENTS),
}


def components(types: Iterable[type]) -> dict[str, Schema]:
    """The component schemas of ``types`` and of all they are made of."""
    wanted = [kind for kind in types if _is_struct(kind)]
    _, found = msgspec.json.schema_components([*wanted, errors.ErrorReply], ref_template=REF)
    by_name = _structs_by_name()
    for name, schema in found.items():
        _complete(schema, by_name[name])
    return dict(sorted((found | _BATCH_SCHEMAS).items()))


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


@cache
def _structs_by_name() -> dict[str, type[msgspec.Struct]]:
    structs: dict[str, type[msgspec.Struct]] = {}
    for module in WIRE_MODULES:
        structs |= {
            name: kind
            for name, kind in vars(module).items()
            if _is_struct(kind) and kind.__module__ == module.__name__
        }
    return structs


def _complete(schema: Schema, struct: type[msgspec.Struct]) -> None:
    """Add bounds, the fields' descriptions, and which fields a reply always has."""
    schema["description"] = _prose(schema["description"])
    bounds, texts = BOUNDS.get(struct, {}), field_texts(struct)
    for name, field in schema["properties"].items():
        if name in bounds:
            _bind(field, bounds[name])
        if name in texts:
            field["description"] = texts[name]
    config = struct.__struct_config__
    is_reply = not config.forbid_unknown_fields
    if is_reply and not config.omit_defaults:
        schema["required"] = list(schema["properties"])


def _bind(field: Schema, bounds: Schema) -> None:
    """Put bounds on a field; where it may be null, on its other form."""
    nullable = field.get("anyOf")
    if nullable is not None and {"type": "null"} in nullable:
        nullable[0].update(bounds)
        return
    field.update(bounds)


def field_texts(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The documentation of a struct's fields: the text that stands below each in its source."""
    module = inspect.getmodule(struct)
    if module is None:
        return {}
    (body,) = (
        node.body
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ClassDef) and node.name == struct.__name__
    )
    texts = {}
    for field, text in pairwise(body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
        ):
            texts[field.target.id] = _prose(str(text.value.value))
    return texts


def _prose(text: str) -> str:
    """A docstring as one line of Markdown."""
    return " ".join(text.replace("``", "`").split())

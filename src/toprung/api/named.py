"""Rules for named events: setting and trying them, and taking such events."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from toprung.api.batches import raw_items, raw_lines, read_item
from toprung.api.boards import by
from toprung.api.decoding import decode_json
from toprung.api.errors import ApiError
from toprung.api.operation import NDJSON, Call, RawBody
from toprung.api.scores import given_ids, score_result
from toprung.api.services import Services
from toprung.api.waiting import acted, others_first, settled
from toprung.domain import records
from toprung.domain.errors import Broken
from toprung.domain.instants import format_instant
from toprung.domain.limits import NAMED_EVENTS, SAMPLE_EVENTS
from toprung.domain.rules import RuleSet
from toprung.intake import Decided, Refusal, Ruled, apply_rules
from toprung.wire import rules as wire

EVENTS_AT_ONCE = 10
"""Events that rules are applied to before other requests have their turn: usually a millisecond,
some twenty with as many and as large rules as there may be (measured)."""
APPLIED, IGNORED = "applied", "ignored"
_decode_event = msgspec.json.Decoder(wire.NamedEventIn).decode


def get_rules(services: Services, call: Call) -> wire.RulesReply:
    """The rules in force."""
    stored = services.rulebook.stored(call.project)
    if stored is None:
        return wire.RulesReply((), None, str(services.seq()))
    rules = tuple(map(_rule_out, stored.rules))
    return wire.RulesReply(rules, format_instant(stored.updated_at), str(services.seq()))


async def put_rules(services: Services, call: Call) -> wire.RulesPutReply:
    """Set all rules."""
    written = services.intake.put_rules(call.project, rules_in(call.body.rules), by(call))
    try:
        result = await acted(written)
    finally:
        services.rulebook.forget(call.project)
    if result.rules is None:
        raise Broken("rules were put and are not known")
    stored = result.rules.stored
    return wire.RulesPutReply(
        result.rules.result,
        tuple(map(_rule_out, stored.rules)),
        format_instant(stored.updated_at),
        str(result.seq),
    )


def rules_in(rules: Iterable[wire.Rule]) -> tuple[records.Rule, ...]:
    """Rules as the log keeps them."""
    return tuple(
        records.Rule(
            rule.name,
            rule.event,
            rule.board,
            {column: str(points) for column, points in rule.points.items()}
            if isinstance(rule.points, dict)
            else str(rule.points),
            rule.when,
            rule.member,
            None if rule.min is None else str(rule.min),
            None if rule.max is None else str(rule.max),
        )
        for rule in rules
    )


def _rule_out(rule: records.Rule) -> wire.Rule:
    return wire.Rule(**msgspec.structs.asdict(rule))


async def test_rules(services: Services, call: Call) -> wire.TrialReply:
    """Try rules on events; nothing is written."""
    body: wire.RulesTrial = call.body
    SAMPLE_EVENTS.check(len(body.events), "events")
    if body.rules is None:
        rules = services.rulebook.of(call.project)
    else:
        rules = services.intake.check_rules(call.project, rules_in(body.rules))
    drafts = [read_item(_decode_event, bytes(content)) for content in body.events]
    ruled = await _apply(rules, drafts, None)
    results = []
    for place, (draft, item) in enumerate(zip(drafts, ruled, strict=True)):
        shaped = services.intake.try_named(call.project, item)
        results.append(_trial(draft, shaped if isinstance(shaped, Refusal) else item, place))
    return wire.TrialReply(tuple(results), _count(result.outcome for result in results))


def _trial(
    draft: wire.NamedEventIn | Refusal, item: Ruled | Refusal, place: int
) -> wire.TrialResult:
    told: tuple[str | None, str | None, str | None] = (None, None, None)
    if not isinstance(draft, Refusal):
        told = draft.event_id, draft.player_id, draft.name
    if isinstance(item, Refusal):
        field = _placed(item.field, place)
        return wire.TrialResult(item.outcome.value, *told, (), field, item.message)
    scores = [wire.TrialScore(*score) for score in item.scores]
    return wire.TrialResult(APPLIED if scores else IGNORED, *told, tuple(scores))


async def post_events(services: Services, call: Call) -> Any:
    """Take named events."""
    drafts = _read(call.body)
    ids = given_ids(call, len(drafts.items), single=drafts.single)
    ruled = await _apply(services.rulebook.of(call.project), drafts.items, ids)
    accepted = services.intake.accept_named(call.project, ruled, ranked=call.params.ranks)
    applied = [] if accepted.written is None else await settled(accepted.written)
    found = accepted.outcomes(applied)
    ranked = call.params.ranks and services.view is not None
    results = [
        _result(*each, ranked=ranked) for each in zip(drafts.items, ruled, found, strict=True)
    ]
    boards = [board for result in results for board in result.boards]
    board_outcomes = _count(board.outcome for board in boards)
    refused = [result.outcome for result in results if result.message is not None]
    services.metrics.events(_count([*(board.outcome for board in boards), *refused]), len(results))
    if drafts.single:
        return _single(results[0])
    for place, result in enumerate(results):
        if result.message is not None:
            result.field = _placed(result.field, place)
    outcomes = _count(result.outcome for result in results)
    last = boards[-1].seq if boards else None
    return wire.NamedBatchReply(tuple(results), outcomes, board_outcomes, last)


class _Drafts(NamedTuple):
    items: Sequence[wire.NamedEventIn | Refusal]
    single: bool


def _read(body: RawBody) -> _Drafts:
    """What a request brought; an event by itself must have the right shape.

    Raises:
        ApiError: ``bad_json``.
        InvalidInput: naming the field.
    """
    by_line = body.media_type == NDJSON
    raw = raw_lines(body.content) if by_line else raw_items(body.content)
    if raw is None:
        return _Drafts((decode_json(_decode_event, body.content),), single=True)
    NAMED_EVENTS.check(len(raw), "events")
    return _Drafts([read_item(_decode_event, content) for content in raw], single=False)


async def _apply(
    rules: RuleSet,
    drafts: Sequence[wire.NamedEventIn | Refusal],
    ids: Sequence[str] | None,
) -> list[Ruled | Refusal]:
    ruled: list[Ruled | Refusal] = []
    for place, draft in enumerate(drafts):
        if place and place % EVENTS_AT_ONCE == 0:
            await others_first()
        ruled.append(apply_rules(rules, draft, ids[place] if ids else None))
    return ruled


def _result(
    draft: wire.NamedEventIn | Refusal,
    ruled: Ruled | Refusal,
    found: Sequence[Decided] | Refusal,
    *,
    ranked: bool,
) -> wire.NamedResult:
    if isinstance(ruled, Refusal):
        return _refused(draft, ruled)
    if isinstance(found, Refusal):
        return _refused(draft, found)
    result = wire.NamedResult(IGNORED, ruled.event_id, ruled.player_id, ruled.name)
    if found:
        result.outcome = APPLIED
        result.boards = tuple(
            score_result(score.board, event, decided, ranked=ranked)
            for score, (event, decided) in zip(ruled.scores, found, strict=True)
        )
    return result


def _refused(draft: wire.NamedEventIn | Refusal, refusal: Refusal) -> wire.NamedResult:
    result = wire.NamedResult(refusal.outcome.value, field=refusal.field, message=refusal.message)
    if not isinstance(draft, Refusal):
        result.event_id, result.player_id, result.name = draft.event_id, draft.player_id, draft.name
    return result


def _single(result: wire.NamedResult) -> wire.NamedResult:
    """An event by itself; a refused one is an error.

    Raises:
        ApiError: its code is the outcome.
    """
    if result.message is None:
        return result
    raise ApiError(result.outcome, result.message, field=result.field)


def _placed(field: str | None, place: int) -> str:
    """Where in a batch the fault is."""
    return f"events[{place}].{field}" if field else f"events[{place}]"


def _count(outcomes: Iterable[str]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for outcome in outcomes:
        counted[outcome] = counted.get(outcome, 0) + 1
    return counted

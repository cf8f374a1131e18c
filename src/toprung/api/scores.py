"""Score events: taking them, and telling what became of them."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from toprung.api.batches import Draft, Drafts, looks_like_batch, read_json, read_lines
from toprung.api.content import Content
from toprung.api.errors import ApiError
from toprung.api.openapi import KEY_CHARS
from toprung.api.operation import JSON, NDJSON, Call, RawBody, find_header
from toprung.api.points import points_told
from toprung.api.services import Services
from toprung.api.waiting import settled
from toprung.domain.access import Role
from toprung.domain.board import Board
from toprung.domain.decide import Seen
from toprung.domain.erasing import is_stand_in
from toprung.domain.errors import Broken, InvalidInput
from toprung.domain.instants import format_instant
from toprung.domain.names import check_id
from toprung.domain.numbers import format_number
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event, decode_event
from toprung.intake import AcceptedBatch, EventOutcome, Refusal
from toprung.ports.batches import Form
from toprung.ports.decider import OUTCOMES
from toprung.ports.pipeline import EventResult
from toprung.ports.results import EventResults
from toprung.wire import scores as wire

_JSON = JSON.encode()
_SPENT = frozenset(code for code, outcome in enumerate(OUTCOMES) if outcome.spends_id)
_encode = msgspec.json.Encoder().encode
_MOVED = frozenset({Outcome.COUNTED, Outcome.UNCHANGED})


async def post_scores(services: Services, call: Call) -> Any:
    """Take events."""
    if call.params.history and call.role is not Role.ADMIN:
        raise ApiError("forbidden", "history=true needs an admin key", field="history")
    body: RawBody = call.body
    form = _form_of(body)
    key = find_header(call.headers, b"idempotency-key")
    if key is None:
        batch = services.intake.accept_plain(
            call.project,
            body.content,
            form=form,
            ranked=call.params.ranks,
            history=call.params.history,
        )
        if batch is not None:
            return await _answer_plain(services, batch, single=form == "single")
    drafts = read_lines(body.content) if form == "lines" else read_json(body.content)
    return await _answer_drafts(services, call, drafts, _key_text(key))


def _form_of(body: RawBody) -> Form:
    if body.media_type == NDJSON:
        return "lines"
    return "object" if looks_like_batch(body.content) else "single"


async def _answer_plain(services: Services, batch: AcceptedBatch, *, single: bool) -> Any:
    """What became of plain events; a struct is made only of those that did not count."""
    results = batch.results(await settled(batch.written))
    ranked = batch.rows.ranked and services.view is not None
    if not results.are_told_natively:
        return _answer_one_by_one(services, batch, results, ranked=ranked, single=single)
    codes = results.outcomes
    others = {
        place: _plain_result(batch, place, results[place], ranked)
        for place, code in enumerate(codes)
        if code not in _SPENT
    }
    outcomes = {OUTCOMES[code].value: codes.count(code) for code in dict.fromkeys(codes)}
    services.metrics.events(outcomes, len(codes))
    if not single:
        for place, other in others.items():
            _name_place(other, place)
    elif others:
        return _single(others[0])
    told = batch.write(
        results, {place: _encode(other) for place, other in others.items()}, ranked=ranked
    )
    if not single:
        last = results.first + len(codes) - 1
        told = b'{"results":[%b],"outcomes":%b,"seq":"%d"}' % (told, _encode(outcomes), last)
    return Content(told, _JSON)


def _answer_one_by_one(
    services: Services, batch: AcceptedBatch, results: EventResults, *, ranked: bool, single: bool
) -> wire.BatchReply | wire.ScoreResult:
    """The same, where some of the events beside it were void."""
    told = [_plain_result(batch, place, result, ranked) for place, result in enumerate(results)]
    outcomes = _count(told)
    services.metrics.events(outcomes, len(told))
    if single:
        return _single(told[0])
    for place, result in enumerate(told):
        _name_place(result, place)
    return wire.BatchReply(tuple(told), outcomes, str(results.first + len(told) - 1))


def _plain_result(
    batch: AcceptedBatch, place: int, result: EventResult, ranked: bool
) -> wire.ScoreResult:
    event = decode_event(batch.rows[place].body)
    return _result(batch.boards[event.board_id], event, result, ranked)


async def _answer_drafts(
    services: Services, call: Call, drafts: Drafts, key: str | None
) -> wire.BatchReply | wire.ScoreResult:
    accepted = services.intake.accept_events(
        call.project,
        drafts.items,
        ids=_ids(key, len(drafts.items), single=drafts.single),
        ranked=call.params.ranks,
        history=call.params.history,
    )
    written = accepted.written
    applied = [] if written is None else await settled(written)
    found = accepted.outcomes(applied)
    ranked = call.params.ranks and services.view is not None
    results = [
        _draft_result(draft, outcome, ranked)
        for draft, outcome in zip(drafts.items, found, strict=True)
    ]
    outcomes = _count(results)
    services.metrics.events(outcomes, len(results))
    if drafts.single:
        return _single(results[0])
    for place, result in enumerate(results):
        _name_place(result, place)
    last = next((item.result.seq for item in reversed(found) if item.result is not None), None)
    return wire.BatchReply(tuple(results), outcomes, None if last is None else str(last))


def _name_place(result: wire.ScoreResult, place: int) -> None:
    """Say of a refused event where it stands in its batch."""
    if result.message is not None:
        result.field = f"events[{place}].{result.field}" if result.field else f"events[{place}]"


def _key_text(given: bytes | None) -> str | None:
    if given is None:
        return None
    text = given.decode("latin-1")
    if not (text.isascii() and text.isprintable()):
        raise InvalidInput("Idempotency-Key must be printable ASCII", field="Idempotency-Key")
    KEY_CHARS.check(len(text), "Idempotency-Key")
    return text


def _ids(key: str | None, count: int, *, single: bool) -> Sequence[str] | None:
    if key is None:
        return None
    return (key,) if single else [f"{key}:{index}" for index in range(count)]


def _count(results: Sequence[wire.ScoreResult]) -> dict[str, int]:
    outcomes: dict[str, int] = {}
    for result in results:
        outcomes[result.outcome] = outcomes.get(result.outcome, 0) + 1
    return outcomes


def _single(result: wire.ScoreResult) -> wire.ScoreResult:
    """An event by itself; a refused one is an error.

    Raises:
        ApiError: its code is the outcome.
    """
    if Outcome(result.outcome).accepted:
        return result
    raise ApiError(result.outcome, result.message or "refused", field=result.field)


def _draft_result(draft: Draft, outcome: EventOutcome, ranked: bool) -> wire.ScoreResult:
    event, refusal, result = outcome
    if isinstance(draft, Refusal) or event is None or result is None:
        return _refused(draft, refusal)
    return _result(draft.board, event, result, ranked)


def _result(board: str, event: Event, result: EventResult, ranked: bool) -> wire.ScoreResult:
    """What is told of an event that was decided.

    Args:
        board: its board's name.
    """
    decision = result.decision
    reply = wire.ScoreResult(
        decision.outcome.value, event.event_id, board, event.player_id, seq=str(result.seq)
    )
    if result.board is None:
        reply.field, reply.message = decision.field, decision.message
    elif decision.outcome in _MOVED:
        _tell_steps(reply, result, result.board, ranked)
    elif decision.first is not None and decision.outcome is Outcome.DUPLICATE:
        _tell_first(reply, decision.first, result.board)
    else:
        reply.field, reply.message = decision.field, decision.message
    return reply


def _refused(draft: Draft, refusal: Refusal | None) -> wire.ScoreResult:
    if refusal is None:
        raise Broken("an event has neither a result nor a refusal")
    reply = wire.ScoreResult(refusal.outcome.value, field=refusal.field, message=refusal.message)
    if isinstance(draft, wire.EventIn):
        reply.event_id, reply.board, reply.player_id = draft.event_id, draft.board, draft.player_id
    return reply


def _tell_steps(reply: wire.ScoreResult, result: EventResult, board: Board, ranked: bool) -> None:
    """Tell what the event did in each window; the score is that of the first that took it."""
    decimals = board.settings.columns[0].decimals
    ranks = iter(result.ranks)
    windows = []
    for step in result.decision.steps:
        period, before, after = step.period, step.before, step.after
        if after is None:
            windows.append(wire.WindowResult(period.window, period.key, True))
            continue
        score, previous = after.columns[0], None if before is None else before.columns[0]
        told = wire.WindowResult(
            period.window,
            period.key,
            False,
            str(score) if decimals == 0 else format_number(score, decimals),
            # Plain numbers are not worth a call: there are two for each window of each event.
            None
            if previous is None
            else str(previous)
            if decimals == 0
            else format_number(previous, decimals),
        )
        if ranked:
            previous_rank, rank = next(ranks)
            told.rank, told.previous_rank = rank or None, previous_rank or None
        windows.append(told)
        if reply.score is None:
            reply.score, reply.previous_score = told.score, told.previous_score
    reply.windows = tuple(windows)


def _tell_first(reply: wire.ScoreResult, first: Seen, board: Board) -> None:
    """Tell what the event did when it first came."""
    reply.first = first.outcome
    reply.score = _score(board, first, first.columns)
    reply.previous_score = _score(board, first, first.previous)
    reply.windows = tuple(_late_windows(board, first))


def _late_windows(board: Board, seen: Seen) -> Iterator[wire.WindowResult]:
    for name in seen.late:
        if name in board.windows:
            period = board.windows[name].part_at(seen.at)
            yield wire.WindowResult(name, period.key, True)


def _score(board: Board, seen: Seen, columns: tuple[int, ...] | None) -> str | None:
    """The first of the kept ``columns``, by the board's present ones; ``None`` where it cannot be
    said: of a rolling window that of a day is kept, and nobody ever saw it.
    """
    taken = next((window for window in board.windows if window not in seen.late), None)
    if columns is None or taken in board.rolling:
        return None
    now = board.points_now(columns, seen.revision)
    return None if now is None else board.format_score(now)


def get_event(services: Services, call: Call) -> wire.EventReply:
    """What became of an event."""
    name, event_id = call.path
    board = services.query.board(call.project, name)
    check_id(event_id, "event_id")
    seen = services.store.seen(board.board_id, [event_id]).get(event_id)
    if seen is None or is_stand_in(seen.player_id):
        raise ApiError("unknown_event", f"board {name!r} has no event {event_id!r}", field="event")
    shows_score = True
    # A client is told what the public is (R18): nothing of what a freeze keeps back.
    if call.role is Role.CLIENT and board.keeps_back:
        if seen.at >= (board.freeze_at or 0):
            raise ApiError("unknown_event", f"board {name!r} is frozen", field="event")
        shows_score = False
    if call.role is Role.CLIENT:
        now = services.clock.now()
        shows_score &= board.withheld_between(seen.at, seen.at + 1, now) is None
    return wire.EventReply(
        name,
        event_id,
        seen.player_id,
        points_told(board, seen.points, seen.revision),
        format_instant(seen.at),
        format_instant(seen.received_at),
        seen.outcome,
        str(seen.seq),
        _score(board, seen, seen.columns) if shows_score else None,
        _score(board, seen, seen.previous) if shows_score else None,
        seen.late,
        services.events.is_void(board, seen.seq),
    )


def score_result(
    board: str, event: Event, result: EventResult, *, ranked: bool
) -> wire.ScoreResult:
    """What is told of a score event that a named event became."""
    return _result(board, event, result, ranked)


def given_ids(call: Call, count: int, *, single: bool) -> Sequence[str] | None:
    """The event ids by a request's ``Idempotency-Key``; ``None``: it has none."""
    key = _key_text(find_header(call.headers, b"idempotency-key"))
    return _ids(key, count, single=single)

"""Score events: what the caller gives, how it travels, how many travel together."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeAlias

import msgspec

from toprung.wire.scores import BatchReply, EventIn, ScoreResult

MAX_BATCH_EVENTS = 5_000
"""Most events the server takes in one request."""
MAX_BODY_BYTES = 8 * 1024 * 1024
"""Longest request body the server takes."""
_START, _COMMA, _END = b'{"events":[', b",", b"]}"

Number: TypeAlias = int | Decimal | str
"""An exact number. Text is a plain decimal: ``"12.5"``."""
Points: TypeAlias = Number | Mapping[str, Number]
"""One number, or on a board of several columns one for each column by name."""
Instant: TypeAlias = datetime | str
"""A ``datetime`` with a time zone, or RFC 3339 text."""


@dataclass(frozen=True, slots=True)
class ScoreEvent:
    """One score event of a trusted server."""

    board: str
    player_id: str
    points: Points
    event_id: str | None = None
    """Unique for this fact on this board; made by the client (UUID version 7) when left out."""
    at: Instant | None = None
    """When it happened; left out: when it arrives."""
    match_id: str | None = None
    metadata: Mapping[str, Any] | None = None
    """Kept with the event; at most 1 KiB as JSON."""
    update_only: bool = False
    """Count it only for a player who is on the board already; else it is ``ineligible``."""
    segments: Mapping[str, str] | None = None
    """On a board with ``segment_at: event``: the segments it counts in, by name; of one that is
    left out it takes what its player has when it arrives."""


@dataclass(frozen=True, slots=True)
class PartialBatch:
    """How far ``submit_many`` came before it failed."""

    results: tuple[ScoreResult, ...]
    """The outcomes of the first events, in the order given."""
    unanswered: tuple[ScoreEvent, ...]
    """The other events, with their ids: sending them again counts none of them twice."""


def number_text(value: Number, name: str = "points") -> str:
    """A number as plain decimal text. ``name`` is what an error calls it.

    Raises ``TypeError`` for a float (or anything else that is not exact), ``ValueError`` for
    a ``Decimal`` that is no number.
    """
    match value:
        case bool():
            raise TypeError(f"{name} must be a number, not {value}")
        case float():
            raise TypeError(
                f"{name} must be int, Decimal or text, not float: a float does not hold most "
                f"decimals exactly, so digits would be lost; write Decimal('{value}')"
            )
        case int():
            return str(value)
        case Decimal():
            if not value.is_finite():
                raise ValueError(f"{name} must be a number, not {value}")
            return format(value, "f")
        case str():
            return value
        case _:
            raise TypeError(f"{name} must be int, Decimal or text, not {type(value).__name__}")


def instant_text(at: Instant) -> str:
    """An instant as RFC 3339. Raises ``ValueError`` for a ``datetime`` without a zone."""
    if isinstance(at, str):
        return at
    if at.utcoffset() is None:
        raise ValueError(f"{at} has no time zone: use datetime(..., tzinfo=UTC)")
    # In UTC, because historic zones have offsets with seconds, which RFC 3339 lacks.
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def identified(event: ScoreEvent, new_event_id: Callable[[], str]) -> ScoreEvent:
    """The event with an id. Done once, before the first try: a retry must not have another."""
    return event if event.event_id is not None else replace(event, event_id=new_event_id())


def encode(event: ScoreEvent) -> bytes:
    """The event as JSON. Raises ``TypeError`` or ``ValueError`` for what cannot be one."""
    return msgspec.json.encode(
        EventIn(
            board=event.board,
            player_id=event.player_id,
            points=points_json(event.points),
            event_id=event.event_id,
            at=None if event.at is None else instant_text(event.at),
            match_id=event.match_id,
            metadata=msgspec.UNSET if event.metadata is None else _json(event.metadata),
            update_only=event.update_only,
            segments=None if event.segments is None else dict(event.segments),
        )
    )


def points_json(points: Points) -> msgspec.Raw:
    """Points as they travel. Raises ``TypeError`` or ``ValueError`` for what is no exact number."""
    if isinstance(points, Mapping):
        return _json({name: number_text(value, f"points.{name}") for name, value in points.items()})
    return _json(number_text(points))


def _json(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def split(
    events: Iterable[bytes],
    *,
    max_events: int = MAX_BATCH_EVENTS,
    max_bytes: int = MAX_BODY_BYTES,
) -> Iterator[list[bytes]]:
    """Encoded events in groups that fit into one request each, in order.

    An event that alone is too long travels alone: the server says so, of it and no other.
    """
    empty = len(_START) + len(_END) - len(_COMMA)  # there is one comma less than events
    group: list[bytes] = []
    size = empty
    for event in events:
        grown = size + len(event) + len(_COMMA)
        if group and (len(group) == max_events or grown > max_bytes):
            yield group
            group, grown = [], empty + len(event) + len(_COMMA)
        group.append(event)
        size = grown
    if group:
        yield group


def batch_body(events: Sequence[bytes]) -> bytes:
    """Encoded events as one request body."""
    return _START + _COMMA.join(events) + _END


def joined(replies: Sequence[BatchReply]) -> BatchReply:
    """The replies to the parts of one batch, as one."""
    outcomes: dict[str, int] = {}
    for reply in replies:
        for outcome, count in reply.outcomes.items():
            outcomes[outcome] = outcomes.get(outcome, 0) + count
    return BatchReply(
        results=tuple(result for reply in replies for result in reply.results),
        outcomes=outcomes,
        seq=next((reply.seq for reply in reversed(replies) if reply.seq is not None), None),
    )

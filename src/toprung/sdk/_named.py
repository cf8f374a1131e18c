"""Named events: what the caller gives, how it travels, how parts of a batch become one reply."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from toprung.sdk._events import Instant, instant_text
from toprung.wire.rules import NamedBatchReply, NamedEventIn

MAX_NAMED_EVENTS = 1_000
"""Most named events the server takes in one request."""
_encode = msgspec.json.Encoder(decimal_format="number").encode


@dataclass(frozen=True, slots=True)
class NamedEvent:
    """An event of a trusted server that the project's rules turn into scores."""

    event_id: str
    """Unique for this fact: sent again, it counts once."""
    player_id: str
    name: str
    properties: Mapping[str, Any] = field(default_factory=dict)
    """``int``, ``Decimal``, text, ``bool``, ``None`` and mappings of these; at most 4 KiB."""
    at: Instant | None = None
    """When it happened; left out: when it arrives."""
    match_id: str | None = None


def named_in(event: NamedEvent) -> NamedEventIn:
    """The event as it travels.

    Raises ``TypeError`` for a float in its properties, or what cannot be JSON.
    """
    _refuse_floats(event.properties, "properties")
    return NamedEventIn(
        player_id=event.player_id,
        name=event.name,
        properties=msgspec.Raw(_encode(event.properties)),
        event_id=event.event_id,
        at=None if event.at is None else instant_text(event.at),
        match_id=event.match_id,
    )


def _refuse_floats(value: Any, place: str) -> None:
    if isinstance(value, float):
        raise TypeError(
            f"{place} must be int, Decimal or text, not float: a float does not hold most decimals "
            f"exactly, so digits would be lost; write Decimal('{value}')"
        )
    if isinstance(value, Mapping):
        for name, inner in value.items():
            _refuse_floats(inner, f"{place}.{name}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            _refuse_floats(inner, place)


def named_joined(replies: Sequence[NamedBatchReply]) -> NamedBatchReply:
    """The replies to the parts of one batch, as one."""
    return NamedBatchReply(
        tuple(result for reply in replies for result in reply.results),
        _added([reply.outcomes for reply in replies]),
        _added([reply.board_outcomes for reply in replies]),
        next((reply.seq for reply in reversed(replies) if reply.seq is not None), None),
    )


def _added(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for counted in counts:
        for name, count in counted.items():
            total[name] = total.get(name, 0) + count
    return total

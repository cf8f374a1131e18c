"""Score events and their outcomes, as they travel."""

from typing import Any

import msgspec

PointsIn = msgspec.Raw
"""A number, decimal text, or an object by column name; kept raw, so that no digit is lost."""


class EventIn(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One score event of a trusted server."""

    board: str
    player_id: str
    points: PointsIn
    event_id: str | None = None
    """Unique for this fact on this board. May be left out with an ``Idempotency-Key``."""
    at: str | None = None
    """When it happened, RFC 3339 with ``Z`` or an offset; without it: the arrival time."""
    match_id: str | None = None
    metadata: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """A JSON object of at most 1 KiB, kept with the event."""
    update_only: bool = False
    """Count it only for a player who is on the board already; else it is `ineligible`."""
    segments: dict[str, str] | None = None
    """On a board with ``segment_at: event``: the segments it counts in, such as ``country`` with
    ``NO``. Of one that is left out it takes what its player has when it arrives."""


class WindowResult(msgspec.Struct, omit_defaults=True, gc=False):
    """What an event did in one window of the board."""

    window: str
    period: str
    late: bool = False
    """The period was closed when the event arrived: it does not count here."""
    score: str | None = None
    previous_score: str | None = None
    rank: int | None = None
    """The player's rank right after this event, in the board's numbering."""
    previous_rank: int | None = None


class ScoreResult(msgspec.Struct, omit_defaults=True, gc=False):
    """The outcome of one event, in the order the events were sent."""

    outcome: str
    """One of the closed list: invalid, unknown_board, forbidden, duplicate, conflict, ineligible,
    implausible, early, late, overflow, unchanged, counted."""
    event_id: str | None = None
    board: str | None = None
    player_id: str | None = None
    first: str | None = None
    """For a ``duplicate``: the outcome the event had when it first came."""
    score: str | None = None
    """The player's score afterwards, in the first window that took the event."""
    previous_score: str | None = None
    windows: tuple[WindowResult, ...] = ()
    seq: str | None = None
    """Where the event stands in the log; reads with this ``seq`` or a later one show it."""
    field: str | None = None
    """What is at fault, where the event was refused."""
    message: str | None = None


class BatchReply(msgspec.Struct, frozen=True):
    """One result per event, in the order sent, and how many there were of each outcome."""

    results: tuple[ScoreResult, ...]
    outcomes: dict[str, int]
    seq: str | None
    """The last place in the log that this request took; null when nothing was logged."""


class EventReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one event."""

    board: str
    event_id: str
    player_id: str
    points: Any
    """Text, or an object by column name on boards with several columns."""
    at: str
    received_at: str
    outcome: str
    seq: str
    score: str | None = None
    previous_score: str | None = None
    late: tuple[str, ...] = ()
    """The windows in which the event was late."""
    void: bool = False
    """Whether the event, or its match, is void."""

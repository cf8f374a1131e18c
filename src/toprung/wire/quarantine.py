"""Events in quarantine as they travel."""

from typing import Any, Literal

import msgspec

from toprung.wire.moderation import ChangedPeriod


class HeldEvent(msgspec.Struct, frozen=True):
    """An event that broke a limit of its board."""

    board: str
    event_id: str
    player_id: str
    points: Any
    """As it was sent: text, or an object by column name on boards with several columns."""
    at: str
    received_at: str
    match_id: str | None
    reason: str
    """The limit that it breaks."""
    state: Literal["waiting", "rejected"]
    seq: str
    """Where it stands in the log."""


class QuarantineReply(msgspec.Struct, frozen=True):
    """Events in quarantine, the last that came first."""

    events: tuple[HeldEvent, ...]
    next: str | None
    """A cursor to earlier ones; null: there are none."""
    seq: str


class EventRef(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a board."""

    board: str
    event_id: str


class JudgeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What shall become of events in quarantine, and why."""

    decision: Literal["approve", "reject"]
    events: tuple[EventRef, ...]
    reason: str | None = None
    """For the audit; players never see it."""


class JudgedEvent(msgspec.Struct, frozen=True):
    """What became of an event in quarantine."""

    board: str
    event_id: str
    result: Literal["approved", "rejected", "unchanged", "refused"]
    periods: tuple[ChangedPeriod, ...] = ()
    """In which somebody stands otherwise than before."""
    seq: str | None = None
    code: str | None = None
    """Why it was refused."""
    message: str | None = None


class JudgeReply(msgspec.Struct, frozen=True):
    """One result for each event, in the order asked."""

    results: tuple[JudgedEvent, ...]

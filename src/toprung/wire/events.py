"""The events that a board was sent, as they travel."""

from typing import Any

import msgspec


class LoggedEvent(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One event as the log has it, with what became of it."""

    seq: str
    """Where it stands in the log."""
    received_at: str
    """When it arrived."""
    event_id: str
    player_id: str
    points: Any
    """As it was sent: text, or an object by column name on boards with several columns."""
    at: str
    """When it happened; for an event sent without a time: when it arrived."""
    outcome: str | None
    """Also ``duplicate`` and ``conflict``: every time that an event was sent is told. Null: it was
    refused, and sent again before it was written why."""
    late: tuple[str, ...] = ()
    """The windows in which it was late."""
    history: bool = False
    """Whether it was sent as history: it counts as arrived at its own ``at``."""
    match_id: str | None = None
    adjusts: bool = False
    """Whether it is no event of a server but a correction by an admin: ``points`` is the
    difference."""
    metadata: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """The JSON object that was sent with it."""
    update_only: bool = False
    """Whether it was to count only for a player who was on the board already."""
    void: bool = False
    """Whether it, or its match, is void."""
    segments: dict[str, str] = {}
    """The segments it counts in, on a board where that hangs on the event: those it was sent with,
    and else what its player had when it arrived."""


class EventsReply(msgspec.Struct, frozen=True):
    """Events in the order of the log."""

    board: str
    seq: str
    """Everything up to this record is told once ``next`` is null."""
    rows: tuple[LoggedEvent, ...]
    next: str | None = None
    """A cursor; null: there is nothing behind. A page may have no rows and still a ``next``."""

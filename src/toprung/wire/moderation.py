"""Acts of moderation as they travel."""

from typing import Any, Literal

import msgspec


class ActRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why something is done."""

    reason: str | None = None
    """For the audit; players never see it."""


class BanRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a player is out, and why."""

    until: str | None = None
    """RFC 3339; without it the ban has no end."""
    reason: str | None = None
    """For the audit; players never see it."""


class MergeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For whom a player's events count, and why."""

    into: str
    """The other player's id."""
    reason: str | None = None
    """For the audit; players never see it."""


class AdjustRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By how much a score is corrected, or to what: one of the two."""

    event_id: str
    """The correction counts once, and is undone by voiding this id."""
    by: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """Like the points of an event: what is added to the score."""
    to: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """What the score is to be; the difference is what is recorded."""
    window: str | None = None
    """With ``to``, the window whose score is meant; without it the board's first."""
    at: str | None = None
    """When it counts, RFC 3339, not in the future; without it: now."""
    reason: str | None = None
    """For the audit; players never see it."""


class PlayerErased(msgspec.Struct, frozen=True):
    """The receipt of an erasure: it tells nothing of who was erased."""

    receipt: str
    """By this the audit tells of it."""
    erased_at: str
    seq: str
    events: int
    """Of the player, on all boards of the project, whatever had become of them."""
    entries: int
    """In all periods."""
    snapshots: int
    """Versions of final standings that were taken back."""
    sha256: str
    """Of the numbers of the log's records that were changed, in decimal, one a line."""
    periods: tuple["ChangedPeriod", ...]


class PlayerActed(msgspec.Struct, frozen=True):
    """What an act made of a player, on all boards of the project."""

    player_id: str
    result: Literal["changed", "unchanged"]
    hidden: bool
    banned: bool
    until: str | None
    """When the ban ends; null: there is none, or it has no end."""
    into: str | None
    """For whom the player's events count; null: for the player."""
    seq: str


class ChangedPeriod(msgspec.Struct, frozen=True):
    """A period in which somebody stands otherwise than before."""

    board: str
    window: str
    period: str


class EventActed(msgspec.Struct, frozen=True):
    """What an act made of an event id."""

    board: str
    event_id: str
    result: Literal["changed", "unchanged"]
    voided: bool
    periods: tuple[ChangedPeriod, ...]
    seq: str


class MatchActed(msgspec.Struct, frozen=True):
    """What an act made of a match, on all boards of the project."""

    match_id: str
    result: Literal["changed", "unchanged"]
    voided: bool
    periods: tuple[ChangedPeriod, ...]
    seq: str


class Adjusted(msgspec.Struct, frozen=True):
    """What a correction of a score came to."""

    board: str
    player_id: str
    event_id: str
    result: Literal["counted", "unchanged", "duplicate"]
    by: Any
    """The difference that counts: text, or an object by column name."""
    periods: tuple[ChangedPeriod, ...]
    seq: str

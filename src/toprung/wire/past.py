"""How a player's score and rank came about, as it travels."""

import msgspec

from toprung.wire.reads import Numbering, Period, Withheld


class HistoryPoint(msgspec.Struct, frozen=True, gc=False):
    """A player at a moment, by what had arrived then."""

    at: str
    seq: str
    rank: int | None
    """Null: not on the board."""
    score: str | None
    total: int
    """Players on the board."""


class HistoryReply(msgspec.Struct, frozen=True):
    """A player's score and rank over time."""

    board: str
    window: str
    period: Period
    numbering: Numbering
    player_id: str
    step: str
    """The time from one point to the next; the last may come sooner."""
    points: tuple[HistoryPoint, ...]
    segment: str | None = None
    """The segment asked about; null: the whole board."""
    frozen_at: str | None = None
    """Since when it stands still: only events before this are shown; null: it does not."""
    withheld: Withheld | None = None
    """What is left out until it was reviewed; null: nothing."""


class ExplainedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event of a player."""

    event_id: str
    player_id: str
    """As it was sent: another one where players were merged."""
    seq: str
    at: str
    received_at: str
    points: str | dict[str, str]
    """As it was sent: a number, or numbers by column."""
    outcome: str | None
    """Null: it was refused, and its id came again so soon that only the later one was kept."""
    late: tuple[str, ...]
    """The windows that were closed when it came."""
    void: bool
    """Whether it, or its match, was voided."""
    counts: bool
    """Whether it counts in the period asked about."""
    decides: bool
    """Whether the score is made of it: every event that counts on a board that adds up, else the
    one whose value is shown."""
    adjusts: bool = False
    """Whether it is no event of a server but a correction by an admin: ``points`` is the
    difference."""


class ExplainReply(msgspec.Struct, frozen=True):
    """Which events made a player's score in a period, which did not, and how the rank follows."""

    board: str
    window: str
    period: Period
    numbering: Numbering
    player_id: str
    rank: int | None
    """Null: not on the board."""
    score: str | None
    reached_at: str | None
    """When the score was reached: among equals, who was there first stands first."""
    total: int
    above: int | None
    """Players with a better score."""
    equal: int | None
    """Further players with the same score."""
    counted: int
    """Events that count in the period."""
    events: tuple[ExplainedEvent, ...]
    """The latest ones, in the order in which they came."""
    more: int
    """Earlier ones, which are not shown."""
    seq: str
    segment: str | None = None
    """The segment asked about; null: the whole board."""
    frozen_at: str | None = None
    """Since when it stands still: only events before this are shown; null: it does not."""
    withheld: Withheld | None = None
    """What is left out until it was reviewed; null: nothing."""

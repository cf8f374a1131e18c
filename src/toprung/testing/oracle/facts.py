"""What was told, in the order of the log."""

from collections.abc import Mapping
from typing import NamedTuple


class Column(NamedTuple):
    """One number of a score."""

    name: str
    larger_is_better: bool
    decimals: int


class Limits(NamedTuple):
    """What an event may be, with numbers as text; ``None``: anything.

    ``ranges``: by column the least and the most. ``per_hour``: what a player may gain by the first
    column in a clock hour. ``per_minute``: how many events of a player are taken in a clock minute.
    """

    ranges: tuple[tuple[str, str | None, str | None], ...] = ()
    per_hour: str | None = None
    per_minute: int | None = None
    holds: bool = False
    """Whether what breaks one waits in quarantine."""


class Rules(NamedTuple):
    """The settings of a board. Durations are microseconds; ``None`` means without end."""

    mode: str
    columns: tuple[Column, ...]
    ties: str = "earliest"
    windows: tuple[str, ...] = ("all",)
    zone: str = "UTC"
    week_start: int = 0
    grace: int | None = 3_600_000_000
    max_ahead: int | None = 300_000_000
    remember: int | None = None
    freeze_at: int | None = None
    admit: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Attributes, each with the values that are admitted."""
    segments: tuple[str, ...] = ()
    limits: "Limits | None" = None
    segment_at: str = "player"
    publish_delay: tuple[int, int] | None = None
    """The last rank that is withheld once a period has ended, and how long after its close."""


class Event(NamedTuple):
    """An event as it was sent: numbers as text by column, ``at`` in microseconds or not given.

    ``history``: an import that says it arrived at its own ``at``. ``update_only``: only for who is
    on the board.
    """

    board: str
    event_id: str
    player_id: str
    points: Mapping[str, str]
    at: int | None
    history: bool = False
    match_id: str | None = None
    update_only: bool = False
    adjusts: bool = False
    approved: bool = False
    """It moves the score that stands when it comes."""
    segments: Mapping[str, str] | None = None
    """In which it counts, where that hangs on the event."""


class Put(NamedTuple):
    """Make a board, or change one as ``if_exists`` says: refuse, change or recompute."""

    board: str
    rules: Rules
    if_exists: str = "refuse"


class Drop(NamedTuple):
    """Drop a board."""

    board: str


class Reset(NamedTuple):
    """A season begins at ``at``."""

    board: str
    id: str
    name: str | None
    at: int
    ends_at: int | None = None


class EndSeason(NamedTuple):
    """The season that a reset began ends at ``at``, unless it has ended by then."""

    board: str
    id: str
    at: int


class Close(NamedTuple):
    """Somebody looks whether the period that holds ``at`` has closed; if so, what it came to is
    kept.
    """

    board: str
    window: str
    at: int


class Roll(NamedTuple):
    """Somebody looks whether the day is over up to which a board's rolling windows show points."""

    board: str


class Void(NamedTuple):
    """An event id of a board, or without a board a match, is void, or is so no more."""

    board: str | None
    id: str
    is_void: bool = True


class Moderate(NamedTuple):
    """``hide`` or ``unhide`` a player on all boards, ``ban`` (until an instant) or ``unban``;
    ``ban_ended``: somebody looks whether the end of a ban has come. ``merge`` a player into another
    one, or ``unmerge``.
    """

    player_id: str
    action: str
    until: int | None = None
    into: str | None = None


class Unfreeze(NamedTuple):
    """The public sees again what a board's freeze keeps back."""

    board: str


class Publish(NamedTuple):
    """Everybody may see the whole list of the period that holds ``at``, if it has ended."""

    board: str
    window: str
    at: int


class Describe(NamedTuple):
    """A player gets attributes in the place of those before."""

    player_id: str
    attributes: Mapping[str, str]


class Judge(NamedTuple):
    """Somebody looked at an event in quarantine: it counts, or never."""

    board: str
    event_id: str
    is_approved: bool


class Adjust(NamedTuple):
    """An admin corrects a score: by ``points``, or to them in ``window`` (``None``: the first that
    does not roll).
    """

    board: str
    event_id: str
    player_id: str
    points: Mapping[str, str]
    at: int | None
    is_target: bool = False
    window: str | None = None


class Erase(NamedTuple):
    """A player is erased; the same id may come again, as somebody else."""

    player_id: str


Fact = (
    Event
    | Put
    | Drop
    | Reset
    | EndSeason
    | Close
    | Roll
    | Moderate
    | Void
    | Unfreeze
    | Publish
    | Describe
    | Adjust
    | Erase
    | Judge
)


class Told(NamedTuple):
    """A fact and when it arrived."""

    fact: Fact
    arrival: int

"""Boards, their windows and their seasons, as they travel."""

from typing import Literal

import msgspec

Mode = Literal["sum", "best", "last"]
Order = Literal["desc", "asc"]
Ties = Literal["earliest", "shared", "dense"]
SegmentAt = Literal["player", "event"]
WeekStart = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
IfExists = Literal["refuse", "change", "recompute"]


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One number of a score. The first column is the score, further ones break ties."""

    name: str = "score"
    order: Order = "desc"
    """``desc``: larger is better. ``asc``: smaller is better."""
    decimals: int = 0
    """Digits after the point that are kept exactly, 0 to 9."""


class PointsRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an event may say of a column."""

    min: int | str | None = None
    """A number, or decimal text; null: anything."""
    max: int | str | None = None
    """A number, or decimal text; null: anything."""


class BoardLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is plausible; an event that breaks a limit is `implausible`."""

    points: dict[str, PointsRange] = {}
    """By column."""
    points_per_hour: int | str | None = None
    """What a player may gain by the first column in a clock hour (UTC) of arrivals; null: anything.
    What an event takes away gives no room for more."""
    events_per_minute: int | None = None
    """How many events of a player are taken in a clock minute of arrivals; null: any number."""
    on_breach: Literal["refuse", "quarantine"] = "refuse"
    """What becomes of an event that breaks a limit: its id stays free, or it waits in quarantine
    until somebody approves or rejects it."""


class PublishDelay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"wait": "for"}):
    """Which ranks of a period that has ended are not shown before a review."""

    top: int
    """How many: the ranks 1 to this, 1 to 1,000."""
    wait: str
    """How long after the close of the period they are withheld, up to 90 days: ``24h``, ``7d``."""


class BoardSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a board; the body of ``PUT /v1/boards/{board}``. Every field has a default."""

    mode: Mode = "sum"
    columns: tuple[Column, ...] = (Column(),)
    """One to five columns."""
    ties: Ties = "earliest"
    """How ranks are numbered: ``earliest`` 1,2,3,4; ``shared`` 1,2,2,4; ``dense`` 1,2,2,3."""
    windows: tuple[str, ...] = ("all",)
    """Of ``all``, ``hourly``, ``daily``, ``weekly``, ``monthly``, ``yearly``, ``season``, and
    ``rolling:7d`` for the last seven local days, as for any number from 2 to 90. The first one is
    the default of every read."""
    zone: str = "UTC"
    """An IANA time zone, for the bounds of the windows."""
    week_start: WeekStart = "monday"
    grace: str = "1h"
    """How long after its end a period still takes events: ``90s``, ``10m``, ``1h``, ``2d``;
    ``none``: for ever."""
    max_ahead: str = "5m"
    """How far an event's ``at`` may lie after its arrival; ``none``: any distance."""
    remember: str = "forever"
    """How long an event id is remembered; an event older than that is refused."""
    title: str = ""
    """A name for people."""
    admit: dict[str, tuple[str, ...]] = {}
    """Attributes of players, each with the values that are admitted; an event of a player who has
    none of them is `ineligible`. Without any, everybody may take part."""
    segments: tuple[str, ...] = ()
    """Attributes of players by whose values the board is sliced, such as ``country``: reads take
    ``segment=country:NO``. At most five."""
    freeze_at: str | None = None
    """RFC 3339: from then on the public view stands still, until the board is unfrozen; it has
    four windows at most then. Null: it does not."""
    limits: BoardLimits = BoardLimits()
    """What is plausible of events."""
    segment_at: SegmentAt = "player"
    """``player``: an entry is in the segments that its player has now. ``event``: each event counts
    in the segments it carries, or its player had when it came; such a board has no rolling window,
    no ``freeze_at``, and a window counts once for itself and once for each segment: eight in all.
    """
    publish_delay: PublishDelay | None = None
    """Withhold the first ranks of each period from its end until a while after its close, or until
    it is published: ``{"top": 10, "for": "24h"}``. Such a board has no rolling window. Null:
    everything is shown at once."""


class PeriodNow(msgspec.Struct, frozen=True):
    """A window of a board with its present period."""

    window: str
    period: str
    """The key of the present period; of a rolling window that of its last day."""
    start: str | None
    """First instant of the period (UTC); null: open."""
    end: str | None
    """First instant after the period (UTC); null: open."""
    next_change: str | None
    """When the next period begins (UTC); null: not planned."""


class Board(msgspec.Struct, frozen=True):
    """A board as it stands."""

    board: str
    title: str
    mode: Mode
    columns: tuple[Column, ...]
    ties: Ties
    windows: tuple[PeriodNow, ...]
    zone: str
    week_start: WeekStart
    grace: str
    max_ahead: str
    remember: str
    admit: dict[str, tuple[str, ...]]
    limits: BoardLimits
    created_at: str
    seq: str
    segments: tuple[str, ...] = ()
    freeze_at: str | None = None
    frozen_at: str | None = None
    """Since when the public view stands still; null: it does not, not yet, or not any more."""
    segment_at: SegmentAt = "player"
    publish_delay: PublishDelay | None = None


class BoardPutReply(msgspec.Struct, frozen=True):
    """What ``PUT /v1/boards/{board}`` did."""

    result: Literal["created", "unchanged", "changed", "recomputed"]
    changed: tuple[str, ...]
    """The settings that are other than before, by name."""
    board: Board


class BoardsReply(msgspec.Struct, frozen=True):
    """All boards of the project, by name."""

    boards: tuple[Board, ...]
    next: str | None = None


class BoardDropped(msgspec.Struct, frozen=True):
    """A board was dropped with all its entries and event ids."""

    board: str
    dropped: bool
    seq: str


class SeasonRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reset: a new season begins at ``at``. Happens once per ``id``."""

    id: str
    name: str | None = None
    """The season's key in reads; without it the key is its number."""
    at: str | None = None
    """RFC 3339; without it: the arrival time."""
    ends_at: str | None = None
    """RFC 3339: when it ends, if that is planned; without it: when the next one begins."""


class SeasonEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a season, before the planned one or the next reset."""

    id: str
    """The reset that began it."""
    at: str | None = None
    """RFC 3339; without it: the arrival time."""


class SeasonScheduleIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When seasons begin by themselves; the body of ``PUT /v1/boards/{board}/seasons/schedule``."""

    cron: str | None
    """Five fields: minute, hour, day of month, month, day of week; null: by themselves no more."""
    zone: str = "UTC"
    """An IANA time zone, by whose clock they are read."""


class SeasonScheduleReply(msgspec.Struct, frozen=True):
    """When seasons begin by themselves."""

    board: str
    cron: str | None
    """Null: they do not."""
    zone: str | None
    next: tuple[str, ...]
    """The next instants at which one begins (UTC)."""
    seq: str


class Season(msgspec.Struct, frozen=True):
    """One season of a board."""

    key: str
    index: int
    id: str | None
    """The reset that began it; null for season 0, and for the time between two seasons."""
    start: str | None
    end: str | None


class SeasonReply(msgspec.Struct, frozen=True):
    """What ``POST /v1/boards/{board}/seasons`` or ``.../seasons/end`` did."""

    board: str
    result: Literal["created", "unchanged", "changed"]
    season: Season
    seq: str


class SeasonsReply(msgspec.Struct, frozen=True):
    """All seasons of a board, the first one first."""

    board: str
    seasons: tuple[Season, ...]
    next: str | None = None

"""Periods of a board and what becomes of them, as they travel."""

from typing import Literal

import msgspec

from toprung.wire.reads import Withheld

PeriodState = Literal["open", "closing", "closed"]


class PeriodVersion(msgspec.Struct, frozen=True):
    """One version of the final standings of a closed period."""

    version: int
    """The first is 1. A correction of a closed period makes another one."""
    count: int
    """How many players it has."""
    sha256: str
    """Of its rows in canonical form, in hexadecimal."""
    seq: str
    """The record that it reflects."""
    closed_at: str
    """When that record came (UTC)."""


class PeriodReply(msgspec.Struct, frozen=True):
    """A period of a board and its final standings."""

    board: str
    window: str
    period: str
    """Its key."""
    state: PeriodState
    """``open``: it takes events. ``closing``: it takes none, and its final standings are being
    written. ``closed``: they are there; none where nobody was on it."""
    start: str | None
    """First instant (UTC); null: open."""
    end: str | None
    """First instant after it (UTC); null: open."""
    closes_at: str | None
    """From when on it takes no more events (UTC); null: it never closes."""
    versions: tuple[PeriodVersion, ...]
    """Its final standings, the valid version last; none while a freeze keeps some of them back, or
    ranks are withheld."""
    seq: str
    frozen_at: str | None = None
    """Since when the board's public view stands still; null: it does not."""
    withheld: Withheld | None = None
    """What is not shown of it until it was reviewed; null: nothing."""


class PublishReply(msgspec.Struct, frozen=True):
    """What ``POST /v1/boards/{board}/periods/{period}/publish`` did."""

    board: str
    window: str
    period: str
    """Its key."""
    result: Literal["changed", "unchanged"]
    """``unchanged``: nothing of it was withheld any more."""
    seq: str


class PeriodsReply(msgspec.Struct, frozen=True):
    """Periods of a window, the latest first: the present one, and all that somebody was on."""

    board: str
    window: str
    periods: tuple[PeriodReply, ...]
    next: str | None
    """Give it as ``before`` to go on; null: there are no earlier ones."""
    seq: str


class Boundary(msgspec.Struct, frozen=True):
    """Where one period ends and the next begins."""

    at: str
    """The first instant of the next period (UTC)."""
    local: str
    """The same instant by the clock of the board's zone, with its offset."""
    ends: str
    """The key of the period that ends."""
    begins: str
    """The key of the period that begins."""
    closes_at: str | None
    """From when on the period that ends takes no more events (UTC); null: it never closes."""
    length: str | None
    """How long the period that begins lasts: a day in which clocks are set has ``23h`` or ``25h``;
    null: its end is not known."""


class WindowSchedule(msgspec.Struct, frozen=True):
    """A window of a board and its next boundaries; none: its period has no known end."""

    window: str
    period: str
    """The key of the present period."""
    boundaries: tuple[Boundary, ...]


class ScheduleReply(msgspec.Struct, frozen=True):
    """The coming boundaries of the windows of a board."""

    board: str
    zone: str
    now: str
    """The present instant, after which they lie."""
    windows: tuple[WindowSchedule, ...]
    seq: str

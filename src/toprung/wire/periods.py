"""Periods of a board and what becomes of them, as they travel."""

import msgspec


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

"""The clock: the one place where time comes in."""

from typing import Protocol


class Clock(Protocol):
    """Tells the time in microseconds."""

    def now(self) -> int:
        """The present instant, in microseconds since 1970-01-01T00:00:00Z."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for measuring and for rate limits."""
        ...

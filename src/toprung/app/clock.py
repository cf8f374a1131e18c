"""The real clock, and one that is set by hand for tests."""

import time


class SystemClock:
    """The machine's clock; see :class:`~toprung.ports.clock.Clock`."""

    def now(self) -> int:
        """See the port."""
        return time.time_ns() // 1000

    def monotonic(self) -> float:
        """See the port."""
        return time.monotonic()


class ControlledClock:
    """Stands where it was set, and never goes back."""

    def __init__(self, start: int) -> None:
        self._now = start

    def now(self) -> int:
        """See the port."""
        return self._now

    def monotonic(self) -> float:
        """See the port. Time that is measured goes on by itself."""
        return time.monotonic()

    def set(self, instant: int) -> int:
        """Move to ``instant``, unless that is earlier; the instant where it then stands."""
        self._now = max(self._now, instant)
        return self._now

"""Event ids: UUID version 7 (RFC 9562), in ascending order within a process.

Ids that ascend with time land beside each other in the server's index, which makes
writing them several times cheaper than random ones.
"""

import threading
import uuid
from collections.abc import Callable

_TAIL_BITS = 74
"""What version 7 leaves free beside the time, the version and the variant: 12 + 62 bits."""
_SEED_BITS = _TAIL_BITS - 1
"""A fresh tail leaves its first bit 0, so that there is room to count up."""
_STEP_BITS = 48
"""Ids of one millisecond are a random step apart: not to be guessed, and two processes
forked from one do not meet."""


class EventIds:
    """Makes event ids; call it for the next one. Safe to share between threads.

    ``now_ms`` is the time in milliseconds since 1970 and may go backwards; the ids do not.
    ``randbits(n)`` gives ``n`` random bits.
    """

    def __init__(self, *, now_ms: Callable[[], int], randbits: Callable[[int], int]) -> None:
        self._now_ms = now_ms
        self._randbits = randbits
        self._lock = threading.Lock()
        self._ms = -1
        self._tail = 0

    def __call__(self) -> str:
        with self._lock:
            self._advance(self._now_ms())
            return str(uuid.UUID(int=_layout(self._ms, self._tail)))

    def _advance(self, now_ms: int) -> None:
        if now_ms > self._ms:
            self._begin(now_ms)
            return
        self._tail += 1 + self._randbits(_STEP_BITS)
        if self._tail >> _TAIL_BITS:
            self._begin(self._ms + 1)

    def _begin(self, ms: int) -> None:
        self._ms = ms
        self._tail = self._randbits(_SEED_BITS)


def _layout(ms: int, tail: int) -> int:
    """48 bits of time, version 7, 12 bits, variant 2, 62 bits.

    The order of the numbers is the order of the texts, as version and variant are the same in
    all of them.
    """
    high, low = tail >> 62, tail & ((1 << 62) - 1)
    return ms << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low

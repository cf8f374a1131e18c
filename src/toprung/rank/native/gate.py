"""Who may touch the engine: one at a time, and no reader waits for more than one change."""

from collections.abc import Callable
from threading import Lock, RLock


class Gate:
    """A lock that a row of changes cannot keep from its readers.

    A lock goes to whoever asks at the right instant, and a thread that changes again and again asks
    right after it gave it back, before one that waited is awake. So who waits holds the turn, and
    every change needs the turn first. A thread that is inside may enter again to read, not to
    change.

    Attributes:
        try_enter: enters if nobody else is inside, and tells whether it did; called with ``False``.
            The lock's own method, as reads are so short that a call more would be felt.
        leave: lets the next one in.
    """

    __slots__ = ("_lock", "_turn", "leave", "try_enter")

    def __init__(self) -> None:
        self._lock = RLock()
        self._turn = Lock()
        self.try_enter: Callable[[bool], bool] = self._lock.acquire
        self.leave: Callable[[], None] = self._lock.release

    def enter(self) -> None:
        """Wait behind those who came before, then enter."""
        with self._turn:
            self._lock.acquire()

"""Who may touch the engine: one at a time, and no reader waits for more than one change."""

from threading import Lock, RLock


class Gate:
    """A lock that a row of changes cannot keep from its readers.

    A lock goes to whoever asks at the right instant, and a thread that changes again and again asks
    right after it gave it back, before one that waited is awake. So who waits holds the turn, and
    every change needs the turn first. A reader may enter again in the same thread.
    """

    __slots__ = ("_lock", "_turn")

    def __init__(self) -> None:
        self._lock = RLock()
        self._turn = Lock()

    def enter(self) -> None:
        """Wait behind those who came before, then enter: for changes."""
        with self._turn:
            self._lock.acquire()

    def enter_soon(self) -> None:
        """Enter at once where nobody is inside: for reads, which are short."""
        if not self._lock.acquire(blocking=False):
            self.enter()

    def leave(self) -> None:
        """Let the next one in."""
        self._lock.release()

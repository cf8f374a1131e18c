"""The thread that looks at the clock."""

from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread

from toprung.domain.errors import Trouble

LOOK_S = 1.0
"""How often it is looked what is due."""

Job = Callable[[], None]
"""Does what is due, and returns when it is done; to be called again and again."""


class Jobs:
    """Has every job look once a second, one after the other.

    Args:
        on_trouble: told what kept a job from being done; it is tried again with the next look.
        on_broken: told of a bug of ours; then nobody looks any more, and the process should end.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        on_trouble: Callable[[Trouble], None],
        on_broken: Callable[[BaseException], None],
    ) -> None:
        self._jobs = jobs
        self._on_trouble = on_trouble
        self._on_broken = on_broken
        self._looking = Lock()
        self._stopping = Event()
        self._thread = Thread(target=self._work, name="toprung-jobs", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; may be called twice, or before ``start``. What was begun is finished."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Have every job do what is due, now."""
        with self._looking:
            for job in self._jobs:
                try:
                    job()
                except Trouble as trouble:
                    self._on_trouble(trouble)

    def _work(self) -> None:
        try:
            while not self._stopping.wait(LOOK_S):
                self.look()
        except Exception as error:  # noqa: BLE001  a bug of ours: who runs the process must know
            self._on_broken(error)

"""Where an import's rows come from, whatever it is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from toprung.cli.importing.sending import Batch
from toprung.cli.importing.state import Progress


class Feed(Protocol):
    """Gives the rows of one import in batches."""

    @property
    def state_path(self) -> Path | None:
        """Where the progress is kept when nobody says; ``None``: it cannot be read twice."""
        ...

    def identity(self, progress: Callable[[int], None]) -> str | None:
        """Names what is read, the same each time; ``None`` where it cannot be read twice.

        Args:
            progress: told how much was read for it.
        """
        ...

    def batches(self, done: Progress, size: int) -> Iterator[Batch]:
        """What follows after what was acknowledged, at most ``size`` rows together.

        Raises:
            Failed: it cannot be used.
        """
        ...

"""What must be so before a database file is opened, whoever opens it."""

import os
import zoneinfo
from pathlib import Path

from toprung.domain.errors import Trouble


def prepare(path: Path) -> Path:
    """Make this process read files as every other one does; the path under which to open it.

    Zones come from the locked package, whatever the machine has, so that a replay finds the periods
    that the server found. A symbolic link is followed first: the lock is named after the file, not
    after a name of it.

    Raises:
        Trouble: ``linked_file``, the file has a second name.
    """
    if zoneinfo.TZPATH:
        zoneinfo.reset_tzpath(to=())
        zoneinfo.ZoneInfo.clear_cache()
    real = Path(os.path.realpath(path))
    if real.is_file() and real.stat().st_nlink > 1:
        raise Trouble(
            "linked_file",
            f"{path} has another name (a hard link), under which it could be opened a second time",
            retryable=False,
            hint="remove the other name, or make it a symbolic link",
        )
    return real


class Identity:
    """Which file a path named when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _identity(path)

    def holds(self) -> bool:
        """Whether the path still names that file."""
        return _identity(self._path) == self._known


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino

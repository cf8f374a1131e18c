"""One server on one file."""

import fcntl
import os
from pathlib import Path

from toprung.domain.errors import Trouble


class FileLock:
    """Holds an exclusive lock beside a database file for as long as the process lives.

    The lock belongs to the process, not to the file's existence: after a crash it is free.

    Raises:
        Trouble: ``in_use``, another process holds it; ``storage_unavailable``.
    """

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        try:
            database.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Trouble(
                "storage_unavailable",
                f"{database}: the file cannot be opened: {error.strerror}",
                retryable=False,
                hint="check the path and its rights",
            ) from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._handle)
            raise Trouble(
                "in_use",
                f"{database} is in use by another toprung process",
                retryable=False,
                hint="stop that server, or give this one another --db file",
            ) from None

    def release(self) -> None:
        """Let go of the lock; may be called twice."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

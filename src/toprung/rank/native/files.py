"""A file that is there whole, as it was before or as it is after, whatever happens meanwhile."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, parts: Iterable[bytes]) -> None:
    """Put ``parts`` into the file of that name, in the place of an older one; then it is on disk.

    Raises:
        OSError: the older one is as it was.
    """
    beginning = path.with_name(f"{path.name}.new")
    try:
        with beginning.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        beginning.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            beginning.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

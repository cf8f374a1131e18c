"""Shows a person how an import goes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Meter:
    """Shows nothing: for programs, and where nobody looks."""

    def reading(self, position: int) -> None:
        """The file is read once for its hash, and so far."""

    def acknowledged(self, position: int, rows: int) -> None:
        """So many rows are acknowledged; the file is read so far."""


class _Bar(Meter):
    def __init__(self, progress: "Progress", size: int | None) -> None:
        self._progress = progress
        self._size = size
        self._task: TaskID | None = None

    def reading(self, position: int) -> None:
        self._update("reading", position)

    def acknowledged(self, position: int, rows: int) -> None:
        self._update(f"{rows:,} rows", position)

    def _update(self, text: str, position: int) -> None:
        if self._task is None:
            self._task = self._progress.add_task("", total=self._size)
        self._progress.update(self._task, description=text, completed=position)


@contextmanager
def show_meter(size: int | None, *, quiet: bool) -> Iterator[Meter]:
    """A progress bar on a terminal, unless ``quiet``.

    Args:
        size: of the input in bytes; ``None`` where it is not known.
    """
    if quiet or not sys.stderr.isatty():
        yield Meter()
        return
    from rich.console import Console  # noqa: PLC0415 - loaded only where a person looks
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = [TextColumn("{task.description}"), BarColumn(), DownloadColumn()]
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        yield _Bar(progress, size)

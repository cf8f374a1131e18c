"""Progress bars, for people at a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Show(Protocol):
    """Shows how far something is."""

    def __call__(self, done: int, text: str, total: int | None = None) -> None:
        """So much is done; ``total`` where it became known or changed."""
        ...


@contextmanager
def show_progress(total: int | None, *, quiet: bool = False, size: bool = False) -> Iterator[Show]:
    """A bar on standard error when that is a terminal.

    Args:
        total: what there is to do; ``None`` where it is not known.
        size: the numbers are bytes.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, text, total=None: None
        return
    from rich.console import Console  # noqa: PLC0415 - loaded only where a person looks
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    numbers = DownloadColumn() if size else MofNCompleteColumn()
    text_column = TextColumn("{task.description}", markup=False)
    with Progress(text_column, BarColumn(), numbers, TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task("", total=total)

        def show(done: int, text: str, total: int | None = None) -> None:
            if total is not None:
                bar.update(task, total=total)
            bar.update(task, completed=done, description=text)

        yield show

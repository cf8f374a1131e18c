"""The rows of a file, or of a pipe."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from toprung.cli.importing.csv_rows import csv_rows
from toprung.cli.importing.jsonl_rows import jsonl_rows
from toprung.cli.importing.order import Order
from toprung.cli.importing.rows import Row
from toprung.cli.importing.sending import Batch, batches
from toprung.cli.importing.source import Source, content_hash, open_source
from toprung.cli.importing.state import Progress

ID_HASH_CHARS = 16
"""So much of a file's hash is in the ids made for its rows: enough to tell files apart."""


def is_stored(file: str) -> bool:
    """Whether an input can be read twice, unlike a pipe."""
    return file != "-" and Path(file).is_file()


class FileFeed:
    """A :class:`~toprung.cli.importing.feed.Feed` of a file."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._content: str | None = None

    @property
    def state_path(self) -> Path | None:
        """See the protocol."""
        file = self._order.file
        return Path(file + ".toprung-import.json") if is_stored(file) else None

    def identity(self, progress: Callable[[int], None]) -> str | None:
        """See the protocol: the content's hash."""
        if is_stored(self._order.file):
            self._content = content_hash(self._order.file, progress)
        return self._content

    def batches(self, done: Progress, size: int) -> Iterator[Batch]:
        """See the protocol."""
        with open_source(self._order.file) as source:
            rows = self._rows(source)
            for _ in islice(rows, done.rows):
                pass
            yield from batches(rows, size, source.position)

    def _rows(self, source: Source) -> Iterator[Row]:
        order = self._order
        make_id = None if self._content is None else f"{self._content[:ID_HASH_CHARS]}-"
        lines = source.lines()
        if order.preset is None and (order.format or source.format()) == "jsonl":
            return jsonl_rows(lines, order.mapping, board=order.board, make_id=make_id, at=order.at)
        return csv_rows(
            lines,
            order.mapping,
            board=order.board,
            delimiter=order.delimiter or source.delimiter(),
            make_id=make_id,
            preset=order.preset,
            at=order.at,
        )

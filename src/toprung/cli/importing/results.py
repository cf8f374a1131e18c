"""The file that says what became of each row."""

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from toprung.cli.importing.sending import Answer


class ResultsFile:
    """One JSON line a row, in order.

    Args:
        keep: how much of a file that is there belongs to rows acknowledged before, in bytes.
    """

    def __init__(self, path: Path, keep: int) -> None:
        # Lines behind that are of a batch whose acknowledgement was not kept: it comes again.
        self._file = path.open("r+b" if keep and path.exists() else "wb")
        self._file.truncate(min(keep, self._file.seek(0, os.SEEK_END)))
        self._file.seek(0, os.SEEK_END)
        self._encoder = msgspec.json.Encoder()

    def write(self, answers: Sequence[Answer]) -> int:
        """Add lines; how long the file then is."""
        self._file.write(self._encoder.encode_lines(answers))
        self._file.flush()
        return self._file.tell()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

"""The file an import reads: plain or gzip, or a pipe; its lines, bounded in length."""

import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Literal, cast

from toprung.cli.errors import Failed

Format = Literal["csv", "jsonl"]

RECORD_CHARS_MAX = 1_048_576
"""Longest row that is looked at. A missing quote or line end must not fill the memory."""
_GZIP = b"\x1f\x8b"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BLOCK = 1 << 20
_FORMATS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}


class Source:
    """An input that is open.

    Attributes:
        path: where it is; ``None`` for a pipe, which can be read only once.
        size: its size in bytes as it is stored; ``None`` for a pipe.
        content: its content, decompressed.
    """

    def __init__(self, raw: BinaryIO, path: Path | None) -> None:
        self._raw = raw
        self.path = path
        self.size = None if path is None else path.stat().st_size
        stored = io.BufferedReader(cast("io.RawIOBase", raw), _BLOCK)
        self.content: IO[bytes] = stored
        if stored.peek(len(_GZIP))[: len(_GZIP)] == _GZIP:
            self.content = io.BufferedReader(
                cast("io.RawIOBase", gzip.GzipFile(fileobj=stored, mode="rb")), _BLOCK
            )

    def position(self) -> int:
        """How many of the stored bytes were read."""
        return self._raw.tell() if self.size is not None else 0

    def lines(self) -> Iterator[str]:
        """The lines with their ends; see :func:`read_lines`."""
        # Kept here: dropped at the last line, it would close the file before its position is told.
        self._text = io.TextIOWrapper(
            self.content, "utf-8-sig", errors="surrogateescape", newline=""
        )
        return read_lines(self._text)

    def format(self) -> Format:
        """The format by the file's name, else by how the content begins."""
        suffixes = [] if self.path is None else self.path.suffixes
        for suffix in reversed(suffixes):
            if suffix in _FORMATS:
                return _FORMATS[suffix]
        start = cast("io.BufferedReader", self.content).peek(1024)
        start = start.removeprefix(b"\xef\xbb\xbf").lstrip()
        if start.startswith(b"["):
            raise Failed(
                "format",
                "a JSON array cannot be read row by row",
                hint="write one object a line, with jq -c '.[]' for one",
            )
        return "jsonl" if start.startswith(b"{") else "csv"

    def delimiter(self) -> str:
        """What stands between the cells of CSV, by the file's name."""
        return "\t" if self.path is not None and ".tsv" in self.path.suffixes else ","


@contextmanager
def open_source(name: str) -> Iterator[Source]:
    """Open a file, or standard input for ``-``.

    Raises:
        OSError: it cannot be opened.
        Failed: it is damaged, or not UTF-8 altogether.
    """
    try:
        if name == "-":
            with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as raw:
                yield _checked(raw, None)
        else:
            path = Path(name)
            with path.open("rb", buffering=0) as raw:
                yield _checked(raw, path if path.is_file() else None)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise Failed("damaged", f"{name}: the compressed file is damaged: {error}") from error


def _checked(raw: object, path: Path | None) -> Source:
    source = Source(cast("BinaryIO", raw), path)
    if cast("io.BufferedReader", source.content).peek(2)[:2] in _UTF16:
        raise Failed("encoding", "the file is in UTF-16", hint="save it as UTF-8")
    return source


def content_hash(name: str, progress: Callable[[int], None]) -> str:
    """SHA-256 of a file's content, decompressed, so that ids survive compression.

    Args:
        progress: called with the stored bytes read.
    """
    digest = hashlib.sha256()
    with open_source(name) as source:
        while block := source.content.read(_BLOCK):
            digest.update(block)
            progress(source.position())
    return digest.hexdigest()


def read_lines(text: IO[str]) -> Iterator[str]:
    """The lines with their ends. One that is too long comes cut, longer than the limit by one.

    What is not UTF-8 is in them as lone surrogates, which :func:`readable` finds.
    """
    while line := text.readline(RECORD_CHARS_MAX + 1):
        rest = line
        while len(rest) > RECORD_CHARS_MAX and not rest.endswith(("\n", "\r")):
            rest = text.readline(RECORD_CHARS_MAX + 1)
        yield line


def readable(text: str) -> bool:
    """Whether ``text`` came from UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

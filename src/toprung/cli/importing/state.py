"""How far an import came: a small file beside its input, while the import is not complete."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

VERSION = 1


class Progress(msgspec.Struct, frozen=True):
    """The rows that are acknowledged: the first ones, without a gap."""

    rows: int = 0
    outcomes: dict[str, int] = {}
    seq: str | None = None
    results_bytes: int | None = None
    """How long the file of results is up to the last of those rows; ``None``: there is none."""
    mark: str | None = None
    """Where the source goes on, in its own words."""


class _Kept(msgspec.Struct, frozen=True):
    version: int
    import_id: str
    progress: Progress


def import_id(content: str, settings: Sequence[object]) -> str:
    """Names an import: what is read, and everything that decides what becomes of it."""
    return hashlib.sha256(msgspec.json.encode([content, settings], order="sorted")).hexdigest()


class StateFile:
    """Keeps the progress of one import."""

    def __init__(self, path: Path, import_id: str) -> None:
        self._path = path
        self._import_id = import_id

    def load(self) -> Progress:
        """How far this import came; from the start where another one, or none, was kept."""
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=_Kept)
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
            return Progress()
        same = kept.version == VERSION and kept.import_id == self._import_id
        return kept.progress if same else Progress()

    def save(self, progress: Progress) -> None:
        """Keep ``progress``; a process that dies meanwhile leaves the one before."""
        beside = self._path.with_name(self._path.name + ".new")
        beside.write_bytes(msgspec.json.encode(_Kept(VERSION, self._import_id, progress)))
        os.replace(beside, self._path)  # noqa: PTH105 - it is a file beside

    def remove(self) -> None:
        """The import is complete: a further run begins anew, and finds only duplicates."""
        self._path.unlink(missing_ok=True)

"""Where snapshots of closed periods are kept."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from toprung.domain.decide import EntryKey
from toprung.domain.snapshots import Snapshot


class SnapshotStore(Protocol):
    """Keeps snapshots, and which closed periods changed since. Every write may be repeated."""

    def begin(self, snapshot: Snapshot) -> None:
        """Keep a version whose rows are still to come."""
        ...

    def add(self, seq: int, first: int, lines: bytes) -> None:
        """Keep canonical lines of the version that the record ``seq`` made, after the first
        ``first`` of them.
        """
        ...

    def finish(self, snapshot: Snapshot) -> None:
        """Keep count and digest: all lines are there."""
        ...

    def remove(self, seq: int) -> None:
        """Remove a version with its lines."""
        ...

    def take_back(self, snapshot: Snapshot) -> None:
        """Remove the lines of a version, and keep its number."""
        ...

    def all(self) -> list[Snapshot]:
        """All versions of all periods, in the order of the records that made them."""
        ...

    def of_period(self, key: EntryKey) -> list[Snapshot]:
        """All versions of a period, the first one first."""
        ...

    def lines(self, seq: int) -> Iterator[bytes]:
        """The canonical lines of a version as far as they are there, in order, many at a time."""
        ...

    def mark(self, keys: Iterable[EntryKey]) -> None:
        """Note that closed periods changed."""
        ...

    def unmark(self, key: EntryKey) -> None:
        """Forget that a period changed."""
        ...

    def marked(self) -> list[EntryKey]:
        """The closed periods that changed."""
        ...

    def forget(self, board_id: int, windows: Sequence[str] | None) -> None:
        """Remove everything of some windows of a board; ``None``: of all."""
        ...

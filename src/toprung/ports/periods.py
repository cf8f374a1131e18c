"""The periods that are known, in memory: the updater changes them, jobs and query read them."""

from collections.abc import Iterator
from typing import NamedTuple

from toprung.domain.decide import EntryKey


class KnownPeriod(NamedTuple):
    """A period that has or had entries."""

    closes_at: int | None
    """The first arrival that it no longer takes; ``None``: it never closes."""
    version: int = 0
    """Of its last snapshot that is complete; 0: there is none."""
    is_closing: bool = False
    """Whether a snapshot is being written."""
    is_changed: bool = False
    """Whether it changed since its last snapshot."""
    closed_by: int = 0
    """The record that closed it first; 0: none has, or nobody was on it then."""

    @property
    def wants_snapshot(self) -> bool:
        """Whether its standings are other than its last snapshot, or it has none."""
        return self.is_changed or not (self.version or self.is_closing)


class PeriodBook:
    """All periods by board and window. One thread changes it; others may read at any time."""

    def __init__(self) -> None:
        self._windows: dict[tuple[int, str], dict[str, KnownPeriod]] = {}
        self._unclosed: dict[tuple[int, str], set[str]] = {}
        self._touched: set[EntryKey] = set()

    def get(self, key: EntryKey) -> KnownPeriod | None:
        """What is known of a period; ``None``: nobody ever was on it."""
        window = self._windows.get(key[:2])
        return None if window is None else window.get(key[2])

    def put(self, key: EntryKey, known: KnownPeriod) -> None:
        """Know a period, or know it otherwise."""
        self._windows.setdefault(key[:2], {})[key[2]] = known
        unclosed = self._unclosed.setdefault(key[:2], set())
        if known.closed_by:
            unclosed.discard(key[2])
        else:
            unclosed.add(key[2])

    def closed(self, key: EntryKey, seq: int) -> None:
        """A record closed a period; only the first one counts."""
        known = self.get(key) or KnownPeriod(None)
        if not known.closed_by:
            self.put(key, known._replace(closed_by=seq))

    def closed_by(self, key: EntryKey) -> int:
        """The record that closed a period first; 0: none has."""
        known = self.get(key)
        return 0 if known is None else known.closed_by

    def unclosed(self, board_id: int, window: str) -> list[EntryKey]:
        """The periods of a window that no record has closed, in no order."""
        return [(board_id, window, key) for key in self._unclosed.get((board_id, window), ())]

    def touch(self, key: EntryKey) -> None:
        """Note that events move players in a period."""
        self._touched.add(key)

    def take_touched(self) -> set[EntryKey]:
        """The periods that were touched since this was asked last; for one thread to ask."""
        touched, self._touched = self._touched, set()
        return touched

    def of_window(self, board_id: int, window: str) -> list[tuple[str, KnownPeriod]]:
        """The periods of a window by key, in no order."""
        return list(self._windows.get((board_id, window), {}).items())

    def of_board(self, board_id: int) -> list[EntryKey]:
        """The periods of a board."""
        return [key for key, _ in self.all() if key[0] == board_id]

    def all(self) -> Iterator[tuple[EntryKey, KnownPeriod]]:
        """All periods."""
        for (board_id, window), periods in list(self._windows.items()):
            for key, known in list(periods.items()):
                yield (board_id, window, key), known

    def remove(self, key: EntryKey) -> None:
        """Forget a period."""
        self._windows.get(key[:2], {}).pop(key[2], None)
        self._unclosed.get(key[:2], set()).discard(key[2])

    def drop(self, board_id: int, window: str) -> None:
        """Forget the periods of a window."""
        self._windows.pop((board_id, window), None)
        self._unclosed.pop((board_id, window), None)

    def drop_board(self, board_id: int) -> None:
        """Forget the periods of a board."""
        for owner, window in list(self._windows):
            if owner == board_id:
                self.drop(board_id, window)

    def clear(self) -> None:
        """Forget all."""
        self._windows, self._unclosed = {}, {}

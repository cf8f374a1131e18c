"""Where in the log an event id was met, in memory."""

from array import array
from collections.abc import Sequence
from typing import Protocol

from toprung.domain.keeping import event_hash


class SeenIndex(Protocol):
    """Finds lines by the hashes of their ids. It may be asked from any thread."""

    def load(self, places: bytes) -> None:
        """Add lines: pairs of hash and ``seq``, see :class:`~toprung.domain.keeping.SeenBlock`."""
        ...

    def find(self, board_id: int, event_ids: Sequence[str]) -> list[tuple[int, int]]:
        """Where lines of the ids may stand: which of ``event_ids``, and a ``seq``; of each id the
        latest first. Another id may stand there: what the line says decides.
        """
        ...

    def clear(self) -> None:
        """Forget all lines."""
        ...


class DictIndex:
    """A :class:`SeenIndex` in a dictionary; some 150 bytes an id."""

    def __init__(self) -> None:
        self._seqs: dict[int, tuple[int, ...]] = {}

    def load(self, places: bytes) -> None:
        """See the protocol."""
        words = array("Q", places)
        for at in range(0, len(words), 2):
            found = words[at]
            self._seqs[found] = (words[at + 1], *self._seqs.get(found, ()))

    def find(self, board_id: int, event_ids: Sequence[str]) -> list[tuple[int, int]]:
        """See the protocol."""
        return [
            (place, seq)
            for place, event_id in enumerate(event_ids)
            for seq in self._seqs.get(event_hash(board_id, event_id), ())
        ]

    def clear(self) -> None:
        """See the protocol."""
        self._seqs.clear()

"""Events in quarantine, in memory: the updater changes them, others may look."""

from collections.abc import Iterable, Iterator, Mapping

from toprung.domain.quarantine import Held, HeldLine
from toprung.domain.records import board_mark

_NOTHING: dict[str, Held] = {}


class Quarantine:
    """Those of all boards, each board's in the order in which they came."""

    def __init__(self) -> None:
        self.marks: dict[int, bytes] = {}
        """The boards that have some, each with what is in the records of its events."""
        self._boards: dict[int, dict[str, Held]] = {}
        self._waiting: dict[int, int] = {}

    def of(self, board_id: int) -> Mapping[str, Held]:
        """Those of a board by their ids."""
        return self._boards.get(board_id, _NOTHING)

    def waiting(self, board_id: int) -> int:
        """How many of a board nobody has looked at."""
        return self._waiting.get(board_id, 0)

    @property
    def all_waiting(self) -> int:
        """How many of all boards nobody has looked at."""
        return sum(list(self._waiting.values()))

    def put(self, line: HeldLine) -> None:
        """Put an event there, or another state in the place of its state."""
        board_id, event_id, held = line
        found = self._boards.setdefault(board_id, {})
        before = found.get(event_id)
        found[event_id] = held
        self.marks[board_id] = board_mark(board_id)
        change = (not held.is_rejected) - (before is not None and not before.is_rejected)
        self._waiting[board_id] = self.waiting(board_id) + change

    def remove(self, board_id: int, event_id: str) -> None:
        """An event is there no more."""
        held = self._boards.get(board_id, {}).pop(event_id, None)
        if held is not None and not held.is_rejected:
            self._waiting[board_id] -= 1
        if not self._boards.get(board_id):
            self.drop(board_id)

    def drop(self, board_id: int) -> None:
        """Forget those of a board."""
        for each in (self._boards, self._waiting, self.marks):
            each.pop(board_id, None)

    def lines(self) -> Iterator[HeldLine]:
        """All of them."""
        for board_id, found in self._boards.items():
            for event_id, held in found.items():
                yield board_id, event_id, held

    def replace(self, lines: Iterable[HeldLine]) -> None:
        """Know these and no others."""
        self._boards, self._waiting, self.marks = {}, {}, {}
        for line in sorted(lines, key=lambda each: each[2].seq):
            self.put(line)

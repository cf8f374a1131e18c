"""What was taken of players in the present hour and minute, where a board has limits on that.

It is a function of the log and of what was decided: an event counts by its arrival, for the player
that it names, when it was taken, whatever was made of it later. What is in memory is counted anew
whenever it may be another one: after a start, and when a board's settings change.
"""

from collections.abc import Sequence
from typing import NamedTuple

from toprung.domain.board import Board
from toprung.domain.instants import HOUR, MINUTE
from toprung.domain.outcomes import Outcome
from toprung.domain.plausible import Tally, gained
from toprung.domain.records import Adjusted, Judged
from toprung.ports.counted import counted_events
from toprung.ports.log import EventLog
from toprung.ports.store import ScoreStore


class Taken(NamedTuple):
    """An event that passed, and may be taken."""

    seq: int
    board: Board
    player_id: str
    gained: int
    received_at: int


class _Counts:
    """Those of a board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.hour = self.minute = 0
        self.points: dict[str, int] = {}
        self.events: dict[str, int] = {}

    def come_to(self, instant: int) -> None:
        """Forget what was before the hour and the minute of an instant."""
        if instant // HOUR > self.hour:
            self.hour, self.points = instant // HOUR, {}
        if instant // MINUTE > self.minute:
            self.minute, self.events = instant // MINUTE, {}

    def add(self, player_id: str, points: int, received_at: int) -> None:
        self.come_to(received_at)
        if received_at // HOUR == self.hour:
            self.points[player_id] = self.points.get(player_id, 0) + points
        if received_at // MINUTE == self.minute:
            self.events[player_id] = self.events.get(player_id, 0) + 1


class Tallies:
    """Those of all boards that have such limits."""

    def __init__(self, log: EventLog, store: ScoreStore) -> None:
        self._log = log
        self._store = store
        self._counts: dict[int, _Counts] = {}

    def clear(self) -> None:
        """Forget everything; it is counted anew when it is needed."""
        self._counts = {}

    def open(self, board: Board, received_at: int, before: int) -> None:
        """Know what was taken on a board.

        Args:
            received_at: of the record at hand.
            before: its ``seq``.
        """
        counts = self._counts.get(board.board_id)
        if counts is not None and counts.board is board:
            return
        counts = self._counts[board.board_id] = _Counts(board)
        start = received_at // HOUR * HOUR
        after = max(board.board_id, self._last_before(start, before))
        for event, seen in counted_events(
            self._log, self._store, board.board_id, after, before - 1
        ):
            points = board.points_now(seen.points, seen.revision)
            if event.history or isinstance(event, Adjusted | Judged):
                continue  # nobody asked whether it was too much
            if points is not None:
                counts.add(seen.player_id, gained(points), seen.received_at)

    def _last_before(self, instant: int, before: int) -> int:
        """The last record that arrived before an instant: arrivals never go back."""
        low, high = 0, before - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._log.read(middle - 1, 1)[0].received_at < instant:
                low = middle
            else:
                high = middle - 1
        return low

    def of(self, board: Board, player_id: str, received_at: int) -> Tally:
        """What was taken of a player by now."""
        counts = self._counts[board.board_id]
        counts.come_to(received_at)
        return Tally(counts.points.get(player_id, 0), counts.events.get(player_id, 0))

    def take(self, passed: Sequence[Taken]) -> None:
        """Count those of some events that were taken; all of them are decided."""
        kept = {seen.seq: seen for _, _, seen in self._store.kept_at([each.seq for each in passed])}
        for each in passed:
            seen = kept.get(each.seq)
            if seen is not None and Outcome(seen.outcome).spends_id:
                counts = self._counts[each.board.board_id]
                counts.add(each.player_id, each.gained, each.received_at)

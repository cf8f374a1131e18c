"""Events in quarantine, with what the log says of them."""

from collections.abc import Sequence
from heapq import nlargest
from typing import NamedTuple

from toprung.domain.board import Board
from toprung.domain.errors import Broken
from toprung.domain.limits import PAGE_ROWS
from toprung.domain.quarantine import Held
from toprung.domain.records import Event, Judged
from toprung.ports.catalog import Catalog
from toprung.ports.log import EventLog, record_of
from toprung.ports.store import ScoreStore


class HeldEvent(NamedTuple):
    """One of them."""

    board: Board
    held: Held
    event: Event
    received_at: int


class Quarantined:
    """Reads events in quarantine, beside the writer.

    Args:
        store: of the same file as ``log``; one thread at a time asks.
    """

    def __init__(self, log: EventLog, store: ScoreStore, catalog: Catalog) -> None:
        self._log = log
        self._store = store
        self._catalog = catalog

    def page(
        self, boards: Sequence[Board], limit: int, before: int | None, *, rejected: bool
    ) -> list[HeldEvent]:
        """The last that came first.

        Args:
            before: those that came before this record; ``None``: from the last one on.
            rejected: those that somebody looked at and that shall not count; else those that wait.

        Raises:
            InvalidInput: naming ``limit``.
        """
        PAGE_ROWS.check(limit, "limit")
        found = [
            (held.seq, held, board)
            for board in boards
            for held in list(self._catalog.quarantine.of(board.board_id).values())
            if held.is_rejected == rejected and (before is None or held.seq < before)
        ]
        last = nlargest(limit, found, key=lambda each: each[0])
        return [HeldEvent(board, held, *self._at(held.seq)) for _, held, board in last]

    def event(self, board: Board, event_id: str) -> tuple[Event, int] | None:
        """An event that is in quarantine, or was approved there, and when it came; ``None``: there
        is none.
        """
        held = self._catalog.quarantine.of(board.board_id).get(event_id)
        if held is not None:
            return self._at(held.seq)
        seen = self._store.seen(board.board_id, [event_id]).get(event_id)
        if seen is None:
            return None
        event, _ = self._at(seen.seq)
        return (event, event.arrived_at) if isinstance(event, Judged) else None

    def _at(self, seq: int) -> tuple[Event, int]:
        (row,) = self._log.read(seq - 1, 1)
        event = record_of(row)
        if not isinstance(event, Event):
            raise Broken("what is kept of an event is not of one")
        return event, row.received_at

"""The events that a board was sent, as the log has them, with what became of each."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toprung.domain.adjusting import as_counted
from toprung.domain.board import Board
from toprung.domain.decide import Seen, outcome_of_repeat
from toprung.domain.erasing import is_stand_in
from toprung.domain.limits import CURSOR_CHARS, PAGE_ROWS
from toprung.domain.records import Adjusted, Event, Judged
from toprung.ports.catalog import Catalog
from toprung.ports.log import EventLog, LogRow, record_of
from toprung.ports.store import ScoreStore
from toprung.query.cursor import foreign_cursor

LOOKED_AT = 2_000
"""Records that are looked at for one page, whosever they are, so that none takes long."""
_SEQ_DIGITS = 18


class LoggedEvent(NamedTuple):
    """One event of the log."""

    seq: int
    received_at: int
    event: Event
    outcome: str | None
    """``None``: it was refused, and why was not kept."""
    late: Sequence[str]
    """The windows in which it was late."""
    is_void: bool
    """Whether it, or its match, is void today (R9)."""


class EventsPage(NamedTuple):
    """Events in the order of the log."""

    rows: list[LoggedEvent]
    next: str | None
    """Goes on behind them; ``None``: all is told. There may be no rows here and some behind, where
    a board's events are rare."""


class Events:
    """Reads the events of boards, beside the writer.

    Args:
        store: of the same file as ``log``; one thread at a time asks.
    """

    def __init__(self, log: EventLog, store: ScoreStore, catalog: Catalog) -> None:
        self._log = log
        self._store = store
        self._catalog = catalog

    def is_void(self, board: Board, seq: int) -> bool:
        """Whether the event at ``seq``, or its match, is void today (R9)."""
        event = record_of(self._log.read(seq - 1, 1)[0])
        return isinstance(event, Event) and self._catalog.is_void(board, event)

    def page(self, board: Board, limit: int, cursor: str | None, until: int) -> EventsPage:
        """The next events of a board.

        Args:
            cursor: ``next`` of the page before; ``None``: from the first one.
            until: the last record that is told; every one up to it is decided.

        Raises:
            InvalidInput: naming ``limit`` or ``cursor``, which may be of another board.
        """
        PAGE_ROWS.check(limit, "limit")
        # A board's id is the record that made it.
        after = board.board_id if cursor is None else _read_cursor(board, cursor)
        found: list[tuple[LogRow, Event]] = []
        for row in self._log.read(after, LOOKED_AT):
            if row.seq > until or len(found) == limit:
                break
            after = row.seq
            event = record_of(row)
            if (
                isinstance(event, Event)
                and event.board_id == board.board_id
                and not is_stand_in(event.player_id)
            ):
                found.append((row, event))
        rows = list(self._decided(board, found))
        return EventsPage(rows, _write_cursor(board, after) if after < until else None)

    def _decided(
        self, board: Board, events: Sequence[tuple[LogRow, Event]]
    ) -> Iterator[LoggedEvent]:
        """The events, each with its outcome."""
        if not events:
            return
        lines = self._lines(board.board_id, events[0][0].seq, events[-1][0].seq)
        without = [event.event_id for row, event in events if row.seq not in lines]
        first = self._store.seen(board.board_id, without)
        for row, event in events:
            is_void = self._catalog.is_void(board, event)
            line = lines.get(row.seq)
            if line is not None:
                told = as_counted(event, line)
                yield LoggedEvent(row.seq, row.received_at, told, line.outcome, line.late, is_void)
                continue
            if isinstance(event, Adjusted | Judged):
                continue  # it was refused, or told again: an act that changed nothing
            again = outcome_of_repeat(board, first.get(event.event_id), event, row.seq)
            outcome = None if again is None else again.value
            yield LoggedEvent(row.seq, row.received_at, event, outcome, (), is_void)

    def _lines(self, board_id: int, first: int, last: int) -> dict[int, Seen]:
        """What is kept of a board's events, by where they stand."""
        # Not every record has a line, so there are no more lines than records.
        lines = self._store.kept(first - 1, last - first + 1)
        return {seen.seq: seen for line_board, _, seen in lines if line_board == board_id}


def _write_cursor(board: Board, seq: int) -> str:
    return f"{board.board_id}-{seq}"


def _read_cursor(board: Board, text: str) -> int:
    CURSOR_CHARS.check(len(text), "cursor")
    board_id, _, seq = text.partition("-")
    is_seq = seq.isascii() and seq.isdigit() and len(seq) <= _SEQ_DIGITS
    if board_id != str(board.board_id) or not is_seq:
        raise foreign_cursor()
    return int(seq)

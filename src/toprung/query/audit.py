"""What was done by whom, the latest first (R9)."""

from collections.abc import Sequence
from typing import NamedTuple

from toprung.domain.audit import ActLine
from toprung.domain.limits import CURSOR_CHARS, PAGE_ROWS
from toprung.domain.records import Record
from toprung.ports.log import EventLog, record_of
from toprung.ports.store import ScoreStore, WantedActs
from toprung.query.cursor import foreign_cursor

_SEQ_DIGITS = 18
_LATEST = 2**63 - 1


class ListedAct(NamedTuple):
    """An act: the line by which it was found, and what it said."""

    line: ActLine
    act: Record


class AuditPage(NamedTuple):
    """Acts, the latest first."""

    rows: Sequence[ListedAct]
    next: str | None
    """Goes on behind them; ``None``: there are no earlier ones."""


class Audit:
    """Reads acts beside the writer.

    Args:
        store: of the same file as ``log``; one thread at a time asks.
    """

    def __init__(self, log: EventLog, store: ScoreStore) -> None:
        self._log = log
        self._store = store

    def page(self, wanted: WantedActs, limit: int, cursor: str | None) -> AuditPage:
        """The latest acts, or those before a page.

        Args:
            cursor: ``next`` of the page before; ``None``: from the latest one.

        Raises:
            InvalidInput: naming ``limit`` or ``cursor``.
        """
        PAGE_ROWS.check(limit, "limit")
        before = _LATEST if cursor is None else _read_cursor(cursor)
        lines = self._store.acts(wanted, before, limit + 1)
        rows = [ListedAct(line, self._act(line.seq)) for line in lines[:limit]]
        return AuditPage(rows, str(lines[limit - 1].seq) if len(lines) > limit else None)

    def _act(self, seq: int) -> Record:
        (row,) = self._log.read(seq - 1, 1)
        return record_of(row)


def _read_cursor(text: str) -> int:
    CURSOR_CHARS.check(len(text), "cursor")
    if not (text.isascii() and text.isdigit() and len(text) <= _SEQ_DIGITS):
        raise foreign_cursor()
    return int(text)

"""Closing periods: which are known, and their snapshots, written part by part (R10).

A record closes a period: from then on its snapshot is due, and the period's standings are those of
the record until something changes them. So the rows are written a block at a time, from the view,
behind the log as everything else; and whatever would change the period has them written first.
Where the view cannot be asked, because there is none or it is being filled, the tables are: they
had everything when the period was closed.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from toprung.domain.acts import Refused
from toprung.domain.board import Board
from toprung.domain.calendar import Period, rolling_days
from toprung.domain.closing import period_to_close
from toprung.domain.decide import EntryKey
from toprung.domain.errors import Broken, InvalidInput
from toprung.domain.freezing import thawed
from toprung.domain.records import PeriodClosed
from toprung.domain.segments import segment_in
from toprung.domain.snapshots import Snapshot, begin_snapshot, canonical_rows, read_rows, row_of
from toprung.ports.catalog import Catalog
from toprung.ports.periods import KnownPeriod
from toprung.ports.store import ScoreStore
from toprung.ports.view import PeriodReader, RankView, Row
from toprung.updater.masking import masked_on
from toprung.updater.slicing import EntryLine

BLOCK_ROWS = 1_000
"""Rows of a snapshot that are written at a time: a write that comes meanwhile waits for these few
milliseconds."""


class _Part(NamedTuple):
    """How far a snapshot is written."""

    snapshot: Snapshot
    done: int
    """How many rows are written."""
    digest: Any
    """The hash of the lines so far."""
    last: Row | None
    """The last row that is written."""
    stored: Sequence[Row] = ()
    """All rows, where they come from the tables and were read from there."""


class Closings:
    """The periods of all boards and the snapshots of those that are closed.

    Args:
        view: ``None``: no ranks are kept.
        flush: writes everything that waits.
    """

    def __init__(
        self,
        store: ScoreStore,
        catalog: Catalog,
        view: RankView | None,
        flush: Callable[[], None],
    ) -> None:
        self._store = store
        self._snapshots = store.snapshots
        self._catalog = catalog
        self._book = catalog.periods
        self._view = view
        self._flush = flush
        self._is_shown = False
        self._due: dict[EntryKey, _Part] = {}
        self._marks: set[EntryKey] = set()
        self._taken: tuple[EntryKey, _Part] | None = None

    @property
    def unwritten(self) -> int:
        """How many snapshots are not complete."""
        return len(self._due)

    def load(self, *, is_shown: bool) -> None:
        """Know what the store has.

        Args:
            is_shown: whether the view shows all that was applied; see :meth:`shown`.
        """
        self._book.clear()
        self._due, self._marks, self._taken = {}, set(), None
        self._is_shown = is_shown
        for key in self._store.period_keys():
            self.meet([key], 0)
        for snapshot in self._snapshots.all():
            if self._catalog.by_id(snapshot.board_id) is None:
                continue
            self._book.closed(snapshot.period, snapshot.seq)
            if snapshot.is_complete:
                self._know(snapshot.period, version=snapshot.version)
            else:
                self._due[snapshot.period] = self._resumed(snapshot)
                self._know(snapshot.period, is_closing=True)
        for key in self._snapshots.marked():
            self._know(key, is_changed=True)

    def shown(self) -> None:
        """The view shows from here on what was applied, whenever a period is about to change."""
        self._is_shown = self._view is not None

    def meet(self, keys: Iterable[EntryKey], seq: int) -> None:
        """Records up to ``seq`` change these periods; the view does not show it yet."""
        for key in keys:
            segment = segment_in(key[2])
            if segment is not None:
                self._catalog.carried.note(key[0], segment)
            if not _is_kept(key):
                continue
            known = self._book.get(key)
            if known is None:
                board = self._catalog.by_id(key[0])
                if board is not None:
                    self._book.put(key, KnownPeriod(_closes_at(board, key)))
            elif (known.version or known.is_closing) and not self._is_before(seq, key):
                self._change(key)
            self._book.touch(key)

    def _is_before(self, seq: int, key: EntryKey) -> bool:
        """Whether a record is done again after a crash that came before the one which closed a
        period: what is due is still to have it.
        """
        part = self._due.get(key)
        return part is not None and seq < part.snapshot.seq

    def _change(self, key: EntryKey) -> None:
        """A period that was closed is about to change."""
        self.complete([key])
        self._know(key, is_changed=True)
        self._marks.add(key)

    def take_back(self, player_id: str, boards: Collection[int]) -> int:
        """Take back every version of final standings that a player is on; how many there were.

        The periods are to be closed again. Nothing must be due.
        """
        found = [
            snapshot
            for snapshot in self._snapshots.all()
            if snapshot.board_id in boards and self._is_on(player_id, snapshot)
        ]
        for snapshot in found:
            self._snapshots.take_back(snapshot)
            self._know(snapshot.period, is_changed=True)
            self._marks.add(snapshot.period)
        return len(found)

    def _is_on(self, player_id: str, snapshot: Snapshot) -> bool:
        text = row_of(player_id)
        return any(text in lines for lines in self._snapshots.lines(snapshot.seq))

    def close(self, act: PeriodClosed, seq: int, received_at: int) -> bool:
        """Apply a record that closes a period; where it was closed before, nothing changes.

        Returns:
            Whether the period takes no more events.

        Raises:
            InvalidInput, Refused: there is no such period.
        """
        board = self._catalog.by_id(act.board_id)
        if board is None:
            raise Refused("unknown_board", "the board is gone", "board")
        period = period_to_close(board, act.window, act.key, received_at)
        if period is None:
            return False
        key = (board.board_id, act.window, act.key)
        known = self._book.get(key)
        part = self._due.get(key)
        if known is not None and known.wants_snapshot:
            self._begin(board, period, seq, received_at)
        elif part is not None and part.snapshot.seq == seq:
            self._flush()  # it was applied before a crash, and the tables lack what was before it
        return True

    def _begin(self, board: Board, period: Period, seq: int, received_at: int) -> None:
        """Have the next version written."""
        key = (board.board_id, period.window, period.key)
        self.complete([key])
        last = self._last(key)
        if last is not None and last.seq >= seq:
            return  # the record was applied before a crash
        if not self._is_shown or masked_on(self._catalog, board.board_id):
            self._flush()
        with self._store.transaction():
            snapshot = begin_snapshot(board, period, seq, received_at, last)
            self._snapshots.begin(snapshot)
            self._snapshots.unmark(key)
        self._marks.discard(key)
        self._due[key] = _Part(snapshot, 0, sha256(), None)
        self._know(key, is_closing=True, is_changed=False)
        self._book.closed(key, seq)

    def _last(self, key: EntryKey, before: int | None = None) -> Snapshot | None:
        """The last version of a period, or the last one before a record."""
        found = [
            each for each in self._snapshots.of_period(key) if before is None or each.seq < before
        ]
        return found[-1] if found else None

    def _know(self, key: EntryKey, **changes: Any) -> None:
        known = self._book.get(key)
        if known is None:
            board = self._catalog.by_id(key[0])
            if board is None:
                return
            known = KnownPeriod(_closes_at(board, key))
        self._book.put(key, known._replace(**changes))

    # Boards change.

    def board_changed(
        self,
        board: Board,
        filled: Collection[str],
        removed: Sequence[str],
        entries: Collection[EntryKey],
    ) -> None:
        """An act changed a board, within the caller's transaction.

        Args:
            filled: the windows that were made anew.
            removed: the windows that are gone.
            entries: the periods of ``filled`` that have entries.
        """
        self._forget(board.board_id, removed)
        lasting = set(filter(_is_kept, entries))
        for key in {*self._book.of_board(board.board_id), *lasting}:
            known = self._book.get(key) or KnownPeriod(None)
            if key[1] in filled and key not in entries and not known.version:
                self._book.remove(key)
                continue
            is_changed = known.is_changed or (key[1] in filled and known.version > 0)
            closes_at = _closes_at(board, key)
            self._book.put(key, known._replace(closes_at=closes_at, is_changed=is_changed))
            if is_changed:
                self._snapshots.mark([key])

    def board_dropped(self, board_id: int) -> None:
        """A board is gone, with all its snapshots."""
        self._forget(board_id, None)

    def _forget(self, board_id: int, windows: Sequence[str] | None) -> None:
        if windows is not None and not windows:
            return
        self._snapshots.forget(board_id, windows)
        for key in self._book.of_board(board_id):
            if windows is None or key[1] in windows:
                self._due.pop(key, None)
                self._marks.discard(key)
                self._book.drop(*key[:2])

    # Snapshots are written.

    def settle(self, board_id: int) -> None:
        """Write all snapshots of a board that are due, before an act changes it."""
        self.complete([key for key in self._due if key[0] == board_id])

    def tidy(self) -> bool:
        """Write a part of a snapshot while nothing else happens; whether more are due."""
        if not self._due:
            return False
        if self._is_shown:
            with self._store.transaction():
                self.write(part=True)
            self.written()
        else:
            self.complete_from(self._store.scan())
        return True

    def complete_from(self, lines: Iterable[EntryLine]) -> None:
        """Write all snapshots at once from the entries in the tables."""
        rows: dict[EntryKey, list[Row]] = {key: [] for key in self._due}
        for key, player_id, entry in lines:
            if key in rows:
                rows[key].append(Row(player_id, entry.columns, entry.reached_at))
        for key, found in rows.items():
            board = self._catalog.by_id(key[0])
            if board is not None:
                self._due[key] = self._due[key]._replace(stored=_in_order(board, found))
        self.complete()

    def complete(self, keys: Iterable[EntryKey] | None = None) -> None:
        """Write the snapshots of some periods at once; ``None``: of all."""
        for key in list(self._due if keys is None else keys):
            part = self._due.get(key)
            if part is not None:
                with self._store.transaction():
                    while not part.snapshot.is_complete:
                        part = self._write(part)
                self._confirm(key, part)

    def write(self, *, part: bool) -> None:
        """Have the store note which closed periods changed, within the caller's transaction.

        Args:
            part: whether a part of a snapshot shall be written, too.
        """
        self._taken = None
        if self._marks:
            self._snapshots.mark(self._marks)
        if part and self._due and self._is_shown:
            key, due = next(iter(self._due.items()))
            self._taken = (key, self._write(due))

    def written(self) -> None:
        """The transaction was committed."""
        self._marks.clear()
        if self._taken is not None:
            key, part = self._taken
            self._taken = None
            self._confirm(key, part)

    def _write(self, part: _Part) -> _Part:
        """Write the next rows of a snapshot."""
        board = self._catalog.by_id(part.snapshot.board_id)
        if board is None:
            raise Broken("a snapshot of a board that is gone")
        if not self._is_shown and not part.stored:
            part = part._replace(stored=self._stored(board, part))
        rows = self._rows_after(board, part)
        if rows:
            lines = canonical_rows(board, part.done, rows)
            digest = part.digest.copy()
            digest.update(lines)
            self._snapshots.add(part.snapshot.seq, part.done, lines)
            part = part._replace(done=part.done + len(rows), digest=digest, last=rows[-1])
        if len(rows) < BLOCK_ROWS:
            part = part._replace(snapshot=self._finish(part))
        return part

    def _finish(self, part: _Part) -> Snapshot:
        """The snapshot that is complete.

        One that is as the version before is not kept, nor a first one that has nobody on it.
        """
        found = part.snapshot
        snapshot = msgspec.structs.replace(found, count=part.done, sha256=part.digest.digest())
        before = self._last(found.period, found.seq)
        if before is not None and before.sha256 == snapshot.sha256:
            self._snapshots.remove(found.seq)
            return before
        if before is None and not snapshot.count:
            self._snapshots.remove(found.seq)
            return snapshot
        self._snapshots.finish(snapshot)
        return snapshot

    def _confirm(self, key: EntryKey, part: _Part) -> None:
        if key not in self._due:
            return
        self._due[key] = part
        if part.snapshot.is_complete:
            del self._due[key]
            self._know(key, version=part.snapshot.version, is_closing=False)
            if part.snapshot.version == 1 and not part.snapshot.count:
                self._book.remove(key)

    def _resumed(self, snapshot: Snapshot) -> _Part:
        """How far a snapshot was written."""
        digest, lines = sha256(), b""
        count = 0
        for lines in self._snapshots.lines(snapshot.seq):
            digest.update(lines)
            count += lines.count(b"\n")
        board = self._catalog.by_id(snapshot.board_id)
        last = Row(*read_rows(board, lines)[-1]) if lines and board is not None else None
        return _Part(snapshot, count, digest, last)

    # Where the rows come from.

    def _rows_after(self, board: Board, part: _Part) -> list[Row]:
        """The next rows, fewer than a block where these are the last."""
        if not self._is_shown or self._view is None:
            return list(part.stored[part.done : part.done + BLOCK_ROWS])
        with self._view.read() as reader:
            rows = _after(reader.period(part.snapshot.period), part.last)
        return self._with_masked(board, part, rows)

    def _stored(self, board: Board, part: _Part) -> list[Row]:
        return _in_order(
            board,
            [
                Row(player_id, entry.columns, entry.reached_at)
                for player_id, entry in self._store.period_entries(part.snapshot.period)
            ],
        )

    def _with_masked(self, board: Board, part: _Part, rows: list[Row]) -> list[Row]:
        """A block of rows with those that the view does not show, whom a snapshot holds too."""
        masked = masked_on(self._catalog, board.board_id)
        if not masked:
            return rows
        key = part.snapshot.period
        entries = self._store.entries({key: list(masked)}).by_key().get(key, {})
        hidden = [
            Row(player_id, entry.columns, entry.reached_at) for player_id, entry in entries.items()
        ]
        if part.last is not None:
            last = _place(board, part.last)
            hidden = [row for row in hidden if _place(board, row) > last]
        return _in_order(board, [*rows, *hidden])[:BLOCK_ROWS]


def _place(board: Board, row: Row) -> bytes:
    return board.orders.key(row.columns, row.reached_at, row.player_id)


def _in_order(board: Board, rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=partial(_place, board))


def _after(reader: PeriodReader, last: Row | None) -> list[Row]:
    start = 0
    if last is not None:
        start = reader.index_at(last)
        if reader.rows(start, start + 1) == [last]:
            start += 1
    return reader.rows(start, start + BLOCK_ROWS)


def _closes_at(board: Board, key: EntryKey) -> int | None:
    """When a period closes; ``None``: never, or it is none of the board any more."""
    if key[1] not in board.windows:
        return None
    try:
        return board.closes_at(board.windows[key[1]].parse(key[2]))
    except InvalidInput:
        return None


def _is_kept(key: EntryKey) -> bool:
    """Whether snapshots are kept of a period: not in a rolling window, nor of a segment."""
    return rolling_days(thawed(key[1])) is None and segment_in(key[2]) is None

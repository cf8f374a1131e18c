"""Acts on boards: they are made, changed, unfrozen, dropped; seasons begin, days are over, and
periods are published.
"""

from collections.abc import Callable, Iterator, Sequence

from toprung.domain.acts import BoardChange, Refused, change_board, put_board, roll_day
from toprung.domain.board import Board, BoardState
from toprung.domain.records import (
    BoardDropped,
    BoardPut,
    BoardUnfrozen,
    DayRolled,
    PeriodPublished,
    SeasonAct,
)
from toprung.ports.catalog import Catalog
from toprung.ports.log import EventLog
from toprung.ports.pipeline import ActResult
from toprung.ports.store import Changes, ScoreStore
from toprung.ports.view import RankView
from toprung.updater.closing import Closings
from toprung.updater.masking import visible
from toprung.updater.refill import refill
from toprung.updater.rolling import renew
from toprung.updater.showing import lines_of, rows_of
from toprung.updater.slicing import EntryLine, use_segments
from toprung.updater.together import parts_over

BoardAct = BoardPut | BoardDropped | BoardUnfrozen | PeriodPublished | SeasonAct | DayRolled


class Boards:
    """Applies acts on boards to store, catalog and view. They are written through.

    Args:
        view: ``None``: no ranks are kept.
        flush: writes everything that waits.
        forget: has the decider forget what the store has of a board.
    """

    def __init__(
        self,
        log: EventLog,
        store: ScoreStore,
        view: RankView | None,
        catalog: Catalog,
        closings: Closings,
        flush: Callable[[], None],
        forget: Callable[[int], None],
    ) -> None:
        self._log = log
        self._store = store
        self._view = view
        self._catalog = catalog
        self._closings = closings
        self._flush = flush
        self._forget = forget

    def apply(self, act: BoardAct, seq: int, received_at: int) -> ActResult:
        """Apply an act.

        Raises:
            InvalidInput: it is impossible.
            Refused: the state does not allow it. Nothing was changed.
        """
        if isinstance(act, BoardDropped):
            return self._drop(act, seq)
        if isinstance(act, DayRolled):
            return self._roll(act, seq, received_at)
        old = self._state(act.project, act.name)
        if isinstance(act, BoardPut):
            change = put_board(
                old, act.project, act.name, act.settings, act.if_exists, seq, received_at
            )
        elif old is None:
            raise _unknown(act.name)
        else:
            change = change_board(old, act, seq, received_at)
        if change.state.sliced == (() if old is None else old.sliced):
            self._change(change, seq)
        else:
            self._slice(change, seq)
        return ActResult(seq, change)

    def _slice(self, change: BoardChange, seq: int) -> None:
        """Change a board and its segments.

        It hangs on profiles, which are written ahead of what waits: so all is written, and after a
        crash it is not decided again.
        """
        project = change.state.project
        self._flush()
        try:
            use_segments(self._catalog, self._store, project, Board(change.state))
            self._change(change, seq, is_sliced=True)
        except Refused:
            use_segments(self._catalog, self._store, project)
            self._store.write(Changes(seq))
            raise

    def _state(self, project: str, name: str) -> BoardState | None:
        board = self._catalog.by_name(project, name)
        return None if board is None else board.state

    def _change(self, change: BoardChange, seq: int, *, is_sliced: bool = False) -> None:
        if change.result == "unchanged":
            return
        # To make a board twice does no harm, so what waits may go on waiting.
        new = change.state.board_id == seq
        if not new:
            self._flush()
            self._closings.settle(change.state.board_id)
        board = Board(change.state)
        checkpoint = self._store.checkpoint() if new and not is_sliced else seq
        changes = Changes(
            checkpoint, boards={board.board_id: change.state}, versions={seq: change.state}
        )
        if change.state.latest_at is not None and change.refill:
            changes.entries = refill(
                self._log, self._store, self._catalog, board, change.refill, seq
            )
        windows = (*change.removed, *change.refill)
        changes.cleared_windows = [(board.board_id, window) for window in windows]
        with self._store.transaction():
            self._store.write(changes)
            self._closings.board_changed(board, change.refill, change.removed, changes.entries)
        if windows:
            self._forget(board.board_id)
        with self._catalog.changing:
            lines = lines_of(changes.entries)
            if is_sliced:
                windows, lines = (
                    (*change.removed, *change.state.kept_windows),
                    self._store.scan(board.board_id),
                )
            self._show(board, windows, lines, seq)
            self._catalog.put(board)

    def _show(
        self, board: Board, windows: Sequence[str], lines: Iterator[EntryLine], seq: int
    ) -> None:
        if self._view is None:
            return
        board_id, generation = board.board_id, board.state.shown_by
        self._view.open_board(board_id, board.descending, generation)
        if windows:
            rows = rows_of(visible(self._catalog, lines, board))
            self._view.replace(
                board_id, board.descending, generation, windows, list(rows.items()), seq
            )

    def _roll(self, act: DayRolled, seq: int, received_at: int) -> ActResult:
        """Have the rolling windows of a board go on; the days that left them are removed."""
        old = self._catalog.by_id(act.board_id)
        if old is None:
            raise Refused("unknown_board", "the board is gone", "board")
        change = roll_day(old.state, seq, received_at)
        if change.result == "unchanged":
            return ActResult(seq, change)
        self._flush()
        board = Board(change.state)
        self._store.write(
            Changes(
                seq,
                boards={board.board_id: board.state},
                versions={seq: board.state},
                cleared_periods=parts_over(board, self._store.period_keys()),
            )
        )
        self._forget(board.board_id)
        with self._catalog.changing:
            if self._view is not None:
                renew(self._view, self._catalog, self._store, board, seq)
            self._catalog.put(board)
        return ActResult(seq, change)

    def _drop(self, act: BoardDropped, seq: int) -> ActResult:
        board = self._catalog.by_name(act.project, act.name)
        if board is None:
            raise _unknown(act.name)
        self._flush()
        with self._store.transaction():
            self._store.write(Changes(seq, dropped_boards=[board.board_id]))
            self._closings.board_dropped(board.board_id)
        self._forget(board.board_id)
        with self._catalog.changing:
            if self._view is not None:
                self._view.drop_board(board.board_id)
            self._catalog.drop(board)
        use_segments(self._catalog, self._store, act.project)
        return ActResult(seq, BoardChange("dropped", board.state))


def _unknown(name: str) -> Refused:
    return Refused("unknown_board", f"there is no board {name!r}", "board")

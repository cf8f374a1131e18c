"""What a commit changed, to be shown to readers once it is durable."""

from collections.abc import Callable, Mapping, Sequence

from toprung.domain.board import Board, BoardState
from toprung.domain.decide import EntryKey
from toprung.domain.entries import Entry
from toprung.ports.catalog import Catalog
from toprung.ports.moves import Move, moves_of
from toprung.ports.pipeline import EventResult
from toprung.ports.store import ScoreStore
from toprung.ports.view import RankView, Row

ViewChange = Callable[[RankView], None]


class Publication:
    """Collects changes while a transaction runs; ``publish`` shows them.

    Attributes:
        boards: boards as they are after the acts so far; ``None``: dropped.
        states: states that events moved on, without a change of the rules.
    """

    def __init__(self, seq: int, catalog: Catalog, view: RankView | None) -> None:
        self.seq = seq
        self._catalog = catalog
        self._view = view
        self.boards: dict[int, Board | None] = {}
        self.states: dict[int, BoardState] = {}
        self._view_changes: list[ViewChange] = []
        self._moves: list[Move] = []
        self._askers: list[tuple[EventResult, int]] = []

    def add_event(self, result: EventResult, player_id: str, ranked: bool) -> None:
        """Take up an event's steps; its result gets the ranks when they are published."""
        board, steps = result.board, result.decision.steps
        if self._view is None or board is None or not steps:
            return
        numbering = board.numbering if ranked else None
        board_id = board.board_id
        moves = 0
        for step in steps:
            after = step.after
            if after is None or (not ranked and after.same_standing(step.before)):
                continue
            period = step.period
            key = (board_id, period.window, period.key)
            self._moves.append(Move(key, player_id, after.columns, after.reached_at, numbering))
            moves += 1
        self._askers.append((result, moves))

    def set_board(
        self,
        board: Board,
        windows: Sequence[str],
        entries: Mapping[EntryKey, Mapping[str, Entry]],
    ) -> None:
        """Take up a board that was made or changed, with the entries of its refilled windows."""
        self.boards[board.board_id] = board
        self.states.pop(board.board_id, None)
        self._flush_moves()
        descending, generation = board.descending, board.state.generation
        rows = [(key, _rows(players)) for key, players in entries.items()]
        self._view_changes.append(
            lambda view: view.open_board(board.board_id, descending, generation)
        )
        if windows:
            self._view_changes.append(
                lambda view: view.replace(
                    board.board_id, descending, generation, windows, rows, self.seq
                )
            )

    def drop_board(self, board: Board) -> None:
        """Take up that a board is gone."""
        self.boards[board.board_id] = None
        self.states.pop(board.board_id, None)
        self._flush_moves()
        self._view_changes.append(lambda view: view.drop_board(board.board_id))

    def publish(self) -> None:
        """Show the changes, in the order in which they were taken up."""
        with self._catalog.changing:
            self._publish_view()
            self._publish_boards()

    def _publish_view(self) -> None:
        if self._view is None:
            return
        self._flush_moves()
        for change in self._view_changes:
            change(self._view)
        self._view.advance(self.seq)

    def _publish_boards(self) -> None:
        for board_id, board in self.boards.items():
            known = self._catalog.by_id(board_id)
            if board is not None:
                self._catalog.put(board)
            elif known is not None:
                self._catalog.drop(known)
        for board_id, state in self.states.items():
            counted = self._catalog.by_id(board_id)
            if counted is not None:
                counted.state = state

    def _flush_moves(self) -> None:
        """Close the present stretch of moves, so that they keep their order among board changes."""
        if not self._askers:
            return
        moves, askers = self._moves, self._askers
        self._moves, self._askers = [], []
        self._view_changes.append(lambda view: _apply(view, moves, askers, self.seq))


def load_view(view: RankView, catalog: Catalog, store: ScoreStore) -> None:
    """Fill ``view`` with everything the store holds, board by board in one step each."""
    seq = store.checkpoint()
    by_board: dict[int, dict[EntryKey, list[Row]]] = {}
    for key, player_id, entry in store.scan():
        rows = by_board.setdefault(key[0], {}).setdefault(key, [])
        rows.append(Row(player_id, entry.columns, entry.reached_at))
    for board in catalog.all():
        periods = by_board.pop(board.board_id, {})
        windows = board.settings.windows
        generation = board.state.generation
        view.open_board(board.board_id, board.descending, generation)
        view.replace(
            board.board_id, board.descending, generation, windows, list(periods.items()), seq
        )
    view.advance(seq)


def _rows(players: Mapping[str, Entry]) -> list[Row]:
    return [Row(player, entry.columns, entry.reached_at) for player, entry in players.items()]


def _apply(
    view: RankView, moves: list[Move], askers: Sequence[tuple[EventResult, int]], seq: int
) -> None:
    changes = view.apply(moves_of(moves), seq)
    ranks = list(zip(changes.before, changes.after, strict=True))
    start = 0
    for result, count in askers:
        result.ranks = ranks[start : start + count]
        start += count

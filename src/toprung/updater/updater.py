"""The updater: the only code that changes scores."""

from collections.abc import Callable, Sequence

from toprung.domain.acts import BoardChange, Refused, begin_season, put_board
from toprung.domain.board import Board, BoardState
from toprung.domain.errors import InvalidInput
from toprung.domain.records import (
    Act,
    BoardDropped,
    BoardPut,
    Event,
    ProfilePut,
    SeasonBegun,
)
from toprung.ports.catalog import Catalog
from toprung.ports.log import EventLog, record_of
from toprung.ports.pipeline import ActResult, Applied, Arrived, EventResult
from toprung.ports.store import Changes, ScoreStore, StoredProfile
from toprung.ports.view import RankView
from toprung.updater.publication import Publication, load_view
from toprung.updater.refill import refill
from toprung.updater.run import decide_run

REPLAY_ROWS = 5000
"""Log rows that are applied in one commit on replay: large enough that the commit is cheap."""


class Updater:
    """Applies records in log order to store, catalog and view.

    ``prepare`` decides and writes within the caller's transaction; publishing what it returns shows
    the result to readers after the commit. A failure before the commit leaves readers and store as
    they were.

    Args:
        view: ``None``: no ranks are kept.
    """

    def __init__(
        self, log: EventLog, store: ScoreStore, view: RankView | None, catalog: Catalog
    ) -> None:
        self._log = log
        self._store = store
        self._view = view
        self._catalog = catalog

    def load(self) -> int:
        """Fill catalog and view from the store, then replay what the store lacks of the log.

        Returns:
            The ``seq`` that store and view then reflect.
        """
        self._catalog.replace(Board(state) for state in self._store.boards())
        if self._view is not None:
            load_view(self._view, self._catalog, self._store)
        return self.replay()

    def rebuild(self, progress: Callable[[int, int], None]) -> int:
        """Make store and view anew from the log, as one transaction. Readers see the old view until
        the new one is complete.

        Args:
            progress: called with the rows done and the rows there are.

        Raises:
            Trouble: nothing was changed.
        """
        catalog = Catalog()
        head, _ = self._log.head()
        shadow = Updater(self._log, self._store, None, catalog)
        with self._store.transaction():
            self._store.wipe()
            shadow.replay(lambda done: progress(done, head))
        with self._catalog.changing:
            if self._view is not None:
                load_view(self._view, catalog, self._store)
            self._catalog.replace(catalog.all())
        return head

    def replay(self, progress: Callable[[int], None] = lambda done: None) -> int:
        """Apply what the log has after the store's checkpoint.

        Args:
            progress: called with the ``seq`` reached.

        Returns:
            The ``seq`` that the store then reflects.
        """
        checkpoint = self._store.checkpoint()
        while rows := self._log.read(checkpoint, REPLAY_ROWS):
            arrived = [Arrived(row.received_at, row.body, record_of(row)) for row in rows]
            with self._store.transaction():
                _, publication = self.prepare(rows[0].seq, arrived)
            publication.publish()
            checkpoint = rows[-1].seq
            progress(checkpoint)
        return checkpoint

    def prepare(self, first: int, rows: Sequence[Arrived]) -> tuple[list[Applied], Publication]:
        """Decide ``rows``, whose ``seq`` begin at ``first``, and write what they change."""
        publication = Publication(first + len(rows) - 1, self._catalog, self._view)
        results: list[Applied] = []
        start = 0
        for index, row in enumerate(rows):
            act = row.record
            if isinstance(act, Event):
                continue
            self._run(first + start, rows[start:index], results, publication)
            results.append(self._act(act, first + index, row.received_at, publication))
            start = index + 1
        self._run(first + start, rows[start:], results, publication)
        return results, publication

    def _board(self, board_id: int, publication: Publication) -> Board | None:
        if board_id in publication.boards:
            return publication.boards[board_id]
        return self._catalog.by_id(board_id)

    def _named(self, project: str, name: str, publication: Publication) -> Board | None:
        for board_id, board in publication.boards.items():
            if board is not None and (board.state.project, board.state.name) == (project, name):
                return self._board(board_id, publication)
        found = self._catalog.by_name(project, name)
        return self._board(found.board_id, publication) if found else None

    def _run(
        self, first: int, rows: Sequence[Arrived], results: list[Applied], publication: Publication
    ) -> None:
        """Decide consecutive events together: one prefetch, one write."""
        run = [
            (seq, row.received_at, row.record, row.ranked)
            for seq, row in enumerate(rows, first)
            if isinstance(row.record, Event)
        ]
        if not run:
            return
        boards = {
            board_id: self._board(board_id, publication)
            for board_id in {event.board_id for _, _, event, _ in run}
        }
        states = {
            board_id: publication.states.get(board_id, board.state)
            for board_id, board in boards.items()
            if board is not None
        }
        decisions, changes = decide_run(run, boards, states, self._store)
        self._store.write(changes)
        publication.states.update(changes.boards)
        for (seq, _, event, ranked), decision in zip(run, decisions, strict=True):
            result = EventResult(seq, decision, boards[event.board_id])
            results.append(result)
            publication.add_event(result, event.player_id, ranked)

    def _act(self, act: Act, seq: int, received_at: int, publication: Publication) -> ActResult:
        """Apply one act; a refused one is kept in the log and changes nothing."""
        try:
            if isinstance(act, BoardPut):
                return self._put_board(act, seq, received_at, publication)
            if isinstance(act, BoardDropped):
                return self._drop_board(act, seq, publication)
            if isinstance(act, SeasonBegun):
                return self._begin_season(act, seq, publication)
            return self._put_profile(act, seq, received_at)
        except (Refused, InvalidInput) as error:
            self._store.write(Changes(seq))
            return ActResult(seq, refused=error)

    def _put_board(
        self, act: BoardPut, seq: int, received_at: int, publication: Publication
    ) -> ActResult:
        old = self._state(act.project, act.name, publication)
        change = put_board(
            old, act.project, act.name, act.settings, act.if_exists, seq, received_at
        )
        self._change_board(change, seq, publication)
        return ActResult(seq, change)

    def _begin_season(self, act: SeasonBegun, seq: int, publication: Publication) -> ActResult:
        old = self._state(act.project, act.name, publication)
        if old is None:
            raise _unknown(act.name)
        change = begin_season(old, act.season_id, act.season_name, act.at, seq)
        self._change_board(change, seq, publication)
        return ActResult(seq, change)

    def _state(self, project: str, name: str, publication: Publication) -> BoardState | None:
        board = self._named(project, name, publication)
        if board is None:
            return None
        return publication.states.get(board.board_id, board.state)

    def _change_board(self, change: BoardChange, seq: int, publication: Publication) -> None:
        if change.result == "unchanged":
            self._store.write(Changes(seq))
            return
        board = Board(change.state)
        changes = Changes(seq, boards={board.board_id: change.state})
        if change.state.latest_at is not None and change.refill:
            changes.entries, changes.periods = refill(
                self._log, self._store, board, change.refill, seq
            )
        windows = (*change.removed, *change.refill)
        changes.cleared_windows = [(board.board_id, window) for window in windows]
        self._store.write(changes)
        publication.set_board(board, windows, changes.entries)

    def _drop_board(self, act: BoardDropped, seq: int, publication: Publication) -> ActResult:
        board = self._named(act.project, act.name, publication)
        if board is None:
            raise _unknown(act.name)
        self._store.write(Changes(seq, dropped_boards=[board.board_id]))
        publication.drop_board(board)
        return ActResult(seq, BoardChange("dropped", board.state))

    def _put_profile(self, act: ProfilePut, seq: int, received_at: int) -> ActResult:
        stored = StoredProfile(act.profile, received_at, seq)
        self._store.write(Changes(seq, profiles={(act.project, act.player_id): stored}))
        return ActResult(seq, profile=stored)


def _unknown(name: str) -> Refused:
    return Refused("unknown_board", f"there is no board {name!r}", "board")

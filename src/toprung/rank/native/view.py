"""A rank view on the native engine: boards and names stand here, entries in Rust."""

from array import array
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import NamedTuple, Self

from toprung._native import RankEngine
from toprung.domain.decide import EntryKey
from toprung.domain.errors import Broken
from toprung.ports.moves import Moves
from toprung.ports.view import BoardReader, PeriodReader, RankChanges, Row
from toprung.rank.native.failures import raise_ours
from toprung.rank.native.gate import Gate
from toprung.rank.native.period import EmptyPeriod, NativePeriod
from toprung.rank.native.rows import pack

BUILD_ROWS = 4096
"""Rows that go into a new period at a time; readers wait for them some 2 ms."""

_EMPTY = EmptyPeriod()


class Board(NamedTuple):
    """What the view knows of a board beside its entries."""

    descending: list[bool]
    generation: int


class State:
    """What is read and changed inside the gate only."""

    def __init__(self) -> None:
        self.engine = RankEngine()
        self.seq = 0
        self.boards: dict[int, Board] = {}
        self.periods: dict[EntryKey, NativePeriod] = {}

    def open_periods(self, keys: Sequence[EntryKey]) -> list[int]:
        """The handles of these periods; those that are not there are made."""
        return [self._open_period(key).handle for key in keys]

    def _open_period(self, key: EntryKey) -> NativePeriod:
        period = self.periods.get(key)
        if period is None:
            board = self.boards.get(key[0])
            if board is None:
                raise Broken(f"a move on board {key[0]}, which was not opened")
            handle = self.engine.add_period(board.descending)
            period = self.periods[key] = NativePeriod(self.engine, handle, board.descending)
        return period

    def drop_periods(self, keys: Sequence[EntryKey]) -> None:
        """Forget these periods."""
        for key in keys:
            self.engine.drop_period(self.periods.pop(key).handle)


class _Reader:
    """One moment: inside the gate nothing changes."""

    __slots__ = ("_gate", "_state", "seq")

    def __init__(self, gate: Gate, state: State) -> None:
        self._gate = gate
        self._state = state
        self.seq = 0

    def __enter__(self) -> Self:
        if not self._gate.try_enter(False):
            self._gate.enter()
        self.seq = self._state.seq
        return self

    def __exit__(self, kind: object, failure: BaseException | None, trace: object) -> None:
        self._gate.leave()
        if failure is not None:
            raise_ours(failure)

    def generation(self, board_id: int) -> int | None:
        board = self._state.boards.get(board_id)
        return None if board is None else board.generation

    def period(self, key: EntryKey) -> PeriodReader:
        return self._state.periods.get(key, _EMPTY)


class _Change:
    """The gate, entered for a change; the engine's failures become ours."""

    __slots__ = ("_gate",)

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def __enter__(self) -> None:
        self._gate.enter()

    def __exit__(self, kind: object, failure: BaseException | None, trace: object) -> None:
        self._gate.leave()
        raise_ours(failure)


class NativeView:
    """A :class:`~toprung.ports.view.RankView` on counted trees in Rust.

    A reader never waits for more than one change: a batch of moves, or a part of a new period.
    """

    def __init__(self) -> None:
        self._gate = Gate()
        self._change = _Change(self._gate)
        self._state = State()

    def open_board(self, board_id: int, descending: Sequence[bool], generation: int) -> None:
        """See the port."""
        with self._change:
            self._state.boards.setdefault(board_id, Board(list(descending), generation))

    def drop_board(self, board_id: int) -> None:
        """See the port."""
        with self._change:
            state = self._state
            state.boards.pop(board_id, None)
            state.drop_periods([key for key in state.periods if key[0] == board_id])

    def apply(self, moves: Moves, seq: int) -> RankChanges:
        """See the port.

        Raises:
            Trouble: ``view_full`` or ``out_of_memory``.
        """
        with self._change:
            state = self._state
            before, after = state.engine.apply(
                state.open_periods(moves.keys),
                moves.players,
                moves.ends,
                moves.period,
                moves.player,
                moves.numbering,
                moves.columns,
                moves.reached_at,
            )
            state.seq = max(state.seq, seq)
        return RankChanges(before, after)

    def replace(
        self,
        board_id: int,
        descending: Sequence[bool],
        generation: int,
        windows: Sequence[str],
        periods: Sequence[tuple[EntryKey, Sequence[Row]]],
        seq: int,
    ) -> None:
        """See the port. The new periods are built part by part while others read the old ones.

        Raises:
            Trouble: ``view_full`` or ``out_of_memory``; nothing was changed.
        """
        order = list(descending)
        made: dict[EntryKey, NativePeriod] = {}
        with ExitStack() as undo:
            for key, rows in periods:
                made[key] = self._begin(order, rows[:BUILD_ROWS])
                undo.callback(self._drop, made[key])
                self._fill(made[key], rows)
            with self._change:
                state = self._state
                state.boards[board_id] = Board(order, generation)
                state.drop_periods(
                    [key for key in state.periods if key[0] == board_id and key[1] in windows]
                )
                state.periods.update(made)
                state.seq = max(state.seq, seq)
            undo.pop_all()

    def _begin(self, order: list[bool], rows: Sequence[Row]) -> NativePeriod:
        """A period of some rows that no reader sees."""
        packed = pack(rows)
        with self._change:
            engine = self._state.engine
            return NativePeriod(engine, engine.build(order, *packed), order)

    def _fill(self, period: NativePeriod, rows: Sequence[Row]) -> None:
        """Add what was left over of the rows."""
        for start in range(BUILD_ROWS, len(rows), BUILD_ROWS):
            part = pack(rows[start : start + BUILD_ROWS])
            count = len(part.reached_at) // 8
            with self._change:
                self._state.engine.apply(
                    [period.handle],
                    part.players,
                    part.ends,
                    bytes(4 * count),
                    array("I", range(count)).tobytes(),
                    bytes(count),
                    part.columns,
                    part.reached_at,
                )

    def _drop(self, period: NativePeriod) -> None:
        with self._change:
            self._state.engine.drop_period(period.handle)

    def advance(self, seq: int) -> None:
        """See the port."""
        with self._change:
            self._state.seq = max(self._state.seq, seq)

    def read(self) -> AbstractContextManager[BoardReader]:
        """See the port."""
        return _Reader(self._gate, self._state)

    def sizes(self) -> tuple[int, int]:
        """See the port."""
        with self._change:
            periods = self._state.periods.values()
            return len(periods), sum(period.total for period in periods)

    def memory(self) -> dict[str, float]:
        """Bytes by part of the engine, and what they hold: members, entries, periods, leaves, and
        how full these are (1 is full).
        """
        with self._change:
            return self._state.engine.memory()

    def validate(self) -> None:
        """Check every structure; slow.

        Raises:
            Broken: one is broken.
        """
        with self._change:
            self._state.engine.validate()

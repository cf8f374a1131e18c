"""A rank view on the native engine: boards and names stand here, entries in Rust."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from toprung._native import RankEngine, RankImage
from toprung.domain.decide import EntryKey
from toprung.domain.errors import Broken, Trouble, invariant
from toprung.ports.moves import Moves
from toprung.ports.view import (
    BoardReader,
    ImageBoard,
    Loaded,
    Objection,
    PeriodReader,
    RankChanges,
    RankView,
    Row,
)
from toprung.rank.native.failures import raise_ours
from toprung.rank.native.files import write_whole
from toprung.rank.native.gate import Gate
from toprung.rank.native.image import FORMAT, Head, ImageRefused, read_image
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
        self._images = 0
        self._dropped: list[int] = []

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

    def apply(self, moves: Moves, seq: int) -> RankChanges:
        """Apply moves in order; the ranks before and after each."""
        before, after = self.engine.apply(
            self.open_periods(moves.keys),
            moves.players,
            moves.ends,
            moves.period,
            moves.player,
            moves.numbering,
            moves.columns,
            moves.reached_at,
        )
        self.seq = max(self.seq, seq)
        return RankChanges(before, after)

    def fill(self, periods: Sequence[NativePeriod], moves: Moves) -> None:
        """Apply moves to periods that no reader sees."""
        self.engine.apply(
            [period.handle for period in periods],
            moves.players,
            moves.ends,
            moves.period,
            moves.player,
            moves.numbering,
            moves.columns,
            moves.reached_at,
        )

    def put(
        self,
        board_id: int,
        board: Board,
        windows: Sequence[str],
        made: Mapping[EntryKey, NativePeriod],
        seq: int,
    ) -> None:
        """Put periods that are made in the place of all periods of some windows."""
        self.boards[board_id] = board
        self.drop_periods([key for key in self.periods if key[0] == board_id and key[1] in windows])
        self.periods.update(made)
        self.seq = max(self.seq, seq)

    def drop_periods(self, keys: Sequence[EntryKey]) -> None:
        """Forget these periods. While an image is written the engine keeps them: it shows them."""
        self._dropped += [self.periods.pop(key).handle for key in keys]
        self._free_dropped()

    def _free_dropped(self) -> None:
        if not self._images:
            for handle in self._dropped:
                self.engine.drop_period(handle)
            self._dropped = []

    def begin_image(self, identity: Callable[[int], str]) -> RankImage:
        """Take a moment to be written."""
        boards = [ImageBoard(board_id, *board) for board_id, board in self.boards.items()]
        periods = [(key, period.handle) for key, period in self.periods.items()]
        head = msgspec.json.encode(Head(FORMAT, identity(self.seq), self.seq, boards, periods))
        image = self.engine.begin_image([handle for _, handle in periods], head)
        self._images += 1
        return image

    def end_image(self, image: RankImage) -> None:
        """Give the moment back."""
        self.engine.end_image(image)
        self._images -= 1
        self._free_dropped()

    def become(self, made: "State") -> None:
        """Be what another state is."""
        invariant(not self._images, "a view becomes another one while an image is written")
        self.engine = made.engine
        self.seq = made.seq
        self.boards = made.boards
        self.periods = made.periods

    def adopt(self, engine: RankEngine, head: Head) -> None:
        """Be what an image says."""
        invariant(not self._images, "an image is loaded while one is written")
        self.engine = engine
        self.seq = head.seq
        self.boards = {
            board_id: Board(list(descending), generation)
            for board_id, descending, generation in head.boards
        }
        self.periods = {
            key: NativePeriod(engine, handle, self.boards[key[0]].descending)
            for key, handle in head.periods
        }


class _Reader:
    """One moment: inside the gate nothing changes. One object serves all, as one is inside only."""

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
        self._reader = _Reader(self._gate, self._state)

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
            return self._state.apply(moves, seq)

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
                self._state.put(board_id, Board(order, generation), windows, made, seq)
            undo.pop_all()

    def renew(
        self,
        board_id: int,
        generation: int,
        windows: Sequence[str],
        parts: Iterable[Moves],
        seq: int,
    ) -> None:
        """See the port. Others read the old periods while the new ones are built.

        Raises:
            Trouble: ``view_full`` or ``out_of_memory``; nothing was changed.
        """
        order = self._state.boards[board_id].descending
        made: dict[EntryKey, NativePeriod] = {}
        with ExitStack() as undo:
            for part in parts:
                for key in part.keys:
                    if key not in made:
                        made[key] = self._begin(order, ())
                        undo.callback(self._drop, made[key])
                with self._change:
                    self._state.fill([made[key] for key in part.keys], part)
            with self._change:
                self._state.put(board_id, Board(order, generation), windows, made, seq)
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

    def become(self, made: RankView) -> None:
        """See the port."""
        if not isinstance(made, NativeView):
            raise Broken("a view becomes one of its own kind")
        with self._change:
            self._state.become(made._state)  # noqa: SLF001  of the same class

    def place_players(
        self,
        board_id: int,
        player_ids: Sequence[str],
        moves: Moves,
        seq: int,
        left: Sequence[EntryKey] | None = None,
    ) -> None:
        """See the port.

        Raises:
            Trouble: ``view_full`` or ``out_of_memory``.
        """
        with self._change:
            state = self._state
            if left is None:
                left = [key for key in state.periods if key[0] == board_id]
            handles = [state.periods[key].handle for key in left if key in state.periods]
            state.engine.remove(handles, list(player_ids))
            state.apply(moves, seq)

    def advance(self, seq: int) -> None:
        """See the port."""
        with self._change:
            self._state.seq = max(self._state.seq, seq)

    def read(self) -> AbstractContextManager[BoardReader]:
        """See the port."""
        return self._reader

    def sizes(self) -> tuple[int, int]:
        """See the port."""
        with self._change:
            periods = self._state.periods.values()
            return len(periods), sum(period.total for period in periods)

    def write_image(self, path: Path, identity: Callable[[int], str]) -> int:
        """See :class:`~toprung.ports.view.ImageView`."""
        with self.image_parts(identity) as (seq, parts):
            try:
                write_whole(path, parts)
            except OSError as problem:
                raise Trouble(
                    "image_not_written",
                    f"{path}: {problem.strerror}",
                    retryable=True,
                    hint="without an image the next start takes longer, and nothing is lost",
                ) from problem
        return seq

    @contextmanager
    def image_parts(self, identity: Callable[[int], str]) -> Iterator[tuple[int, Iterator[bytes]]]:
        """The view's last record and the bytes of its image, both of the moment of this call."""
        with self._change:
            seq, image = self._state.seq, self._state.begin_image(identity)
        try:
            yield seq, self._parts(image)
        finally:
            with self._change:
                self._state.end_image(image)

    def _parts(self, image: RankImage) -> Iterator[bytes]:
        while part := self._next_part(image):
            yield part

    def _next_part(self, image: RankImage) -> bytes:
        with self._change:
            return self._state.engine.next_part(image)

    def load_image(self, path: Path, objection: Objection) -> Loaded:
        """See :class:`~toprung.ports.view.ImageView`."""
        try:
            engine, head = read_image(path, objection)
        except ImageRefused as refused:
            return Loaded(None, str(refused))
        with self._change:
            self._state.adopt(engine, head)
        return Loaded(head.seq, "")

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

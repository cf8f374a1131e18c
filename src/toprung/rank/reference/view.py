"""A rank view of sorted lists, one for each period."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from threading import RLock
from typing import Self

from toprung.domain.board import Numbering
from toprung.domain.decide import EntryKey
from toprung.domain.errors import Broken
from toprung.domain.order import OrderKeys, after_prefix
from toprung.ports.moves import Move, Moves
from toprung.ports.view import BoardReader, PeriodReader, Place, RankChanges, RankView, Row
from toprung.rank.reference.sorted_keys import SortedKeys


class _Period:
    """One period: the entries in order, and each distinct score with how many hold it."""

    def __init__(self, orders: OrderKeys, rows: Sequence[Row] = ()) -> None:
        self._orders = orders
        self._key_of = {
            player: orders.key(columns, reached_at, player) for player, columns, reached_at in rows
        }
        self._keys = SortedKeys(self._key_of.values())
        self._holders: dict[bytes, int] = {}
        for key in self._key_of.values():
            score = key[: orders.width]
            self._holders[score] = self._holders.get(score, 0) + 1
        self._scores = SortedKeys(self._holders)

    @property
    def total(self) -> int:
        return len(self._keys)

    def put(self, player_id: str, columns: tuple[int, ...], reached_at: int) -> None:
        """Give a player a place, and take the old one away."""
        new, old = self._orders.key(columns, reached_at, player_id), self._key_of.get(player_id)
        if new == old:
            return
        if old is not None:
            self._keys.remove(old)
            self._drop_holder(old[: self._orders.width])
        self._keys.add(new)
        self._key_of[player_id] = new
        score = new[: self._orders.width]
        holders = self._holders.get(score, 0)
        self._holders[score] = holders + 1
        if not holders:
            self._scores.add(score)

    def remove(self, player_id: str) -> None:
        """Take a player off, who may not be on it."""
        key = self._key_of.pop(player_id, None)
        if key is not None:
            self._keys.remove(key)
            self._drop_holder(key[: self._orders.width])

    def _drop_holder(self, score: bytes) -> None:
        self._holders[score] -= 1
        if not self._holders[score]:
            del self._holders[score]
            self._scores.remove(score)

    def rank_of(self, player_id: str, numbering: Numbering) -> int:
        """The player's rank in that numbering, or 0."""
        key = self._key_of.get(player_id)
        if key is None:
            return 0
        if numbering is Numbering.ORDINAL:
            return self._keys.index(key) + 1
        score = key[: self._orders.width]
        keys = self._keys if numbering is Numbering.SHARED else self._scores
        return keys.index(score) + 1

    # What a reader asks; see ``PeriodReader``.

    def index_of(self, player_id: str) -> int | None:
        key = self._key_of.get(player_id)
        return None if key is None else self._keys.index(key)

    def place(self, player_id: str) -> Place | None:
        key = self._key_of.get(player_id)
        if key is None:
            return None
        score = key[: self._orders.width]
        columns, reached_at, _ = self._orders.read(key)
        return Place(
            self._keys.index(key),
            columns,
            reached_at,
            self._keys.index(score),
            self._scores.index(score),
            self.total,
        )

    def places(self, player_ids: Sequence[str]) -> list[Place | None]:
        return [self.place(player_id) for player_id in player_ids]

    def rows(self, start: int, stop: int) -> list[Row]:
        read = self._orders.read
        return [
            Row(player, columns, reached_at)
            for columns, reached_at, player in map(read, self._keys.slice(start, stop))
        ]

    def index_at(self, row: Row) -> int:
        return self._keys.index(self._orders.key(row.columns, row.reached_at, row.player_id))

    def count_above(self, columns: Sequence[int]) -> int:
        return self._keys.index(self._orders.prefix(columns))

    def count_to(self, columns: Sequence[int]) -> int:
        return self._keys.index(after_prefix(self._orders.prefix(columns)))

    def distinct_above(self, columns: Sequence[int]) -> int:
        return self._scores.index(self._orders.prefix(columns))

    def distinct(self, index: int) -> tuple[int, ...] | None:
        scores = self._scores.slice(index, index + 1)
        return self._orders.read_columns(scores[0]) if scores and index >= 0 else None

    def validate(self) -> None:
        self._keys.validate()
        self._scores.validate()
        held: dict[bytes, int] = {}
        for key in self._key_of.values():
            held[key[: self._orders.width]] = held.get(key[: self._orders.width], 0) + 1
        if held != self._holders or sorted(held) != self._scores.slice(0, len(held) + 1):
            raise AssertionError("the distinct scores do not fit the entries")
        if sorted(self._key_of.values()) != self._keys.slice(0, self.total):
            raise AssertionError("the players' keys do not fit the order")


class _Reader:
    """Holds the view's lock while it is read; as a class, since a generator costs twice as much."""

    __slots__ = ("_lock", "_view", "seq")

    def __init__(self, view: "ReferenceView", lock: RLock) -> None:
        self._view = view
        self._lock = lock
        self.seq = 0

    def __enter__(self) -> Self:
        self._lock.acquire()
        self.seq = self._view.seq
        return self

    def __exit__(self, *failure: object) -> None:
        self._lock.release()

    def generation(self, board_id: int) -> int | None:
        return self._view.generation(board_id)

    def period(self, key: EntryKey) -> PeriodReader:
        return self._view.period(key)


class ReferenceView:
    """A :class:`~toprung.ports.view.RankView` in Python. One lock: all take turns."""

    def __init__(self) -> None:
        self.seq = 0
        self._lock = RLock()
        self._orders: dict[int, OrderKeys] = {}
        self._generations: dict[int, int] = {}
        self._periods: dict[EntryKey, _Period] = {}

    def open_board(self, board_id: int, descending: Sequence[bool], generation: int) -> None:
        """See the port."""
        with self._lock:
            self._orders.setdefault(board_id, OrderKeys(descending))
            self._generations.setdefault(board_id, generation)

    def drop_board(self, board_id: int) -> None:
        """See the port."""
        with self._lock:
            self._orders.pop(board_id, None)
            self._generations.pop(board_id, None)
            for key in [key for key in self._periods if key[0] == board_id]:
                del self._periods[key]

    def apply(self, moves: Moves, seq: int) -> RankChanges:
        """See the port."""
        with self._lock:
            ranks = [self._move(move) for move in moves]
            self.seq = max(self.seq, seq)
        return RankChanges([before for before, _ in ranks], [after for _, after in ranks])

    def _move(self, move: Move) -> tuple[int, int]:
        period = self._periods.get(move.key)
        if period is None:
            period = self._periods[move.key] = _Period(self._orders[move.key[0]])
        if move.numbering is None:
            period.put(move.player_id, move.columns, move.reached_at)
            return 0, 0
        before = period.rank_of(move.player_id, move.numbering)
        period.put(move.player_id, move.columns, move.reached_at)
        return before, period.rank_of(move.player_id, move.numbering)

    def replace(
        self,
        board_id: int,
        descending: Sequence[bool],
        generation: int,
        windows: Sequence[str],
        periods: Sequence[tuple[EntryKey, Sequence[Row]]],
        seq: int,
    ) -> None:
        """See the port."""
        orders = OrderKeys(descending)
        made = {key: _Period(orders, rows) for key, rows in periods}
        with self._lock:
            self._orders[board_id] = orders
            self._generations[board_id] = generation
            replaced = [key for key in self._periods if key[0] == board_id and key[1] in windows]
            for key in replaced:
                del self._periods[key]
            self._periods.update(made)
            self.seq = max(self.seq, seq)

    def renew(
        self,
        board_id: int,
        generation: int,
        windows: Sequence[str],
        parts: Iterable[Moves],
        seq: int,
    ) -> None:
        """See the port."""
        made: dict[EntryKey, _Period] = {}
        for move in (move for part in parts for move in part):
            found = made.get(move.key)
            if found is None:
                found = made[move.key] = _Period(self._orders[board_id])
            found.put(move.player_id, move.columns, move.reached_at)
        with self._lock:
            self._generations[board_id] = generation
            for key in [key for key in self._periods if key[0] == board_id and key[1] in windows]:
                del self._periods[key]
            self._periods.update(made)
            self.seq = max(self.seq, seq)

    def become(self, made: RankView) -> None:
        """See the port."""
        if not isinstance(made, ReferenceView):
            raise Broken("a view becomes one of its own kind")
        with self._lock:
            self.seq = made.seq
            self._orders = made._orders  # noqa: SLF001  of the same class
            self._generations = made._generations  # noqa: SLF001
            self._periods = made._periods  # noqa: SLF001

    def place_players(
        self,
        board_id: int,
        player_ids: Sequence[str],
        moves: Moves,
        seq: int,
        left: Sequence[EntryKey] | None = None,
    ) -> None:
        """See the port."""
        with self._lock:
            for key, period in self._periods.items():
                if key[0] == board_id if left is None else key in left:
                    for player_id in player_ids:
                        period.remove(player_id)
            self.apply(moves, seq)

    def advance(self, seq: int) -> None:
        """See the port."""
        with self._lock:
            self.seq = max(self.seq, seq)

    def read(self) -> AbstractContextManager[BoardReader]:
        """See the port."""
        return _Reader(self, self._lock)

    def generation(self, board_id: int) -> int | None:
        """The generation of a board's entries, as it is now; for use inside ``read``."""
        return self._generations.get(board_id)

    def period(self, key: EntryKey) -> PeriodReader:
        """The period of that key, as it is now; for use inside ``read``."""
        found = self._periods.get(key)
        if found is None:
            orders = self._orders.get(key[0])
            return _Period(orders if orders is not None else OrderKeys((True,)))
        return found

    def sizes(self) -> tuple[int, int]:
        """See the port."""
        with self._lock:
            return len(self._periods), sum(period.total for period in self._periods.values())

    def validate(self) -> None:
        """Check every structure.

        Raises:
            AssertionError: one is broken.
        """
        with self._lock:
            for period in self._periods.values():
                period.validate()

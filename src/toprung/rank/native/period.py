"""One period as a reader asks it; see :class:`~toprung.ports.view.PeriodReader`."""

from collections.abc import Sequence
from functools import partial

from toprung._native import RankEngine
from toprung.domain.limits import NUMBER
from toprung.ports.view import Place, Row

# A tuple becomes a row as it is; the class itself would take it apart and put it together again.
_as_row = partial(tuple.__new__, Row)
_as_place = partial(tuple.__new__, Place)


class NativePeriod:
    """A period of an engine, by its handle. For use inside ``read``.

    Args:
        descending: for each column whether larger is better.
    """

    __slots__ = ("_best", "_engine", "handle")

    def __init__(self, engine: RankEngine, handle: int, descending: Sequence[bool]) -> None:
        self._engine = engine
        self._best = tuple(NUMBER.maximum if down else NUMBER.minimum for down in descending)
        self.handle = handle

    @property
    def total(self) -> int:
        return self._engine.total(self.handle)

    def index_of(self, player_id: str) -> int | None:
        return self._engine.index_of(self.handle, player_id)

    def place(self, player_id: str) -> Place | None:
        found = self._engine.place(self.handle, player_id)
        return None if found is None else _as_place(found)

    def places(self, player_ids: Sequence[str]) -> list[Place | None]:
        found = self._engine.places(self.handle, player_ids)
        return [None if place is None else _as_place(place) for place in found]

    def rows(self, start: int, stop: int) -> list[Row]:
        return list(map(_as_row, self._engine.rows(self.handle, max(start, 0), max(stop, 0))))

    def index_at(self, row: Row) -> int:
        return self._engine.index_at(self.handle, row.columns, row.reached_at, row.player_id)

    def count_above(self, columns: Sequence[int]) -> int:
        return self._engine.count_above(self.handle, columns)

    def count_to(self, columns: Sequence[int]) -> int:
        return self._engine.count_to(self.handle, columns)

    def distinct_above(self, columns: Sequence[int]) -> int:
        # What beats the best score that begins so beats all that begin so.
        whole = (*columns, *self._best[len(columns) :])
        return self._engine.distinct_above(self.handle, whole)

    def distinct(self, index: int) -> tuple[int, ...] | None:
        return self._engine.distinct_at(self.handle, index) if index >= 0 else None


class EmptyPeriod:
    """A period that has no entries."""

    __slots__ = ()

    @property
    def total(self) -> int:
        return 0

    def index_of(self, player_id: str) -> int | None:
        return None

    def place(self, player_id: str) -> Place | None:
        return None

    def places(self, player_ids: Sequence[str]) -> list[Place | None]:
        return [None] * len(player_ids)

    def rows(self, start: int, stop: int) -> list[Row]:
        return []

    def index_at(self, row: Row) -> int:
        return 0

    def count_above(self, columns: Sequence[int]) -> int:
        return 0

    def count_to(self, columns: Sequence[int]) -> int:
        return 0

    def distinct_above(self, columns: Sequence[int]) -> int:
        return 0

    def distinct(self, index: int) -> tuple[int, ...] | None:
        return None

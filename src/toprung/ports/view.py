"""The rank view: fast answers, a cache that can be made anew from the store at any time."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from toprung.domain.decide import EntryKey
from toprung.ports.moves import Moves


class Row(NamedTuple):
    """An entry as the view holds it."""

    player_id: str
    columns: tuple[int, ...]
    reached_at: int


class Place(NamedTuple):
    """Where a player stands in a period, with all that a rank is told from."""

    rank_index: int
    columns: tuple[int, ...]
    reached_at: int
    above: int
    """How many are strictly better by their columns."""
    distinct_above: int
    """How many distinct scores are strictly better."""
    total: int


class RankChanges(NamedTuple):
    """Ranks before and after each move; 0: not on the board, or not asked for."""

    before: Sequence[int]
    after: Sequence[int]


class PeriodReader(Protocol):
    """One period at one moment. Indexes count from 0, in board order."""

    @property
    def total(self) -> int:
        """How many players are on it."""
        ...

    def index_of(self, player_id: str) -> int | None:
        """Where the player stands, or ``None``."""
        ...

    def place(self, player_id: str) -> Place | None:
        """Where the player stands, in one step; ``None``: not on the board."""
        ...

    def places(self, player_ids: Sequence[str]) -> Sequence[Place | None]:
        """The same of many players, in the order asked."""
        ...

    def rows(self, start: int, stop: int) -> list[Row]:
        """The rows with indexes in ``[start, stop)``, clipped to what there is."""
        ...

    def index_at(self, row: Row) -> int:
        """How many rows stand strictly before ``row``, which need not be on the board."""
        ...

    def count_above(self, columns: Sequence[int]) -> int:
        """How many are strictly better; fewer columns than the board has are compared by alone."""
        ...

    def count_to(self, columns: Sequence[int]) -> int:
        """How many are better or equal, compared in the same way."""
        ...

    def distinct_above(self, columns: Sequence[int]) -> int:
        """How many distinct scores (all columns) are strictly better than ``columns``."""
        ...

    def distinct(self, index: int) -> tuple[int, ...] | None:
        """The columns of the distinct score with that index, or ``None`` past the end."""
        ...


class BoardReader(Protocol):
    """The periods of all boards at one moment: everything read through it agrees (R12)."""

    @property
    def seq(self) -> int:
        """The last record the view reflects."""
        ...

    def generation(self, board_id: int) -> int | None:
        """The generation of the board's entries, or ``None`` for a board that is not known."""
        ...

    def period(self, key: EntryKey) -> PeriodReader:
        """The period of that key; one that has no entries is empty."""
        ...


class RankView(Protocol):
    """Keeps the order of every period. Its methods may be called from any thread."""

    def open_board(self, board_id: int, descending: Sequence[bool], generation: int) -> None:
        """Make a new board known; one that is known stays as it is."""
        ...

    def drop_board(self, board_id: int) -> None:
        """Forget a board and all its periods."""
        ...

    def apply(self, moves: Moves, seq: int) -> RankChanges:
        """Apply ``moves`` in order; the view then reflects ``seq``. Readers see all or none."""
        ...

    def replace(
        self,
        board_id: int,
        descending: Sequence[bool],
        generation: int,
        windows: Sequence[str],
        periods: Sequence[tuple[EntryKey, Sequence[Row]]],
        seq: int,
    ) -> None:
        """Put ``periods`` in the place of all periods of these windows, in one step for readers.

        The board is then of that ``generation`` and ordered by ``descending``; where that is a new
        order, all its windows must be among those replaced.
        """
        ...

    def renew(
        self,
        board_id: int,
        generation: int,
        windows: Sequence[str],
        parts: Iterable[Moves],
        seq: int,
    ) -> None:
        """Put periods that are made of places, which come part by part, in the place of all periods
        of these windows of a board, in one step for readers. It is then of that ``generation``.
        """
        ...

    def become(self, made: "RankView") -> None:
        """Hold what ``made`` holds, a view of the same kind, in one step for readers.

        ``made`` reflects no earlier record than this one, and is of no use any more.
        """
        ...

    def place_players(
        self,
        board_id: int,
        player_ids: Sequence[str],
        moves: Moves,
        seq: int,
        left: Sequence[EntryKey] | None = None,
    ) -> None:
        """Have players of a board stand where ``moves`` say, and nowhere else on it, in one step
        for readers.

        Args:
            moves: of these players on this board alone.
            left: the periods that they leave, unless they move there; ``None``: all of the board.
        """
        ...

    def advance(self, seq: int) -> None:
        """Say that the view reflects ``seq``, where nothing in it changed."""
        ...

    def read(self) -> AbstractContextManager[BoardReader]:
        """One consistent moment, for as long as the context lasts; keep it short."""
        ...

    def sizes(self) -> tuple[int, int]:
        """How many periods and how many entries it holds."""
        ...


class ImageBoard(NamedTuple):
    """A board as an image has it."""

    board_id: int
    descending: Sequence[bool]
    generation: int


class ImageHead(NamedTuple):
    """What an image says of itself."""

    identity: str
    """As it was given when the image was written."""
    seq: int
    """The last record that it reflects."""
    boards: Sequence[ImageBoard]


class Loaded(NamedTuple):
    """What became of loading an image."""

    seq: int | None
    """The last record that the view now reflects; ``None``: the view is as it was."""
    reason: str
    """Why the image was not taken, in words."""


Objection = Callable[[ImageHead], str]
"""Why an image is not to be taken, in words; empty: it may be."""


@runtime_checkable
class ImageView(RankView, Protocol):
    """A view that can be kept in a file, as it was at one moment."""

    def write_image(self, path: Path, identity: Callable[[int], str]) -> int:
        """Write the view as it is now to a file, in the place of an older image. Others read and
        write meanwhile.

        Args:
            identity: what the image shall say of itself, given the last record that it reflects.

        Returns:
            That record.

        Raises:
            Trouble: ``image_not_written``; the older image is as it was.
        """
        ...

    def load_image(self, path: Path, objection: Objection) -> Loaded:
        """Become what the image in a file says, if it is whole and nobody objects."""
        ...

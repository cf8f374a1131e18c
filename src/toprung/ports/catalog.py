"""Boards and players that are known, in memory: the updater changes them, intake and query read
them.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from threading import Lock

from toprung.domain.board import Board
from toprung.domain.decide import EntryKey
from toprung.domain.freezing import thawed
from toprung.domain.records import Event, board_mark
from toprung.domain.segments import Segment
from toprung.ports.periods import PeriodBook
from toprung.ports.players import Players
from toprung.ports.quarantine import Quarantine
from toprung.ports.segments import CarriedValues, Segments
from toprung.ports.voids import Voids


class Catalog:
    """Boards by id and by name. One thread changes it; others may read at any time."""

    def __init__(self, boards: Iterable[Board] = ()) -> None:
        self._by_id: dict[int, Board]
        self._by_name: dict[tuple[str, str], Board]
        self.periods = PeriodBook()
        """Periods that have or had entries."""
        self.players = Players()
        """Players whom acts have met."""
        self.quarantine = Quarantine()
        """Events that wait for somebody to look at them."""
        self.voids = Voids()
        """Events and matches that are void."""
        self.gated: dict[int, bytes] = {}
        """The boards that ask something of events before these are decided, each with what is in
        the records of its events; see :func:`~toprung.domain.records.board_mark`."""
        self.segments = Segments()
        """Which segments players are in."""
        self.carried = CarriedValues()
        """The values of segments that events carried."""
        self.changing = Lock()
        """Held while boards change here and in the view. Who met the one changed before the other
        waits for it, and looks again."""
        self.replace(boards)

    def put(self, board: Board) -> None:
        """Make a board known, or put it in the place of an older state."""
        self._by_id[board.board_id] = board
        self._by_name[board.state.project, board.state.name] = board
        self._note_gate(board)

    def _note_gate(self, board: Board) -> None:
        if board.has_gate:
            self.gated[board.board_id] = board_mark(board.board_id)
        else:
            self.gated.pop(board.board_id, None)

    def drop(self, board: Board) -> None:
        """Forget a board."""
        self.voids.drop(board.board_id)
        self.quarantine.drop(board.board_id)
        self.gated.pop(board.board_id, None)
        self._by_id.pop(board.board_id, None)
        self._by_name.pop((board.state.project, board.state.name), None)

    def by_id(self, board_id: int) -> Board | None:
        """The board of that id."""
        return self._by_id.get(board_id)

    def by_name(self, project: str, name: str) -> Board | None:
        """The project's board of that name."""
        return self._by_name.get((project, name))

    def of_project(self, project: str) -> list[Board]:
        """All boards of a project, by name."""
        boards = [board for (owner, _), board in list(self._by_name.items()) if owner == project]
        return sorted(boards, key=lambda board: board.state.name)

    def all(self) -> list[Board]:
        """All boards, of all projects."""
        return list(self._by_id.values())

    @property
    def marks(self) -> int:
        """How often it changed what is void, who is hidden and who is merged."""
        return self.players.changes + self.voids.changes

    @property
    def has_exceptions(self) -> bool:
        """Whether there are events that do not count as they were sent."""
        return self.voids.are_there or self.players.are_merged

    def exceptions(self, limit: int) -> list[bytes] | None:
        """What stands in the record of every event that does not count as it was sent: an id that
        is void, or a player who is merged. ``None``: there are more than ``limit``.
        """
        texts = [one for _, _, one in islice(self.voids.lines(), limit + 1)]
        texts += islice(self.players.merged(), limit + 1)
        return [text.encode() for text in texts] if len(texts) <= limit else None

    def counts_for(self, board: Board, event: Event) -> str | None:
        """The player for whom an event counts; ``None``: it is void, or the player was erased."""
        project = board.state.project
        if self.is_void(board, event) or self.players.is_erased(project, event.player_id):
            return None
        return self.players.root(board.state.project, event.player_id)

    def is_void(self, board: Board, event: Event) -> bool:
        """Whether an event, or its match, is void."""
        return event.event_id in self.voids.events(
            board.board_id
        ) or event.match_id in self.voids.matches(board.state.project)

    def segments_of(self, board: Board, key: EntryKey, player_id: str) -> Iterator[Segment]:
        """The segments that a player is in, in a period of a board (R17)."""
        for name in board.settings.segments:
            attribute = self.segments.get(board.state.project, name)
            value = attribute.at(player_id, self.sliced_at(board, key, name))
            if value is not None:
                yield Segment(name, value)

    def sliced_at(self, board: Board, key: EntryKey, name: str, until: int = 0) -> int:
        """The record after which players had the values by which a period is sliced; 0: now.

        One that is closed stays as it was then; or as it was when the board got the segment.

        Args:
            until: the record that a reader of the past saw last; 0: it is a reader of now.
        """
        closed_by = self.periods.closed_by((key[0], thawed(key[1]), key[2]))
        if until and not 0 < closed_by < until:
            closed_by = until
        return max(closed_by, board.sliced[name]) if closed_by else 0

    def replace(self, boards: Iterable[Board]) -> None:
        """Know these boards and no others; a reader never meets a moment without them."""
        known = list(boards)
        self._by_id = {board.board_id: board for board in known}
        self._by_name = {(board.state.project, board.state.name): board for board in known}
        self.gated = {}
        for board in known:
            self._note_gate(board)

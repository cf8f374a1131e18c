"""The gate before a board: whether an event comes to be decided (R23)."""

from collections.abc import Mapping, Sequence

from toprung.domain.board import Board
from toprung.domain.decide import Decision, Seen
from toprung.domain.gate import why_ineligible
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.ports.catalog import Catalog
from toprung.ports.store import ScoreStore
from toprung.updater.parts import Parts

_NONE: Mapping[str, str] = {}


class Gate:
    """Asks the events of a run. What it needs for that is read for all of them at once.

    Args:
        events: those that will be asked.
    """

    def __init__(
        self, parts: Parts, store: ScoreStore, catalog: Catalog, events: Sequence[Event]
    ) -> None:
        self._parts = parts
        self._store = store
        self._catalog = catalog
        self._met: set[tuple[int, str]] = set()
        self._seen: dict[tuple[int, str], Seen] = {}
        self._on_board: set[tuple[int, str]] = set()
        self._attributes: dict[tuple[str, str], Mapping[str, str]] = {}
        boards: dict[int, list[Event]] = {}
        for event in events:
            boards.setdefault(event.board_id, []).append(event)
        for board_id, found in boards.items():
            board = catalog.by_id(board_id)
            if board is not None:
                self._read(board, found)

    def _read(self, board: Board, events: Sequence[Event]) -> None:
        self._look_up(board, [event.event_id for event in events])
        roots = {event.player_id: self._root(board, event) for event in events}
        asked = {roots[event.player_id] for event in events if event.update_only}
        self._look_for(board, sorted(asked))
        if board.settings.admit:
            project = board.state.project
            profiles = self._store.profiles(project, sorted(set(roots.values())))
            for player, profile in profiles.items():
                self._attributes[project, player] = profile.profile.attributes

    def refusal(self, place: int, board: Board, event: Event) -> Decision | None:
        """Why the event at ``place`` is refused; ``None``: it is to be decided."""
        first = self._first(place, board, event)
        if first is not None and Outcome(first.outcome).spends_id:
            return None
        if board.points_now(event.points, event.revision) is None:
            return None
        player = self._root(board, event)
        is_on_board = not event.update_only or self._is_on_board(place, board, player)
        attributes = self._attributes.get((board.state.project, player), _NONE)
        return why_ineligible(board, event, attributes, is_on_board=is_on_board)

    def _root(self, board: Board, event: Event) -> str:
        return self._catalog.players.root(board.state.project, event.player_id)

    def _first(self, place: int, board: Board, event: Event) -> Seen | None:
        """What is kept of an event's id, also by this run."""
        identity = (board.board_id, event.event_id)
        if identity in self._met:
            self._parts.decide_to(place)
            self._look_up(board, [event.event_id])
        self._met.add(identity)
        return self._seen.get(identity)

    def _look_up(self, board: Board, event_ids: Sequence[str]) -> None:
        for event_id, seen in self._store.seen(board.board_id, list(set(event_ids))).items():
            self._seen[board.board_id, event_id] = seen

    def _is_on_board(self, place: int, board: Board, player: str) -> bool:
        identity = (board.board_id, player)
        if identity not in self._on_board:
            # The table lacks what waits to be written, and what this run did.
            self._parts.written(place)
            self._look_for(board, [player])
        return identity in self._on_board

    def _look_for(self, board: Board, players: Sequence[str]) -> None:
        """Note which of the players have an entry in the table."""
        if players:
            for _, player, _ in self._store.entries_of(board.board_id, players):
                self._on_board.add((board.board_id, player))

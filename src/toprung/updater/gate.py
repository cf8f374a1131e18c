"""The gate before a board: whether an event comes to be decided (R23), and is plausible."""

from collections.abc import Mapping, Sequence

from toprung.domain.board import Board
from toprung.domain.decide import Seen, repeated
from toprung.domain.gate import implausible, may_be_held, why_ineligible
from toprung.domain.outcomes import Outcome
from toprung.domain.plausible import (
    Breach,
    Tally,
    breach_alone,
    breach_by_tally,
    gained,
)
from toprung.domain.quarantine import Held
from toprung.domain.records import Event
from toprung.ports.catalog import Catalog
from toprung.ports.store import ScoreStore
from toprung.updater.parts import Parts
from toprung.updater.tallies import Taken, Tallies

_NONE: Mapping[str, str] = {}


class Gate:
    """Asks the events of a run. What it needs for that is read for all of them at once.

    Args:
        events: those that will be asked.
    """

    def __init__(
        self,
        parts: Parts,
        store: ScoreStore,
        catalog: Catalog,
        tallies: Tallies,
        events: Sequence[Event],
    ) -> None:
        self._parts = parts
        self._store = store
        self._catalog = catalog
        self._tallies = tallies
        self._passed: dict[tuple[int, str], list[Taken]] = {}
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
        if board.settings.limits.count:
            seq, received_at = self._parts.place(0)
            self._tallies.open(board, received_at, seq)
        roots = {event.player_id: self._root(board, event) for event in events}
        asked = {roots[event.player_id] for event in events if event.update_only}
        self._look_for(board, sorted(asked))
        if board.settings.admit:
            project = board.state.project
            profiles = self._store.profiles(project, sorted(set(roots.values())))
            for player, profile in profiles.items():
                self._attributes[project, player] = profile.profile.attributes

    def passes(self, place: int, board: Board, event: Event) -> bool:
        """Whether the event at ``place`` is to be decided; else it is refused here."""
        first = self._first(place, board, event)
        if first is not None and Outcome(first.outcome).spends_id:
            return True
        if first is not None and event.event_id in self._catalog.quarantine.of(board.board_id):
            self._parts.answer(place, board, repeated(board, first, event))
            return False
        points = board.points_now(event.points, event.revision)
        if points is None:
            return True
        player = self._root(board, event)
        is_on_board = not event.update_only or self._is_on_board(place, board, player)
        attributes = self._attributes.get((board.state.project, player), _NONE)
        ineligible = why_ineligible(board, event, attributes, is_on_board=is_on_board)
        if ineligible is not None:
            self._parts.refuse(place, board, event, ineligible)
            return False
        breach = self._breach(place, board, event, points)
        if breach is None:
            return True
        self._stop(place, board, event, breach)
        return False

    def _stop(self, place: int, board: Board, event: Event, breach: Breach) -> None:
        """Refuse an event that breaks a limit, or have it wait."""
        seq, received_at = self._parts.place(place)
        quarantine = self._catalog.quarantine
        is_held = may_be_held(board, event, received_at, quarantine.waiting(board.board_id))
        self._parts.refuse(place, board, event, implausible(breach, is_held=is_held))
        if is_held:
            line = board.board_id, event.event_id, Held(seq, breach.message)
            self._parts.hold(line)
            quarantine.put(line)

    def _breach(
        self, place: int, board: Board, event: Event, points: tuple[int, ...]
    ) -> Breach | None:
        """The limit that an event breaks. One that breaks none is on its way from here on."""
        limits, columns = board.settings.limits, board.settings.columns
        alone = breach_alone(limits, columns, points)
        if alone is not None or not limits.count or event.history:
            return alone
        seq, received_at = self._parts.place(place)
        tally = self._tallies.of(board, event.player_id, received_at)
        if breach_by_tally(limits, columns, points, self._with_passed(event, tally)) is not None:
            # Those before it may be refused yet.
            self.settle(place)
            tally = self._tallies.of(board, event.player_id, received_at)
            breach = breach_by_tally(limits, columns, points, tally)
            if breach is not None:
                return breach
        taken = Taken(seq, board, event.player_id, gained(points), received_at)
        self._passed.setdefault((board.board_id, event.player_id), []).append(taken)
        return None

    def _with_passed(self, event: Event, tally: Tally) -> Tally:
        """What will be taken of a player at most when all who passed are decided."""
        passed = self._passed.get((event.board_id, event.player_id), ())
        return Tally(
            tally.points + sum([each.gained for each in passed]), tally.events + len(passed)
        )

    def settle(self, place: int) -> None:
        """Have everything before ``place`` decided, and count what was taken."""
        self._parts.decide_to(place)
        passed = sorted(each for found in self._passed.values() for each in found)
        self._passed = {}
        self._tallies.take(passed)

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

"""Rolling windows as readers see them (R5): a player's days put together.

Entries are kept day by day, as parts of a window, so that a day leaves it by not being looked at
any more. What readers see is no entry but several together, of the days up to the one that the
board stands at. It is made anew of whoever gets an event, and of all when a record says that the
day is over.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import msgspec

from toprung.domain.board import Board
from toprung.domain.decide import Decision, EntryKey, Step
from toprung.domain.entries import Entry
from toprung.domain.records import Event, decode_event
from toprung.ports.catalog import Catalog
from toprung.ports.decider import Decided, Decider
from toprung.ports.moves import Move
from toprung.ports.pipeline import Arrived
from toprung.ports.store import ScoreStore
from toprung.ports.view import RankView
from toprung.updater.masking import visible_moves
from toprung.updater.together import Days, Whose, entry_together, part_keys, shown_key


def renew(view: RankView, catalog: Catalog, store: ScoreStore, board: Board, seq: int) -> None:
    """Have readers see the rolling windows of a board as it is now, which the store has, in one
    step.
    """
    windows = [name for name in board.state.kept_windows if name in board.rolling]
    if not windows:
        return
    parts = chain.from_iterable(
        store.together(board, part_keys(board, name), shown_key(board, name)) for name in windows
    )
    seen = visible_moves(catalog, parts)
    view.renew(board.board_id, board.state.shown_by, windows, seen, seq)


class RollingMoves:
    """Says what readers see of events on boards with rolling windows.

    Args:
        decider: gives the one that decides now.
    """

    def __init__(self, store: ScoreStore, catalog: Catalog, decider: Callable[[], Decider]) -> None:
        self._store = store
        self._catalog = catalog
        self._decider = decider

    def met_by(self, decided: Decided) -> bool:
        """Whether events of a run are on a board with a rolling window."""
        return any(board is not None and board.rolling for board in decided.boards.values())

    def told(
        self, decided: Decided, rows: Sequence[Arrived]
    ) -> tuple[Decided, Sequence[Move | None]]:
        """A run with its decisions as readers see them, and its moves; ``None``: one that they do
        not see, on a day that is not in the window.
        """
        run = _Run(self._catalog, decided, rows)
        parts = run.before(self._parts(run.whose))
        moves = iter(decided.moves)
        decisions: list[Decision] = []
        shown: list[Move | None] = []
        for place, decision in enumerate(decided.decisions):
            own = [next(moves) for _ in range(decided.moved[place])]
            who = run.players[place]
            if who is None:
                decisions.append(decision)
                shown += own
            else:
                seen, own_shown = _seen_by_readers(*who, decision, own, parts)
                decisions.append(seen)
                shown += own_shown
        # What is left is in frozen windows, as it is after the run.
        shown += self._last(list(moves), decided.boards)
        return decided._replace(decisions=decisions, effects=None), shown

    def last(self, decided: Decided) -> Sequence[Move | None]:
        """The moves of a run of which nobody is told."""
        return self._last(list(decided.moves), decided.boards)

    def _last(
        self, moves: Sequence[Move], boards: Mapping[int, Board | None]
    ) -> Sequence[Move | None]:
        """Moves as readers see them after all of them: of a player in a window the last counts."""
        whose: dict[Whose, int] = {}
        for place, move in enumerate(moves):
            board = boards.get(move.key[0])
            if board is not None and move.key[1] in board.rolling:
                whose[*move.key[:2], move.player_id] = place
        parts = self._parts(whose)
        shown: list[Move | None] = []
        for place, move in enumerate(moves):
            who = (*move.key[:2], move.player_id)
            board = boards.get(move.key[0])
            if board is None or move.key[1] not in board.rolling:
                shown.append(move)
            elif whose[who] == place:
                # Readers may not see the day; then this is how they see the player already, if so.
                shown.append(_move(board, move, entry_together(board, move.key[1], parts[who])))
            else:
                shown.append(None)
        return shown

    def _parts(self, whose: Iterable[Whose]) -> dict[Whose, Days]:
        """The parts of players as they are now, by what waits and what is stored."""
        found: dict[Whose, Days] = {}
        players: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
        for board_id, window, player in whose:
            players[board_id, window].append(player)
            found[board_id, window, player] = {}
        wanted: dict[EntryKey, list[str]] = {}
        for (board_id, name), names in players.items():
            board = self._catalog.by_id(board_id)
            if board is not None:
                wanted |= dict.fromkeys(part_keys(board, name), names)
        for entries in (self._store.entries(wanted).by_key(), self._decider().held(wanted)):
            for (board_id, name, day), lines in entries.items():
                for player, entry in lines.items():
                    found[board_id, name, player][day] = entry
        return found


class _Run:
    """Which players of boards with rolling windows a run meets, and with what before it."""

    def __init__(self, catalog: Catalog, decided: Decided, rows: Sequence[Arrived]) -> None:
        self.players: list[tuple[Board, str] | None] = []
        """For each event its board and the player for whom it counts, where that is of interest."""
        self.whose: dict[Whose, None] = {}
        self._first: dict[Whose, dict[str, Entry | None]] = {}
        for row, decision in zip(rows, decided.decisions, strict=True):
            event = row.record if isinstance(row.record, Event) else decode_event(row.body)
            board = decided.boards[event.board_id]
            player = None
            if board is not None and board.rolling and decision.steps:
                player = catalog.counts_for(board, event)
            if board is None or player is None:
                self.players.append(None)
                continue
            self.players.append((board, player))
            for step in decision.steps:
                if step.period.window in board.rolling:
                    who = (board.board_id, step.period.window, player)
                    self.whose[who] = None
                    if step.after is not None:
                        first = self._first.setdefault(who, {})
                        first.setdefault(step.period.key, step.before)

    def before(self, parts: dict[Whose, Days]) -> dict[Whose, Days]:
        """The parts as they were before the run, of what they are after it."""
        for who, days in self._first.items():
            for day, entry in days.items():
                if entry is None:
                    parts[who].pop(day, None)
                else:
                    parts[who][day] = entry
        return parts


def _seen_by_readers(
    board: Board,
    player: str,
    decision: Decision,
    moves: Sequence[Move],
    parts: Mapping[Whose, Days],
) -> tuple[Decision, list[Move | None]]:
    """A decision, and the moves that it made, as readers see them; ``parts`` move on."""
    steps: list[Step] = []
    entries: dict[EntryKey, Entry | None] = {}
    for step in decision.steps:
        window, after = step.period.window, step.after
        if window not in board.rolling or after is None:
            steps.append(step)
            continue
        own = parts[board.board_id, window, player]
        period = board.shown_days[window].period
        if step.period.start is None or not period.holds(step.period.start):
            entries[board.board_id, window, step.period.key] = None
            steps.append(step)
            continue
        before = entry_together(board, window, own)
        own[step.period.key] = after
        now = entry_together(board, window, own)
        entries[board.board_id, window, step.period.key] = now
        steps.append(Step(period, before, now))
    shown = [
        _move(board, move, entries[move.key]) if move.key in entries else move for move in moves
    ]
    return msgspec.structs.replace(decision, steps=tuple(steps)), shown


def _move(board: Board, move: Move, entry: Entry | None) -> Move | None:
    """A move of a part as one of the whole; ``None``: readers do not see it."""
    if entry is None:
        return None
    key = shown_key(board, move.key[1])
    return Move(key, move.player_id, entry.columns, entry.reached_at, move.numbering)

"""Between the port and the native decider: answers what it asks, and converts what it gives."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from toprung._native import RunDecider, SeenIndex
from toprung.decider.native.calendar import Numbers
from toprung.decider.native.decisions import Context, Decisions, Told
from toprung.decider.native.failures import as_ours
from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.decide import Decision, EntryKey, Seen
from toprung.domain.entries import Entry
from toprung.domain.errors import Broken
from toprung.domain.keeping import SeenBlock, SeenLine
from toprung.domain.outcomes import Outcome
from toprung.ports.decider import BoardOf, Decided, Effects
from toprung.ports.moves import NUMBERING_CODES, Moves
from toprung.ports.packed import PackedEntries
from toprung.ports.pipeline import Arrived, Joined, Packed
from toprung.ports.store import ScoreStore

CACHED_ENTRIES = 4_000_000
"""Entries that are held though they are written, at some 150 bytes each: who comes again soon is
decided without a look into the store."""

_SPENT = frozenset(outcome.value for outcome in Outcome if outcome.spends_id)
_Waiting = list[tuple[int, dict[str, Entry]]]
_decode_waiting: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(_Waiting)
_NOT_MET = object()


class NativeDecider:
    """A :class:`~toprung.ports.decider.Decider` in Rust.

    Entries of the store that it has read or written once are held, so nobody else may change them
    while it is in use.

    Args:
        index: finds the lines that the store keeps.
        cached: how many written entries are held at most.
    """

    def __init__(self, store: ScoreStore, index: SeenIndex, cached: int = CACHED_ENTRIES) -> None:
        self._store = store
        self._core = RunDecider(index, cached)
        self._numbers = Numbers()
        self._boards: dict[int, Board | None] = {}

    def decide(
        self, first: int, rows: Sequence[Arrived], board_of: BoardOf, *, told: bool
    ) -> Decided:
        """See the port."""
        with as_ours(first, rows):
            boards = self._plan(first, rows, board_of)
            found = self._tell_seen(boards)
            self._tell_entries()
            blocks, moves, moved, latest_at, answer = self._core.decide(told)
        seen = [SeenBlock(*block) for block in blocks]
        decisions: Sequence[Decision] = ()
        effects = None
        if answer is not None:
            answered = Told(*answer)
            effects = self._effects(answered, boards)
            periods = [self._numbers.stretches[number][1] for number in answered.stretches]
            context = Context(rows, boards, found, seen, periods)
            decisions = Decisions(first, answered, effects, context)
        return Decided(decisions, seen, self._moves(moves), moved, latest_at, boards, effects)

    def redo(
        self, first: int, rows: Sequence[Arrived], board_of: BoardOf, kept: Sequence[SeenLine]
    ) -> Decided:
        """See the port."""
        lines = [(seen.seq, seen.outcome in _SPENT, seen.late) for _, _, seen in kept]
        with as_ours(first, rows):
            boards = self._plan(first, rows, board_of)
            self._tell_entries()
            moves, latest_at = self._core.redo(lines)
        return Decided((), (), self._moves(moves), (), latest_at, boards)

    def _plan(
        self, first: int, rows: Sequence[Arrived], board_of: BoardOf
    ) -> dict[int, Board | None]:
        """Begin a run and tell what it needs of boards and calendars; the boards of the run."""
        if self._numbers.is_full():
            self._numbers.forget(self._core.forget())
        core = self._core
        core.start(first)
        for part in rows.parts if isinstance(rows, Joined) else (rows,):
            if isinstance(part, Packed):
                core.push_frames(part.frames.body, part.ranked)
            else:
                core.push(part)
        boards = {board_id: board_of(board_id) for board_id in core.boards()}
        for board_id, board in boards.items():
            if self._boards.get(board_id, _NOT_MET) is not board:
                core.board(board_id, None if board is None else _rules(board))
                self._boards[board_id] = board
        while (question := core.plan()) is not None:
            board_id, at = question
            core.learn(board_id, *self._numbers.stretch(_there(boards[board_id]), at))
        for place, board_id, points, revision in core.foreign():
            core.reread(place, _there(boards[board_id]).points_now(points, revision))
        return boards

    def _tell_seen(self, boards: dict[int, Board | None]) -> dict[int, Seen]:
        """Tell what was kept of the event ids; the same by the place of the event."""
        suspects: dict[int, list[tuple[int, str]]] = {}
        for place, board_id, event_id in self._core.suspects():
            suspects.setdefault(board_id, []).append((place, event_id))
        found: dict[int, Seen] = {}
        for board_id, events in suspects.items():
            board = _there(boards[board_id])
            kept = self._store.seen(board_id, list({event_id for _, event_id in events}))
            for place, event_id in events:
                seen = kept.get(event_id)
                if seen is None:
                    continue
                found[place] = seen
                spent = seen.outcome in _SPENT
                points = board.points_now(seen.points, seen.revision)
                self._core.know(place, spent, seen.player_id, points, seen.at, seen.at_given)
        return found

    def _tell_entries(self) -> None:
        asked = self._core.asked()
        if not asked:
            return
        keys = {self._numbers.keys[number]: number for number in asked}
        found = self._store.entries({key: asked[number] for key, number in keys.items()})
        periods = {stored: keys[key] for stored, key in found.periods.items()}
        for part in found.packed:
            self._core.fill(periods, part.body)

    def _effects(self, told: Told, boards: Mapping[int, Board | None]) -> Effects:
        stretches = [self._numbers.stretches[number] for number in told.stretches]
        return Effects(
            told.outcomes,
            [_told(_there(boards[board_id]), periods) for board_id, periods in stretches],
            told.spans,
            told.known,
            told.first_before,
            told.first_after,
        )

    def _moves(self, moves: Any) -> Moves:
        numbers, *buffers = moves
        return Moves(tuple([self._numbers.keys[number] for number in numbers]), *buffers)

    @property
    def unwritten(self) -> int:
        """See the port."""
        return self._core.unwritten

    @property
    def oldest(self) -> int | None:
        """See the port."""
        return self._core.oldest

    @property
    def sweep(self) -> int:
        """See the port."""
        return self._core.sweep

    def take(self, limit: int) -> Sequence[PackedEntries]:
        """See the port."""
        keys = {number: self._numbers.keys[number] for number in self._core.take(limit)}
        numbers = {number: (key[0], self._store.period_number(key)) for number, key in keys.items()}
        return [PackedEntries(*part) for part in self._core.packed(numbers)]

    def waiting(self) -> dict[EntryKey, dict[str, Entry]]:
        """See the port."""
        waiting: _Waiting = _decode_waiting.decode(self._core.waiting())
        return {self._numbers.keys[number]: players for number, players in waiting}

    def held(self, wanted: Mapping[EntryKey, Collection[str]]) -> dict[EntryKey, dict[str, Entry]]:
        """See the port."""
        asked = [
            (number, list(players))
            for key, players in wanted.items()
            if (number := self._numbers.number(key)) is not None
        ]
        held: _Waiting = _decode_waiting.decode(self._core.held(asked))
        return {self._numbers.keys[number]: players for number, players in held}

    def written(self) -> None:
        """See the port."""
        self._core.written()

    def forget(self, board_id: int, player_ids: Sequence[str] | None = None) -> None:
        """See the port."""
        if player_ids is not None:
            self._core.forget_players(board_id, list(player_ids))
            return
        self._boards.pop(board_id, None)
        self._core.forget_board(board_id)

    def memory(self) -> tuple[int, int]:
        """How many entries are held, and the bytes that they and their players take."""
        return self._core.memory()


def _rules(board: Board) -> tuple[Any, ...]:
    settings = board.settings
    return (
        board.mode,
        list(board.descending),
        board.revision,
        NUMBERING_CODES[board.numbering],
        settings.remember,
        settings.max_ahead,
        board.parts,
        len(board.windows),
        [board.rolling_days(window) for window in board.parts],
    )


def _told(board: Board, periods: Sequence[Period]) -> tuple[Board, Sequence[Period]]:
    """A board and the periods of which it is told what events do there."""
    return board, periods[: len(board.windows)]


def _there(board: Board | None) -> Board:
    """The board of an event that is asked about: it was there when the run began."""
    if board is None:
        raise Broken("the decider asks about a board that is not there")
    return board

"""A run of events: prefetch what they need, decide them in order, say what changed."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from toprung.domain.board import Board, BoardState
from toprung.domain.calendar import Period
from toprung.domain.decide import Decision, EntryKey, Working, decide_event
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.ports.store import Changes, ScoreStore


class LoggedEvent(NamedTuple):
    """An event with its place in the log."""

    seq: int
    received_at: int
    event: Event
    ranked: bool


_UNKNOWN = Decision(
    Outcome.UNKNOWN_BOARD, field="board", message="the board was dropped before the event came"
)


def decide_run(
    rows: Sequence[LoggedEvent],
    boards: Mapping[int, Board | None],
    states: Mapping[int, BoardState],
    store: ScoreStore,
) -> tuple[list[Decision], Changes]:
    """The decisions of consecutive events, and what they change.

    Args:
        boards: the boards of the events by id; ``None`` for one that is no longer there.
        states: their present states.
    """
    working, planned = _prefetch(rows, boards, store)
    decisions = []
    for (seq, received_at, event, _), periods in zip(rows, planned, strict=True):
        board = boards[event.board_id]
        if board is None:
            decisions.append(_UNKNOWN)
            continue
        decisions.append(decide_event(working, board, event, periods, seq, received_at))
    return decisions, _changes(working, states, rows[-1].seq)


def _prefetch(
    rows: Sequence[LoggedEvent], boards: Mapping[int, Board | None], store: ScoreStore
) -> tuple[Working, list[list[Period]]]:
    working = Working()
    ids: dict[int, list[str]] = {}
    players: dict[EntryKey, set[str]] = {}
    planned: list[list[Period]] = []
    for row in rows:
        event = row.event
        board = boards[event.board_id]
        if board is None:
            planned.append([])
            continue
        periods = board.periods_at(event.at)
        planned.append(periods)
        ids.setdefault(event.board_id, []).append(event.event_id)
        for period in periods:
            key = (event.board_id, period.window, period.key)
            wanted = players.get(key)
            if wanted is None:
                players[key] = {event.player_id}
                working.periods[key] = period
            else:
                wanted.add(event.player_id)
    for board_id, event_ids in ids.items():
        for event_id, seen in store.seen(board_id, event_ids).items():
            working.seen[board_id, event_id] = seen
    for key, player_ids in players.items():
        working.entries[key] = store.entries(key, list(player_ids))
        working.touched[key] = set()
    return working, planned


def _changes(working: Working, states: Mapping[int, BoardState], seq: int) -> Changes:
    changes = Changes(seq, seen=working.new_seen)
    for key, players in working.touched.items():
        if players:
            entries = working.entries[key]
            changes.entries[key] = {player: entries[player] for player in players}
            changes.periods[key] = working.periods[key]
    for board_id, latest_at in working.latest_at.items():
        state = states[board_id]
        if state.latest_at is None or latest_at > state.latest_at:
            changes.boards[board_id] = msgspec.structs.replace(state, latest_at=latest_at)
    return changes

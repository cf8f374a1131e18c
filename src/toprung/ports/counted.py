"""Which events count on a board: what log and store say together."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from toprung.domain.decide import Seen
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event, is_event
from toprung.ports.log import EventLog, record_of
from toprung.ports.store import ScoreStore

READ_ROWS = 5000


def _go_on() -> None:
    pass


def counted_events(
    log: EventLog,
    store: ScoreStore,
    board_id: int,
    after: int,
    until: int,
    beat: Callable[[], None] = _go_on,
) -> Iterator[tuple[Event, Seen]]:
    """The events that count on a board, in the order of the log.

    May be read beside the writer: an event that is decided meanwhile comes once, or not yet.

    Args:
        after: those with a larger ``seq`` are wanted.
        until: the last ``seq`` that is wanted.
        beat: called now and then, also where nothing is found; it may raise, to give up.
    """
    while after < until and (lines := store.kept(after, min(READ_ROWS, until - after))):
        beat()
        last = max(seen.seq for _, _, seen in lines)
        counted = {
            seen.seq: seen
            for line_board, _, seen in lines
            if line_board == board_id and Outcome(seen.outcome).spends_id
        }
        for row in log.read(after, last - after) if counted else ():
            if row.seq in counted and row.seq <= until:
                event = record_of(row)
                if isinstance(event, Event):
                    yield event, counted[row.seq]
        after = last


class Told(NamedTuple):
    """An event of the log, and what became of it."""

    seq: int
    received_at: int
    event: Event
    seen: Seen | None
    """``None``: its id was known before."""


def events_of(
    log: EventLog,
    store: ScoreStore,
    board_id: int,
    player_id: str,
    until: int,
    beat: Callable[[], None] = _go_on,
) -> Iterator[Told]:
    """Every event of a player on a board, whatever became of it, in the order of the log.

    Args:
        until: the last ``seq`` that is wanted; it must be decided.
        beat: called now and then, also where nothing is found; it may raise, to give up.
    """
    after, name = board_id, player_id.encode()
    while after < until and (rows := log.read(after, min(READ_ROWS, until - after))):
        beat()
        # Most records are of others: their bytes tell, without being read.
        near = [row for row in rows if name in row.body and is_event(row.body)]
        found = [(row, record_of(row)) for row in near]
        mine = [
            (row, event)
            for row, event in found
            if isinstance(event, Event)
            and (event.board_id, event.player_id) == (board_id, player_id)
        ]
        kept = {}
        if mine:
            lines = store.kept(mine[0][0].seq - 1, mine[-1][0].seq - mine[0][0].seq + 1)
            kept = {seen.seq: seen for _, _, seen in lines}
        for row, event in mine:
            yield Told(row.seq, row.received_at, event, kept.get(row.seq))
        after = rows[-1].seq

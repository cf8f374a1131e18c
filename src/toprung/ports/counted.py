"""Which events count on a board: what log and store say together."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from toprung.domain.adjusting import as_counted
from toprung.domain.decide import Seen
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Adjusted, Event, Judged
from toprung.ports.log import EventLog, LogRow, record_of
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
                    yield as_counted(event, counted[row.seq]), counted[row.seq]
        after = last


class Told(NamedTuple):
    """An event of the log, and what became of it."""

    seq: int
    received_at: int
    event: Event
    seen: Seen | None
    """``None``: its id was known before."""


def events_of(
    log: EventLog, store: ScoreStore, board_id: int, player_ids: Collection[str], until: int
) -> Iterator[Told]:
    """Every event of some players on a board, whatever became of it, in the order of the log.

    Args:
        player_ids: as they stand in the events.
        until: the last ``seq`` that is wanted; it must be decided.
    """
    names = [player_id.encode() for player_id in player_ids]
    found: list[tuple[LogRow, Event]] = []
    for row in log.containing(names, board_id, until):
        event = record_of(row)
        if (
            isinstance(event, Event)
            and event.board_id == board_id
            and event.player_id in player_ids
        ):
            found.append((row, event))
        if len(found) == READ_ROWS:
            yield from _told(store, found)
            found = []
    yield from _told(store, found)


def _told(store: ScoreStore, found: Sequence[tuple[LogRow, Event]]) -> Iterator[Told]:
    kept = {seen.seq: seen for _, _, seen in store.kept_at([row.seq for row, _ in found])}
    for row, event in found:
        seen = kept.get(row.seq)
        if seen is None and isinstance(event, Adjusted | Judged):
            continue  # it was refused, or told again: an act that changed nothing
        yield Told(row.seq, row.received_at, as_counted(event, seen), seen)

"""Which events count on a board: what log and store say together."""

from collections.abc import Callable, Iterator

from toprung.domain.decide import Seen
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
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
    while after < until and (lines := store.kept(after, READ_ROWS)):
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

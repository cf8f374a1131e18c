"""Records as they are read from the log again, in runs of events and of acts."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat

from toprung.domain.records import Record, are_events
from toprung.ports.log import EventLog, LogRow, record_of
from toprung.ports.pipeline import Arrived

REPLAY_ROWS = 5000
"""Log rows that are applied together on replay."""

# A tuple becomes what it is called as it is: a log has many rows.
_as_arrived = partial(tuple.__new__, Arrived)


def read_arrived(log: EventLog, after: int, until: int) -> Iterator[list[Arrived]]:
    """The records after ``after``, up to ``until``, some at a time."""
    while after < until and (rows := log.read(after, min(REPLAY_ROWS, until - after))):
        yield _arrived(rows)
        after += len(rows)


def _arrived(rows: Sequence[LogRow]) -> list[Arrived]:
    """What was read from the log as it once arrived."""
    bodies = [row.body for row in rows]
    events = are_events(bodies)
    records: Iterable[Record | None] = repeat(None)
    if not all(events):
        records = [
            None if event else record_of(row) for row, event in zip(rows, events, strict=True)
        ]
    times = [row.received_at for row in rows]
    return list(map(_as_arrived, zip(times, bodies, records, repeat(False))))


def runs_of(rows: Sequence[Arrived]) -> Iterator[tuple[int, int]]:
    """Where stretches of events, and stretches of acts, begin and end."""
    kinds = are_events([row.body for row in rows])
    start = 0
    while start < len(kinds):
        try:
            stop = kinds.index(not kinds[start], start)
        except ValueError:
            stop = len(kinds)
        yield start, stop
        start = stop

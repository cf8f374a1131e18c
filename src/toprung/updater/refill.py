"""Fill windows anew from the log: new windows, resets told late, new settings (R5, R16)."""

from collections.abc import Iterator, Sequence

from toprung.domain.acts import Refused
from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.decide import EntryKey, Seen
from toprung.domain.entries import Entry, fold
from toprung.domain.numbers import fits
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.ports.log import EventLog, record_of
from toprung.ports.store import ScoreStore

READ_ROWS = 5000

Filled = tuple[dict[EntryKey, dict[str, Entry]], dict[EntryKey, Period]]


def refill(
    log: EventLog, store: ScoreStore, board: Board, windows: Sequence[str], before: int
) -> Filled:
    """The entries of ``windows``, from the events that counted on the board so far.

    Args:
        before: the ``seq`` of the act that asks for it; only what came before it is read.

    Raises:
        Refused: ``overflow``, or ``not_exact`` when an event's points cannot be read by the new
            columns. Nothing was changed.
    """
    entries: dict[EntryKey, dict[str, Entry]] = {}
    periods: dict[EntryKey, Period] = {}
    for event, seen in _counted(log, store, board, before):
        points = board.points_now(event.points, event.revision)
        if points is None:
            raise Refused(
                "not_exact",
                f"event {event.event_id!r} cannot be read by the new columns",
                "columns",
            )
        for name in windows:
            period = board.windows[name].period_at(event.at)
            if _late(board, period, event, seen):
                continue
            key = (board.board_id, name, period.key)
            periods[key] = period
            players = entries.setdefault(key, {})
            players[event.player_id] = fold(
                board.mode,
                board.descending,
                players.get(event.player_id),
                points,
                event.at,
                event.event_id,
                bounded=False,
            )
    _check_fits(entries)
    return entries, periods


def _check_fits(entries: dict[EntryKey, dict[str, Entry]]) -> None:
    """Refuse totals that leave 64 bits; on the way there they may, for their order is no rule."""
    for players in entries.values():
        for player_id, entry in players.items():
            if not all(map(fits, entry.columns)):
                raise Refused("overflow", f"a total of {player_id!r} would leave the 64-bit range")


def _late(board: Board, period: Period, event: Event, seen: Seen) -> bool:
    # A season that a reset divides keeps what it took; its end was not known when the event came.
    if period.window == "season":
        return "season" in seen.late
    closes_at = board.closes_at(period)
    return closes_at is not None and (event.at if event.history else seen.received_at) >= closes_at


def _counted(
    log: EventLog, store: ScoreStore, board: Board, before: int
) -> Iterator[tuple[Event, Seen]]:
    after = board.board_id
    while rows := log.read(after, READ_ROWS):
        records = [(row.seq, record_of(row)) for row in rows if row.seq < before]
        events = {
            seq: record
            for seq, record in records
            if isinstance(record, Event) and record.board_id == board.board_id
        }
        known = store.seen(board.board_id, [event.event_id for event in events.values()])
        for seq, event in events.items():
            seen = known.get(event.event_id)
            if seen is not None and seen.seq == seq and Outcome(seen.outcome).spends_id:
                yield event, seen
        after = rows[-1].seq

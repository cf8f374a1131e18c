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


def refill(
    log: EventLog, store: ScoreStore, board: Board, windows: Sequence[str], before: int
) -> dict[EntryKey, dict[str, Entry]]:
    """The entries of ``windows``, from the events that counted on the board so far.

    Args:
        before: the ``seq`` of the act that asks for it; only what came before it is read.

    Raises:
        Refused: ``overflow``, or ``not_exact`` when an event's points cannot be read by the new
            columns. Nothing was changed.
    """
    entries: dict[EntryKey, dict[str, Entry]] = {}
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
            players = entries.setdefault(key, {})
            players[event.player_id] = fold(
                board.mode,
                board.descending,
                players.get(event.player_id),
                points,
                event.at,
                event.event_id,
                seen.seq,
                bounded=False,
            )
    _check_fits(entries)
    return entries


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
    while lines := store.kept(after, READ_ROWS):
        last = lines[-1][2].seq
        counted = {
            seen.seq: seen
            for board_id, _, seen in lines
            if board_id == board.board_id and Outcome(seen.outcome).spends_id
        }
        for row in log.read(after, last - after):
            if row.seq in counted and row.seq < before:
                event = record_of(row)
                if isinstance(event, Event):
                    yield event, counted[row.seq]
        after = last

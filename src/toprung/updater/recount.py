"""Making the entries of some players anew from the log (R9)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from toprung.domain.acts import Refused
from toprung.domain.adjusting import count
from toprung.domain.board import Board
from toprung.domain.decide import EntryKey, leaves_out
from toprung.domain.entries import Entry
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.ports.catalog import Catalog
from toprung.ports.counted import Told, events_of
from toprung.ports.log import EventLog, record_of
from toprung.ports.store import ScoreStore


def recount(
    log: EventLog,
    store: ScoreStore,
    catalog: Catalog,
    board: Board,
    players: Collection[str],
    seq: int,
    also: Sequence[Told] = (),
) -> dict[EntryKey, dict[str, Entry]]:
    """All entries of some players on a board, from the events that count there now, for them.

    Which windows took an event is obeyed as it was decided (R25).

    Args:
        seq: of the act that asks for it: the entries reflect it, and only what came before is read.
        also: what comes after that.

    Raises:
        Refused: ``overflow``. Nothing was changed.
    """
    entries: dict[EntryKey, dict[str, Entry]] = {}
    everybody = catalog.players.counting_for(board.state.project, players)
    before = events_of(log, store, board.board_id, everybody, seq - 1)
    for _, _, event, seen in chain(before, also):
        if seen is None or not Outcome(seen.outcome).spends_id:
            continue
        player = catalog.counts_for(board, event)
        points = board.points_now(event.points, event.revision)
        if player is None or player not in players or points is None:
            continue
        for period in board.parts_at(event.at, event.segments):
            is_over = board.is_over(period.window, period.key)
            if is_over or leaves_out(board, period, event, seen):
                continue
            key = (board.board_id, period.window, period.key)
            period_entries = entries.setdefault(key, {})
            entry = count(board, period_entries.get(player), event, points, seq)
            if entry is not None:
                period_entries[player] = entry
    check_fits(board, entries)
    return entries


def check_fits(board: Board, entries: Mapping[EntryKey, Mapping[str, Entry]]) -> None:
    """Refuse totals that a board cannot hold; on the way there they may be such, for their order is
    no rule.

    Raises:
        Refused: ``overflow``.
    """
    for key, players in entries.items():
        for player_id, entry in players.items():
            if not board.holds(key[1], entry.columns):
                raise Refused("overflow", f"a total of {player_id!r} would leave the 64-bit range")


def events_with(
    log: EventLog, texts: Sequence[bytes], after: int, before: int
) -> Iterator[tuple[int, Event]]:
    """The events between two records in which one of some texts stands somewhere."""
    for row in log.containing(texts, after, before - 1):
        event = record_of(row)
        if isinstance(event, Event):
            yield row.seq, event

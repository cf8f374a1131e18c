"""Fill windows anew from the log: new windows, resets told late, new settings (R5, R16)."""

from collections.abc import Sequence

from toprung.domain.acts import Refused
from toprung.domain.adjusting import count
from toprung.domain.board import Board
from toprung.domain.decide import EntryKey, leaves_out
from toprung.domain.entries import Entry
from toprung.ports.catalog import Catalog
from toprung.ports.counted import counted_events
from toprung.ports.log import EventLog
from toprung.ports.store import ScoreStore
from toprung.updater.recount import check_fits


def refill(
    log: EventLog,
    store: ScoreStore,
    catalog: Catalog,
    board: Board,
    windows: Sequence[str],
    before: int,
) -> dict[EntryKey, dict[str, Entry]]:
    """The entries of ``windows``, from the events that counted on the board so far.

    Args:
        before: the ``seq`` of the act that asks for it; only what came before it is read.

    Raises:
        Refused: ``overflow``, or ``not_exact`` when an event's points cannot be read by the new
            columns. Nothing was changed.
    """
    entries: dict[EntryKey, dict[str, Entry]] = {}
    for event, seen in counted_events(log, store, board.board_id, board.board_id, before - 1):
        if catalog.players.is_erased(board.state.project, event.player_id):
            continue
        points = board.points_now(event.points, event.revision)
        if points is None:
            raise Refused(
                "not_exact",
                f"event {event.event_id!r} cannot be read by the new columns",
                "columns",
            )
        player = catalog.counts_for(board, event)
        if player is None:
            continue
        for period in board.parts_at(event.at, event.segments):
            is_wanted = period.window in windows and not board.is_over(period.window, period.key)
            if not is_wanted or leaves_out(board, period, event, seen):
                continue
            key = (board.board_id, period.window, period.key)
            players = entries.setdefault(key, {})
            entry = count(board, players.get(player), event, points, seen.seq)
            if entry is not None:
                players[player] = entry
    check_fits(board, entries)
    return entries

"""Making the entries of some players anew from the log (R9)."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from toprung.domain.acts import Refused
from toprung.domain.board import Board
from toprung.domain.decide import EntryKey, Seen, leaves_out
from toprung.domain.entries import Entry, fold
from toprung.domain.numbers import fits
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.ports.catalog import Catalog
from toprung.ports.log import EventLog, record_of
from toprung.ports.store import ScoreStore

KEPT_TOGETHER = 1_000
"""Events whose lines are looked up together."""


def recount(
    log: EventLog,
    store: ScoreStore,
    catalog: Catalog,
    board: Board,
    players: Collection[str],
    seq: int,
) -> dict[EntryKey, dict[str, Entry]]:
    """All entries of some players on a board, from the events that count there now, for them.

    Which windows took an event is obeyed as it was decided (R25).

    Args:
        seq: of the act that asks for it: the entries reflect it, and only what came before is read.

    Raises:
        Refused: ``overflow``. Nothing was changed.
    """
    entries: dict[EntryKey, dict[str, Entry]] = {}
    everybody = catalog.players.counting_for(board.state.project, players)
    for event, seen in _counted(log, store, board.board_id, everybody, seq):
        player = catalog.counts_for(board, event)
        points = board.points_now(event.points, event.revision)
        if player is None or player not in players or points is None:
            continue
        for name, window in board.windows.items():
            period = window.period_at(event.at)
            if leaves_out(board, period, event, seen):
                continue
            period_entries = entries.setdefault((board.board_id, name, period.key), {})
            period_entries[player] = fold(
                board.mode,
                board.descending,
                period_entries.get(player),
                points,
                event.at,
                event.event_id,
                seq,
                bounded=False,
            )
    check_fits(entries)
    return entries


def check_fits(entries: Mapping[EntryKey, Mapping[str, Entry]]) -> None:
    """Refuse totals that leave 64 bits; on the way there they may, for their order is no rule.

    Raises:
        Refused: ``overflow``.
    """
    for players in entries.values():
        for player_id, entry in players.items():
            if not all(map(fits, entry.columns)):
                raise Refused("overflow", f"a total of {player_id!r} would leave the 64-bit range")


def _counted(
    log: EventLog, store: ScoreStore, board_id: int, players: Collection[str], before: int
) -> Iterator[tuple[Event, Seen]]:
    """The events of some players that spent their ids on a board, in the order of the log."""
    found: list[tuple[int, Event]] = []
    for seq, event in events_with(log, [p.encode() for p in players], board_id, before):
        if event.board_id == board_id and event.player_id in players:
            found.append((seq, event))
        if len(found) == KEPT_TOGETHER:
            yield from _with_lines(store, found)
            found = []
    yield from _with_lines(store, found)


def events_with(
    log: EventLog, texts: Sequence[bytes], after: int, before: int
) -> Iterator[tuple[int, Event]]:
    """The events between two records in which one of some texts stands somewhere."""
    for row in log.containing(texts, after, before - 1):
        event = record_of(row)
        if isinstance(event, Event):
            yield row.seq, event


def _with_lines(
    store: ScoreStore, found: Sequence[tuple[int, Event]]
) -> Iterator[tuple[Event, Seen]]:
    lines = {seen.seq: seen for _, _, seen in store.kept_at([seq for seq, _ in found])}
    for seq, event in found:
        seen = lines.get(seq)
        if seen is not None and Outcome(seen.outcome).spends_id:
            yield event, seen

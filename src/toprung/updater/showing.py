"""Filling a view with what the store holds."""

from collections.abc import Iterable, Iterator, Mapping

from toprung.domain.decide import EntryKey
from toprung.domain.entries import Entry
from toprung.ports.catalog import Catalog
from toprung.ports.view import RankView, Row

EntryLine = tuple[EntryKey, str, Entry]


def load_view(view: RankView, catalog: Catalog, entries: Iterable[EntryLine], seq: int) -> None:
    """Fill ``view`` with all entries, board by board in one step each."""
    by_board: dict[int, dict[EntryKey, list[Row]]] = {}
    for key, player_id, entry in entries:
        rows = by_board.setdefault(key[0], {}).setdefault(key, [])
        rows.append(Row(player_id, entry.columns, entry.reached_at))
    for board in catalog.all():
        periods = by_board.pop(board.board_id, {})
        windows = board.settings.windows
        generation = board.state.generation
        view.open_board(board.board_id, board.descending, generation)
        view.replace(
            board.board_id, board.descending, generation, windows, list(periods.items()), seq
        )
    view.advance(seq)


def rows_of(players: Mapping[str, Entry]) -> list[Row]:
    """The rows of a period's entries."""
    return [Row(player, entry.columns, entry.reached_at) for player, entry in players.items()]


def overlaid(
    stored: Iterable[EntryLine], unwritten: Mapping[EntryKey, Mapping[str, Entry]]
) -> Iterator[EntryLine]:
    """What is stored, with what is not written yet in its place."""
    for key, player_id, entry in stored:
        if player_id not in unwritten.get(key, {}):
            yield key, player_id, entry
    for key, players in unwritten.items():
        for player_id, entry in players.items():
            yield key, player_id, entry

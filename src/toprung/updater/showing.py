"""Filling a view with what the store holds."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from toprung.domain.board import Board
from toprung.domain.decide import EntryKey
from toprung.domain.entries import Entry
from toprung.ports.catalog import Catalog
from toprung.ports.store import ScoreStore
from toprung.ports.view import ImageHead, Loaded, Objection, RankView, Row
from toprung.updater.ahead import ahead
from toprung.updater.masking import show, show_player, show_players, visible
from toprung.updater.rolling import renew
from toprung.updater.slicing import EntryLine

LoadImage = Callable[[Objection], Loaded]
"""Has a view become what its image says; see :class:`~toprung.ports.view.ImageView`."""


def no_image(_: Objection) -> Loaded:
    """There is none."""
    return Loaded(None, "there is no image")


def begin_view(
    view: RankView, catalog: Catalog, store: ScoreStore, logged: int, load_image: LoadImage
) -> None:
    """Fill an empty view: from its image and what the store has since, or with all of the store.

    What the store lacks is not shown yet. When it is done again from there on, whatever the image
    was ahead of the store is, on the way, put back and forth again.

    Args:
        catalog: the boards of the store.
        logged: the last record of the log.
    """
    image = load_image(lambda head: _objection(head, catalog, logged))
    seq = image.seq or 0
    for board in catalog.all():
        view.open_board(board.board_id, board.descending, board.state.shown_by)
        renew(view, catalog, store, board, 0)
    # Entries reflect no record after the last one that was kept: most images lack none.
    if seq < store.last_kept():
        for moves in ahead(store.places(seq)):
            show(view, catalog, moves, 0)
    if seq:
        _set_right(view, catalog, store, seq)
    view.advance(store.checkpoint())


def _set_right(view: RankView, catalog: Catalog, store: ScoreStore, seq: int) -> None:
    """Show as they are the players whom acts have met since the record that a view reflects."""
    for board_id, player_id, act in store.recounts():
        if act > seq:
            show_players(view, catalog, store, board_id, [player_id])
    for project, player_id, state in catalog.players.lines():
        if state.seq > seq:
            show_player(view, catalog, store, project, player_id)
    for project, player_id in catalog.segments.changed_after(seq):
        show_player(view, catalog, store, project, player_id)


def _objection(image: ImageHead, catalog: Catalog, logged: int) -> str:
    """Why an image does not fit boards and log, in words; empty: it does.

    An act that replaces or removes what a board shows makes a new generation of it.
    """
    if image.seq > logged:
        return f"it reflects record {image.seq}, and the log ends at {logged}"
    shown = {board.board_id: board for board in image.boards}
    for board in catalog.all():
        known = shown.pop(board.board_id, None)
        if known is None and board.board_id <= image.seq:
            return f"it lacks board {board.state.name!r}"
        if known is not None and not is_of_generation(board, known.generation):
            return f"board {board.state.name!r} is of another generation"
    return "it has a board that is gone" if shown else ""


def is_of_generation(board: Board, generation: int) -> bool:
    """Whether an image of a board with this generation can be gone on from: its rolling windows,
    which are made anew in any case, may be of other days.
    """
    state = board.state
    return state.generation <= generation <= state.shown_by


def load_view(view: RankView, catalog: Catalog, entries: Iterable[EntryLine], seq: int) -> None:
    """Fill ``view`` with all entries, board by board in one step each, while others read it.

    It says that it reflects ``seq`` when all boards do.
    """
    by_board: dict[int, dict[EntryKey, list[Row]]] = {}
    for key, rows in rows_of(visible(catalog, entries)).items():
        by_board.setdefault(key[0], {})[key] = rows
    for board in catalog.all():
        periods = by_board.pop(board.board_id, {})
        windows = board.state.kept_windows
        generation = board.state.shown_by
        view.open_board(board.board_id, board.descending, generation)
        shown = list(periods.items())
        view.replace(board.board_id, board.descending, generation, windows, shown, 0)
    view.advance(seq)


def rows_of(lines: Iterable[EntryLine]) -> dict[EntryKey, list[Row]]:
    """Entries as a view takes them, by period."""
    rows: dict[EntryKey, list[Row]] = {}
    for key, player_id, entry in lines:
        rows.setdefault(key, []).append(Row(player_id, entry.columns, entry.reached_at))
    return rows


def lines_of(entries: Mapping[EntryKey, Mapping[str, Entry]]) -> Iterator[EntryLine]:
    """Entries one by one."""
    for key, players in entries.items():
        for player_id, entry in players.items():
            yield key, player_id, entry


def overlaid(
    stored: Iterable[EntryLine], unwritten: Mapping[EntryKey, Mapping[str, Entry]]
) -> Iterator[EntryLine]:
    """What is stored, with what is not written yet in its place."""
    for key, player_id, entry in stored:
        if player_id not in unwritten.get(key, {}):
            yield key, player_id, entry
    yield from lines_of(unwritten)

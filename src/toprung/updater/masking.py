"""Keeping players who are hidden or banned out of the view (R9).

Their entries stand in the store and go on moving there; what readers see is the view.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from toprung.domain.board import Board
from toprung.ports.catalog import Catalog
from toprung.ports.moves import Move, Moves, moves_of
from toprung.ports.store import ScoreStore
from toprung.ports.view import RankChanges, RankView
from toprung.updater.slicing import EntryLine, in_segments, with_segments
from toprung.updater.together import as_shown


def masked_on(catalog: Catalog, board_id: int) -> AbstractSet[str]:
    """Who is out of the public answers of a board."""
    board = catalog.by_id(board_id)
    return set() if board is None else catalog.players.masked(board.state.project)


def visible(
    catalog: Catalog, lines: Iterable[EntryLine], changed: Board | None = None
) -> Iterator[EntryLine]:
    """What a view shows of entries: those of players who are not masked, days of rolling windows
    put together, and each of them once more in the segments of its player.

    Args:
        lines: of each player whom they have in a rolling window all entries there.
        changed: a board as it is about to be.
    """
    boards = {} if changed is None else {changed.board_id: changed}

    def board_of(board_id: int) -> Board | None:
        return boards.get(board_id) or catalog.by_id(board_id)

    for line in as_shown(board_of, _unmasked(catalog, lines)):
        yield line
        board = board_of(line[0][0])
        if board is not None and board.settings.segments:
            yield from in_segments(catalog, board, line)


def _unmasked(catalog: Catalog, lines: Iterable[EntryLine]) -> Iterator[EntryLine]:
    masked: dict[int, AbstractSet[str]] = {}
    for line in lines:
        board_id = line[0][0]
        if board_id not in masked:
            masked[board_id] = masked_on(catalog, board_id)
        if line[1] not in masked[board_id]:
            yield line


def show(view: RankView, catalog: Catalog, moves: Moves, seq: int) -> RankChanges:
    """Apply moves to a view but those of masked players; these have no ranks."""
    kept = _kept(catalog, moves)
    if kept is None:
        return _apply(view, catalog, moves, seq)
    every = list(moves)
    told = _apply(view, catalog, moves_of([every[place] for place in kept]), seq)
    before, after = [0] * len(every), [0] * len(every)
    for place, rank_before, rank_after in zip(kept, told.before, told.after, strict=True):
        before[place], after[place] = rank_before, rank_after
    return RankChanges(before, after)


def _apply(view: RankView, catalog: Catalog, moves: Moves, seq: int) -> RankChanges:
    """Apply moves on boards and in their segments; the ranks are those on the boards."""
    every = with_segments(catalog, moves)
    told = view.apply(every, seq)
    if every is moves:
        return told
    return RankChanges(told.before[: len(moves)], told.after[: len(moves)])


def show_each(
    view: RankView, catalog: Catalog, moves: Sequence[Move | None], seq: int
) -> RankChanges:
    """The same of moves of which some, ``None``, are not shown."""
    shown = [(place, move) for place, move in enumerate(moves) if move is not None]
    told = show(view, catalog, moves_of(move for _, move in shown), seq)
    before, after = [0] * len(moves), [0] * len(moves)
    for (place, _), rank_before, rank_after in zip(shown, told.before, told.after, strict=True):
        before[place], after[place] = rank_before, rank_after
    return RankChanges(before, after)


def visible_moves(catalog: Catalog, parts: Iterable[Moves]) -> Iterator[Moves]:
    """Moves but those of masked players, and the same in the segments of the others."""
    for moves in parts:
        kept = _kept(catalog, moves)
        if kept is None:
            yield with_segments(catalog, moves)
        else:
            every = list(moves)
            yield with_segments(catalog, moves_of([every[place] for place in kept]))


def _kept(catalog: Catalog, moves: Moves) -> Sequence[int] | None:
    """Which of the moves are shown; ``None``: all are."""
    masked = [masked_on(catalog, key[0]) for key in moves.keys]
    if not any(masked):
        return None
    names = moves.names()
    if all(who.isdisjoint(names) for who in masked):
        return None
    return [
        place
        for place, (period, player) in enumerate(
            zip(array("I", moves.period), array("I", moves.player), strict=True)
        )
        if names[player] not in masked[period]
    ]


def show_player(
    view: RankView, catalog: Catalog, store: ScoreStore, project: str, player_id: str
) -> None:
    """Have a player stand where the store says on all boards of a project, or, masked, nowhere."""
    for board in catalog.of_project(project):
        show_players(view, catalog, store, board.board_id, [player_id])


def show_players(
    view: RankView, catalog: Catalog, store: ScoreStore, board_id: int, player_ids: Sequence[str]
) -> None:
    """Have players of a board stand where the store says, or, masked, nowhere."""
    lines = store.entries_of(board_id, player_ids)
    places = [
        Move(key, player, entry.columns, entry.reached_at, None)
        for key, player, entry in visible(catalog, lines)
    ]
    view.place_players(board_id, player_ids, moves_of(places), 0)

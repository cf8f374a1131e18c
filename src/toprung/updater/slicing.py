"""Keeping the segments of boards in the view: a tree for each value beside that of the period, so
that a rank in a segment is as quick to find as one on the board (R17).

Entries know nothing of it. They are shown once more in the segments of their players, and a player
whose attribute changes is taken from one tree to the other.
"""

from array import array
from collections.abc import Iterator, Sequence

from toprung.domain.acts import Refused
from toprung.domain.board import Board
from toprung.domain.decide import EntryKey
from toprung.domain.entries import Entry
from toprung.domain.freezing import thawed
from toprung.domain.limits import SEGMENT_VALUES
from toprung.domain.segments import Segment, segment_key
from toprung.ports.catalog import Catalog
from toprung.ports.moves import Move, Moves, moves_of
from toprung.ports.segments import Attribute, PastValue, too_many_values
from toprung.ports.store import ScoreStore
from toprung.ports.view import RankView
from toprung.updater.together import shown_key

EntryLine = tuple[EntryKey, str, Entry]


def in_segments(catalog: Catalog, board: Board, line: EntryLine) -> Iterator[EntryLine]:
    """A line of a board once more in each segment of its player. Where events carry them there are
    entries of segments themselves.
    """
    if not _is_sliced_by_players(board):
        return
    key, player_id, entry = line
    for segment in catalog.segments_of(board, key, player_id):
        yield segment_key(key, segment), player_id, entry


def _is_sliced_by_players(board: Board) -> bool:
    return bool(board.settings.segments) and not board.settings.is_sliced_by_events


class _Slice:
    """A segment's name in one period of some moves: the keys of its values, by number."""

    def __init__(self, catalog: Catalog, board: Board, key: EntryKey, name: str) -> None:
        self._attribute = catalog.segments.get(board.state.project, name)
        self._seq = catalog.sliced_at(board, key, name)
        self._key, self._name = key, name
        self._numbers: dict[str, int] = {}

    def number(self, player_id: str, keys: list[EntryKey]) -> int | None:
        """Which of ``keys``, to which it may be added, is the player's; ``None``: none is."""
        value = self._attribute.at(player_id, self._seq)
        if value is None:
            return None
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(keys)
            keys.append(segment_key(self._key, Segment(self._name, value)))
        return number


def with_segments(catalog: Catalog, moves: Moves) -> Moves:
    """Moves, and after them the same in the segments of their players; these tell no ranks."""
    slices = _slices(catalog, moves.keys) if catalog.segments.are_used else {}
    if not slices:
        return moves
    keys, names = list(moves.keys), moves.names()
    widths, columns = moves.widths, array("q", moves.columns)
    period, player, reached_at = array("I"), array("I"), array("q")
    more = array("q")
    at = 0
    for where, who, reached in zip(
        array("I", moves.period),
        array("I", moves.player),
        array("q", moves.reached_at),
        strict=True,
    ):
        end = at + widths[where]
        for each in slices.get(where, ()):
            number = each.number(names[who], keys)
            if number is not None:
                period.append(number)
                player.append(who)
                more.extend(columns[at:end])
                reached_at.append(reached)
        at = end
    return Moves(
        keys,
        [*widths, *(_width(catalog, key) for key in keys[len(widths) :])],
        moves.players,
        moves.ends,
        moves.period + period.tobytes(),
        moves.player + player.tobytes(),
        moves.numbering + bytes(len(period)),
        moves.columns + more.tobytes(),
        moves.reached_at + reached_at.tobytes(),
    )


def _slices(catalog: Catalog, keys: Sequence[EntryKey]) -> dict[int, list[_Slice]]:
    """Of the periods that have segments these, by the number of the period."""
    found: dict[int, list[_Slice]] = {}
    for number, key in enumerate(keys):
        board = catalog.by_id(key[0])
        if board is not None and _is_sliced_by_players(board):
            found[number] = [_Slice(catalog, board, key, name) for name in board.settings.segments]
    return found


def _width(catalog: Catalog, key: EntryKey) -> int:
    board = catalog.by_id(key[0])
    return 0 if board is None else len(board.settings.columns)


def show_change(view: RankView, catalog: Catalog, change: PastValue) -> None:
    """Take a player from one segment to the other in all periods that are open."""
    value = catalog.segments.get(change.project, change.name).at(change.player_id)
    for board in catalog.of_project(change.project):
        if change.name in board.settings.segments and _is_sliced_by_players(board):
            _move(view, catalog, board, change, value)


def _move(
    view: RankView, catalog: Catalog, board: Board, change: PastValue, value: str | None
) -> None:
    left: list[EntryKey] = []
    moves: list[Move] = []
    with view.read() as reader:
        for window in board.state.kept_windows:
            for period in _open(catalog, board, window):
                key = (board.board_id, window, period)
                # Where the player is shown is what the view says: who is hidden is in no segment.
                place = reader.period(key).place(change.player_id)
                if place is None:
                    continue
                if change.value is not None:
                    left.append(segment_key(key, Segment(change.name, change.value)))
                if value is not None:
                    there = segment_key(key, Segment(change.name, value))
                    moves.append(
                        Move(there, change.player_id, place.columns, place.reached_at, None)
                    )
    if left or moves:
        view.place_players(board.board_id, [change.player_id], moves_of(moves), 0, left)


def _open(catalog: Catalog, board: Board, window: str) -> list[str]:
    """The keys of the periods of a window that readers see and that are not closed."""
    if window in board.rolling:
        return [shown_key(board, window)[2]]
    return [key for _, _, key in catalog.periods.unclosed(board.board_id, thawed(window))]


def load_segments(catalog: Catalog, store: ScoreStore) -> None:
    """Know the segments of all players, of boards that are known."""
    for project in {board.state.project for board in catalog.all()}:
        use_segments(catalog, store, project)
    if catalog.segments.are_used:
        for past in store.scan_past_values():
            catalog.segments.remember(past)


def use_segments(
    catalog: Catalog, store: ScoreStore, project: str, changed: Board | None = None
) -> None:
    """Know the attributes that the boards of a project are sliced by, and no others.

    Args:
        changed: a board as it is about to be.

    Raises:
        Refused: ``too_many_values``. Nothing was changed.
    """
    boards = {board.board_id: board for board in catalog.of_project(project)}
    if changed is not None:
        boards[changed.board_id] = changed
    names = {name for board in boards.values() for name in board.settings.segments}
    known = catalog.segments.names(project)
    if names == set(known):
        return
    made = _attributes(store, project, sorted(names.difference(known)))
    if changed is not None:
        for name, attribute in made.items():
            if len(attribute.holders) > SEGMENT_VALUES.maximum:
                refused = too_many_values(name, "segments")
                raise Refused(refused.code, refused.message, "segments")
    catalog.segments.use(project, sorted(names), made)


def _attributes(store: ScoreStore, project: str, names: Sequence[str]) -> dict[str, Attribute]:
    """The values of some attributes that the players have."""
    made = {name: Attribute() for name in names}
    for owner, player_id, stored in store.scan_profiles() if names else ():
        if owner == project:
            for name, attribute in made.items():
                value = stored.profile.attributes.get(name)
                if value is not None:
                    attribute.put(player_id, value)
    return made

"""A player's days of a rolling window put together: what readers see of them (R5)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from toprung.domain.board import Board
from toprung.domain.decide import EntryKey
from toprung.domain.entries import Entry, together

_Line = tuple[EntryKey, str, Entry]
Days = dict[str, Entry]
"""A player's entries of a window by the keys of their days."""
Whose = tuple[int, str, str]
"""Board, window and player."""


def shown_key(board: Board, window: str) -> EntryKey:
    """Under which key readers find the present period of a rolling window."""
    return board.board_id, window, board.shown_days[window].last


def part_keys(board: Board, window: str) -> list[EntryKey]:
    """The parts that the present period of a rolling window is made of."""
    return [(board.board_id, window, key) for key in board.shown_days[window].keys]


def parts_over(board: Board, keys: Iterable[EntryKey]) -> list[EntryKey]:
    """Those of some periods that are parts of rolling windows of a board, and in no present one."""
    return [key for key in keys if key[0] == board.board_id and board.is_over(*key[1:])]


def as_shown(board_of: Callable[[int], Board | None], lines: Iterable[_Line]) -> Iterator[_Line]:
    """Entries as readers see them: in the place of the parts of rolling windows what they make
    together.

    Args:
        board_of: gives the board of an id.
        lines: of each player whom they have on a board all entries there, in any order.
    """
    found: defaultdict[Whose, Days] = defaultdict(dict)
    for key, player, entry in lines:
        board = board_of(key[0])
        if board is None or key[1] not in board.rolling:
            yield key, player, entry
        else:
            found[key[0], key[1], player][key[2]] = entry
    for (board_id, window, player), parts in found.items():
        board = board_of(board_id)
        entry_now = None if board is None else entry_together(board, window, parts)
        if board is not None and entry_now is not None:
            yield shown_key(board, window), player, entry_now


def entry_together(board: Board, window: str, parts: Mapping[str, Entry]) -> Entry | None:
    """What a player's entries make in the present period of a window."""
    shown = board.shown_days[window]
    seen = [entry for key, entry in parts.items() if shown.first <= key <= shown.last]
    return together(board.mode, board.descending, seen)

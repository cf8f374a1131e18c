"""Entries, and how an event changes one (R3, R4)."""

from collections.abc import Iterable

import msgspec

from toprung.domain.numbers import fits


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A player's line in one period.

    Attributes:
        columns: the scaled numbers.
        reached_at: when the present columns were reached, a function of the set of events.
        events: how many events counted.
        moved: under ``sum``, whether an event that was not all zero has counted.
        event_id: under ``last``, the event that is shown; it breaks ties between equal instants.
        seq: where the last event that counted stands in the log: what the entry reflects.
    """

    columns: tuple[int, ...]
    reached_at: int
    events: int
    moved: bool = False
    event_id: str = ""
    seq: int = 0

    def same_standing(self, other: "Entry | None") -> bool:
        """Whether the two stand alike: an event that leads from one to the other is unchanged."""
        return (
            other is not None
            and self.columns == other.columns
            and self.reached_at == other.reached_at
        )


class EntryOverflow(Exception):
    """A total would leave the 64-bit range (R6). Nothing was changed."""


def is_better(new: tuple[int, ...], old: tuple[int, ...], descending: tuple[bool, ...]) -> bool:
    """Whether ``new`` is strictly better than ``old``, column by column by their directions."""
    for left, right, down in zip(new, old, descending, strict=True):
        if left != right:
            return (left > right) is down
    return False


def fold(
    mode: str,
    descending: tuple[bool, ...],
    entry: Entry | None,
    points: tuple[int, ...],
    at: int,
    event_id: str,
    seq: int,
    *,
    bounded: bool = True,
) -> Entry:
    """The entry after one more event; ``None`` stands for a player not on the board.

    Args:
        seq: where the event stands in the log.
        bounded: whether a total must fit already; when all events are added up anew, only the last
            one must.

    Raises:
        EntryOverflow: under ``sum``, when a total does not fit.
    """
    if entry is None:
        moved = mode == "sum" and any(points)
        return Entry(points, at, 1, moved, event_id if mode == "last" else "", seq)
    if mode == "sum":
        return _fold_sum(entry, points, at, seq, bounded)
    if mode == "best":
        return _fold_best(entry, descending, points, at, seq)
    if (at, event_id) > (entry.reached_at, entry.event_id):
        return Entry(points, at, entry.events + 1, False, event_id, seq)
    return Entry(entry.columns, entry.reached_at, entry.events + 1, False, entry.event_id, seq)


def together(mode: str, descending: tuple[bool, ...], parts: Iterable[Entry]) -> Entry | None:
    """The entry that all events of some entries of a player make, where no event is in two of them
    and no two events of different ones have the same instant; ``None``: there are no entries.

    Under ``sum`` the total may not fit: see :meth:`~toprung.domain.board.Board.holds`.
    """
    found: Entry | None = None
    for part in parts:
        found = part if found is None else _joined(mode, descending, found, part)
    return found


def _joined(mode: str, descending: tuple[bool, ...], one: Entry, other: Entry) -> Entry:
    events, seq = one.events + other.events, max(one.seq, other.seq)
    if mode == "sum":
        columns = tuple([a + b for a, b in zip(one.columns, other.columns, strict=True)])
        if one.moved is other.moved:
            choose = max if one.moved else min
            reached_at = choose(one.reached_at, other.reached_at)
        else:
            reached_at = one.reached_at if one.moved else other.reached_at
        return Entry(columns, reached_at, events, one.moved or other.moved, "", seq)
    shown = one
    if mode == "last":
        if other.reached_at > one.reached_at:
            shown = other
    elif one.columns == other.columns:
        shown = min(one, other, key=_reached_at)
    elif is_better(other.columns, one.columns, descending):
        shown = other
    return Entry(shown.columns, shown.reached_at, events, False, shown.event_id, seq)


def _reached_at(entry: Entry) -> int:
    return entry.reached_at


def _fold_sum(entry: Entry, points: tuple[int, ...], at: int, seq: int, bounded: bool) -> Entry:
    if not any(points):
        reached_at = entry.reached_at if entry.moved else min(entry.reached_at, at)
        return Entry(entry.columns, reached_at, entry.events + 1, entry.moved, "", seq)
    if len(points) == 1:
        columns: tuple[int, ...] = (entry.columns[0] + points[0],)
    else:
        columns = tuple([old + new for old, new in zip(entry.columns, points, strict=True)])
    for column in columns:
        if bounded and not fits(column):
            raise EntryOverflow
    reached_at = max(entry.reached_at, at) if entry.moved else at
    return Entry(columns, reached_at, entry.events + 1, True, "", seq)


def _fold_best(
    entry: Entry, descending: tuple[bool, ...], points: tuple[int, ...], at: int, seq: int
) -> Entry:
    columns, reached_at = entry.columns, entry.reached_at
    if points == columns:
        reached_at = min(reached_at, at)
    elif is_better(points, columns, descending):
        columns, reached_at = points, at
    return Entry(columns, reached_at, entry.events + 1, False, "", seq)

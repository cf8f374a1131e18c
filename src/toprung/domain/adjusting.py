"""What an admin's correction of a score means (R9).

An adjustment is kept as the difference it made. Under ``sum`` it counts as an event does. Under
``best`` and ``last`` it moves the score that stands when it comes, in the periods that hold its
``at`` and in which the player stands; later events compare with what it made of the score.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from toprung.domain.acts import Refused
from toprung.domain.board import Board
from toprung.domain.decide import EntryKey, Seen
from toprung.domain.entries import Entry, fold
from toprung.domain.errors import InvalidInput
from toprung.domain.numbers import fits
from toprung.domain.records import Adjusted, Event


class AdjustChange(msgspec.Struct, frozen=True):
    """What became of an adjustment."""

    result: Literal["counted", "unchanged", "duplicate"]
    board: Board
    difference: tuple[int, ...]
    """By the columns of ``revision``."""
    revision: int
    touched: tuple[EntryKey, ...] = ()
    """The periods that hold another entry than before."""


def check_at(at: int, received_at: int) -> None:
    """Do nothing when an adjustment that arrived at ``received_at`` may count at ``at``.

    Raises:
        InvalidInput: naming ``at``.
    """
    if at > received_at:
        raise InvalidInput("at must not lie in the future", field="at")


def target_window(board: Board, name: str | None) -> str:
    """The window whose score is to be reached: the one that is named, or the board's first.

    Raises:
        InvalidInput: naming ``window``: it is none of the board's, or is rolling, whose score is a
            total of days.
    """
    if name is not None:
        board.window(name)
    fixed = [window for window in board.windows if not board.rolling_days(window)]
    if name not in (None, *fixed) or not fixed:
        raise InvalidInput("the score of a rolling window cannot be set", field="window")
    return name or fixed[0]


def difference(board: Board, act: Adjusted, entries: Mapping[EntryKey, Entry]) -> tuple[int, ...]:
    """By how much an adjustment moves a score, by the board's present columns.

    Args:
        entries: all of the player's on the board.

    Raises:
        InvalidInput: the board has no such window, or its columns changed meanwhile.
        Refused: ``unranked_player``, or ``overflow``.
    """
    points = board.points_now(act.points, act.revision)
    if points is None:
        raise InvalidInput("the board's columns changed meanwhile", field="points")
    parts = [part for part in board.parts_at(act.at) if not board.is_over(part.window, part.key)]
    if act.is_target:
        window = target_window(board, act.window)
        parts = [part for part in parts if part.window == window]
    keys = [(board.board_id, part.window, part.key) for part in parts]
    found = [entries[key] for key in keys if key in entries]
    if not found:
        raise Refused("unranked_player", "the player is not on the board then", "player")
    if not act.is_target:
        return points
    moved = tuple([target - now for target, now in zip(points, found[0].columns, strict=True)])
    if not all(map(fits, moved)):
        raise Refused("overflow", "the difference would leave the 64-bit range", "points")
    return moved


def as_counted(event: Event, seen: Seen | None) -> Event:
    """An event with the points that count: an adjustment says what it was asked for, and what that
    came to was kept when it was applied.
    """
    if not isinstance(event, Adjusted) or seen is None:
        return event
    return msgspec.structs.replace(
        event, points=seen.points, revision=seen.revision, is_target=False
    )


def count(
    board: Board, before: Entry | None, event: Event, points: tuple[int, ...], seq: int
) -> Entry | None:
    """The entry after one more event or adjustment, when all are counted anew: a total may leave
    its range on the way. ``None``: the player is not in the period.

    Args:
        points: by the present columns.
        seq: what the entry reflects.
    """
    if isinstance(event, Adjusted) and board.mode != "sum":
        return None if before is None else _moved(board, before, event, points, seq)
    return fold(
        board.mode,
        board.descending,
        before,
        points,
        event.at,
        event.event_id,
        seq,
        bounded=False,
    )


def _moved(board: Board, before: Entry, act: Adjusted, points: tuple[int, ...], seq: int) -> Entry:
    columns = tuple([old + new for old, new in zip(before.columns, points, strict=True)])
    reached_at, event_id = act.at, ""
    if board.mode == "last":
        # What is the latest stays so: an event that came before both must not come after.
        latest = max((before.reached_at, before.event_id), (act.at, act.event_id))
        reached_at, event_id = latest
    elif not any(points):
        reached_at = before.reached_at
    return Entry(columns, reached_at, before.events + 1, False, event_id, seq)

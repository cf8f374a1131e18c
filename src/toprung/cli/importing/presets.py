"""Files as other leaderboard products write them: which column is what, and what it may hold."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toprung.cli.errors import Failed

_POSTGRES_INSTANT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?)"
    r"([+-][0-9]{2})(?::?([0-9]{2}))?"
)


def rfc3339(text: str) -> str:
    """An instant as Postgres writes it in RFC 3339; every other text as it is."""
    match = _POSTGRES_INSTANT.fullmatch(text)
    if match is None:
        return text
    day, time, hours, minutes = match.groups()
    return f"{day}T{time}{hours}:{minutes or '00'}"


@dataclass(frozen=True)
class Preset:
    """How a product's file is read; a ``--map`` of the user wins."""

    mapping: Mapping[str, str]
    """Column by field; a column that the file does not have is left out."""
    zero: str | None = None
    """A column that the board has no place for: a row where it is not 0 would lose a number."""


def nakama(board: str, columns: Sequence[str]) -> Preset:
    """Leaderboard records of Nakama: ``owner_id``, ``username``, ``score``, ``subscore``,
    ``metadata``, ``update_time``. What else there is says nothing of a standing.

    Args:
        columns: of the board; of two the second one is the subscore.

    Raises:
        Failed: ``other_columns``, the board has more than two columns.
    """
    if len(columns) > 2:
        raise _other_columns(board, "one column or two, for score and subscore")
    fields = {
        "player_id": "owner_id",
        "name": "username",
        "at": "update_time",
        "metadata": "metadata",
    }
    if len(columns) == 1:
        return Preset({**fields, "points": "score"}, "subscore")
    points = {f"points.{columns[0]}": "score", f"points.{columns[1]}": "subscore"}
    return Preset({**fields, **points})


def playfab(board: str, columns: Sequence[str]) -> Preset:
    """A leaderboard of PlayFab: ``PlayFabId``, ``DisplayName``, ``StatValue``; ``Position`` follows
    from the rest.

    Raises:
        Failed: ``other_columns``, the board has several columns.
    """
    if len(columns) > 1:
        raise _other_columns(board, "one column, for StatValue")
    return Preset({"player_id": "PlayFabId", "name": "DisplayName", "points": "StatValue"})


def _other_columns(board: str, wanted: str) -> Failed:
    return Failed("other_columns", f"board {board!r} must have {wanted}")

"""Which column of a file is which part of an event."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import typer

from toprung.cli.errors import Failed

FIELDS = ("board", "event_id", "player_id", "points", "at", "match_id", "metadata", "name")
POINTS = "points."
MAY_BE_EMPTY = frozenset({"match_id", "metadata", "name"})

Explicit = Mapping[str, str]
"""Column by field, as the user gave it."""


def parse_mapping(pairs: Iterable[str]) -> dict[str, str]:
    """Read ``field=column`` pairs.

    Raises:
        typer.BadParameter: not of that shape, an unknown field, or one field twice.
    """
    mapping: dict[str, str] = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if not equals or not column:
            raise _bad(f"{pair!r} is not of the form field=column")
        if field not in FIELDS and not field.startswith(POINTS):
            raise _bad(f"{field!r} is no field: use {', '.join(FIELDS)}, points.NAME")
        if field in mapping:
            raise _bad(f"{field} is mapped twice")
        mapping[field] = column
    if "points" in mapping and any(field.startswith(POINTS) for field in mapping):
        raise _bad("map points, or points.NAME for each column, not both")
    return mapping


def _bad(message: str) -> typer.BadParameter:
    return typer.BadParameter(message, param_hint="--map")


@dataclass(frozen=True)
class Places:
    """Where in a row of cells the parts of an event stand."""

    fields: Mapping[str, int]
    points: Mapping[str, int]
    """By column, on boards with several; else empty, and ``fields`` has ``points``."""


def find_places(header: Sequence[str], explicit: Explicit, board: str | None) -> Places:
    """Find the fields in a file with ``header``: as mapped, else by their own names.

    Args:
        board: the board of all rows, where the user named one.

    Raises:
        Failed: a mapped column is not there or twice there, or a needed field has none.
    """
    fields = {
        field: _place(header, explicit.get(field, field))
        for field in FIELDS
        if field in explicit or field in header
    }
    points = {
        field.removeprefix(POINTS): _place(header, column)
        for field, column in _points_columns(header, explicit).items()
    }
    if board is not None:
        fields.pop("board", None)
    if points:
        fields.pop("points", None)
    _check_complete(header, fields, points, board)
    return Places(fields, points)


def _points_columns(header: Sequence[str], explicit: Explicit) -> dict[str, str]:
    if "points" in explicit:
        return {}
    named = {field: column for field, column in explicit.items() if field.startswith(POINTS)}
    if named:
        return named
    return {column: column for column in header if column.startswith(POINTS)}


def _place(header: Sequence[str], column: str) -> int:
    found = [place for place, name in enumerate(header) if name == column]
    if len(found) == 1:
        return found[0]
    if found:
        raise Failed("no_column", f"the file has the column {column!r} more than once")
    raise Failed("no_column", f"the file has no column {column!r}", hint=_has(header))


def _check_complete(
    header: Sequence[str], fields: Mapping[str, int], points: Mapping[str, int], board: str | None
) -> None:
    if "player_id" not in fields:
        raise Failed(
            "no_column",
            "no column holds the player: say --map player_id=COLUMN",
            hint=_has(header),
        )
    if "points" not in fields and not points:
        raise Failed(
            "no_column", "no column holds the points: say --map points=COLUMN", hint=_has(header)
        )
    if "board" not in fields and board is None:
        raise Failed("no_board", "which board is it for: say --board NAME or --map board=COLUMN")


def _has(header: Sequence[str]) -> str:
    return f"the columns are: {', '.join(header)}"

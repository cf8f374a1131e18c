"""A case's setup in the words of the API."""

from collections.abc import Mapping
from typing import Any

from toprung.testing.cases.trouble import CannotPlay

MAIN_BOARD = "main"
"""The board of a case that gives it no name."""

_KNOWN = frozenset(
    {
        "board",
        "freeze_at",
        "grace_s",
        "max_ahead_s",
        "mode",
        "more_boards",
        "order",
        "scale",
        "ties",
        "tz",
        "week_start",
        "windows",
    }
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def board_name(setup: Mapping[str, Any]) -> str:
    return str(setup.get("board", MAIN_BOARD))


def board_settings(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The body of ``PUT /v1/boards/{board}`` for a setup.

    Raises:
        CannotPlay: the setup asks for something that the API has no word for.
    """
    if unknown := sorted(setup.keys() - _KNOWN):
        raise CannotPlay(f"the setup's {unknown[0]} has no counterpart in the API")
    minimum = setup["mode"] == "min"
    settings = {
        "mode": "best" if minimum else setup["mode"],
        "columns": [
            {
                "name": "score",
                "order": "asc" if minimum else setup.get("order", "desc"),
                "decimals": setup.get("scale", 0),
            }
        ],
        "ties": setup.get("ties", "earliest"),
        "windows": setup.get("windows", ["all"]),
        "zone": setup.get("tz", "UTC"),
        # Without a word about lateness a case means that none is too late or too early.
        "grace": _seconds(setup.get("grace_s")),
        "max_ahead": _seconds(setup.get("max_ahead_s")),
    }
    if "freeze_at" in setup:
        settings["freeze_at"] = setup["freeze_at"]
    if "week_start" in setup:
        settings["week_start"] = _weekday(setup["week_start"])
    return settings


def _seconds(count: int | None) -> str:
    return "none" if count is None else f"{count}s"


def _weekday(word: Any) -> str:
    for day in _WEEKDAYS:
        if isinstance(word, str) and len(word) >= 2 and day.startswith(word.lower()):
            return day
    raise CannotPlay(f"week_start {word!r} is no day of the week")

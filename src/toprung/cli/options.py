"""Options that several commands share, so that they read and mean the same everywhere."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

DEFAULT_URL = "http://127.0.0.1:8080"
DEFAULT_DB = Path("toprung.db")

Url = Annotated[str, typer.Option("--url", envvar="TOPRUNG_URL", help="The server's address.")]
Key = Annotated[
    str, typer.Option("--key", envvar="TOPRUNG_KEY", show_default=False, help="The access key.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Db = Annotated[
    Path, typer.Option("--db", envvar="TOPRUNG_DB", help="The database file of the server.")
]

File = Annotated[
    Path | None,
    typer.Option(
        "--db",
        help="Read this database file in place of a server; none may run on it.",
        show_default=False,
    ),
]
Project = Annotated[
    str | None,
    typer.Option(
        "--project",
        help="With --db: whose board it is (default: the only one).",
        show_default=False,
    ),
]


def _filled(text: str) -> str:
    if not text:
        raise typer.BadParameter("must not be empty")
    return text


BoardName = Annotated[
    str, typer.Argument(metavar="BOARD", help="The board's name.", callback=_filled)
]
PlayerId = Annotated[
    str, typer.Argument(metavar="PLAYER", help="The player's id.", callback=_filled)
]
Window = Annotated[
    str | None,
    typer.Option(help="all, daily, weekly ... (default: the board's first)", show_default=False),
]
PeriodKey = Annotated[
    str | None,
    typer.Option(
        "--period",
        help="A key such as 2026-W49, current, previous, or an instant (default: current)",
        show_default=False,
    ),
]


class Numbering(StrEnum):
    """How ranks are numbered."""

    ORDINAL = "ordinal"
    SHARED = "shared"
    DENSE = "dense"


NumberingChoice = Annotated[
    Numbering | None,
    typer.Option(
        "--numbering",
        help="1,2,3,4 or 1,2,2,4 or 1,2,2,3 (default: as the board says)",
        show_default=False,
    ),
]

SegmentChoice = Annotated[
    str | None,
    typer.Option(
        "--segment",
        help="Among the players of a segment alone, such as country:NO.",
        show_default=False,
    ),
]

Reason = Annotated[str | None, typer.Option(help="Why, for the audit.", show_default=False)]

Full = Annotated[
    bool,
    typer.Option(
        "--full", help="With what a freeze or a review keeps from the public; needs an admin key."
    ),
]

AsOf = Annotated[
    str | None,
    typer.Option(
        help="As it stood then: an RFC 3339 instant, or the seq of a reply.", show_default=False
    ),
]
From = Annotated[
    str | None,
    typer.Option("--from", help="By the events from this instant on alone.", show_default=False),
]
To = Annotated[
    str | None,
    typer.Option("--to", help="By the events before this instant alone.", show_default=False),
]
Since = Annotated[
    str | None,
    typer.Option(
        help="Tell how many ranks better than then: an instant or a period.", show_default=False
    ),
]

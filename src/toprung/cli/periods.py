"""``toprung schedule``: the periods of a board."""

from typing import Annotated

import typer

from toprung.cli.options import DEFAULT_URL, BoardName, Json, Key, Url
from toprung.cli.output import print_json, print_table
from toprung.cli.remote import connect
from toprung.domain.limits import SCHEDULE


def schedule(
    board: BoardName,
    *,
    count: Annotated[
        int,
        typer.Option(
            "--next", min=1, max=SCHEDULE.maximum, help="How many boundaries of each window."
        ),
    ] = 10,
    window: Annotated[
        str | None, typer.Option(help="One window alone (default: all).", show_default=False)
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show when the coming periods of a board begin, by its own clock and in UTC.

    Example:
      toprung schedule ladder --next 3 --window daily
    """
    with connect(url, key) as client:
        reply = client.schedule(board, count=count, window=window)
    if json:
        print_json(reply)
        return
    print_table(
        ("window", "ends", "begins", "local", "at", "closes at", "length"),
        [
            (each.window, b.ends, b.begins, b.local, b.at, b.closes_at, b.length)
            for each in reply.windows
            for b in each.boundaries
        ],
    )

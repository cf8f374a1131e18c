"""``toprung seasons``: the resets of a board."""

from typing import Annotated

import typer

from toprung.cli.options import DEFAULT_URL, BoardName, Json, Key, Url
from toprung.cli.output import print_json, print_table, say
from toprung.cli.registry import command, new_app
from toprung.cli.remote import connect

app = new_app("Begin and list the seasons of a board.")


@command(app, "begin")
def begin(
    board: BoardName,
    season_id: Annotated[
        str, typer.Argument(metavar="ID", help="Makes it begin once, however often it is sent.")
    ],
    *,
    name: Annotated[
        str | None,
        typer.Option(help="Its key in reads (default: its number).", show_default=False),
    ] = None,
    at: Annotated[
        str | None, typer.Option(help="When it begins (default: now).", show_default=False)
    ] = None,
    ends_at: Annotated[
        str | None,
        typer.Option(help="When it ends (default: when the next one begins).", show_default=False),
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Begin a new season (admin key).

    Example:
      toprung seasons begin ladder reset-2 --name spring --at 2026-03-01T00:00:00Z
    """
    with connect(url, key) as client:
        reply = client.begin_season(board, season_id, name=name, at=at, ends_at=ends_at)
    if json:
        print_json(reply)
    else:
        say(f"{reply.result}: season {reply.season.key} of {board}, from {reply.season.start}")


@command(app, "end")
def end(
    board: BoardName,
    season_id: Annotated[str, typer.Argument(metavar="ID", help="The reset that began it.")],
    *,
    at: Annotated[
        str | None, typer.Option(help="When it ends (default: now).", show_default=False)
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """End a season before its planned end, or before the next one begins (admin key).

    Example:
      toprung seasons end ladder reset-2
    """
    with connect(url, key) as client:
        reply = client.end_season(board, season_id, at=at)
    if json:
        print_json(reply)
    else:
        say(f"{reply.result}: season {reply.season.key} of {board}, until {reply.season.end}")


@command(app, "schedule")
def schedule(
    board: BoardName,
    cron: Annotated[
        str | None,
        typer.Argument(metavar="[CRON]", help="Minute, hour, day of month, month, day of week."),
    ] = None,
    *,
    zone: Annotated[str, typer.Option(help="The zone by whose clock they are read.")] = "UTC",
    off: Annotated[bool, typer.Option("--off", help="Begin none by themselves any more.")] = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have seasons begin by a schedule (admin key); without CRON: show the schedule there is.

    Example:
      toprung seasons schedule ladder "0 6 * * MON" --zone Europe/Oslo
    """
    if off and cron is not None:
        raise typer.BadParameter("say CRON or --off, not both")
    with connect(url, key) as client:
        if off or cron is not None:
            reply = client.schedule_seasons(board, cron, zone=zone)
        else:
            reply = client.season_schedule(board)
    if json:
        print_json(reply)
    elif reply.cron is None:
        say(f"{board}: no season begins by itself")
    else:
        say(f"{board}: {reply.cron} in {reply.zone}; next {', '.join(reply.next)}")


@command(app, "list")
def list_(board: BoardName, *, url: Url = DEFAULT_URL, key: Key = "", json: Json = False) -> None:
    """List the seasons of a board, the first one first.

    Example:
      toprung seasons list ladder
    """
    with connect(url, key) as client:
        reply = client.seasons(board)
    if json:
        print_json(reply)
        return
    print_table(
        ("season", "index", "id", "start", "end"),
        [(s.key, s.index, s.id, s.start, s.end) for s in reply.seasons],
    )

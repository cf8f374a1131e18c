"""``toprung players hide`` and its like: taking players out, and bringing them back."""

from typing import Annotated

import typer

from toprung.cli.options import DEFAULT_URL, Json, Key, PlayerId, Url
from toprung.cli.output import print_json, say
from toprung.cli.registry import command
from toprung.cli.remote import connect
from toprung.wire.moderation import PlayerActed

Reason = Annotated[str | None, typer.Option(help="Why, for the audit.", show_default=False)]


def add_to(players: typer.Typer) -> None:
    """Add what can be done about players to the group of commands on players."""
    for function in (hide, unhide, ban, unban):
        command(players, function.__name__)(function)


def hide(
    player: PlayerId,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Take a player out of every public answer, on all boards (admin key).

    Example:
      toprung players hide ana --reason "asked not to be shown"
    """
    with connect(url, key) as client:
        reply = client.hide_player(player, reason=reason)
    _tell(reply, json=json)


def unhide(
    player: PlayerId,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Bring a hidden player back (admin key).

    Example:
      toprung players unhide ana
    """
    with connect(url, key) as client:
        reply = client.unhide_player(player, reason=reason)
    _tell(reply, json=json)


def ban(
    player: PlayerId,
    *,
    until: Annotated[
        str | None, typer.Option(help="When the ban ends (default: never).", show_default=False)
    ] = None,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Take a player out of every public answer until an instant, or for good (admin key).

    Example:
      toprung players ban ana --until 2027-01-01T00:00:00Z --reason "used an aim bot"
    """
    with connect(url, key) as client:
        reply = client.ban_player(player, until=until, reason=reason)
    _tell(reply, json=json)


def unban(
    player: PlayerId,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Bring a banned player back (admin key).

    Example:
      toprung players unban ana --reason "appeal granted"
    """
    with connect(url, key) as client:
        reply = client.unban_player(player, reason=reason)
    _tell(reply, json=json)


def _tell(reply: PlayerActed, *, json: bool) -> None:
    if json:
        print_json(reply)
        return
    states = ["hidden"] if reply.hidden else []
    if reply.banned:
        states.append("banned" if reply.until is None else f"banned until {reply.until}")
    say(f"{reply.result}: player {reply.player_id} is {' and '.join(states) or 'shown'}")

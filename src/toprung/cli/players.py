"""``toprung players``: the profiles that standings show, and lists of friends."""

from typing import Annotated

import typer

from toprung.cli.errors import Failed
from toprung.cli.options import DEFAULT_URL, Json, Key, PlayerId, Url
from toprung.cli.output import print_json, print_table, printable
from toprung.cli.registry import command, new_app
from toprung.cli.remote import connect
from toprung.cli.standings import no_friends
from toprung.wire.reads import FriendList, PlayerReply

app = new_app("Set and show the profiles and friends of players; hide and ban players.")


@command(app, "set")
def set_(
    player: PlayerId,
    *,
    name: Annotated[
        str | None, typer.Option(help="The name that standings show.", show_default=False)
    ] = None,
    avatar_url: Annotated[
        str | None, typer.Option(help="Where the player's picture is.", show_default=False)
    ] = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="May be given several times.", show_default=False),
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Set a player's profile, in place of the one before.

    Example:
      toprung players set ana --name "Ana B." --attribute country=pt
    """
    attributes = parse_attributes(attribute or [])
    with connect(url, key) as client:
        reply = client.put_player(player, name=name, avatar_url=avatar_url, attributes=attributes)
    _print(reply, json=json)


def parse_attributes(pairs: list[str]) -> dict[str, str]:
    """Read ``name=value`` pairs.

    Raises:
        typer.BadParameter: not of that shape, or a name twice.
    """
    attributes: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name in attributes:
            raise typer.BadParameter(
                f"{pair!r} is not NAME=VALUE, or repeats a name", param_hint="--attribute"
            )
        attributes[name] = value
    return attributes


@command(app, "show")
def show(player: PlayerId, *, url: Url = DEFAULT_URL, key: Key = "", json: Json = False) -> None:
    """Show a player's profile.

    Example:
      toprung players show ana
    """
    with connect(url, key) as client:
        reply = client.player(player)
    if reply is None:
        raise Failed("unknown_player", f"{printable(player)!r} has no profile")
    _print(reply, json=json)


@command(app, "set-friends")
def set_friends(
    player: PlayerId,
    friends: Annotated[
        list[str] | None, typer.Argument(metavar="[FRIEND...]", help="The friends' ids.")
    ] = None,
    *,
    file: Annotated[
        typer.FileText | None,
        typer.Option(metavar="PATH", help="Further ids, one a line; - is the standard input."),
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Set a player's list of friends, in place of the one before; without a name, to nobody.

    Example:
      toprung players set-friends ana bo cy
    """
    listed = [] if file is None else [line.rstrip("\n") for line in file if line.strip()]
    with connect(url, key) as client:
        reply = client.put_friends(player, [*(friends or ()), *listed])
    _print_friends(reply, json=json)


@command(app, "friends")
def friends(player: PlayerId, *, url: Url = DEFAULT_URL, key: Key = "", json: Json = False) -> None:
    """Show a player's list of friends; ``toprung friends-of`` ranks them.

    Example:
      toprung players friends ana
    """
    with connect(url, key) as client:
        reply = client.friend_list(player)
    if reply is None:
        raise no_friends(player)
    _print_friends(reply, json=json)


def _print_friends(reply: FriendList, *, json: bool) -> None:
    if json:
        print_json(reply)
    else:
        print_table(("friend",), [(friend,) for friend in reply.players])


def _print(reply: PlayerReply, *, json: bool) -> None:
    if json:
        print_json(reply)
        return
    attributes = ", ".join(f"{name}={value}" for name, value in reply.attributes.items())
    print_table(
        ("player", "name", "avatar_url", "attributes", "updated_at"),
        [(reply.player_id, reply.name, reply.avatar_url, attributes, reply.updated_at)],
    )

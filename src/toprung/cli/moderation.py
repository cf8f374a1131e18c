"""``toprung players hide``, ``events void`` and their like: taking players and events out, and
bringing them back.
"""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from toprung.cli.errors import Failed
from toprung.cli.options import DEFAULT_URL, BoardName, Json, Key, PlayerId, Reason, Url
from toprung.cli.output import print_json, print_table, printable, say
from toprung.cli.registry import command, new_app
from toprung.cli.remote import connect
from toprung.cli.standings import parse_points
from toprung.wire.moderation import ChangedPeriod, EventActed, MatchActed, PlayerActed

events = new_app("Mark events as void, and take that back.")
matches = new_app("Mark matches as void, and take that back.")


def add_to(players: typer.Typer) -> None:
    """Add what can be done about players to the group of commands on players."""
    for function in (hide, unhide, ban, unban, merge, unmerge, adjust, erase):
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


def merge(
    player: PlayerId,
    into: Annotated[str, typer.Argument(metavar="INTO", help="For whom the events count.")],
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have all events of a player count for another one, on all boards (admin key).

    Example:
      toprung players merge ana-old ana --reason "two accounts of one person"
    """
    with connect(url, key) as client:
        reply = client.merge_player(player, into, reason=reason)
    _tell(reply, json=json)


def unmerge(
    player: PlayerId,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have a merged player's events count for the player again (admin key).

    Example:
      toprung players unmerge ana-old
    """
    with connect(url, key) as client:
        reply = client.unmerge_player(player, reason=reason)
    _tell(reply, json=json)


def erase(
    player: PlayerId,
    *,
    reason: Reason = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Erase a player for good, and print a receipt that does not tell who it was (admin key).

    Example:
      toprung players erase ana --reason "asked for by ticket 412"
    """
    if not yes:
        _ask(player)
    with connect(url, key) as client:
        reply = client.erase_player(player, reason=reason)
    if json:
        print_json(reply)
        return
    print_table(
        ("receipt", "events", "entries", "snapshots", "sha256"),
        [(reply.receipt, reply.events, reply.entries, reply.snapshots, reply.sha256)],
    )


def _ask(player: str) -> None:
    if not sys.stdin.isatty():
        raise Failed("not_confirmed", "nothing was changed", hint="say --yes to erase the player")
    if not typer.confirm(f"Erase player {printable(player)}? It cannot be undone.", err=True):
        raise Failed("not_confirmed", "nothing was changed")


Amount = Annotated[
    list[str] | None,
    typer.Option(
        metavar="POINTS",
        help="A number, or NAME=NUMBER once for each column of the board.",
        show_default=False,
    ),
]


def adjust(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    player: PlayerId,
    *,
    by: Amount = None,
    to: Amount = None,
    window: Annotated[
        str | None,
        typer.Option(
            help="With --to, whose score is meant (default: the first).", show_default=False
        ),
    ] = None,
    at: Annotated[
        str | None, typer.Option(help="When it counts (default: now).", show_default=False)
    ] = None,
    event_id: Annotated[
        str | None,
        typer.Option(help="Makes it count once; to undo it, void this id.", show_default=False),
    ] = None,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Correct a player's score: by an amount, or to a value (admin key).

    Examples:
      toprung players adjust arena ana --by -20 --reason "a bonus was paid twice"
      toprung players adjust arena ana --to 100 --window daily
    """
    with connect(url, key) as client:
        reply = client.adjust_player(
            board,
            player,
            by=parse_points(by) if by else None,
            to=parse_points(to) if to else None,
            event_id=event_id,
            window=window,
            at=at,
            reason=reason,
        )
    if json:
        print_json(reply)
        return
    columns = {"": reply.by} if isinstance(reply.by, str) else reply.by
    amount = ", ".join(f"{name} {value}".strip() for name, value in columns.items())
    say(f"{reply.result}: {amount} for player {reply.player_id}, as event {reply.event_id}")
    _print_periods(reply.periods)


EventId = Annotated[str, typer.Argument(metavar="EVENT", help="The event's id.")]
MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="The match's id.")]


@command(events, "void")
def void_event(
    board: BoardName,
    event: EventId,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have a board behave as if an event never was, also before it comes (admin key).

    Example:
      toprung events void arena match-1:ana --reason "the server had a fault"
    """
    with connect(url, key) as client:
        reply = client.void_event(board, event, reason=reason)
    _tell_void(reply, f"event {event}", json=json)


@command(events, "unvoid")
def unvoid_event(
    board: BoardName,
    event: EventId,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have an event count again (admin key).

    Example:
      toprung events unvoid arena match-1:ana
    """
    with connect(url, key) as client:
        reply = client.unvoid_event(board, event, reason=reason)
    _tell_void(reply, f"event {event}", json=json)


@command(matches, "void")
def void_match(
    match: MatchId,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have all boards behave as if the events of a match never were (admin key).

    Example:
      toprung matches void match-1 --reason "played on a wrong map"
    """
    with connect(url, key) as client:
        reply = client.void_match(match, reason=reason)
    _tell_void(reply, f"match {match}", json=json)


@command(matches, "unvoid")
def unvoid_match(
    match: MatchId,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have the events of a match count again (admin key).

    Example:
      toprung matches unvoid match-1
    """
    with connect(url, key) as client:
        reply = client.unvoid_match(match, reason=reason)
    _tell_void(reply, f"match {match}", json=json)


def _tell_void(reply: EventActed | MatchActed, what: str, *, json: bool) -> None:
    if json:
        print_json(reply)
        return
    say(f"{reply.result}: {what} {'is void' if reply.voided else 'counts'}")
    _print_periods(reply.periods)


def _print_periods(periods: Sequence[ChangedPeriod]) -> None:
    print_table(
        ("board", "window", "period"),
        [(each.board, each.window, each.period) for each in periods],
    )


def _tell(reply: PlayerActed, *, json: bool) -> None:
    if json:
        print_json(reply)
        return
    states = ["hidden"] if reply.hidden else []
    if reply.banned:
        states.append("banned" if reply.until is None else f"banned until {reply.until}")
    if reply.into is not None:
        states.append(f"merged into {reply.into}")
    say(f"{reply.result}: player {reply.player_id} is {' and '.join(states) or 'shown'}")

"""``toprung quarantine``: events that broke a limit of their board."""

from collections.abc import Sequence
from typing import Annotated

import typer

from toprung.cli.options import DEFAULT_URL, BoardName, Json, Key, Reason, Url
from toprung.cli.output import print_json, print_table, printable, say
from toprung.cli.registry import command, new_app
from toprung.cli.remote import connect
from toprung.domain.limits import PAGE_ROWS
from toprung.wire.quarantine import HeldEvent, JudgedEvent

quarantine = new_app("Look at events that broke a limit, and say what becomes of them.")

EventIds = Annotated[list[str], typer.Argument(metavar="EVENT...", help="The events' ids.")]


@command(quarantine, "list")
def list_events(
    *,
    board: Annotated[
        str | None, typer.Option(help="Only events of this board.", show_default=False)
    ] = None,
    rejected: Annotated[
        bool, typer.Option("--rejected", help="Those that were rejected, not those that wait.")
    ] = False,
    limit: Annotated[
        int, typer.Option(min=PAGE_ROWS.minimum, max=PAGE_ROWS.maximum, help="How many events.")
    ] = 20,
    cursor: Annotated[
        str | None,
        typer.Option(help="Go on behind a page: its `next`, from --json.", show_default=False),
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """List events that wait in quarantine, the last that came first (admin key).

    Example:
      toprung quarantine list --board arena
    """
    with connect(url, key) as client:
        reply = client.quarantine(board, rejected=rejected, limit=limit, cursor=cursor)
    if json:
        print_json(reply)
        return
    print_table(
        ("board", "event", "player", "points", "received_at", "reason"), map(_row, reply.events)
    )
    if reply.next is not None:
        say(f"more with --cursor {reply.next}")


def _row(event: HeldEvent) -> Sequence[str]:
    points = event.points
    if isinstance(points, dict):
        points = " ".join(f"{name}={value}" for name, value in points.items())
    return (
        event.board,
        printable(event.event_id),
        printable(event.player_id),
        str(points),
        event.received_at,
        event.reason,
    )


@command(quarantine, "approve")
def approve(
    board: BoardName,
    events: EventIds,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have events in quarantine count, at their own time (admin key).

    Example:
      toprung quarantine approve arena match-1:ana --reason "a record: seen on video"
    """
    _judge(board, events, reason, url, key, json=json, is_approved=True)


@command(quarantine, "reject")
def reject(
    board: BoardName,
    events: EventIds,
    *,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Have events in quarantine never count (admin key).

    Example:
      toprung quarantine reject arena match-1:zed match-2:zed --reason "a bot"
    """
    _judge(board, events, reason, url, key, json=json, is_approved=False)


def _judge(
    board: str,
    events: Sequence[str],
    reason: str | None,
    url: str,
    key: str,
    *,
    json: bool,
    is_approved: bool,
) -> None:
    with connect(url, key) as client:
        asked = [(board, event_id) for event_id in events]
        reply = client.judge_events(asked, approve=is_approved, reason=reason)
    if json:
        print_json(reply)
    else:
        for result in reply.results:
            _tell(result)
    if any(result.result == "refused" for result in reply.results):
        raise typer.Exit(1)


def _tell(result: JudgedEvent) -> None:
    why = "" if result.message is None else f" ({result.message})"
    say(f"{result.result}: event {printable(result.event_id)}{why}")

"""``toprung audit``: who did what, and when."""

from typing import Annotated

import typer

from toprung.cli.options import DEFAULT_URL, Json, Key, Url
from toprung.cli.output import print_json, print_table, printable
from toprung.cli.remote import connect
from toprung.domain.limits import PAGE_ROWS
from toprung.wire.audit import AuditedAct


def audit(  # noqa: PLR0913 - one parameter for each option
    *,
    kind: Annotated[
        str | None, typer.Option(help="Only acts of this kind, such as ban.", show_default=False)
    ] = None,
    board: Annotated[
        str | None, typer.Option(help="Only acts on this board.", show_default=False)
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="Only acts on this player.", show_default=False)
    ] = None,
    actor: Annotated[
        str | None, typer.Option(help="Only acts of the key with this id.", show_default=False)
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", help="Only acts from then on.", show_default=False)
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="Only acts before then.", show_default=False)
    ] = None,
    limit: Annotated[
        int, typer.Option(min=PAGE_ROWS.minimum, max=PAGE_ROWS.maximum, help="How many acts.")
    ] = 20,
    cursor: Annotated[
        str | None,
        typer.Option(help="Go on behind a page: its `next`, from --json.", show_default=False),
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Tell who did what, the latest first (admin key).

    Examples:
      toprung audit --player ana
      toprung audit --kind ban --from 2026-11-01T00:00:00Z --json
    """
    with connect(url, key) as client:
        reply = client.audit(
            kind=kind,
            board=board,
            player_id=player,
            actor=actor,
            since=from_,
            until=to,
            limit=limit,
            cursor=cursor,
        )
    if json:
        print_json(reply)
        return
    print_table(
        ("at", "kind", "board", "player", "result", "actor", "reason"), map(_row, reply.acts)
    )


def _row(act: AuditedAct) -> tuple[str, ...]:
    result = act.result if act.code is None else f"{act.result}: {act.code}"
    told = (act.at, act.kind, act.board, act.player_id, result, act.actor, act.reason)
    return tuple("" if each is None else printable(each) for each in told)

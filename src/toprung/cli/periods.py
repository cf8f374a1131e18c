"""``toprung schedule`` and ``periods``: the periods of a board."""

from typing import TYPE_CHECKING, Annotated

import typer

from toprung.cli.options import DEFAULT_URL, BoardName, Full, Json, Key, Reason, Url, Window
from toprung.cli.output import print_json, print_table, say
from toprung.cli.remote import connect
from toprung.domain.limits import PERIOD_ROWS, SCHEDULE
from toprung.wire.periods import PeriodReply

if TYPE_CHECKING:
    from toprung.sdk._asking import View


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


def periods(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    period: Annotated[
        str | None,
        typer.Argument(
            metavar="[PERIOD]",
            help="A key, current, previous, or an instant: all versions of this period alone.",
        ),
    ] = None,
    *,
    window: Window = None,
    limit: Annotated[
        int, typer.Option(min=1, max=PERIOD_ROWS.maximum, help="How many periods.")
    ] = 20,
    before: Annotated[
        str | None, typer.Option(help="Only periods before this one.", show_default=False)
    ] = None,
    full: Full = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show the periods of a window, the latest first, with what their final standings came to.

    Examples:
      toprung periods ladder --window weekly
      toprung periods ladder previous --window daily
    """
    view: View | None = "full" if full else None
    with connect(url, key) as client:
        reply = (
            client.periods(board, window=window, limit=limit, before=before, view=view)
            if period is None
            else client.period(board, period, window=window, view=view)
        )
    if json:
        print_json(reply)
        return
    found = (reply,) if isinstance(reply, PeriodReply) else reply.periods
    print_table(
        ("period", "state", "start", "end", "closes at", "version", "players", "sha256"),
        [row for each in found for row in _rows(each, every=period is not None)],
    )


def publish(
    board: BoardName,
    period: Annotated[
        str, typer.Argument(metavar="[PERIOD]", help="A key, previous, or an instant.")
    ] = "previous",
    *,
    window: Window = None,
    reason: Reason = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show the public the first ranks of a period, before a board's publish_delay is over.

    Example:
      toprung boards publish ladder previous --window daily --reason "reviewed"
    """
    with connect(url, key) as client:
        reply = client.publish(board, period, window=window, reason=reason)
    if json:
        print_json(reply)
    elif reply.result == "changed":
        say(f"{reply.board} shows all ranks of {reply.window} {reply.period}")
    else:
        say(f"{reply.board} withheld nothing of {reply.window} {reply.period}")


def _rows(period: PeriodReply, *, every: bool) -> list[tuple[object, ...]]:
    """A row for each version of a period, or for the valid one alone."""
    told = (period.period, period.state, period.start, period.end, period.closes_at)
    versions = period.versions if every else period.versions[-1:]
    rows: list[tuple[object, ...]] = [
        (*told, each.version, each.count, each.sha256) for each in versions
    ]
    return rows or [(*told, None, None, None)]

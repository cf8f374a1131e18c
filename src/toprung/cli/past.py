"""``toprung history`` and ``toprung explain``: how a player's score and rank came about."""

from typing import Annotated

import typer

from toprung.cli.options import (
    DEFAULT_URL,
    BoardName,
    Full,
    Json,
    Key,
    NumberingChoice,
    PeriodKey,
    PlayerId,
    SegmentChoice,
    Url,
    Window,
)
from toprung.cli.output import print_json, print_table, printable, say
from toprung.cli.remote import connect
from toprung.cli.standings import view_of
from toprung.domain.limits import PAGE_ROWS
from toprung.wire.past import ExplainedEvent, ExplainReply


def history(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    player: PlayerId,
    *,
    from_: Annotated[
        str | None, typer.Option("--from", help="The first moment.", show_default=False)
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="The last moment (default: now).", show_default=False)
    ] = None,
    step: Annotated[
        str | None,
        typer.Option(help="From one moment to the next, as 90s, 10m, 1h, 7d.", show_default=False),
    ] = None,
    window: Window = None,
    period: PeriodKey = None,
    numbering: NumberingChoice = None,
    segment: SegmentChoice = None,
    full: Full = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show a player's score and rank over time.

    Example:
      toprung history high-scores ana --step 1h
    """
    with connect(url, key) as client:
        reply = client.history(
            board,
            player,
            from_=from_,
            to=to,
            step=step,
            **view_of(window, period, numbering, segment, full=full),
        )
    if json:
        print_json(reply)
        return
    print_table(
        ("at", "rank", "score", "total"),
        [(point.at, point.rank, point.score, point.total) for point in reply.points],
    )


def explain(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    player: PlayerId,
    *,
    limit: Annotated[
        int, typer.Option(min=1, max=PAGE_ROWS.maximum, help="How many events, the latest ones.")
    ] = 100,
    window: Window = None,
    period: PeriodKey = None,
    numbering: NumberingChoice = None,
    segment: SegmentChoice = None,
    full: Full = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show which events made a player's score and rank, and which did not.

    Example:
      toprung explain high-scores ana
    """
    with connect(url, key) as client:
        reply = client.explain(
            board,
            player,
            limit=limit,
            **view_of(window, period, numbering, segment, full=full),
        )
    if json:
        print_json(reply)
        return
    say(_in_words(reply))
    print_table(
        ("seq", "event", "at", "points", "outcome", "counts", "makes the score"),
        [
            (
                event.seq,
                event.event_id,
                event.at,
                _points(event),
                event.outcome or "refused",
                "yes" if event.counts else _why_not(event, reply.window),
                "yes" if event.decides else "",
            )
            for event in reply.events
        ],
    )
    if reply.more:
        say(f"and {reply.more} earlier ones; --limit shows more")


def _in_words(reply: ExplainReply) -> str:
    who = f"{printable(reply.player_id)!r} on {reply.board}, {reply.window} {reply.period.key}"
    if reply.rank is None:
        return f"{who}: no rank, {reply.counted} events count"
    return (
        f"{who}: rank {reply.rank} of {reply.total} with {reply.score}, reached at "
        f"{reply.reached_at}; {reply.above} are better, {reply.equal} more have the same; "
        f"{reply.counted} events count"
    )


def _points(event: ExplainedEvent) -> str:
    if isinstance(event.points, str):
        return event.points
    return " ".join(f"{name}={number}" for name, number in event.points.items())


def _why_not(event: ExplainedEvent, window: str) -> str:
    return "void" if event.void else "late" if window in event.late else "no"

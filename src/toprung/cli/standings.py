"""``toprung score``, ``top``, ``rank`` and ``around``."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toprung.cli.errors import Failed
from toprung.cli.options import (
    DEFAULT_URL,
    AsOf,
    BoardName,
    From,
    Full,
    Json,
    Key,
    Numbering,
    NumberingChoice,
    PeriodKey,
    PlayerId,
    SegmentChoice,
    Since,
    To,
    Url,
    Window,
)
from toprung.cli.output import percent, print_json, print_table, printable, say
from toprung.cli.remote import connect
from toprung.domain.limits import AROUND, PAGE_ROWS
from toprung.wire.boards import Board
from toprung.wire.reads import (
    FriendRow,
    FriendsPage,
    FriendsReply,
    Period,
    RankReply,
    Row,
    StandingsReply,
    Withheld,
)
from toprung.wire.scores import ScoreResult

if TYPE_CHECKING:
    from toprung.sdk import Points


def score(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    player: PlayerId,
    points: Annotated[
        list[str],
        typer.Argument(
            metavar="POINTS", help="A number, or NAME=NUMBER for each column of the board."
        ),
    ],
    *,
    at: Annotated[
        str | None, typer.Option(help="When it happened (default: now).", show_default=False)
    ] = None,
    event_id: Annotated[
        str | None,
        typer.Option(help="Makes it count once, however often it is sent.", show_default=False),
    ] = None,
    update_only: Annotated[
        bool,
        typer.Option("--update-only", help="Only for a player who is on the board already."),
    ] = False,
    segment: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:VALUE",
            help="In which segment it counts, on a board with segment_at: event; may be repeated.",
            show_default=False,
        ),
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Send one score event, and say what it did.

    Examples:
      toprung score high-scores ana 1200
      toprung score league reds points=3 goal_difference=2 goals=3 --event-id match-17-reds
      toprung score tour ana 3 --segment country:NO
    """
    with connect(url, key) as client:
        result = client.submit(
            board,
            player,
            parse_points(points),
            event_id=event_id,
            at=at,
            update_only=update_only,
            segments=_parse_segments(segment or ()),
        )
    if json:
        print_json(result)
    else:
        _print_result(result)


def parse_points(words: Sequence[str]) -> "Points":
    """One number, or numbers by column name; the server knows what is a number.

    Raises:
        typer.BadParameter: a mixture of both, several numbers, or one column twice.
    """
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    columns: dict[str, str] = {}
    for word in words:
        name, equals, number = word.partition("=")
        if not equals or name in columns:
            raise typer.BadParameter(
                f"{word!r}: give one number, or NAME=NUMBER once for each column",
                param_hint="POINTS",
            )
        columns[name] = number
    return columns


def _parse_segments(words: Sequence[str]) -> dict[str, str] | None:
    """Values of segments by name; ``None``: none is told."""
    found: dict[str, str] = {}
    for word in words:
        name, colon, value = word.partition(":")
        if not colon or name in found:
            raise typer.BadParameter(
                f"{word!r}: give NAME:VALUE, once for each segment", param_hint="--segment"
            )
        found[name] = value
    return found or None


def _print_result(result: ScoreResult) -> None:
    outcome = result.outcome if result.first is None else f"{result.outcome} (first {result.first})"
    say(f"{outcome}: event {printable(result.event_id or '')}")
    header = ("window", "period", "score", "before", "rank", "rank before")
    print_table(
        header,
        [
            (w.window, w.period, w.score, w.previous_score, w.rank, w.previous_rank)
            if not w.late
            else (w.window, w.period, "late", None, None, None)
            for w in result.windows
        ],
    )


def top(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    *,
    k: Annotated[
        int, typer.Option("-k", "--limit", min=1, max=PAGE_ROWS.maximum, help="How many players.")
    ] = 10,
    window: Window = None,
    period: PeriodKey = None,
    numbering: NumberingChoice = None,
    segment: SegmentChoice = None,
    full: Full = False,
    as_of: AsOf = None,
    from_: From = None,
    to: To = None,
    since: Since = None,
    fallback: Annotated[
        bool, typer.Option("--fallback", help="The period before, as long as this one is empty.")
    ] = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show the first players of a board.

    Examples:
      toprung top high-scores -k 3 --window weekly --period previous
      toprung top high-scores --as-of 2026-11-30T12:00:00Z
      toprung top high-scores --window weekly --since previous
      toprung top high-scores --segment country:NO
    """
    with connect(url, key) as client:
        reply = client.top(
            board,
            k=k,
            **view_of(window, period, numbering, segment, full=full),
            **_look_back(as_of, from_, to, since),
            fallback="previous" if fallback else None,
        )
        # Rows name their columns; an empty board has to be asked for them.
        empty = None if json or reply.rows else client.board(board)
    _print_standings(reply, json=json, empty=empty)


def rank(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    player: PlayerId,
    *,
    window: Window = None,
    period: PeriodKey = None,
    numbering: NumberingChoice = None,
    segment: SegmentChoice = None,
    full: Full = False,
    as_of: AsOf = None,
    from_: From = None,
    to: To = None,
    since: Since = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show one player's rank.

    Example:
      toprung rank high-scores ana
    """
    with connect(url, key) as client:
        reply = client.rank(
            board,
            player,
            **view_of(window, period, numbering, segment, full=full),
            **_look_back(as_of, from_, to, since),
        )
    if reply is None:
        raise _unranked(board, player)
    if json:
        print_json(reply)
    else:
        _print_rank(reply)


def around(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    player: PlayerId,
    *,
    n: Annotated[
        int | None,
        typer.Option(
            "-n",
            min=0,
            max=AROUND.maximum,
            help="Rows above and below (default: 5).",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=PAGE_ROWS.maximum,
            help="Rows in all, moved at an edge to stay on the board.",
            show_default=False,
        ),
    ] = None,
    window: Window = None,
    period: PeriodKey = None,
    numbering: NumberingChoice = None,
    segment: SegmentChoice = None,
    full: Full = False,
    as_of: AsOf = None,
    from_: From = None,
    to: To = None,
    since: Since = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show a player and the neighbours.

    Example:
      toprung around high-scores ana -n 2
    """
    if n is not None and size is not None:
        raise typer.BadParameter("say -n or --size, not both")
    with connect(url, key) as client:
        reply = client.around(
            board,
            player,
            n=n,
            size=size,
            **view_of(window, period, numbering, segment, full=full),
            **_look_back(as_of, from_, to, since),
        )
    if reply is None:
        raise _unranked(board, player)
    _print_standings(reply, json=json)


def friends(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="The players, in any order.")
    ],
    *,
    window: Window = None,
    period: PeriodKey = None,
    numbering: NumberingChoice = None,
    segment: SegmentChoice = None,
    full: Full = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show some players among each other, with their ranks on the board.

    Example:
      toprung friends high-scores ana bo cy
    """
    with connect(url, key) as client:
        reply = client.friends(
            board, players, **view_of(window, period, numbering, segment, full=full)
        )
    _print_friends(reply, json=json)


def friends_of(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    player: PlayerId,
    *,
    k: Annotated[int, typer.Option("-k", help="How many rows.")] = 100,
    window: Window = None,
    period: PeriodKey = None,
    segment: SegmentChoice = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show a player among the friends of the player's list, with their ranks on the board.

    Example:
      toprung players set-friends ana bo cy
      toprung friends-of high-scores ana
    """
    with connect(url, key) as client:
        reply = client.friends_of(board, player, k=k, window=window, period=period, segment=segment)
    if reply is None:
        raise no_friends(player)
    _print_friends(reply, json=json)


def _print_friends(reply: FriendsReply | FriendsPage, *, json: bool) -> None:
    if json:
        print_json(reply)
        return
    _caption(reply.board, reply.window, reply.period, reply.total, reply.segment)
    _say_withheld(reply.withheld)
    rows = reply.rows
    columns = list((rows[0].columns if rows else None) or ["score"])
    print_table(
        ("rank", "board rank", "player", "name", *columns, "reached_at"),
        [(r.rank, r.board_rank, r.player_id, r.name, *_numbers(r), r.reached_at) for r in rows],
    )


def no_friends(player: str) -> Failed:
    """What is said of a player without a list of friends."""
    return Failed(
        "no_friends",
        f"{printable(player)!r} has no list of friends",
        hint="toprung players set-friends sets one",
    )


def view_of(
    window: str | None,
    period: str | None,
    numbering: Numbering | None,
    segment: str | None = None,
    *,
    full: bool = False,
) -> dict[str, Any]:
    """What chooses the view of a read, as the client takes it."""
    return {
        "window": window,
        "period": period,
        "numbering": None if numbering is None else numbering.value,
        "segment": segment,
        "view": "full" if full else None,
    }


def _look_back(
    as_of: str | None, from_: str | None, to: str | None, since: str | None
) -> dict[str, Any]:
    return {"as_of": as_of, "from_": from_, "to": to, "since": since}


def _unranked(board: str, player: str) -> Failed:
    return Failed(
        "unranked_player",
        f"{printable(player)!r} has no rank on board {board!r} in this period",
        hint="--window and --period choose another one",
    )


def _print_standings(reply: StandingsReply, *, json: bool, empty: Board | None = None) -> None:
    if json:
        print_json(reply)
        return
    _caption(reply.board, reply.window, reply.period, reply.total, reply.segment)
    _say_withheld(reply.withheld)
    rows = reply.rows
    if empty is not None and len(empty.columns) > 1:
        columns = [column.name for column in empty.columns]
    else:
        columns = list((rows[0].columns if rows else None) or ["score"])
    compared = any(row.rank_delta is not None for row in rows)
    print_table(
        ("rank", *(("change",) if compared else ()), "player", "name", *columns, "reached_at"),
        [
            (
                r.rank,
                *((_change(r),) if compared else ()),
                r.player_id,
                r.name,
                *_numbers(r),
                r.reached_at,
            )
            for r in rows
        ],
    )


def _say_withheld(withheld: Withheld | None) -> None:
    """That rows are left out, which nobody would see else."""
    if withheld is not None:
        say(f"ranks 1 to {withheld.top} are withheld until {withheld.until}")


def _change(row: Row) -> str:
    """How the rank changed, with its sign; nothing for who was not on the board."""
    return "" if row.rank_delta is None else f"{row.rank_delta:+d}" if row.rank_delta else "0"


def _numbers(row: Row | FriendRow | RankReply) -> Sequence[str]:
    return (row.score,) if row.columns is None else list(row.columns.values())


def _print_rank(reply: RankReply) -> None:
    _caption(reply.board, reply.window, reply.period, reply.total, reply.segment)
    columns = list(reply.columns or ["score"])
    print_table(
        ("rank", "player", "name", *columns, "percentile", "top_percent", "total"),
        [
            (
                reply.rank,
                reply.player_id,
                reply.name,
                *_numbers(reply),
                percent(reply.percentile),
                percent(reply.top_percent),
                reply.total,
            )
        ],
    )


def _caption(board: str, window: str, period: Period, total: int, segment: str | None) -> None:
    """What a table shows, where a person looks at it."""
    if sys.stdout.isatty():
        where = window if window == period.key else f"{window} {period.key}"
        part = "" if segment is None else f" in {printable(segment)}"
        say(f"{board}, {where}: {total} players{part}")

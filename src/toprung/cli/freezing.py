"""``toprung boards unfreeze`` and ``toprung reveal``: what a freeze keeps from the public."""

from typing import Annotated

import typer

from toprung.cli.options import (
    DEFAULT_URL,
    BoardName,
    Json,
    Key,
    NumberingChoice,
    PeriodKey,
    Url,
    Window,
)
from toprung.cli.output import print_json, print_table, say
from toprung.cli.remote import connect
from toprung.domain.limits import PAGE_ROWS, REVEALED


def unfreeze(
    board: BoardName, *, url: Url = DEFAULT_URL, key: Key = "", json: Json = False
) -> None:
    """Show the public what a board's freeze keeps back.

    Example:
      toprung boards unfreeze finals
    """
    with connect(url, key) as client:
        reply = client.unfreeze(board)
    if json:
        print_json(reply)
    elif reply.result == "changed":
        say(f"{reply.board} shows everything, what came since {reply.freeze_at} too")
    else:
        say(f"{reply.board} was not frozen")


def reveal(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    *,
    limit: Annotated[
        int, typer.Option(min=1, max=PAGE_ROWS.maximum, help="How many steps.")
    ] = PAGE_ROWS.maximum,
    after: Annotated[
        int, typer.Option(min=0, max=REVEALED.maximum, help="How many steps are left out.")
    ] = 0,
    window: Window = None,
    period: PeriodKey = None,
    numbering: NumberingChoice = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show the steps from the frozen list to the full one, from the last place up.

    Example:
      toprung reveal finals --limit 10
    """
    with connect(url, key) as client:
        reply = client.reveal(
            board,
            limit=limit,
            after=after,
            window=window,
            period=period,
            numbering=None if numbering is None else numbering.value,
        )
    if json:
        print_json(reply)
        return
    print_table(
        ("step", "player", "name", "rank before", "score before", "rank", "score"),
        [
            (s.step, s.player_id, s.name, s.rank_before, s.score_before, s.rank, s.score)
            for s in reply.steps
        ],
    )
    if reply.next is not None:
        say(f"and {reply.total - reply.next} more; --after {reply.next} shows them")

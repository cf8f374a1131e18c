"""``toprung boards``: boards on a server, and boards as a file."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toprung.cli.errors import Failed
from toprung.cli.options import DEFAULT_URL, BoardName, Json, Key, Url
from toprung.cli.output import print_json, print_table, say
from toprung.cli.plan import SETTINGS, Step, make_plan, plan_lines, read_boards, show_setting
from toprung.cli.registry import command, new_app
from toprung.cli.remote import connect
from toprung.wire.boards import Board, BoardSettings, IfExists

if TYPE_CHECKING:
    from toprung.sdk import Client

app = new_app("Make, change and show boards.")

BoardsFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A TOML file with a table [boards.NAME] for each board."),
]
Prune = Annotated[bool, typer.Option("--prune", help="Drop boards that the file does not name.")]
Recompute = Annotated[
    bool,
    typer.Option("--recompute", help="Work boards out anew from the log where a change needs it."),
]
DIFFERENCES_STATUS = 2


@command(app, "list")
def list_(*, url: Url = DEFAULT_URL, key: Key = "", json: Json = False) -> None:
    """List the boards of the key's project.

    Example:
      toprung boards list
    """
    with connect(url, key) as client:
        reply = client.boards()
    if json:
        print_json(reply)
        return
    print_table(
        ("board", "mode", "columns", "windows", "title"),
        [(b.board, b.mode, show_setting(b.columns), _windows(b), b.title) for b in reply.boards],
    )


def _windows(board: Board) -> str:
    return ", ".join(each.window for each in board.windows)


@command(app, "show")
def show(board: BoardName, *, url: Url = DEFAULT_URL, key: Key = "", json: Json = False) -> None:
    """Show a board: its settings and the present period of each window.

    Example:
      toprung boards show high-scores
    """
    with connect(url, key) as client:
        reply = client.board(board)
    if json:
        print_json(reply)
        return
    settings = [name for name in SETTINGS if name != "windows"]
    print_table(
        ("setting", "value"), [(name, show_setting(getattr(reply, name))) for name in settings]
    )
    print_table(
        ("window", "period", "start", "end", "next_change"),
        [(w.window, w.period, w.start, w.end, w.next_change) for w in reply.windows],
    )


@command(app, "plan")
def plan(
    file: BoardsFile,
    *,
    prune: Prune = False,
    detailed_exitcode: Annotated[
        bool,
        typer.Option("--detailed-exitcode", help="Status 2 when there are differences, else 0."),
    ] = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Show how the boards of a file differ from those on the server. Changes nothing.

    Example:
      toprung boards plan boards.toml --detailed-exitcode
    """
    wanted = read_boards(file)
    with connect(url, key) as client:
        steps = make_plan(wanted, client.boards().boards, prune=prune)
    if json:
        print_json({"boards": steps})
    else:
        print("\n".join(plan_lines(steps, recompute=False) or ["no differences"]))
    if detailed_exitcode and _to_do(steps):
        raise typer.Exit(DIFFERENCES_STATUS)


@command(app, "apply")
def apply(
    file: BoardsFile,
    *,
    prune: Prune = False,
    recompute: Recompute = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
) -> None:
    """Make the boards of a file and change those that differ, after showing the plan.

    Mode, columns, zone and week_start of a board that has events change only with --recompute:
    the board is then worked out anew from the log, and readers see the old one until it is done.

    Example:
      toprung boards apply boards.toml --yes
    """
    wanted = read_boards(file)
    with connect(url, key) as client:
        steps = make_plan(wanted, client.boards().boards, prune=prune)
        if not json:
            print("\n".join(plan_lines(steps, recompute=recompute) or ["no differences"]))
        to_do = _to_do(steps)
        if to_do and not yes:
            _ask(to_do)
        failures = _apply_all(client, to_do, wanted, recompute=recompute)
    if json:
        print_json({"boards": steps, "failed": [board for board, _ in failures]})
    if failures:
        raise _failed(failures, len(to_do))
    if to_do and not json:
        say(_brought(len(to_do), len(to_do)))


def _to_do(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.action != "none"]


def _ask(steps: Sequence[Step]) -> None:
    if not sys.stdin.isatty():
        raise Failed("not_confirmed", "nothing was changed", hint="say --yes to apply the plan")
    drops = sum(step.action == "drop" for step in steps)
    warning = f" {drops} with everything on them are dropped." if drops else ""
    if not typer.confirm(f"Apply this to {len(steps)} boards?{warning}", err=True):
        raise Failed("not_confirmed", "nothing was changed")


def _apply_all(
    client: "Client",
    steps: Sequence[Step],
    wanted: dict[str, BoardSettings],
    *,
    recompute: bool,
) -> list[tuple[str, Exception]]:
    """Do the steps; one that fails keeps no other from being done."""
    from toprung.sdk import ToprungError  # noqa: PLC0415 - only commands that speak HTTP load it

    failures: list[tuple[str, Exception]] = []
    for step in steps:
        try:
            if step.action == "drop":
                client.drop_board(step.board)
                continue
            how: IfExists = "recompute" if recompute and step.fixed else "change"
            client.put_board(step.board, wanted[step.board], if_exists=how)
        except ToprungError as error:
            failures.append((step.board, error))
    return failures


def _brought(done: int, steps: int) -> str:
    return f"{done} of {steps} boards were brought up to date"


def _failed(failures: Sequence[tuple[str, Exception]], steps: int) -> Failed:
    board, error = failures[0]
    code, message = getattr(error, "code", "failed"), str(getattr(error, "message", error))
    named = f"board {board!r}"
    if not message.startswith(named):
        message = f"{named}: {message}"
    others = ", ".join(name for name, _ in failures[1:])
    also = f"; refused too: {others}" if others else ""
    hint = "--recompute works the board out anew from its log" if code == "settings_fixed" else None
    return Failed(
        code,
        f"{message}{also}; {_brought(steps - len(failures), steps)}",
        hint=hint or getattr(error, "hint", None),
    )

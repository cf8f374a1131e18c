"""All commands together, and how the process ends."""

import contextlib
import os
import sys
from typing import Annotated

import typer

from toprung import __version__
from toprung.cli.audit import audit
from toprung.cli.backup import backup, restore
from toprung.cli.boards import app as boards
from toprung.cli.demo.command import demo
from toprung.cli.errors import report
from toprung.cli.exporting.command import export
from toprung.cli.freezing import reveal, unfreeze
from toprung.cli.importing.command import import_
from toprung.cli.keys import app as keys
from toprung.cli.moderation import add_to as add_moderation
from toprung.cli.moderation import events, matches
from toprung.cli.past import explain, history
from toprung.cli.periods import periods, publish, schedule
from toprung.cli.players import app as players
from toprung.cli.quarantine import quarantine
from toprung.cli.querying.command import query
from toprung.cli.registry import command, new_app
from toprung.cli.repair import rebuild, verify
from toprung.cli.ruling.command import app as rules
from toprung.cli.seasons import app as seasons
from toprung.cli.serve import serve
from toprung.cli.standings import around, friends, friends_of, rank, score, top

app = new_app("Leaderboards that answer live and exactly.")
command(app, "serve")(serve)
command(app, "demo")(demo)
command(app, "score", negative=True)(score)
command(app, "top")(top)
command(app, "rank")(rank)
command(app, "around")(around)
command(app, "friends")(friends)
command(app, "friends-of")(friends_of)
command(app, "history")(history)
command(app, "explain")(explain)
command(app, "reveal")(reveal)
command(app, "audit")(audit)
command(app, "schedule")(schedule)
command(app, "periods")(periods)
command(app, "import")(import_)
command(app, "export")(export)
command(app, "query")(query)
command(app, "backup")(backup)
command(app, "restore")(restore)
command(app, "rebuild")(rebuild)
command(app, "verify")(verify)
command(boards, "unfreeze")(unfreeze)
command(boards, "publish")(publish)
app.add_typer(boards, name="boards")
app.add_typer(rules, name="rules")
app.add_typer(seasons, name="seasons")
add_moderation(players)
app.add_typer(players, name="players")
app.add_typer(quarantine, name="quarantine")
app.add_typer(events, name="events")
app.add_typer(matches, name="matches")
app.add_typer(keys, name="keys")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"toprung {__version__}, {_core()}")
        raise typer.Exit


def _core() -> str:
    """The compiled core in words; client commands run without it."""
    try:
        from toprung.app.native import describe_core  # noqa: PLC0415 - must not fail the rest
    except ImportError as error:
        return f"no native core ({error})"
    return describe_core()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line of this process."""
    if not all(map(_is_text, sys.argv)):
        print("Error: the command line is not UTF-8", file=sys.stderr)
        sys.exit(2)
    try:
        app()
    except BrokenPipeError:
        _quiet()
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the outermost place: every error becomes a line
        report(error)
    finally:
        _flush()


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _quiet()


def _quiet() -> None:
    """Who read our output has gone: what is left in the buffer must not fail at the exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""The command ``toprung demo``."""

import contextlib
import os
import shutil
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Annotated

import msgspec
import typer

from toprung.cli.demo.game import BOARDS
from toprung.cli.demo.home import Keys, demo_keys, open_home
from toprung.cli.errors import Failed, explain, server_extra
from toprung.cli.output import printable, say

HOST = "127.0.0.1"
JOIN_S = 10.0
"""How long the players may take to notice that the server has stopped."""


def demo(
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free one.")] = 8080,
    folder: Annotated[
        Path, typer.Option("--dir", help="Where its database and keys are kept.")
    ] = Path(".demo"),
    rate: Annotated[float, typer.Option(min=0.1, max=1000, help="Turns a second.")] = 8,
) -> None:
    """Start a server with a demo game that plays, and say what to try.

    Simulated players send scores to several boards through the SDK. Ctrl-C stops it; started
    again, it goes on with the same data.

    Example:
      toprung demo --port 8081
    """
    with server_extra():
        from toprung.app.server import serve  # noqa: PLC0415 - a server's part
        from toprung.app.settings import Settings  # noqa: PLC0415
    db = open_home(folder)
    keys = demo_keys(folder, db)
    reading, writing = os.pipe()
    settings = Settings(
        db=db,
        host=HOST,
        port=port,
        log_level="warning",
        ready_file=Path(f"/dev/fd/{writing}"),
        demo_key=keys.client,
        demo_boards=tuple(BOARDS),
    )
    stopping = Event()
    players = Thread(target=_play, args=(reading, keys, folder, rate, stopping), daemon=True)
    players.start()
    try:
        status = serve(settings)
    except Exception as error:
        raise _told(error, port, folder) from error
    finally:
        stopping.set()
        os.close(writing)
        players.join(JOIN_S)
    say(f"\nstopped; the data is in {folder}, start it again at any time")
    raise typer.Exit(status)


def _told(error: Exception, port: int, folder: Path) -> Exception:
    """The error in the demo's words: its user chose neither an address nor a database."""
    code = getattr(error, "code", None)
    if code == "address_unavailable":
        hint = f"choose another one: --port {port % 65535 + 1}"
        return Failed("port_taken", f"port {port} is in use", hint=hint)
    if code == "in_use":
        hint = "stop it, or give this one a folder of its own with --dir"
        return Failed("in_use", f"another demo runs in {folder}", hint=hint)
    return error


def _play(reading: int, keys: Keys, folder: Path, rate: float, stopping: Event) -> None:
    """Wait until the server listens, then play; in a thread beside the server."""
    with os.fdopen(reading, "rb") as ready:
        line = ready.readline()
    if not line:
        return
    url = msgspec.json.decode(line, type=dict[str, str])["url"]
    from toprung.cli.demo.playing import Playing  # noqa: PLC0415 - it loads the SDK
    from toprung.sdk import ToprungError  # noqa: PLC0415

    with contextlib.suppress(KeyboardInterrupt):
        try:
            playing = Playing(url, keys, rate, stopping)
            with contextlib.closing(playing):
                playing.prepare()
                print(what_to_try(url, keys, folder, command_name(Path(sys.argv[0]), Path.cwd())))
                sys.stdout.flush()
                playing.play(_show)
        except ToprungError as error:
            # When the server stops, its answers end a moment before its process says so.
            if not stopping.wait(JOIN_S):
                say("\nthe players stopped: " + "; ".join(explain(error) or []))


def _show(text: str) -> None:
    """One line that is written over and over, where a person looks at it."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r{printable(text)[:width]}\x1b[K")
        sys.stderr.flush()


def command_name(program: Path, here: Path) -> str:
    """How another terminal in this folder calls the program that runs."""
    program = here / program
    if program.is_relative_to(here):
        return str(program.relative_to(here))
    found = shutil.which("toprung")
    return "toprung" if found is not None and Path(found) == program else str(program)


def what_to_try(url: str, keys: Keys, folder: Path, toprung: str) -> str:
    """What the demo prints: pages, keys, and commands to paste."""
    return f"""\
The demo plays at {url}/ (boards) and {url}/docs (API). Ctrl-C stops it.

Try in another terminal:

  export TOPRUNG_URL={url} TOPRUNG_KEY={keys.server}
  {toprung} boards list
  {toprung} top high-scores -k 5
  {toprung} score high-scores you 12000
  {toprung} around high-scores you -n 2
  {toprung} top league --window all
  curl -sS -H "Authorization: Bearer $TOPRUNG_KEY" "$TOPRUNG_URL/v1/boards/speedrun/top?k=3"; echo
  curl -sS -H "Authorization: Bearer $TOPRUNG_KEY" -H "Content-Type: application/json" \\
    -d '{{"event_id": "mine-1", "board": "wins", "player_id": "you", "points": 1}}' \\
    "$TOPRUNG_URL/v1/scores"; echo

This key reads and writes scores; a client key (reads) and an admin key are in {folder}/keys.json.
"""

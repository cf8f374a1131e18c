"""``toprung backup`` and ``toprung restore``: copies of a server's database file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toprung.cli.errors import server_extra
from toprung.cli.options import DEFAULT_DB, Db, Json
from toprung.cli.output import print_json, say
from toprung.cli.progress import show_progress

if TYPE_CHECKING:
    from toprung.app.backup import Copied


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup; there is none yet.")],
    *,
    db: Db = DEFAULT_DB,
    json: Json = False,
) -> None:
    """Write a backup of the database file, while the server runs or not.

    Everything that was acknowledged before is in it, and what comes meanwhile does not wait.
    FILE is there only when it is complete and on the disk.

    Example:
      toprung backup toprung-2026-11-30.db --db toprung.db
    """
    with server_extra():
        from toprung.app.backup import back_up  # noqa: PLC0415 - a server's part
    with show_progress(None, quiet=json, size=True) as show:
        made = back_up(db, file, lambda done, total: show(done, "copying", total))
    _tell(made, file, json=json)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")],
    *,
    db: Annotated[Path, typer.Option("--db", help="The database file to make; there is none yet.")],
    verify: Annotated[
        bool, typer.Option(help="Replay the log and compare; takes memory for each event.")
    ] = True,
    json: Json = False,
) -> None:
    """Make a database file from a backup, and prove it sound before it is there.

    Each page is checked, and the log is replayed as toprung verify does. Nothing is replaced.

    Example:
      toprung restore toprung-2026-11-30.db --db toprung.db
    """
    with server_extra():
        from toprung.app.backup import restore as restored  # noqa: PLC0415 - a server's part
    with show_progress(None, quiet=json) as show:
        made = restored(
            file,
            db,
            lambda done, total: show(done >> 20, "copying MiB", total >> 20),
            (lambda done, total: show(done, "verifying records", total)) if verify else None,
        )
    _tell(made, db, json=json)


def _tell(made: "Copied", file: Path, *, json: bool) -> None:
    if json:
        print_json({"file": str(file), "seq": str(made.seq), "bytes": made.size})
    else:
        say(f"{file} has everything up to record {made.seq} ({made.size:,} bytes)")

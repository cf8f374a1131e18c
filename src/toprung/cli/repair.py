"""``toprung rebuild`` and ``toprung verify``: the log against what is made from it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toprung.cli.errors import Failed, server_extra
from toprung.cli.options import DEFAULT_DB, Db, Json, Key
from toprung.cli.output import print_json, printable, say
from toprung.cli.progress import Show, show_progress
from toprung.cli.remote import connect_patiently

if TYPE_CHECKING:
    from toprung.sdk import Client, RebuildReply

DIFFERENCES_SHOWN = 100
LOOK_S = 0.2
"""How often a server is asked how far it is."""


def rebuild(
    *,
    db: Db = DEFAULT_DB,
    url: Annotated[
        str | None,
        typer.Option(
            help="The address of a running server, which does it beside its work; "
            "--db is not read then.",
            show_default=False,
        ),
    ] = None,
    key: Key = "",
    json: Json = False,
) -> None:
    """Make everything that is derived anew from the log.

    On a file that no server uses, or with --url by a running server (admin key): reads and writes
    go on there, and in the end writes wait for a moment. An interrupted rebuild changes nothing;
    one that a server runs goes on when this command is interrupted.

    Example:
      toprung rebuild --db toprung.db
      toprung rebuild --url http://127.0.0.1:8080 --key tr_admin_...
    """
    if url is None:
        _rebuild_file(db, json)
    else:
        _rebuild_beside(url, key, json)


def _rebuild_file(db: Path, json: bool) -> None:
    with server_extra():
        from toprung.app import offline  # noqa: PLC0415 - a server's part
    with show_progress(None, quiet=json) as show:
        rows = offline.rebuild(db, lambda done, total: show(done, "replaying", total))
    if json:
        print_json({"rows": rows})
    else:
        say(f"{db} is made anew from {rows} log rows")


def _rebuild_beside(url: str, key: str, json: bool) -> None:
    with connect_patiently(url, key) as client, show_progress(None, quiet=json) as show:
        reply = _watch(client, client.start_rebuild(), show)
    if reply.error is not None:
        raise Failed(reply.error.code, reply.error.message, hint=reply.error.hint)
    if reply.state != "done":
        raise Failed("stopped", "the server was stopped meanwhile, and gave the rebuild up")
    if json:
        print_json(reply)
    else:
        say(f"{url} made all anew from {reply.seq} log rows in {reply.seconds:.1f} s")


def _watch(client: "Client", reply: "RebuildReply", show: Show) -> "RebuildReply":
    """How it ended."""
    while reply.state == "running":
        show(reply.done, reply.stage, reply.total)
        time.sleep(LOOK_S)
        reply = client.rebuild_status()
    return reply


def verify(*, db: Db = DEFAULT_DB, json: Json = False) -> None:
    """Check that log, store and view agree; status 1 and the differences if they do not.

    May run beside a server: it reads the file as it is at one moment.

    Example:
      toprung verify --db toprung.db
    """
    with server_extra():
        from toprung.app import offline  # noqa: PLC0415 - a server's part
    found: list[dict[str, str]] = []
    count = 0
    total = offline.log_rows(db)
    with show_progress(total, quiet=json) as show:
        for difference in offline.check(db, lambda done: show(done, "replaying")):
            count += 1
            if len(found) < DIFFERENCES_SHOWN:
                found.append(difference._asdict())
    if json:
        print_json({"rows": total, "differences": count, "shown": found})
    else:
        _tell(found, count, total)
    if count:
        raise typer.Exit(1)


def _tell(found: list[dict[str, str]], count: int, total: int) -> None:
    if not count:
        say(f"log, store and view agree ({total} log rows)")
        return
    for difference in found:
        print(printable("{where}: {what}: expected {expected}, found {found}".format(**difference)))
    if count > len(found):
        print(f"... and {count - len(found)} more")
    say("toprung rebuild makes store and view anew from the log")

"""``toprung rebuild`` and ``toprung verify``: the log against what is made from it."""

import typer

from toprung.cli.errors import server_extra
from toprung.cli.options import DEFAULT_DB, Db, Json
from toprung.cli.output import print_json, printable, say
from toprung.cli.progress import show_progress

DIFFERENCES_SHOWN = 100


def rebuild(*, db: Db = DEFAULT_DB, json: Json = False) -> None:
    """Make everything that is derived anew from the log.

    Not while a server runs on the file. An interrupted rebuild changes nothing.

    Example:
      toprung rebuild --db toprung.db
    """
    with server_extra():
        from toprung.app import offline  # noqa: PLC0415 - a server's part
    with show_progress(None, quiet=json) as show:
        rows = offline.rebuild(db, lambda done, total: show(done, "replaying", total))
    if json:
        print_json({"rows": rows})
    else:
        say(f"{db} is made anew from {rows} log rows")


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

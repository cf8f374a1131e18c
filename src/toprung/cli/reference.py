"""The reference of all commands, made from their help.

``python -m toprung.cli.reference`` prints the first page, with the name of another one that page.
"""

import sys
from collections.abc import Iterator
from typing import Any

import typer.main

from toprung.cli.main import app

WIDTH = 100
HEAD = """\
# The command line

Made from the help of the commands by `scripts/docs-cli`; do not edit.

Client commands speak to a server: `--url` and `--key`, or `TOPRUNG_URL` and `TOPRUNG_KEY`.
[Others](cli-server.md) work on its database file and need the extra `server`:
`pip install 'toprung[server]'` once the package is on an index, from a clone
`pip install '.[server]'`. Those that [make boards, seasons and rules](cli-boards.md), are about
[players, events and matches](cli-players.md) or [bring data in and out](cli-data.md) have pages of
their own. Every reading command prints a table
on a terminal, tab-separated lines into a pipe, and JSON with `--json`.

An error is a line `error: CODE: MESSAGE` on standard error, perhaps with a line `hint: ...`.

| status | meaning |
|---|---|
| 0 | done; `import` also when rows were refused, unless `--strict` |
| 1 | it failed, `verify` found a difference, or `rules test` an event that is refused |
| 2 | the command line is wrong; `plan --detailed-exitcode`: there are differences |
| 130 | interrupted with Ctrl-C |
"""
SERVER_HEAD = """\
# Commands that work on a server's file

Made from the help of the commands by `scripts/docs-cli`; do not edit. [The others](cli.md) speak to
a server.
"""
BOARDS_HEAD = """\
# Commands for boards, their periods, and rules

Made from the help of the commands by `scripts/docs-cli`; do not edit. [All the others](cli.md).
"""
DATA_HEAD = """\
# Commands that bring data in and out

Made from the help of the commands by `scripts/docs-cli`; do not edit. [All the others](cli.md).
"""
PLAYERS_HEAD = """\
# Commands for players, events and matches

Made from the help of the commands by `scripts/docs-cli`; do not edit. [All the others](cli.md).
"""
FIRST = "cli"
_OTHERS = {
    "cli-server": (
        SERVER_HEAD,
        ("serve", "demo", "keys", "backup", "restore", "rebuild", "verify"),
    ),
    "cli-boards": (BOARDS_HEAD, ("boards", "seasons", "schedule", "periods", "rules")),
    "cli-players": (PLAYERS_HEAD, ("players", "events", "matches")),
    "cli-data": (DATA_HEAD, ("import", "export", "query")),
}
PAGES = (FIRST, *_OTHERS)
"""Pages by the name of their file: one page of all would be too long to find something on."""


def reference(page: str = FIRST) -> str:
    """The whole page."""
    elsewhere = {name for _, names in _OTHERS.values() for name in names}
    head, chosen = _OTHERS.get(page, (HEAD, None))
    root = typer.main.get_command(app)
    context = _context(root, "toprung", None)
    sections = [_section("toprung", root, context)] if chosen is None else []
    for name, command in root.commands.items():  # type: ignore[attr-defined]  # it is a group
        if name in chosen if chosen is not None else name not in elsewhere:
            sections += _sections(command, f"toprung {name}", context)
    return "\n".join([head, *sections])


def _sections(command: Any, name: str, parent: Any) -> Iterator[str]:
    context = _context(command, name, parent)
    children = getattr(command, "commands", {})
    if not children:  # what a group says is said again by its commands
        yield _section(name, command, context)
    for child, sub in children.items():
        yield from _sections(sub, f"{name} {child}", context)


def _context(command: Any, name: str, parent: Any) -> Any:
    return command.make_context(
        name.rpartition(" ")[2], [], parent=parent, resilient_parsing=True, terminal_width=WIDTH
    )


def _section(name: str, command: Any, context: Any) -> str:
    with context:
        return f"## {name}\n\n```text\n{command.get_help(context).strip()}\n```\n"


if __name__ == "__main__":
    print(reference(*sys.argv[1:]), end="")

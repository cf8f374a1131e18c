"""The reference of all commands, made from their help: ``python -m toprung.cli.reference``."""

from collections.abc import Iterator
from typing import Any

import typer.main

from toprung.cli.main import app

WIDTH = 100
HEAD = """\
# The command line

Made from the help of the commands by `scripts/docs-cli`; do not edit.

Client commands speak to a server: `--url` and `--key`, or `TOPRUNG_URL` and `TOPRUNG_KEY`.
`serve`, `demo`, `keys`, `rebuild` without `--url`, and `verify` work on its database file and need
the extra `server`: `pip install 'toprung[server]'` once the package is on an index, from a clone
`pip install '.[server]'`. Every reading command prints a table on a terminal, tab-separated lines
into a pipe, and JSON with `--json`.

An error is a line `error: CODE: MESSAGE` on standard error, perhaps with a line `hint: ...`.

| status | meaning |
|---|---|
| 0 | done; `import` also when rows were refused, unless `--strict` |
| 1 | it failed, or `verify` found a difference |
| 2 | the command line is wrong; `boards plan --detailed-exitcode`: there are differences |
| 130 | interrupted with Ctrl-C |
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_sections(typer.main.get_command(app), "toprung", None)])


def _sections(command: Any, name: str, parent: Any) -> Iterator[str]:
    context = command.make_context(
        name.rpartition(" ")[2], [], parent=parent, resilient_parsing=True, terminal_width=WIDTH
    )
    children = getattr(command, "commands", {})
    with context:
        if parent is None or not children:  # what a group says is said again by its commands
            yield f"## {name}\n\n```text\n{command.get_help(context).strip()}\n```\n"
        for child, sub in children.items():
            yield from _sections(sub, f"{name} {child}", context)


if __name__ == "__main__":
    print(reference(), end="")

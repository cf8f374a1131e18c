"""The ``toprung`` command of this installation, run as its user runs it."""

import subprocess
import sys
from pathlib import Path

COMMAND = Path(sys.executable).with_name("toprung")


class CommandFailed(Exception):
    """A command ended with an error; carries what it said."""


def toprung(*arguments: str) -> str:
    """Run ``toprung`` to its end and return what it printed.

    Raises:
        CommandFailed: it is not there, or ended with another status than 0.
    """
    return run([str(COMMAND), *arguments])


def run(command: list[str]) -> str:
    """Run any command to its end and return what it printed.

    Raises:
        CommandFailed: it is not there, or ended with another status than 0.
    """
    try:
        done = subprocess.run(  # noqa: S603 - the caller names what it runs
            command, capture_output=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise CommandFailed(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip())[-2000:]
        raise CommandFailed(f"{_shown(command)} ended with {done.returncode}: {said}")
    return done.stdout


def _shown(command: list[str]) -> str:
    """The command for an error message, without the key it may carry."""
    shown = list(command)
    for place, word in enumerate(shown[:-1]):
        if word == "--key":
            shown[place + 1] = "..."
    return " ".join(shown)

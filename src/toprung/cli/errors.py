"""How a command fails: one or two lines on stderr, never a traceback."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

_HINTS = {
    "unreachable": "is the server running? toprung serve starts one, --url says where it is",
    "no_reply": "is the server running? --url says where it is",
    "bad_reply": "is this the address of a toprung server? --url says where it is",
    "unauthorized": "give a key with --key or TOPRUNG_KEY; toprung keys create makes one",
    "forbidden": "this needs a key of another role; toprung keys create makes one",
    "unknown_board": "toprung boards list shows the boards of this key's project",
}


class Failed(Exception):
    """A command cannot do what it was asked to."""

    def __init__(self, code: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


@contextmanager
def server_extra() -> Iterator[None]:
    """Around the imports of what only a server needs.

    Raises:
        Failed: ``no_server``, this installation has only the client commands.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "toprung":
            raise
        raise Failed(
            "no_server",
            f"this command needs the server's packages ({error.name} is missing)",
            hint="pip install 'toprung[server]'",
        ) from error


def explain(error: Exception) -> list[str] | None:
    """What to print for ``error``; ``None`` for a bug of ours.

    The errors of SDK, domain and commands all carry ``code``, ``message`` and perhaps ``hint``;
    they are not named here, so that a command loads only what it needs.
    """
    code, message = getattr(error, "code", None), getattr(error, "message", None)
    if isinstance(code, str) and isinstance(message, str):
        hint = getattr(error, "hint", None) or _HINTS.get(code)
        return [f"error: {code}: {message}", *([f"hint: {hint}"] if hint else [])]
    if isinstance(error, OSError) and error.strerror is not None:
        where = f"{error.filename}: " if error.filename else ""
        return [f"error: file: {where}{error.strerror}"]
    return None


def report(error: Exception) -> NoReturn:
    """Print what went wrong and end the process with status 1."""
    lines = explain(error)
    if lines is None:
        if os.environ.get("TOPRUNG_DEBUG"):
            raise error
        lines = [
            f"error: internal: {type(error).__name__}: {error}",
            "hint: this is a bug of toprung; TOPRUNG_DEBUG=1 shows where, please report it",
        ]
    print("\n".join(lines), file=sys.stderr)
    sys.exit(1)

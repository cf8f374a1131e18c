"""The command line as a person's shell sees it: status, output and errors, whatever they are."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from toprung.testing.command import COMMAND


@dataclass(frozen=True)
class Ended:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.out)

    @property
    def code(self) -> str:
        """The code of its error; empty where it did not end with one."""
        first = self.err.partition("\n")[0]
        return first.split(": ")[1] if first.startswith("error: ") else ""


@dataclass(frozen=True)
class Cli:
    """Runs ``toprung`` with an environment of its own: nothing of the tester's is in it."""

    environment: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Ended:
        with self.start(*arguments) as process:
            out, err = process.communicate(stdin)
        return Ended(process.returncode, out.decode(), err.decode())

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """Starts a command; the caller ends it."""
        tester = os.environ  # noqa: TID251 - a command needs its user's PATH and locale
        kept = {name: value for name, value in tester.items() if name[:8] != "TOPRUNG_"}
        return subprocess.Popen(  # noqa: S603 - the command of this installation
            [str(COMMAND), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**kept, **self.environment},
        )

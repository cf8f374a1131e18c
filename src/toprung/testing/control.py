"""Hands on the product under test: its clock, its keys, its process."""

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from toprung.testing.api import Api
from toprung.testing.command import run
from toprung.testing.prepared import PreparedDatabase
from toprung.testing.server import Server, create_key


class Control(Protocol):
    """What no API call can do, or only one that production refuses."""

    @property
    def url(self) -> str:
        """Where the product listens now; may change when it is started again."""
        ...

    def key(self, project: str, role: str) -> str:
        """Make a key of ``project``."""
        ...

    def clock(self, instant: str) -> None:
        """Set the product's clock. It never goes back."""
        ...

    def restart(self) -> None:
        """Stop the product and start it again on its data."""
        ...

    def crash(self) -> None:
        """Kill the product without warning and start it again on its data."""
        ...

    def rebuild(self) -> None:
        """Have everything that is derived made anew from the log."""
        ...


def instant_text(instant: datetime) -> str:
    """An instant as RFC 3339 in UTC."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


class LocalControl:
    """A server of this installation, started here on a copy of a prepared database."""

    def __init__(self, prepared: PreparedDatabase, folder: Path, clock: str) -> None:
        self._prepared = prepared
        self._server = Server(prepared.copy(folder / "toprung.db"), test_clock=clock)
        self._now = clock
        self._server.start()

    @property
    def url(self) -> str:
        return self._server.url

    def key(self, project: str, role: str) -> str:
        if project != self._prepared.project:
            return create_key(self._server.database, project, role)
        return self._prepared.keys[role]

    def clock(self, instant: str) -> None:
        self._now = instant
        self._post("/_control/clock", {"at": instant})

    def restart(self) -> None:
        self._server.stop()
        self._server.start(test_clock=self._now)

    def crash(self) -> None:
        self._server.kill()
        self._server.start(test_clock=self._now)

    def rebuild(self) -> None:
        self._post("/_control/rebuild", {})

    def close(self) -> None:
        self._server.stop()

    def _post(self, path: str, body: dict[str, str]) -> None:
        with Api(lambda: self.url, key=None) as api:
            api.send("POST", path, body)


class CommandControl:
    """A server elsewhere, handled by a command of its keeper."""

    def __init__(self, url: str, command: str) -> None:
        self._url = url.rstrip("/")
        self._command = shlex.split(command)

    @property
    def url(self) -> str:
        return self._url

    def key(self, project: str, role: str) -> str:
        return self._run("key", project, role).strip()

    def clock(self, instant: str) -> None:
        self._run("clock", instant)

    def restart(self) -> None:
        self._run("restart")

    def crash(self) -> None:
        self._run("crash")

    def rebuild(self) -> None:
        self._run("rebuild")

    def _run(self, *arguments: str) -> str:
        return run([*self._command, *arguments])

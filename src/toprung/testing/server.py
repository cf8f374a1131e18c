"""A real server of this installation as a process of its own, for tests and trials.

Nothing here waits for time to pass: the server says through a pipe when it is ready, and the
same pipe ends when it dies before that.
"""

import os
import select
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from toprung.testing.command import COMMAND, toprung

READY_S_MAX = 60.0
"""How long a server may take to be ready, on a machine that is busy with other tests."""
STOP_S_MAX = 60.0
"""How long it may take to answer what it has and go."""
ROLES = ("admin", "server", "client")


class ServerFailed(Exception):
    """The server did not start, or did not stop; carries the end of what it said."""


class Server:
    """``toprung serve`` on one database file; may be stopped, killed and started again.

    ``arguments`` are handed to ``toprung serve`` as they are. What the server says is written
    beside the database, into a file that ends in ``.log``.
    """

    def __init__(self, database: Path, *arguments: str, test_clock: str | None = None) -> None:
        self.database = database
        self._arguments = arguments
        self._test_clock = test_clock
        self._log = database.with_name(database.name + ".log")
        self._process: subprocess.Popen[bytes] | None = None
        self._url: str | None = None

    @property
    def url(self) -> str:
        """Where it listens; another address after each start."""
        if self._url is None:
            raise ServerFailed("the server is not running")
        return self._url

    @property
    def pid(self) -> int:
        if self._process is None:
            raise ServerFailed("the server is not running")
        return self._process.pid

    def start(self, *, test_clock: str | None = None) -> None:
        """Starts it and returns when it is ready. ``test_clock`` replaces the first one."""
        self._test_clock = test_clock or self._test_clock
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb", buffering=0) as ready:
            try:
                self._process = self._begin(writing)
            finally:
                # Only the server may hold the writing end, so that its death ends the pipe.
                os.close(writing)
            self._url = self._address(ready.fileno())

    def stop(self) -> None:
        """Lets it finish what it has begun. Stopping twice is fine."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it without warning, as a power cut would. Killing twice is fine."""
        self._end(signal.SIGKILL)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _begin(self, ready: int) -> subprocess.Popen[bytes]:
        clock = ["--test-clock", self._test_clock] if self._test_clock else []
        place = ["--db", str(self.database), "--host", "127.0.0.1", "--port", "0"]
        command = [str(COMMAND), "serve", *place, "--ready-file", f"/dev/fd/{ready}"]
        with self._log.open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - the command of this installation
                [*command, *clock, *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=_environment(),
                pass_fds=(ready,),
            )

    def _address(self, ready: int) -> str:
        line = _line(ready, READY_S_MAX)
        if not line.endswith(b"\n"):
            self.kill()
            raise ServerFailed(f"the server was not ready: {self._said()}")
        address: str = msgspec.json.decode(line, type=dict[str, str])["url"]
        return address

    def _end(self, how: signal.Signals) -> None:
        process, self._process, self._url = self._process, None, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise ServerFailed(f"the server did not stop: {self._said()}") from None

    def _said(self) -> str:
        return self._log.read_text("utf-8", "replace")[-4000:].strip()


def _environment() -> dict[str, str]:
    """This process's environment without settings of toprung: what counts is what was given."""
    inherited = os.environ  # noqa: TID251 - handed on, not read
    return {name: value for name, value in inherited.items() if not name.startswith("TOPRUNG_")}


def _line(reading: int, seconds: float) -> bytes:
    """What comes through a pipe up to its first line's end; less when it ends or nothing comes."""
    line = b""
    while not line.endswith(b"\n"):
        readable, _, _ = select.select([reading], [], [], seconds)
        part = os.read(reading, 4096) if readable else b""
        if not part:
            break
        line += part
    return line


@dataclass(frozen=True)
class RunningServer:
    """A server that runs, with a key for each role of one project."""

    server: Server
    keys: Mapping[str, str]
    """By role: ``admin``, ``server``, ``client``."""

    @property
    def url(self) -> str:
        return self.server.url

    def restart(self) -> None:
        """Stops it and starts it again on its data; the address is another one then."""
        self.server.stop()
        self.server.start()

    def stop(self) -> None:
        self.server.stop()

    def kill(self) -> None:
        self.server.kill()


def create_key(database: Path, project: str, role: str) -> str:
    """Makes a key, through the command a user would take."""
    place = ["--db", str(database), "--project", project, "--role", role]
    key: str = msgspec.json.decode(toprung("keys", "create", *place, "--json"))["key"]
    return key


def start_server(
    folder: Path, *arguments: str, project: str = "game", test_clock: str | None = None
) -> RunningServer:
    """Starts a server on a new database in ``folder``; the caller stops it."""
    server = Server(folder / "toprung.db", *arguments, test_clock=test_clock)
    server.start()
    try:
        keys = {role: create_key(server.database, project, role) for role in ROLES}
    except BaseException:
        server.kill()
        raise
    return RunningServer(server, keys)


@contextmanager
def running_server(
    folder: Path, *arguments: str, project: str = "game", test_clock: str | None = None
) -> Iterator[RunningServer]:
    """``start_server`` that stops the server at the end."""
    running = start_server(folder, *arguments, project=project, test_clock=test_clock)
    try:
        yield running
    finally:
        running.stop()

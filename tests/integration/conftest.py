"""What the tests share: a real server with its clients, and one without its socket.

The second is the engine on a file, with the API called as a server calls it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import msgspec
import pytest

from toprung.api import Application
from toprung.app.clock import ControlledClock
from toprung.app.core import Core
from toprung.app.engine import Engine
from toprung.app.metrics import WriterMetrics
from toprung.app.offline import create_key
from toprung.app.server import services_of
from toprung.app.settings import Settings
from toprung.domain.access import Role
from toprung.domain.instants import parse_instant
from toprung.sdk import Client
from toprung.testing.cli import Cli
from toprung.testing.server import RunningServer, running_server

START = parse_instant("2026-05-04T12:00:00Z", "start")


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def cli(server) -> Cli:
    return Cli({"TOPRUNG_URL": server.url, "TOPRUNG_KEY": server.keys["admin"]})


@pytest.fixture(scope="module")
def names() -> Iterator[str]:
    return (f"board-{number}" for number in count())


@pytest.fixture
def client(server) -> Iterator[Client]:
    with Client(server.url, server.keys["admin"]) as client:
        yield client


class Answer(NamedTuple):
    """A reply of the API."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def code(self) -> str:
        return self.body["error"]["code"]


class SteppedClock(ControlledClock):
    """A controlled clock whose measured time is moved by hand, too."""

    seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds


class Door:
    """The API on an engine of its own; ``project`` has a key for each role."""

    def __init__(self, path: Path, **settings: Any) -> None:
        self.settings = Settings(db=path, **settings)
        self.clock = SteppedClock(START)
        self.broken: list[BaseException] = []
        stats = WriterMetrics()
        self.engine = Engine(path, self.clock, stats, self.broken.append, self.settings.view)
        self.engine.start()
        self.faults: list[BaseException] = []
        self.services = replace(
            services_of(self.settings, self.engine, stats),
            log=lambda message, error: self.faults.append(error),
        )
        self.application = Application(self.services)
        self.keys = {role: self.key(role) for role in Role}

    def key(self, role: str, project: str = "game") -> str:
        return create_key(self.settings.db, project, Role(role)).text

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        role: str | None = "admin",
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request. A body of bytes travels as it is, everything else as JSON."""
        raw_path, _, query = path.encode().partition(b"?")
        sent = {"content-type": "application/json"} | dict(headers or {})
        if key or role:
            sent["authorization"] = f"Bearer {key or self.keys[Role(role)]}"
        content = body if isinstance(body, bytes) else msgspec.json.encode(body)
        scope = {
            "type": "http",
            "method": method,
            "raw_path": raw_path,
            "query_string": query,
            "headers": [(name.encode(), text.encode("latin-1")) for name, text in sent.items()],
        }
        messages = []

        async def receive() -> Any:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Any) -> None:
            messages.append(message)

        await self.application(scope, receive, send)
        start, end = messages
        told = {name.decode(): value.decode() for name, value in start["headers"]}
        is_json = told["content-type"] == "application/json"
        return Answer(
            start["status"], msgspec.json.decode(end["body"]) if is_json else end["body"], told
        )

    async def make_board(self, name: str = "b", **settings: Any) -> None:
        """Make a board that takes events of any time."""
        body = {"grace": "none", "max_ahead": "none"} | settings
        assert (await self.ask("PUT", f"/v1/boards/{name}", body)).status == 201

    async def score(
        self, player: str, points: Any, event: str, board: str = "b", **more: Any
    ) -> Answer:
        """Send one event."""
        event_in = {
            "board": board,
            "player_id": player,
            "points": points,
            "event_id": event,
            **more,
        }
        return await self.ask("POST", "/v1/scores", event_in, role="server")

    @contextmanager
    def held_rebuild(self) -> Iterator[None]:
        """A rebuild that begins inside does not get far before the end."""
        go_on, rebuilding = Event(), self.engine.rebuilding
        serving = rebuilding._serving

        def make_core() -> Core:
            go_on.wait()
            return serving.make_core()

        rebuilding._serving = serving._replace(make_core=make_core)
        try:
            yield
        finally:
            go_on.set()
            rebuilding._serving = serving

    def close(self) -> None:
        self.engine.stop()


@pytest.fixture
def open_door(tmp_path: Path) -> Iterator[Callable[..., Door]]:
    """Makes doors with settings of a test's own."""
    doors: list[Door] = []

    def make(db: Path | None = None, **settings: Any) -> Door:
        doors.append(Door(db or tmp_path / f"door{len(doors)}.db", **settings))
        return doors[-1]

    yield make
    for door in doors:
        door.close()


@pytest.fixture
def door(open_door: Callable[..., Door]) -> Door:
    """A door with the usual settings."""
    return open_door()


@pytest.fixture
def two_doors(open_door: Callable[..., Door]) -> tuple[Door, Door]:
    """Two engines that know nothing of each other."""
    return open_door(rate_burst=1000), open_door(rate_burst=1000)

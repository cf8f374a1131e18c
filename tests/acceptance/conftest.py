"""A game on a real server, and the shared rules and data where this machine has them."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp

import pytest

from toprung.testing.api import Api, Reply, segment
from toprung.testing.prepared import PreparedDatabase
from toprung.testing.server import Server

ROOT = Path(__file__).resolve().parents[2]
CLOCK = "2026-05-04T12:00:00Z"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Cases and data live beside the repository; nothing of them is in it."""
    told = os.environ.get("TOPRUNG_SHARED")  # noqa: TID251 - a test's own setting
    folder = Path(told) if told else ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("shared data not present")
    return folder


class Game:
    """A project on a server, seen through an admin key and a client key."""

    def __init__(self, server: Server, keys: Mapping[str, str]) -> None:
        self.server = server
        self._keys = keys
        self._clients: list[Api] = []
        self.admin = self.client_of("admin")
        self.reader = self.client_of("client")

    def client_of(self, role: str) -> Api:
        """A further connection with the project's key of that role."""
        client = Api(lambda: self.server.url, self._keys[role])
        self._clients.append(client)
        return client

    def board(self, name: str = "main", if_exists: str = "refuse", **settings) -> Reply:
        """Create a board that takes events of any time, unless the settings say otherwise."""
        settings = {"grace": "none", "max_ahead": "none", **settings}
        path = f"/v1/boards/{segment(name)}"
        return self.admin.send("PUT", path, settings, {"if_exists": if_exists})

    def score(self, event_id: str, player: str, points: object, at: str = CLOCK, **more) -> dict:
        """Send one event, with ``board`` in ``more`` where it is not the main one."""
        event = {"board": "main", "event_id": event_id, "player_id": player, "points": points}
        return self.admin.send("POST", "/v1/scores", {**event, "at": at, **more}).body

    def top(self, board: str = "main", **parameters) -> dict:
        return self.reader.get(f"/v1/boards/{segment(board)}/top", parameters)

    def rows(self, board: str = "main", **parameters) -> list[list]:
        """Rank, player and score of each row of a page from the top."""
        rows = self.top(board, **parameters)["rows"]
        return [[row["rank"], row["player_id"], row["score"]] for row in rows]

    def clock(self, at: str) -> None:
        self.admin.send("POST", "/_control/clock", {"at": at})

    def close(self) -> None:
        for client in self._clients:
            client.close()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> PreparedDatabase:
    return PreparedDatabase(tmp_path_factory.mktemp("prepared"), "game")


@pytest.fixture
def new_game(prepared: PreparedDatabase, tmp_path: Path) -> Iterator[Callable[..., Game]]:
    """Starts a game when the test has prepared the environment that the server will find."""
    with ExitStack() as stack:

        def start(clock: str = CLOCK) -> Game:
            database = prepared.copy(Path(mkdtemp(dir=tmp_path), "toprung.db"))
            server = stack.enter_context(Server(database, test_clock=clock))
            game = Game(server, prepared.keys)
            stack.callback(game.close)
            return game

        yield start


@pytest.fixture
def game(new_game: Callable[..., Game]) -> Game:
    """A game of its own for each test, on a clock that the test sets."""
    return new_game()

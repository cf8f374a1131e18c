"""Plays the demo's game against its server, through the SDK like any game would."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from threading import Event

from toprung.cli.demo.game import BOARDS, Game, Player, Turn
from toprung.cli.demo.home import Keys
from toprung.sdk import Client, Conflict, NotFound, ScoreEvent

PAST_DAYS = 20
PAST_TURNS = 2500


class Playing:
    """One run of the demo.

    Args:
        stopping: set when the server is about to go.
    """

    def __init__(self, url: str, keys: Keys, rate: float, stopping: Event) -> None:
        self._admin = Client(url, keys.admin)
        self._server = Client(url, keys.server)
        self._rate = rate
        self._stopping = stopping
        # Seeded by how far the log is, so that a restarted demo plays on instead of over again.
        self._game = Game(Random(self._admin.health().seq))
        self._named: set[str] = set()
        self.scores = 0

    def prepare(self) -> None:
        """Make the boards where they are not there yet, with some past on them.

        Raises:
            ToprungError: the server does not do it.
        """
        new = {name for name in BOARDS if self._make_board(name)}
        past = self._game.past(datetime.now(UTC), PAST_DAYS, PAST_TURNS) if new else ()
        events = [
            ScoreEvent(turn.board, turn.player.player_id, turn.points, at=at)
            for at, turns in past
            for turn in turns
            if turn.board in new
        ]
        if events:
            self._admin.submit_many(events, ranks=False, history=True)
            for player in (*self._game.teams, *self._game.players):
                self._name(player)

    def play(self, show: Callable[[str], None]) -> None:
        """Play until the server stops.

        Raises:
            ToprungError: the server does not answer any more.
        """
        for turns in self._game.turns():
            if self._stopping.wait(self._game.pause(self._rate)):
                return
            for turn in turns:
                show(self._score(turn))

    def close(self) -> None:
        """Close the connections."""
        self._admin.close()
        self._server.close()

    def _make_board(self, name: str) -> bool:
        try:
            return self._admin.put_board(name, BOARDS[name]).result == "created"
        except Conflict:
            return False  # somebody tried something out and changed it: it stays as it is

    def _score(self, turn: Turn) -> str:
        self._name(turn.player)
        try:
            result = self._server.submit(turn.board, turn.player.player_id, turn.points)
        except NotFound:
            return f"{turn.board} was dropped; start the demo again to have it back"
        self.scores += 1
        rank = next((f", rank {w.rank}" for w in result.windows if w.rank is not None), "")
        return f"{self.scores:,} scores; {turn.player.name} on {turn.board}: {result.score}{rank}"

    def _name(self, player: Player) -> None:
        if player.player_id in self._named:
            return
        if self._server.player(player.player_id) is None:
            self._server.put_player(player.player_id, name=player.name)
        self._named.add(player.player_id)

"""The demo's game: its boards, its players, and what they score. One seed, one game."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from typing import TYPE_CHECKING

from toprung.wire.boards import BoardSettings, Column

if TYPE_CHECKING:
    from toprung.sdk import Points

HIGH_SCORES, WINS, SPEEDRUN, LEAGUE = "high-scores", "wins", "speedrun", "league"

BOARDS: dict[str, BoardSettings] = {
    HIGH_SCORES: BoardSettings(
        mode="best", windows=("daily", "weekly", "all"), title="High scores"
    ),
    WINS: BoardSettings(mode="sum", windows=("weekly", "all"), title="Wins", ties="shared"),
    SPEEDRUN: BoardSettings(
        mode="best",
        columns=(Column("seconds", "asc", 3),),
        windows=("all", "monthly"),
        title="Speedrun",
    ),
    LEAGUE: BoardSettings(
        mode="sum",
        columns=(Column("points"), Column("goal_difference"), Column("goals")),
        windows=("monthly", "all"),
        ties="shared",
        title="League",
    ),
}

_FIRST_NAMES = """
Ada Aiko Amara Ana Anders Anouk Bela Bruno Carmen Chidi Dalia Dev Elif Emeka Esra Farah Femi Greta
Hana Hugo Ines Ivo Jamal Jun Kaya Kofi Lea Leila Linh Luca Maja Mateo Mei Milan Nadia Nils Noor Olga
Omar Petra Quang Rania Rosa Sami Sofia Tariq Teo Uma Viktor Wanja Yara Zola
"""
_INITIALS = "BKR"
_TEAMS = "Ravens Foxes Comets Otters Storks Lynxes Badgers Herons Wolves Pikes Falcons Moles"

ZIPF = 1.05
"""How unevenly players are active: the n-th plays about n times less often than the first."""
DAY_S = 86_400


@dataclass(frozen=True)
class Player:
    """Somebody on the boards."""

    player_id: str
    name: str
    skill: float
    """Around 1; larger is better."""


@dataclass(frozen=True)
class Turn:
    """One score of one player."""

    board: str
    player: Player
    points: "Points"


class Game:
    """Players who play on, for ever."""

    def __init__(self, random: Random) -> None:
        self._random = random
        # Who they are does not depend on the seed: a restarted demo goes on with the same people.
        cast = Random("toprung demo")
        people = [Player(_id(name), name, cast.lognormvariate(0, 0.25)) for name in _names()]
        cast.shuffle(people)
        self.players: Sequence[Player] = people
        self.teams: Sequence[Player] = [
            Player(_id(name), name, cast.lognormvariate(0, 0.2)) for name in _TEAMS.split()
        ]
        weights = (1 / (index + 1) ** ZIPF for index in range(len(people)))
        self._activity = list(itertools.accumulate(weights))

    def turns(self) -> Iterator[list[Turn]]:
        """What happens next, and next: scores that belong together come together."""
        kinds = [self._high_score, self._match, self._speedrun, self._league_match]
        while True:
            (kind,) = self._random.choices(kinds, (10, 5, 4, 1))
            yield kind()

    def pause(self, rate: float) -> float:
        """Seconds until the next turn, where ``rate`` come in a second."""
        return self._random.expovariate(rate)

    def past(self, now: datetime, days: int, turns: int) -> Iterator[tuple[datetime, list[Turn]]]:
        """Turns of the last days, the oldest first, so that a new board is not empty."""
        ago = sorted((self._random.uniform(0, days * DAY_S) for _ in range(turns)), reverse=True)
        for seconds, turn in zip(ago, self.turns(), strict=False):
            yield now - timedelta(milliseconds=int(seconds * 1000)), turn

    def _player(self) -> Player:
        (player,) = self._random.choices(self.players, cum_weights=self._activity)
        return player

    def _high_score(self) -> list[Turn]:
        player = self._player()
        points = int(1000 * player.skill * self._random.lognormvariate(0, 0.35)) * 10
        return [Turn(HIGH_SCORES, player, points)]

    def _match(self) -> list[Turn]:
        one, other = self._player(), self._player()
        chance = one.skill / (one.skill + other.skill)
        winner = one if self._random.random() < chance else other
        return [Turn(WINS, winner, 1)]

    def _speedrun(self) -> list[Turn]:
        player = self._player()
        millis = int(90_000 / player.skill * (1 + self._random.expovariate(4)))
        return [Turn(SPEEDRUN, player, Decimal(millis).scaleb(-3))]

    def _league_match(self) -> list[Turn]:
        home, away = self._random.sample(self.teams, 2)
        home_goals = self._goals(1.5 * home.skill / away.skill)
        away_goals = self._goals(away.skill / home.skill)
        return [
            Turn(LEAGUE, home, _league_points(home_goals, away_goals)),
            Turn(LEAGUE, away, _league_points(away_goals, home_goals)),
        ]

    def _goals(self, expected: float) -> int:
        """A Poisson number: how often chances come up before the time is over."""
        goals, left = -1, 1.0
        while left > math.exp(-expected):
            left *= self._random.random()
            goals += 1
        return max(goals, 0)


def _league_points(scored: int, conceded: int) -> dict[str, int]:
    points = 3 if scored > conceded else 1 if scored == conceded else 0
    return {"points": points, "goal_difference": scored - conceded, "goals": scored}


def _names() -> Iterator[str]:
    first_names = _FIRST_NAMES.split()
    yield from first_names
    for initial in _INITIALS:
        for first in first_names:
            yield f"{first} {initial}."


def _id(name: str) -> str:
    return name.lower().replace(" ", "-").rstrip(".")

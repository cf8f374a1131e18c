"""A small game server that reports its matches: sends scores in batches, shows a podium.

Set TOPRUNG_URL and TOPRUNG_KEY (role admin, because it makes its board), then

    python examples/game_server.py --matches 200

Started again with the same --seed it plays, and reports, the same matches: nothing counts twice.
"""

import argparse
import random
from collections.abc import Iterator

from toprung.sdk import Batcher, BoardSettings, Client

BOARD = "arena"
PLAYERS = ("ana", "ben", "cem", "dia", "eli", "fay", "gus", "hoa")


def matches(count: int, chance: random.Random) -> Iterator[dict[str, int]]:
    """The points of each match's four players."""
    for _ in range(count):
        yield {player: chance.randint(0, 100) for player in chance.sample(PLAYERS, k=4)}


def report(batch: Batcher, match_id: str, points: dict[str, int]) -> None:
    """Adds a match's scores. The ids say which fact each one is, so a repeat is recognised."""
    for player, won in points.items():
        batch.add(BOARD, player, won, event_id=f"{match_id}:{player}", match_id=match_id)


def play(client: Client, count: int, seed: int) -> None:
    """Plays ``count`` matches and reports them."""
    with client.batcher(max_events=100) as batch:
        for number, points in enumerate(matches(count, random.Random(seed))):
            report(batch, f"match-{seed}-{number}", points)
    print(f"{count} matches reported: {batch.outcomes}")


def show(client: Client) -> None:
    """Prints the podium, and how far the last player is from the rank above."""
    standings = client.top(BOARD, k=3)
    for row in standings.rows:
        print(f"{row.rank:3} {row.name or row.player_id:10} {row.score:>8}")
    last = client.ranks(BOARD, standings.total, standings.total).rows[0]
    target = client.rank_of(BOARD, last.score, wanted=last.rank - 1).wanted
    if target is not None:
        points = "1 point" if target.points == "1" else f"{target.points} points"
        print(f"{last.player_id} is last, and {points} from rank {target.rank}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with Client() as client:
        client.put_board(BOARD, BoardSettings(windows=("all", "weekly"), title="Arena"))
        for player in PLAYERS:
            client.put_player(player, name=player.title())
        play(client, arguments.matches, arguments.seed)
        show(client)


if __name__ == "__main__":
    main()

"""Friends on the command line."""

import pytest

from toprung.sdk import BoardSettings, ScoreEvent
from toprung.testing.cli import Ended


@pytest.fixture
def board(client, names) -> str:
    """A board with four players: ana 40, bob 30, cid 20, eve 10."""
    name = next(names)
    client.put_board(name, BoardSettings())
    scores = {"ana": 40, "bob": 30, "cid": 20, "eve": 10}
    client.submit_many([ScoreEvent(name, player, score) for player, score in scores.items()])
    return name


def done(ended: Ended) -> Ended:
    assert ended.status == 0, ended.err
    return ended


def table(ended: Ended) -> list[list[str]]:
    """What a pipe gets: tab-separated lines under a header."""
    return [line.split("\t") for line in done(ended).out.splitlines()]


def assert_fails(ended: Ended, code: str) -> None:
    assert (ended.status, ended.code, ended.out) == (1, code, "")


def test_friends(cli, board):
    rows = done(cli("friends", board, "eve", "nobody", "ana", "--json")).json["rows"]
    assert [(row["rank"], row["board_rank"], row["player_id"]) for row in rows] == [
        (1, 1, "ana"),
        (2, 4, "eve"),
    ]
    shown = table(cli("friends", board, "eve", "ana"))
    assert [row[:3] for row in shown] == [
        ["rank", "board rank", "player"],
        ["1", "1", "ana"],
        ["2", "4", "eve"],
    ]


def test_friends_of_a_list(cli, board, tmp_path):
    assert_fails(cli("friends-of", board, "zed"), "no_friends")
    assert_fails(cli("players", "friends", "zed"), "no_friends")
    further = tmp_path / "friends.txt"
    further.write_text("nobody\n\nana\n")

    kept = done(cli("players", "set-friends", "eve", "bea", "--file", further, "--json")).json

    assert kept["players"] == ["bea", "nobody", "ana"]
    assert done(cli("players", "friends", "eve", "--json")).json == kept
    reply = done(cli("friends-of", board, "eve", "-k", "2", "--json")).json
    assert [(row["rank"], row["player_id"]) for row in reply["rows"]] == [(1, "ana"), (2, "eve")]
    assert (reply["own"]["rank"], reply["own"]["board_rank"]) == (2, 4)
    assert [row[:3] for row in table(cli("friends-of", board, "eve"))][-1] == ["2", "4", "eve"]

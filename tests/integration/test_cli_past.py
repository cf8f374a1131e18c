"""What the commands tell of the past: as it stood, over time, event by event."""

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


def table(ended: Ended) -> list[list[str]]:
    """What a pipe gets: tab-separated lines under a header."""
    assert ended.status == 0, ended.err
    return [line.split("\t") for line in ended.out.splitlines()]


def rows_of(ended: Ended) -> list[tuple[int, str, str]]:
    assert ended.status == 0, ended.err
    return [(row["rank"], row["player_id"], row["score"]) for row in ended.json["rows"]]


def test_the_past(cli, board, client):
    seq = client.top(board).seq
    client.submit(board, "eve", 35, event_id="leap")
    client.submit(board, "eve", 35, event_id="leap")

    then = rows_of(cli("top", board, "--as-of", seq, "--json"))
    assert then == [(1, "ana", "40"), (2, "bob", "30"), (3, "cid", "20"), (4, "eve", "10")]
    assert rows_of(cli("around", board, "eve", "-n", "0", "--as-of", seq, "--json")) == [then[3]]
    assert cli("rank", board, "eve", "--as-of", seq, "--json").json["rank"] == 4
    assert rows_of(cli("top", board, "--from", "8000-01-01T00:00:00Z", "--json")) == []
    shown = table(cli("top", board, "--since", "all"))
    assert [row[:3] for row in shown[:2]] == [["rank", "change", "player"], ["1", "0", "eve"]]
    points = table(cli("history", board, "eve", "--step", "1d"))
    assert points[-1][1:] == ["1", "45", "4"]
    events = table(cli("explain", board, "eve"))
    assert [row[1:] for row in events if row[1] == "leap"] == [
        ["leap", events[2][2], "35", "counted", "yes", "yes"],
        ["leap", events[3][2], "35", "duplicate", "no", ""],
    ]
    refused = cli("top", board, "--as-of", "then")
    assert (refused.status, refused.code) == (1, "invalid")

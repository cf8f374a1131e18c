"""Rules and named events through both clients, against a real server."""

import asyncio
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from toprung.sdk import AsyncClient, BoardSettings, Client, Column, InvalidRequest, NamedEvent, Rule
from toprung.sdk import NotFound as Missing


@pytest.fixture
def game(client, names):
    """A board of its own with a rule; rules are one set for the whole project."""
    board = next(names)
    settings = BoardSettings(columns=(Column(decimals=2),), windows=("all", "daily"))
    client.put_board(board, settings)
    client.put_rules([Rule("xp", "won", board, "properties.xp * 0.5", when="properties.xp > 0")])
    return board


def event(number, xp, **more):
    return NamedEvent(f"m{number}", "ana", "won", {"xp": xp}, **more)


def test_events_become_scores(client, game):
    at = datetime(2026, 5, 4, tzinfo=UTC)
    events = [event(1, Decimal("0.3"), at=at, match_id="m"), event(2, 0), event(3, "many")]

    reply = client.submit_events(events)
    again = client.submit_events(events[:1], ranks=False)

    assert reply.outcomes == {"applied": 1, "ignored": 1, "invalid": 1}
    assert [result.outcome for result in reply.results] == ["applied", "ignored", "invalid"]
    (board,) = reply.results[0].boards
    assert (board.board, board.score, board.windows[0].rank) == (game, "0.15", 1)
    assert reply.results[2].field == "events[2].properties.xp"
    assert again.board_outcomes == {"duplicate": 1}


def test_more_events_than_fit_a_request_go_in_several(client, game):
    reply = client.submit_events([event(number, 2) for number in range(2500)], ranks=False)

    assert reply.outcomes == {"applied": 2500}
    assert reply.board_outcomes == {"counted": 2500}
    assert client.rank(game, "ana").score == "2500"
    assert reply.seq == reply.results[-1].boards[0].seq


def test_no_events_are_no_request(client):
    assert client.submit_events([]).results == ()


def test_rules_are_read_and_tried(client, game):
    rules = client.rules()
    tried = client.test_rules([event(1, 5)])
    other = client.test_rules([event(1, 5)], [Rule("flat", "won", game, 7, max=5)])

    assert [rule.name for rule in rules.rules] == ["xp"]
    assert client.put_rules(rules.rules).result == "unchanged"
    assert [score.points for score in tried.results[0].scores] == ["2.5"]
    assert [score.points for score in other.results[0].scores] == ["5"]


def test_a_rule_that_cannot_be_one_is_named(client, game):
    with pytest.raises(Missing) as missing:
        client.put_rules([Rule("a", "won", "nowhere", 1)])
    with pytest.raises(InvalidRequest) as wrong:
        client.put_rules([Rule("a", "won", game, "1 / 0")])

    assert missing.value.field == "rules[0].board"
    assert wrong.value.field == "rules[0].points"
    assert [rule.name for rule in client.rules().rules] == ["xp"]


@pytest.mark.parametrize("properties", [{"xp": 1.5}, {"a": {"b": 0.1}}, {"a": [1.5]}])
def test_a_float_is_refused_before_anything_is_sent(client, game, properties):
    with pytest.raises(TypeError, match="not float"):
        client.submit_events([event(1, 2), NamedEvent("m2", "ana", "won", properties)])

    assert client.rank(game, "ana") is None


def test_the_asyncio_client_does_the_same(server, client, game):
    async def ask():
        async with AsyncClient(server.url, server.keys["admin"]) as other:
            reply = await other.submit_events([event(1, 4)])
            return reply.outcomes, (await other.rules()).rules[0].name

    assert asyncio.run(ask()) == ({"applied": 1}, "xp")


def test_a_server_key_may_send_and_read_but_not_set(server, game):
    with Client(server.url, server.keys["server"]) as weak:
        assert weak.submit_events([event(1, 4)]).outcomes == {"applied": 1}
        assert weak.rules().rules
        with pytest.raises(Exception, match="forbidden"):
            weak.put_rules([])

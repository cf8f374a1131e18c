"""Who and what a board takes, over HTTP: what is answered, and what counts then."""

import msgspec
import pytest

pytestmark = pytest.mark.anyio


async def describe(door, player, **attributes):
    await door.ask("PUT", f"/v1/players/{player}", {"attributes": attributes})


async def send(door, *events, board="b"):
    """Send events as one batch: each is a player, points, an id, and what else it says."""
    body = {
        "events": [
            {"board": board, "player_id": player, "points": points, "event_id": event_id, **more}
            for player, points, event_id, more in events
        ]
    }
    reply = await door.ask("POST", "/v1/scores", body, role="server")
    return reply.body["results"]


async def test_a_board_admits_players_by_their_attributes_when_the_event_comes(door):
    await door.make_board(admit={"country": ["no", "se"], "plan": ["pro"]})
    await describe(door, "ann", country="se", plan="pro")
    await describe(door, "bo", country="no")

    taken = await door.score("ann", 1, "e1")
    one_of_two = await door.score("bo", 1, "e2")
    unknown = await door.score("cy", 1, "e3")
    await describe(door, "ann", country="de")
    after = await door.score("ann", 1, "e4")
    again = await door.score("ann", 1, "e1")
    await describe(door, "bo", country="no", plan="pro")
    same_id = await door.score("bo", 1, "e2")

    assert taken.body["outcome"] == "counted"
    assert (one_of_two.status, one_of_two.code) == (422, "ineligible")
    assert one_of_two.body["error"]["field"] == "player_id"
    assert "'plan'" in one_of_two.body["error"]["message"]
    assert unknown.code == after.code == "ineligible"
    assert again.body["outcome"] == "duplicate"
    assert same_id.body["outcome"] == "counted"


async def test_an_event_for_players_on_the_board_alone(door):
    await door.make_board(windows=["daily", "all"])

    results = await send(
        door,
        ("ann", 1, "e1", {"update_only": True}),
        ("ann", 2, "e2", {"update_only": False}),
        ("ann", 3, "e3", {"update_only": True}),
        ("bo", 1, "e4", {"update_only": True}),
    )
    listed = await door.ask("GET", "/v1/boards/b/events")

    outcomes = ["ineligible", "counted", "counted", "ineligible"]
    assert [result["outcome"] for result in results] == outcomes
    assert results[0]["field"] == "events[0].update_only"
    assert [row["outcome"] for row in listed.body["rows"]] == outcomes
    assert [row.get("update_only", False) for row in listed.body["rows"]] == [
        True,
        False,
        True,
        True,
    ]
    assert (await door.ask("GET", "/v1/boards/b/rank/ann")).body["score"] == "5"


async def test_who_has_only_a_void_event_is_not_on_the_board(door):
    await door.make_board()
    await door.score("ann", 1, "e1")
    await door.ask("POST", "/v1/boards/b/events/e1/void", {})

    (refused,) = await send(door, ("ann", 1, "e2", {"update_only": True}))
    await door.ask("POST", "/v1/boards/b/events/e1/unvoid", {})
    (taken,) = await send(door, ("ann", 1, "e2", {"update_only": True}))

    assert (refused["outcome"], taken["outcome"]) == ("ineligible", "counted")


async def test_the_one_for_whom_a_player_counts_is_asked(door):
    await door.make_board(admit={"country": ["no"]})
    await describe(door, "ann", country="no")
    await describe(door, "old", country="de")
    await door.ask("POST", "/v1/players/old/merge", {"into": "ann"})

    counted = await door.score("old", 4, "e1")

    assert counted.body["outcome"] == "counted"
    assert (await door.ask("GET", "/v1/boards/b/rank/ann")).body["score"] == "4"


async def test_the_settings_are_told_in_one_order(door):
    anytime = {"max_ahead": "none", "grace": "none"}
    await door.make_board(admit={"plan": ["pro", "basic", "pro"], "country": ["no"]})

    board = await door.ask("GET", "/v1/boards/b", role="client")
    same = await door.ask(
        "PUT", "/v1/boards/b", anytime | {"admit": {"country": ["no"], "plan": ["basic", "pro"]}}
    )
    other = await door.ask("PUT", "/v1/boards/b?if_exists=change", anytime)
    counted = await door.score("ann", 1, "e1")

    assert msgspec.json.encode(board.body["admit"]) == (
        b'{"country":["no"],"plan":["basic","pro"]}'
    )
    assert same.body["result"] == "unchanged"
    assert other.body["changed"] == ["admit"]
    assert counted.body["outcome"] == "counted"

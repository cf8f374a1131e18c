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


HOUR, MINUTE = 3_600_000_000, 60_000_000
PLAUSIBLE = {"points": {"score": {"min": "-0.5", "max": 5}}, "points_per_hour": 8}


async def outcome(door, player, points, event_id, **more):
    answer = await door.score(player, points, event_id, **more)
    return answer.body["outcome"] if answer.status == 200 else answer.code


async def test_the_points_of_one_event_have_a_range(door):
    columns = [{"name": "score", "decimals": 1}]
    await door.make_board(columns=columns, limits=PLAUSIBLE)

    too_much = await door.score("ann", "5.1", "e1")
    too_little = await door.score("ann", "-0.6", "e2")
    told = await door.ask("GET", "/v1/boards/b", role="client")
    event = await door.ask("GET", "/v1/boards/b/events/e1", role="server")

    assert (too_much.status, too_much.code) == (422, "implausible")
    assert too_much.body["error"]["field"] == "points"
    assert too_much.body["error"]["message"] == "points.score.max: 5.1 is more than 5"
    assert too_little.body["error"]["message"] == "points.score.min: -0.6 is less than -0.5"
    assert [await outcome(door, "ann", *each) for each in ((5, "e1"), ("-0.5", "e2"))] == [
        "counted",
        "counted",
    ]
    assert event.body["outcome"] == "implausible"
    assert told.body["limits"] == {
        "points": {"score": {"min": "-0.5", "max": "5"}},
        "points_per_hour": "8",
        "events_per_minute": None,
        "on_breach": "refuse",
    }


async def test_a_player_gains_so_much_in_a_clock_hour(door):
    await door.make_board(limits={"points_per_hour": 8})

    first = await send(
        door,
        *(("ann", points, f"e{n}", {}) for n, points in enumerate((5, -4, 4, 3, 0, 9))),
        ("bo", 8, "e-bo", {}),
        ("ann", 8, "old", {"at": "2026-05-04T11:00:00Z"}),
    )
    door.clock.set(door.clock.now() + HOUR)
    later = await send(door, ("ann", 8, "e6", {}), ("ann", 1, "e7", {}))

    outcomes = [result["outcome"] for result in first]
    assert outcomes == [
        *("counted", "counted", "implausible", "counted", "unchanged", "implausible"),
        *("counted", "implausible"),
    ]
    assert first[2]["message"] == "points_per_hour: with it 9 in this hour, more than 8"
    assert [result["outcome"] for result in later] == ["counted", "implausible"]


async def test_so_many_events_are_taken_in_a_clock_minute(door):
    await door.make_board(limits={"events_per_minute": 2})

    results = await send(
        door,
        ("ann", 1, "e1", {}),
        ("ann", 1, "e1", {}),
        ("ann", 1, "e2", {}),
        ("ann", 1, "e3", {}),
        ("ann", 1, "e2", {}),
        ("bo", 1, "e4", {}),
    )
    door.clock.set(door.clock.now() + MINUTE)

    assert [result["outcome"] for result in results] == [
        *("counted", "duplicate", "counted", "implausible", "duplicate", "counted"),
    ]
    assert results[3]["message"] == "events_per_minute: the player had 2 in this one"
    assert await outcome(door, "ann", 1, "e3") == "counted"


async def test_history_is_asked_for_ranges_alone_and_takes_no_room(door):
    await door.make_board(
        limits={"points": {"score": {"max": 5}}, "points_per_hour": 6, "events_per_minute": 1}
    )
    past = {"at": "2026-05-03T12:00:00Z"}
    body = {
        "events": [
            {"board": "b", "player_id": "ann", "points": n, "event_id": f"e{n}", **past}
            for n in (4, 5, 6)
        ]
    }

    imported = await door.ask("POST", "/v1/scores?history=true", body)

    assert [result["outcome"] for result in imported.body["results"]] == [
        *("counted", "counted", "implausible"),
    ]
    assert await outcome(door, "ann", 5, "now") == "counted"


async def test_new_limits_count_what_was_taken_in_the_hour(door):
    await door.make_board()
    await door.score("ann", 5, "e1")
    limits = {"limits": {"points_per_hour": 8}, "max_ahead": "none", "grace": "none"}
    await door.ask("PUT", "/v1/boards/b?if_exists=change", limits)

    assert await outcome(door, "ann", 4, "e2") == "implausible"
    assert await outcome(door, "ann", 3, "e3") == "counted"

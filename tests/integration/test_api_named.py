"""Rules and named events over HTTP: what is set, tried and sent, and that nothing is half done."""

import msgspec
import pytest

from toprung.domain.limits import NAMED_EVENTS

pytestmark = pytest.mark.anyio

XP = {
    "name": "xp",
    "event": "match_finished",
    "board": "high",
    "points": "properties.xp * 2",
    "when": "properties.won == true",
    "max": 100,
}
TEAM = XP | {"name": "team", "board": "teams", "member": "properties.team", "points": 1}
del TEAM["max"]


def event(number=1, player="ana", **properties):
    told = {"won": True, "xp": 5, "team": "reds"} | properties
    return {
        "event_id": f"m{number}",
        "player_id": player,
        "name": "match_finished",
        "properties": told,
    }


async def rules(door, *given):
    return await door.ask("PUT", "/v1/rules", {"rules": list(given)})


async def post(door, *events):
    return await door.ask("POST", "/v1/events", {"events": list(events)}, role="server")


async def top(door, board):
    reply = await door.ask("GET", f"/v1/boards/{board}/top", role="client")
    return [(row["player_id"], row["score"]) for row in reply.body["rows"]]


@pytest.fixture
async def game(door):
    """Two boards with a rule each."""
    await door.make_board("high")
    await door.make_board("teams")
    assert (await rules(door, XP, TEAM)).status == 200
    return door


async def test_rules_are_set_as_a_whole_and_read_again(door):
    await door.make_board("high")
    empty = await door.ask("GET", "/v1/rules", role="server")

    made = await rules(door, XP)
    same = await rules(door, XP)
    read = await door.ask("GET", "/v1/rules", role="server")
    cleared = await rules(door)

    told = XP | {"max": "100"}
    assert (empty.body["rules"], empty.body["updated_at"]) == ([], None)
    assert (made.body["result"], made.body["rules"]) == ("created", [told])
    assert (same.body["result"], same.body["updated_at"]) == ("unchanged", made.body["updated_at"])
    assert read.body["rules"] == [told]
    assert (cleared.body["result"], cleared.body["rules"]) == ("changed", [])


async def test_an_event_counts_on_each_board_that_its_rules_name(game):
    reply = await post(game, event(1), event(2, "bo", xp=70), event(3, won=False))

    assert reply.status == 200
    assert [result["outcome"] for result in reply.body["results"]] == ["applied"] * 2 + ["ignored"]
    first = reply.body["results"][0]
    told = [(each["board"], each["player_id"], each["outcome"]) for each in first["boards"]]
    assert told == [("high", "ana", "counted"), ("teams", "reds", "counted")]
    assert {each["event_id"] for each in first["boards"]} == {"m1"}
    assert reply.body["outcomes"] == {"applied": 2, "ignored": 1}
    assert reply.body["board_outcomes"] == {"counted": 4}
    assert await top(game, "high") == [("bo", "100"), ("ana", "10")]
    assert await top(game, "teams") == [("reds", "2")]


async def test_what_is_sent_again_is_a_duplicate_on_each_board(game):
    await post(game, event())

    again = await post(game, event())

    (result,) = again.body["results"]
    assert [(each["outcome"], each["first"]) for each in result["boards"]] == [
        ("duplicate", "counted")
    ] * 2
    assert await top(game, "high") == [("ana", "10")]


async def test_an_event_that_a_rule_cannot_read_counts_nowhere_and_costs_no_other(game):
    reply = await post(game, event(1, team=5), event(2, "bo"), "no event")

    first, second, third = reply.body["results"]
    assert (first["outcome"], first["field"]) == ("invalid", "events[0].properties.team")
    assert "rule 'team'" in first["message"]
    assert (second["outcome"], third["outcome"]) == ("applied", "invalid")
    assert await top(game, "high") == [("bo", "10")]
    assert game.services.metrics.outcomes == {"counted": 2, "invalid": 2}
    mended = await post(game, event(1))
    assert mended.body["board_outcomes"] == {"counted": 2}


@pytest.mark.parametrize(
    ("points", "why"),
    [("0.5", "no decimals"), ("1e30", "out of range")],
)
async def test_points_that_a_board_cannot_hold_refuse_the_event_for_all(game, points, why):
    await rules(game, TEAM, XP | {"points": f"properties.xp * {points}", "max": None})

    reply = await post(game, event())

    (result,) = reply.body["results"]
    assert result["outcome"] == "invalid"
    assert why in result["message"]
    assert "xp" in result["message"]
    assert await top(game, "teams") == []


async def test_a_board_that_was_dropped_refuses_the_event_for_all(game):
    await game.ask("DELETE", "/v1/boards/teams")

    reply = await post(game, event())

    (result,) = reply.body["results"]
    assert (result["outcome"], result["field"]) == ("unknown_board", "events[0].board")
    assert await top(game, "high") == []


async def test_one_event_is_answered_with_its_result_or_an_error(game):
    taken = await game.ask("POST", "/v1/events", event(), role="server")
    refused = await game.ask("POST", "/v1/events", event(2, xp="5"), role="server")
    ignored = await game.ask("POST", "/v1/events", event(3) | {"name": "other"}, role="server")

    assert (taken.status, taken.body["outcome"]) == (200, "applied")
    assert (refused.status, refused.code) == (400, "invalid")
    assert refused.body["error"]["field"] == "properties.xp"
    assert (ignored.status, ignored.body["outcome"]) == (200, "ignored")


async def test_lines_of_json_are_a_batch_and_a_key_fills_ids(game):
    unnamed = {name: value for name, value in event().items() if name != "event_id"}
    lines = b"\n".join(map(msgspec.json.encode, [unnamed, unnamed]))

    reply = await game.ask(
        "POST",
        "/v1/events",
        lines,
        role="server",
        headers={"content-type": "application/x-ndjson", "idempotency-key": "k"},
    )
    missing = await post(game, unnamed)

    assert [result["event_id"] for result in reply.body["results"]] == ["k:0", "k:1"]
    assert missing.body["results"][0]["field"] == "events[0].event_id"


async def test_numbers_of_properties_keep_every_digit(door):
    await door.make_board("fine", columns=[{"decimals": 9}])
    await rules(door, {"name": "r", "event": "e", "board": "fine", "points": "properties.p + 0.1"})
    body = b'{"events":[{"event_id":"a","player_id":"p","name":"e","properties":{"p":%s}}]}'

    await door.ask("POST", "/v1/events", body % b"9007199254.740993002", role="server")

    assert await top(door, "fine") == [("p", "9007199254.840993002")]


async def test_events_have_the_instant_and_the_match_they_say(door):
    await door.make_board("high", windows=["daily", "all"])
    await rules(door, XP)
    told = event() | {"at": "2026-05-01T12:00:00+02:00", "match_id": "match-1"}

    reply = await post(door, told, event(2) | {"at": "yesterday"}, event(3) | {"match_id": ""})

    first, *others = reply.body["results"]
    assert first["boards"][0]["windows"][0]["period"] == "2026-05-01"
    assert [each["field"] for each in others] == ["events[1].at", "events[2].match_id"]


@pytest.mark.parametrize(
    ("rule", "code", "field"),
    [
        (XP | {"board": "other"}, "unknown_board", "rules[1].board"),
        (XP | {"points": "1 +"}, "invalid", "rules[1].points"),
        (XP | {"points": "properties.xp / 0"}, "invalid", "rules[1].points"),
        (XP | {"points": "9 ** 9 ** 9"}, "invalid", "rules[1].points"),
        (XP | {"points": {"goals": 1}}, "invalid", "rules[1].max"),
        (XP | {"points": {"goals": 1}, "max": None}, "invalid", "rules[1].points.score"),
        (XP | {"max": "1e3"}, "invalid", "rules[1].max"),
        (XP | {"points": 1.5}, "invalid", "rules[1].points"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/rules", "/v1/rules/test"])
async def test_a_rule_that_cannot_be_one_changes_nothing(game, path, rule, code, field):
    body = {"rules": [TEAM, rule | {"name": "second"}]}
    if path == "/v1/rules":
        refused = await game.ask("PUT", path, body)
    else:
        refused = await game.ask("POST", path, body | {"events": [event()]})

    assert refused.code == code
    assert refused.body["error"]["field"].startswith(field.replace("[1]", "")[:5])
    if not isinstance(rule["points"], float):
        assert refused.body["error"]["field"] == field
        assert "second" in refused.body["error"]["message"]
    assert (await game.ask("GET", "/v1/rules", role="server")).body["rules"][0]["name"] == "xp"


async def test_rules_are_tried_and_nothing_is_written(game):
    other = {"name": "flat", "event": "match_finished", "board": "high", "points": 7}
    events = [event(1), event(2, xp="x"), event(3, won=False), {"name": 5}]

    in_force = await game.ask("POST", "/v1/rules/test", {"events": events}, role="server")
    given = await game.ask("POST", "/v1/rules/test", {"events": events[:1], "rules": [other]})

    assert in_force.body["outcomes"] == {"applied": 1, "invalid": 2, "ignored": 1}
    first, second, third, fourth = in_force.body["results"]
    assert first["scores"] == [
        {"board": "high", "player_id": "ana", "points": "10", "rules": ["xp"]},
        {"board": "teams", "player_id": "reds", "points": "1", "rules": ["team"]},
    ]
    assert second["field"] == "events[1].properties.xp"
    assert "scores" not in third
    assert (fourth["field"], "event_id" in fourth) == ("events[3].name", False)
    assert given.body["results"][0]["scores"][0]["points"] == "7"
    assert await top(game, "high") == []
    assert (await post(game, events[0])).body["board_outcomes"] == {"counted": 2}


async def test_only_so_many_events_fit_a_request(game):
    many = await post(game, *[event(n) for n in range(NAMED_EVENTS.maximum + 1)])
    tried = await game.ask("POST", "/v1/rules/test", {"events": [event(n) for n in range(101)]})
    none = await post(game)

    assert [reply.code for reply in (many, tried, none)] == ["invalid"] * 3
    assert [reply.body["error"]["field"] for reply in (many, tried, none)] == ["events"] * 3


async def test_a_project_has_its_own_rules(game):
    other = game.key("admin", "other")

    reply = await game.ask("POST", "/v1/events", event(), key=other)

    assert reply.body["outcome"] == "ignored"


@pytest.mark.parametrize(
    ("method", "path", "role"),
    [
        ("PUT", "/v1/rules", "server"),
        ("GET", "/v1/rules", "client"),
        ("POST", "/v1/events", "client"),
    ],
)
async def test_a_key_of_too_small_a_role_is_refused(game, method, path, role):
    assert (await game.ask(method, path, {"rules": []}, role=role)).code == "forbidden"


async def test_rules_survive_a_restart_and_a_rebuild(open_door, tmp_path):
    door = open_door()
    await door.make_board("high")
    await rules(door, XP)
    await post(door, event())
    door.engine.rebuilding.start().result()
    assert (await post(door, event(2))).body["board_outcomes"] == {"counted": 1}
    door.close()

    again = type(door)(door.settings.db)
    try:
        reply = await post(again, event(3))
        assert reply.body["board_outcomes"] == {"counted": 1}
        assert await top(again, "high") == [("ana", "30")]
    finally:
        again.close()

"""Reading the past over HTTP (R24): as of a moment, by an interval, and compared with a moment."""

from urllib.parse import quote

import pytest

pytestmark = pytest.mark.anyio

NOON = "2026-05-04T12:00:00Z"
ONE = "2026-05-04T13:00:00Z"
TWO = "2026-05-04T14:00:00Z"
HOUR = 3_600_000_000


async def afternoon(door):
    """Noon: ana 50, bo 40 (seq 3). One: cy 60 and bo 20 more (seq 5). Two: nothing new."""
    await door.make_board(windows=["all", "daily"])
    await door.score("ana", 50, "e1")
    await door.score("bo", 40, "e2")
    door.clock.set(door.clock.now() + HOUR)
    await door.score("cy", 60, "e3")
    await door.score("bo", 20, "e4")
    door.clock.set(door.clock.now() + HOUR)


async def read(door, path, **params):
    query = "&".join(f"{name.rstrip('_')}={quote(value)}" for name, value in params.items())
    return await door.ask("GET", f"/v1/boards/b/{path}?{query}", role="client")


def shown(answer):
    assert answer.status == 200, answer.body
    return [(row["rank"], row["player_id"], row["score"]) for row in answer.body["rows"]]


async def test_a_board_is_shown_as_it_stood(door):
    await afternoon(door)

    assert shown(await read(door, "top")) == [(1, "bo", "60"), (2, "cy", "60"), (3, "ana", "50")]
    before = [(1, "ana", "50"), (2, "bo", "40")]
    for moment in ("3", NOON, "2026-05-04T12:59:59.999999Z"):
        answer = await read(door, "top", as_of=moment)
        assert shown(answer) == before
        assert (answer.body["seq"], answer.body["total"]) == ("3", 2)
    assert shown(await read(door, "around/bo", as_of=NOON, n="1")) == before
    rank = await read(door, "rank/bo", as_of=NOON)
    assert (rank.body["rank"], rank.body["score"], rank.body["percentile"]) == (2, "40", 50.0)
    assert (await read(door, "rank/cy", as_of=NOON)).code == "unranked_player"
    assert shown(await read(door, "top", as_of=ONE))[0] == (1, "bo", "60")


async def test_pages_of_a_past_board_go_on_by_cursor(door):
    await afternoon(door)

    first = await read(door, "top", as_of="3", k="1")
    second = await read(door, "top", as_of="3", k="1", cursor=first.body["next"])

    assert [*shown(first), *shown(second)] == [(1, "ana", "50"), (2, "bo", "40")]
    assert second.body["next"] is None


async def test_the_events_of_an_interval_alone(door):
    await afternoon(door)

    answer = await read(door, "top", from_=ONE, to=TWO)
    assert shown(answer) == [(1, "cy", "60"), (2, "bo", "20")]
    assert answer.body["window"] == "interval"
    assert answer.body["period"] == {"key": f"{ONE}/{TWO}", "start": ONE, "end": TWO}
    assert shown(await read(door, "top", to=ONE)) == [(1, "ana", "50"), (2, "bo", "40")]
    assert shown(await read(door, "top", from_=NOON, to=NOON)) == []
    await door.score("ana", 1, "e5")
    assert shown(await read(door, "top", from_=TWO)) == [(1, "ana", "1")]
    await door.score("ana", 1, "e6")
    assert shown(await read(door, "top", from_=TWO)) == [(1, "ana", "2")], "it goes on"


async def test_rows_tell_how_ranks_changed(door):
    await afternoon(door)

    answer = await read(door, "top", since=NOON)
    assert [(row["player_id"], row.get("rank_delta")) for row in answer.body["rows"]] == [
        ("bo", 1),
        ("cy", None),
        ("ana", -2),
    ]
    rank = await read(door, "rank/ana", since=NOON)
    assert (rank.body["rank"], rank.body["rank_delta"]) == (3, -2)
    assert "rank_delta" not in (await read(door, "rank/ana")).body


async def test_rows_tell_how_ranks_changed_since_another_period(door):
    await afternoon(door)
    door.clock.set(door.clock.now() + 24 * HOUR)
    await door.score("ana", 5, "e5")
    await door.score("cy", 4, "e6")

    answer = await read(door, "top", window="daily", since="previous")

    assert [(row["player_id"], row["rank_delta"]) for row in answer.body["rows"]] == [
        ("ana", 2),
        ("cy", 0),
    ]


async def test_as_of_sees_the_rules_and_the_period_of_its_moment(door):
    await afternoon(door)
    door.clock.set(door.clock.now() + 24 * HOUR)
    await door.score("ana", 5, "e5")

    assert (await read(door, "top", window="daily")).body["period"]["key"] == "2026-05-05"
    then = await read(door, "top", window="daily", as_of=ONE)
    assert then.body["period"]["key"] == "2026-05-04"
    assert then.body["total"] == 3


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"as_of": "soon"}, "as_of"),
        ({"as_of": "99"}, "as_of"),
        ({"as_of": "2026-05-05T00:00:00Z"}, "as_of"),
        ({"as_of": "3", "from_": NOON}, "as_of"),
        ({"from_": "noon"}, "from"),
        ({"to": "noon"}, "to"),
        ({"from_": ONE, "to": NOON}, "to"),
        ({"from_": NOON, "window": "daily"}, "window"),
        ({"from_": NOON, "period": "2026-05-04"}, "period"),
        ({"from_": NOON, "since": NOON}, "since"),
        ({"since": "2026-05-05T00:00:00Z"}, "since"),
        ({"since": "yesterday"}, "since"),
    ],
)
async def test_a_bad_argument_is_named(door, params, field):
    await afternoon(door)

    answer = await read(door, "top", **params)

    assert (answer.status, answer.body["error"]["field"]) == (400, field)


async def test_a_board_that_was_made_later_was_not_there(door):
    await afternoon(door)

    assert (await read(door, "top", as_of="0")).code == "unknown_board"
    since = await read(door, "top", since="2026-05-04T11:00:00Z")
    assert all("rank_delta" not in row for row in since.body["rows"])


async def test_a_player_over_time(door):
    await afternoon(door)

    answer = await read(door, "history/bo", from_="2026-05-04T11:30:00Z", step="1h")

    assert [(p["at"], p["rank"], p["score"], p["total"]) for p in answer.body["points"]] == [
        ("2026-05-04T11:30:00Z", None, None, 0),
        ("2026-05-04T12:30:00Z", 2, "40", 2),
        ("2026-05-04T13:30:00Z", 1, "60", 3),
        (TWO, 1, "60", 3),
    ]
    by_itself = await read(door, "history/bo", window="daily")
    # A hundredth of the fourteen hours since midnight is 504 seconds.
    assert by_itself.body["step"] == "504s"
    assert [by_itself.body["points"][index]["at"] for index in (0, -1)] == [
        "2026-05-04T00:00:00Z",
        TWO,
    ]


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"step": "0s"}, "step"),
        ({"step": "1s"}, "step"),
        ({"step": "often"}, "step"),
        ({"from_": "noon"}, "from"),
        ({"from_": TWO, "to": NOON}, "to"),
        ({"window": "hourly"}, "window"),
    ],
)
async def test_a_history_that_cannot_be_told(door, params, field):
    await afternoon(door)

    answer = await read(door, "history/bo", **params)

    assert (answer.status, answer.body["error"]["field"]) == (400, field)


async def test_which_events_made_a_score(door):
    await door.make_board(mode="best", windows=["all", "daily"], grace="1h")
    await door.score("ana", 50, "e1")
    await door.score("ana", 70, "e2")
    await door.score("ana", 60, "e3")
    await door.score("bo", 70, "e4")
    await door.score("ana", 70, "e2")
    door.clock.set(door.clock.now() + 24 * HOUR)
    await door.score("ana", 90, "e5", at=NOON)

    answer = await read(door, "explain/ana", window="daily", period="2026-05-04")

    told = answer.body
    assert (told["rank"], told["score"], told["reached_at"]) == (1, "70", NOON)
    assert (told["total"], told["above"], told["equal"], told["counted"]) == (2, 0, 1, 3)
    events = [
        (e["event_id"], e["points"], e["outcome"], e["late"], e["counts"], e["decides"])
        for e in told["events"]
    ]
    assert events == [
        ("e1", "50", "counted", [], True, False),
        ("e2", "70", "counted", [], True, True),
        ("e3", "60", "unchanged", [], True, False),
        ("e2", "70", "duplicate", [], False, False),
        ("e5", "90", "counted", ["daily"], False, False),
    ]
    short = await read(door, "explain/ana", limit="2")
    assert ([e["event_id"] for e in short.body["events"]], short.body["more"]) == (["e2", "e5"], 3)
    nobody = await read(door, "explain/nobody")
    assert (nobody.body["rank"], nobody.body["events"]) == (None, [])

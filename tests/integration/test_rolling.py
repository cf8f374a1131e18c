"""Rolling windows over the API, with the clock in the test's hand."""

import pytest

from toprung.domain.instants import parse_instant

pytestmark = pytest.mark.anyio

WINDOW = "rolling:7d"


async def make(door, **settings):
    await door.make_board(
        **{"windows": [WINDOW], "zone": "Europe/Oslo", "max_ahead": "3d"} | settings
    )


async def go_to(door, instant):
    """The clock comes to an instant, and what it asks for is done."""
    door.clock.set(parse_instant(instant, "at"))
    door.engine.jobs.look()


async def send(door, player, points, event, at, **more):
    body = {"board": "b", "player_id": player, "points": points, "event_id": event, "at": at}
    reply = await door.ask("POST", "/v1/scores?ranks=true", body | more)
    assert reply.status == 200, reply.body
    return reply.body


async def table(door, query=""):
    told = (await door.ask("GET", f"/v1/boards/b/top?{query}")).body
    return told["period"]["key"], [(row["player_id"], row["score"]) for row in told["rows"]]


async def test_a_day_leaves_at_local_midnight(door):
    """It is noon of 4 May in UTC; Oslo's days begin two hours earlier than those of UTC."""
    await make(door)
    await send(door, "ana", 5, "e1", "2026-05-04T10:00:00Z")
    await go_to(door, "2026-05-05T12:00:00Z")
    await send(door, "ana", 3, "e2", "2026-05-05T11:00:00Z")
    await send(door, "bo", 7, "e3", "2026-05-05T11:00:00Z")
    assert await table(door) == ("2026-05-05", [("ana", "8"), ("bo", "7")])

    await go_to(door, "2026-05-10T21:59:59Z")
    assert await table(door) == ("2026-05-10", [("ana", "8"), ("bo", "7")])
    await go_to(door, "2026-05-10T22:00:00Z")
    assert await table(door) == ("2026-05-11", [("bo", "7"), ("ana", "3")])
    await go_to(door, "2026-05-11T22:00:00Z")
    assert await table(door) == ("2026-05-12", [])


async def test_the_reply_names_the_last_day_and_the_bounds_over_a_change_of_clocks(door):
    """In the night to 25 October an hour comes twice."""
    await make(door)
    await go_to(door, "2026-10-26T12:00:00Z")
    told = (await door.ask("GET", "/v1/boards/b/top")).body

    assert told["period"] == {
        "key": "2026-10-26",
        "start": "2026-10-19T22:00:00Z",
        "end": "2026-10-26T23:00:00Z",
    }
    (shown,) = (await door.ask("GET", "/v1/boards/b")).body["windows"]
    assert (shown["window"], shown["period"]) == (WINDOW, "2026-10-26")
    assert shown["next_change"] == "2026-10-26T23:00:00Z"


async def test_until_the_day_is_told_readers_see_what_they_saw(door):
    await make(door)
    await send(door, "ana", 5, "e1", "2026-05-04T10:00:00Z")
    door.clock.set(parse_instant("2026-05-05T12:00:00Z", "at"))
    reply = await send(door, "ana", 3, "e2", "2026-05-05T11:00:00Z")
    assert (reply["outcome"], reply["windows"][0]["period"]) == ("counted", "2026-05-05")
    assert await table(door) == ("2026-05-04", [("ana", "5")])

    door.engine.jobs.look()
    assert await table(door) == ("2026-05-05", [("ana", "8")])


async def test_an_event_is_answered_by_what_readers_see(door):
    await make(door)
    await send(door, "bo", 7, "e1", "2026-05-04T10:00:00Z")
    await send(door, "ana", 5, "e2", "2026-05-03T10:00:00Z")
    reply = await send(door, "ana", 3, "e3", "2026-05-04T11:00:00Z")

    assert (reply["score"], reply["previous_score"]) == ("8", "5")
    (told,) = reply["windows"]
    assert (told["period"], told["rank"], told["previous_rank"]) == ("2026-05-04", 1, 2)


async def test_an_event_of_a_day_to_come_is_shown_when_that_has_come(door):
    await make(door)
    reply = await send(door, "ana", 5, "e1", "2026-05-05T10:00:00Z")
    (told,) = reply["windows"]
    assert (told["period"], told["score"], told.get("rank")) == ("2026-05-05", "5", None)
    assert await table(door) == ("2026-05-04", [])

    await go_to(door, "2026-05-05T01:00:00Z")
    assert await table(door) == ("2026-05-05", [("ana", "5")])


async def test_a_day_that_has_left_is_late_for_history_too(door):
    await make(door, windows=["all", WINDOW])
    body = {"board": "b", "player_id": "ana", "points": 1, "event_id": "e1"}
    reply = await door.ask("POST", "/v1/scores?history=true", body | {"at": "2026-04-27T21:00:00Z"})
    assert reply.body["outcome"] == "counted"
    late = {each["window"]: each.get("late", False) for each in reply.body["windows"]}
    assert late == {"all": False, WINDOW: True}


async def test_the_score_of_a_day_is_not_told_as_that_of_the_window(door):
    """What is kept of an event is what it did on its own day, and nobody ever saw that."""
    await make(door)
    await send(door, "ana", 5, "e1", "2026-05-03T10:00:00Z")
    await send(door, "ana", 3, "e2", "2026-05-04T10:00:00Z")
    again = await send(door, "ana", 3, "e2", "2026-05-04T10:00:00Z")

    assert (again["outcome"], again["first"], again.get("score")) == ("duplicate", "counted", None)
    kept = (await door.ask("GET", "/v1/boards/b/events/e2")).body
    assert (kept["outcome"], kept.get("score")) == ("counted", None)


async def test_a_long_downtime_is_passed_by_one_record(door):
    await make(door)
    await send(door, "ana", 5, "e1", "2026-05-04T10:00:00Z")
    before = door.engine.log.head()[0]
    await go_to(door, "2026-07-01T12:00:00Z")
    door.engine.jobs.look()
    door.engine.jobs.look()

    assert door.engine.log.head()[0] == before + 1
    assert await table(door) == ("2026-07-01", [])
    assert list(door.engine.store.scan()) == []


async def test_the_window_as_it_stood(door):
    await make(door)
    await send(door, "ana", 5, "e1", "2026-05-04T10:00:00Z")
    seq = (await door.ask("GET", "/v1/boards/b/top")).body["seq"]
    await go_to(door, "2026-05-11T12:00:00Z")
    await send(door, "bo", 2, "e2", "2026-05-11T10:00:00Z")
    assert await table(door) == ("2026-05-11", [("bo", "2")])

    for moment in (seq, "2026-05-04T13:00:00Z"):
        assert await table(door, f"as_of={moment}") == ("2026-05-04", [("ana", "5")])
    # The day is told by a record, so it is what readers saw that is shown, not what the clock said.
    assert await table(door, "as_of=2026-05-11T11:59:59Z") == ("2026-05-04", [("ana", "5")])
    day = "from=2026-05-03T22:00:00Z&to=2026-05-04T22:00:00Z"
    assert (await table(door, day))[1] == [("ana", "5")]


async def test_how_a_score_came_about(door):
    await make(door)
    await send(door, "ana", 5, "e1", "2026-05-04T10:00:00Z")
    await go_to(door, "2026-05-08T12:00:00Z")
    await send(door, "ana", 3, "e2", "2026-05-08T10:00:00Z")
    await go_to(door, "2026-05-11T12:00:00Z")

    told = (await door.ask("GET", "/v1/boards/b/explain/ana")).body
    assert (told["score"], told["period"]["key"]) == ("3", "2026-05-11")
    assert [(each["event_id"], each["counts"]) for each in told["events"]] == [
        ("e1", False),
        ("e2", True),
    ]
    told = (await door.ask("GET", "/v1/boards/b/history/ana?step=1d")).body
    assert [(point["at"], point["score"]) for point in told["points"]] == [
        ("2026-05-04T22:00:00Z", "5"),
        ("2026-05-05T22:00:00Z", "5"),
        ("2026-05-06T22:00:00Z", "5"),
        ("2026-05-07T22:00:00Z", "5"),
        ("2026-05-08T22:00:00Z", "8"),
        ("2026-05-09T22:00:00Z", "8"),
        ("2026-05-10T22:00:00Z", "8"),
        ("2026-05-11T12:00:00Z", "3"),
    ]


async def test_periods_and_schedule_of_a_rolling_window(door):
    await make(door)
    await send(door, "ana", 5, "e1", "2026-05-04T10:00:00Z")
    await go_to(door, "2026-05-05T12:00:00Z")
    (period,) = (await door.ask("GET", "/v1/boards/b/periods")).body["periods"]
    assert (period["period"], period["state"], period["closes_at"], period["versions"]) == (
        "2026-05-05",
        "open",
        None,
        [],
    )
    (coming,) = (await door.ask("GET", "/v1/boards/b/schedule?next=1")).body["windows"]
    (boundary,) = coming["boundaries"]
    assert (coming["window"], coming["period"]) == (WINDOW, "2026-05-05")
    assert (boundary["at"], boundary["ends"], boundary["begins"]) == (
        "2026-05-05T22:00:00Z",
        "2026-05-05",
        "2026-05-06",
    )
    assert (boundary["closes_at"], boundary["length"]) == (None, "7d")


@pytest.mark.parametrize("period", ["current", "2026-05-04", "2026-05-04T08:00:00Z"])
async def test_the_present_period_may_be_asked_for_by_its_name(door, period):
    await make(door)
    assert (await table(door, f"period={period}"))[0] == "2026-05-04"


@pytest.mark.parametrize("period", ["previous", "2026-05-03", "2026-05-05", "2026-05-03T08:00:00Z"])
async def test_another_period_is_not_kept_and_the_reply_says_what_to_ask(door, period):
    await make(door)
    reply = await door.ask("GET", f"/v1/boards/b/top?period={period}")

    assert (reply.status, reply.body["error"]["field"]) == (400, "period")
    assert "as_of" in reply.body["error"]["hint"]


async def test_there_is_no_period_before_to_fall_back_to(door):
    await make(door)
    told = await door.ask("GET", "/v1/boards/b/top?fallback=previous")
    assert (told.status, told.body["fallback"], told.body["rows"]) == (200, False, [])


async def test_what_is_void_merged_or_hidden_is_out_of_it_at_once(door):
    await make(door)
    await send(door, "ana", 5, "e1", "2026-05-03T10:00:00Z")
    await send(door, "ana", 3, "e2", "2026-05-04T10:00:00Z")
    await send(door, "bo", 4, "e3", "2026-05-04T10:00:00Z")
    await door.ask("POST", "/v1/boards/b/events/e1/void", {})
    assert (await table(door))[1] == [("bo", "4"), ("ana", "3")]
    await door.ask("POST", "/v1/players/ana/merge", {"into": "bo"})
    assert (await table(door))[1] == [("bo", "7")]
    await door.ask("POST", "/v1/players/bo/hide", {})
    assert (await table(door))[1] == []
    await go_to(door, "2026-05-05T12:00:00Z")
    assert (await table(door))[1] == []
    await door.ask("POST", "/v1/players/bo/unhide", {})
    assert (await table(door))[1] == [("bo", "7")]


async def test_it_is_the_same_after_a_restart_and_after_a_rebuild(door):
    await make(door, windows=["all", WINDOW, "rolling:2d"])
    for day in range(1, 5):
        await send(door, "ana", day, f"a{day}", f"2026-05-0{day}T10:00:00Z")
        await send(door, "bo", 3, f"b{day}", f"2026-05-0{day}T10:00:00Z")
    await go_to(door, "2026-05-05T12:00:00Z")
    before = [await table(door, f"window={name}") for name in ("all", WINDOW, "rolling:2d")]
    assert before[2] == ("2026-05-05", [("ana", "4"), ("bo", "3")])

    door.close()
    again = type(door)(door.settings.db)
    again.clock.set(parse_instant("2026-05-05T12:00:00Z", "at"))
    try:
        shown = [await table(again, f"window={name}") for name in ("all", WINDOW, "rolling:2d")]
        again.engine.writer.run_alone(
            lambda: again.engine.updater.rebuild(lambda *_: None)
        ).result()
        made = [await table(again, f"window={name}") for name in ("all", WINDOW, "rolling:2d")]
    finally:
        again.close()
    assert shown == made == before

"""Periods of a board over the API, with the clock in the test's hand."""

import hashlib
import json

import pytest

from toprung.domain.instants import parse_instant
from toprung.sdk import BoardSettings
from toprung.testing.cli import Cli

pytestmark = pytest.mark.anyio


async def test_the_schedule_tells_the_coming_boundaries_with_the_length_of_each_day(door):
    await door.make_board(
        "oslo", windows=["all", "daily", "season"], zone="Europe/Oslo", grace="1h"
    )
    await door.ask("POST", "/v1/boards/oslo/seasons", {"id": "s1", "at": "2026-06-01T00:00:00Z"})
    told = await door.ask("GET", "/v1/boards/oslo/schedule?next=2", role="client")

    assert told.status == 200
    assert (told.body["zone"], told.body["now"]) == ("Europe/Oslo", "2026-05-04T12:00:00Z")
    windows = {each["window"]: each for each in told.body["windows"]}
    assert windows["all"]["boundaries"] == []
    assert windows["daily"]["period"] == "2026-05-04"
    assert windows["daily"]["boundaries"] == [
        {
            "at": "2026-05-04T22:00:00Z",
            "local": "2026-05-05T00:00:00+02:00",
            "ends": "2026-05-04",
            "begins": "2026-05-05",
            "closes_at": "2026-05-04T23:00:00Z",
            "length": "1d",
        },
        {
            "at": "2026-05-05T22:00:00Z",
            "local": "2026-05-06T00:00:00+02:00",
            "ends": "2026-05-05",
            "begins": "2026-05-06",
            "closes_at": "2026-05-05T23:00:00Z",
            "length": "1d",
        },
    ]
    (begins,) = windows["season"]["boundaries"]
    assert (begins["at"], begins["ends"], begins["begins"]) == ("2026-06-01T00:00:00Z", "0", "1")
    assert begins["length"] is None


DAY = 24 * 3600 * 1_000_000


async def send(door, player, points, event, at, board="b", history=False):
    event_in = {"board": board, "player_id": player, "points": points, "event_id": event, "at": at}
    role = "admin" if history else "server"
    query = "?history=true" if history else ""
    reply = await door.ask("POST", f"/v1/scores{query}", event_in, role=role)
    assert reply.status == 200, reply.body


def settle(door):
    """Do what the clock asks for, and what is done while nothing comes."""
    door.engine.jobs.look()

    def tidy():
        while door.engine.updater.tidy():
            pass

    door.engine.writer.run_alone(tidy).result()


def canonical(rows):
    """The rows of a reply as the rules write them down."""
    lines = [
        [each["rank"], each["player_id"], [each["score"]], each["reached_at"]] for each in rows
    ]
    text = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )
    return hashlib.sha256(text.encode()).hexdigest()


async def test_a_day_opens_closes_and_is_corrected(door):
    await door.make_board(windows=["daily"], grace="1h")
    await send(door, "ana", 3, "e1", "2026-05-04T10:00:00Z")
    await send(door, "bo \N{PILE OF POO}", 7, "e2", "2026-05-04T11:00:00Z")
    day = "/v1/boards/b/periods/2026-05-04"
    told = (await door.ask("GET", day, role="client")).body
    assert (told["state"], told["versions"]) == ("open", [])
    assert told["closes_at"] == "2026-05-05T01:00:00Z"

    door.clock.set(parse_instant(told["closes_at"], "at"))
    assert (await door.ask("GET", day)).body["state"] == "closing"

    settle(door)
    told = (await door.ask("GET", day)).body
    rows = (await door.ask("GET", "/v1/boards/b/top?period=2026-05-04")).body["rows"]
    (version,) = told["versions"]
    assert (told["state"], version["version"], version["count"]) == ("closed", 1, 2)
    assert version["sha256"] == canonical(rows)
    assert version["closed_at"] == told["closes_at"]

    await send(door, "cy", 5, "e3", "2026-05-04T12:00:00Z", history=True)
    assert (await door.ask("GET", day)).body["state"] == "closing"
    settle(door)
    settle(door)
    told = (await door.ask("GET", day)).body
    rows = (await door.ask("GET", "/v1/boards/b/top?period=2026-05-04")).body["rows"]
    assert [each["version"] for each in told["versions"]] == [1, 2]
    assert told["versions"][0] == version
    assert told["versions"][1]["sha256"] == canonical(rows)
    assert len(rows) == 3


async def test_a_correction_of_a_closed_day_makes_another_version(door):
    await door.make_board(windows=["daily"], grace="0s")
    await door.score("ann", 9, "e")
    door.clock.set(door.clock.now() + DAY)
    settle(door)
    day = "/v1/boards/b/periods/2026-05-04"
    first = await door.ask("GET", day)

    body = {"event_id": "fix", "by": 1, "at": "2026-05-04T13:00:00Z"}
    await door.ask("POST", "/v1/boards/b/players/ann/adjust", body)
    settle(door)  # something moved it since the last look: it comes to rest first
    settle(door)
    second = await door.ask("GET", day)
    top = await door.ask("GET", "/v1/boards/b/top?period=2026-05-04")

    assert [each["version"] for each in first.body["versions"]] == [1]
    assert [each["version"] for each in second.body["versions"]] == [1, 2]
    assert [(row["player_id"], row["score"]) for row in top.body["rows"]] == [("ann", "10")]


async def test_periods_are_listed_the_latest_first_page_by_page(door):
    await door.make_board(windows=["daily"], grace="1h")
    for day in (1, 2, 3):
        at = f"2026-05-0{day}T10:00:00Z"
        await send(door, "ana", day, f"e{day}", at, history=True)
    settle(door)
    settle(door)
    first = (await door.ask("GET", "/v1/boards/b/periods?limit=2", role="client")).body
    then = (await door.ask("GET", f"/v1/boards/b/periods?limit=2&before={first['next']}")).body

    assert [(each["period"], each["state"]) for each in first["periods"]] == [
        ("2026-05-04", "open"),
        ("2026-05-03", "closed"),
    ]
    assert [each["period"] for each in then["periods"]] == ["2026-05-02", "2026-05-01"]
    assert then["next"] is None


async def test_who_is_hidden_is_in_the_final_standings_and_in_no_answer(door):
    await door.make_board(windows=["daily"], grace="1h")
    await send(door, "ana", 3, "e1", "2026-05-04T10:00:00Z")
    await send(door, "bo", 7, "e2", "2026-05-04T11:00:00Z")
    await door.ask("POST", "/v1/players/bo/hide", {})
    door.clock.set(door.clock.now() + 2 * DAY)
    settle(door)
    told = (await door.ask("GET", "/v1/boards/b/periods/2026-05-04")).body
    shown = (await door.ask("GET", "/v1/boards/b/top?period=2026-05-04")).body

    assert told["versions"][0]["count"] == 2
    assert [(each["rank"], each["player_id"]) for each in shown["rows"]] == [(1, "ana")]


async def test_a_long_downtime_over_many_ends_closes_each_once_and_in_order(door):
    await door.make_board(windows=["hourly", "daily"], grace="6h")
    for hour in range(8, 12):
        await send(door, "ana", 1, f"e{hour}", f"2026-05-04T{hour:02}:30:00Z")
    door.clock.set(door.clock.now() + 30 * DAY)
    settle(door)
    settle(door)
    snapshots = door.engine.readable_store.snapshots.all()

    assert [(each.window, each.key, each.version) for each in snapshots] == [
        *[("hourly", f"2026-05-04T{hour:02}+00:00", 1) for hour in range(8, 12)],
        ("daily", "2026-05-04", 1),
    ]
    assert [each.seq for each in snapshots] == sorted(each.seq for each in snapshots)


async def test_yesterday_is_shown_until_today_has_somebody(door):
    await door.make_board(windows=["daily"], grace="1h")
    await send(door, "ana", 3, "e1", "2026-05-04T10:00:00Z")
    asked = "/v1/boards/b/top?fallback=previous"
    today = (await door.ask("GET", asked)).body
    assert (today["fallback"], today["period"]["key"]) == (False, "2026-05-04")

    door.clock.set(door.clock.now() + DAY)
    assert (await door.ask("GET", "/v1/boards/b/top")).body["rows"] == []
    told = (await door.ask("GET", asked)).body
    assert (told["fallback"], told["period"]["key"]) == (True, "2026-05-04")
    assert [row["player_id"] for row in told["rows"]] == ["ana"]

    await send(door, "bo", 1, "e2", "2026-05-05T10:00:00Z")
    told = (await door.ask("GET", asked)).body
    assert (told["fallback"], [row["player_id"] for row in told["rows"]]) == (False, ["bo"])


async def test_what_has_no_period_before_falls_back_to_nothing(door):
    await door.make_board(windows=["all", "season"])
    for window in ("all", "season"):
        told = await door.ask("GET", f"/v1/boards/b/top?fallback=previous&window={window}")
        assert (told.status, told.body["fallback"], told.body["rows"]) == (200, False, [])


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("periods?limit=401", "limit"),
        ("periods?before=2026", "before"),
        ("periods/2026-W01", "period"),
        ("periods/2026-05-04?window=weekly", "window"),
        ("top?fallback=next", "fallback"),
        ("top?fallback=previous&since=previous", "fallback"),
    ],
)
async def test_what_cannot_be_asked_of_periods_names_the_field(door, path, field):
    await door.make_board(windows=["daily"])
    told = await door.ask("GET", f"/v1/boards/b/{path}")

    assert (told.status, told.code, told.body["error"]["field"]) == (400, "invalid", field)


@pytest.mark.parametrize(
    ("query", "field"), [("next=0", "next"), ("next=367", "next"), ("window=weekly", "window")]
)
async def test_a_schedule_that_cannot_be_told_names_what_is_wrong(door, query, field):
    await door.make_board(windows=["daily"])
    told = await door.ask("GET", f"/v1/boards/b/schedule?{query}")

    assert (told.status, told.code, told.body["error"]["field"]) == (400, "invalid", field)


async def test_a_season_has_planned_bounds_and_is_ended_before_them(door):
    await door.make_board(windows=["season"])
    asked = {"id": "s1", "name": "spring", "at": "2026-05-04T00:00:00Z"}
    planned = asked | {"ends_at": "2026-06-01T00:00:00Z"}
    assert (await door.ask("POST", "/v1/boards/b/seasons", planned)).status == 201
    await send(door, "ana", 3, "e1", "2026-05-04T10:00:00Z")
    overlap = {"id": "s2", "at": "2026-05-20T00:00:00Z"}
    refused = await door.ask("POST", "/v1/boards/b/seasons", overlap)
    assert (refused.code, refused.body["error"]["field"]) == ("conflict", "at")
    backward = asked | {"id": "s3", "ends_at": asked["at"]}
    refused = await door.ask("POST", "/v1/boards/b/seasons", backward)
    assert (refused.code, refused.body["error"]["field"]) == ("invalid", "ends_at")

    ended = await door.ask("POST", "/v1/boards/b/seasons/end", {"id": "s1"})
    again = await door.ask("POST", "/v1/boards/b/seasons/end", {"id": "s1"})
    assert (ended.body["result"], ended.body["season"]["end"]) == (
        "changed",
        "2026-05-04T12:00:00Z",
    )
    assert again.body["result"] == "unchanged"
    await send(door, "bo", 1, "e2", "2026-05-04T12:00:00Z")
    spring = (await door.ask("GET", "/v1/boards/b/top?period=spring")).body
    present = (await door.ask("GET", "/v1/boards/b/top")).body
    assert [row["player_id"] for row in spring["rows"]] == ["ana"]
    assert ([row["player_id"] for row in present["rows"]], present["period"]["key"]) == (
        ["bo"],
        "2",
    )


async def test_seasons_begin_by_a_schedule(door):
    await door.make_board(windows=["season"])
    path = "/v1/boards/b/seasons/schedule"
    told = await door.ask("PUT", path, {"cron": "0 0 * * *", "zone": "Europe/Oslo"})
    assert told.body["next"][0] == "2026-05-04T22:00:00Z"
    settle(door)
    coming = (await door.ask("GET", "/v1/boards/b/schedule")).body["windows"][0]["boundaries"]
    assert [each["at"] for each in coming] == ["2026-05-04T22:00:00Z"]

    door.clock.set(door.clock.now() + 2 * DAY)
    settle(door)
    seasons = (await door.ask("GET", "/v1/boards/b/seasons")).body["seasons"]
    assert [each["start"] for each in seasons[1:]] == [
        f"2026-05-0{day}T22:00:00Z" for day in (4, 5, 6)
    ]

    stopped = await door.ask("PUT", path, {"cron": None})
    assert (stopped.body["cron"], stopped.body["next"]) == (None, [])
    seasons = (await door.ask("GET", "/v1/boards/b/seasons")).body["seasons"]
    assert len(seasons) == 3
    for body, field in (({"cron": "0 0 30 2 *"}, "cron"), ({"cron": None, "zone": "x"}, "zone")):
        refused = await door.ask("PUT", path, body)
        assert (refused.code, refused.body["error"]["field"]) == ("invalid", field)


def test_the_command_shows_and_sets_a_schedule_of_seasons(cli: Cli, client, names):
    board = next(names)
    client.put_board(board, BoardSettings(windows=("season",)))

    assert "no season begins by itself" in cli("seasons", "schedule", board).err
    assert cli("seasons", "schedule", board, "0 6 * * MON", "--json").json["cron"] == "0 6 * * MON"
    assert client.season_schedule(board).zone == "UTC"
    assert cli("seasons", "schedule", board, "--off", "--json").json["cron"] is None


def test_the_command_ends_a_season(cli: Cli, client, names):
    board = next(names)
    client.put_board(board, BoardSettings(windows=("season",)))
    bounds = ["--at", "2026-01-01T00:00:00Z", "--ends-at", "2026-07-01T00:00:00Z"]
    begun = cli("seasons", "begin", board, "s1", *bounds, "--json").json
    ended = cli("seasons", "end", board, "s1", "--at", "2026-03-01T00:00:00Z", "--json").json

    assert begun["season"]["end"] == "2026-07-01T00:00:00Z"
    assert (ended["result"], ended["season"]["end"]) == ("changed", "2026-03-01T00:00:00Z")


def test_the_command_shows_the_schedule(cli: Cli, client, names):
    board = next(names)
    client.put_board(board, BoardSettings(windows=("all", "weekly"), zone="Europe/Oslo"))
    ended = cli("schedule", board, "--next", "2", "--window", "weekly")
    (window,) = cli("schedule", board, "--next", "2", "--window", "weekly", "--json").json[
        "windows"
    ]

    lines = [line.split("\t") for line in ended.out.splitlines()]
    assert [line[:3] for line in lines[1:]] == [
        ["weekly", each["ends"], each["begins"]] for each in window["boundaries"]
    ]
    assert len(lines) == 3


def test_the_client_tells_the_schedule(client, names):
    board = next(names)
    client.put_board(board, BoardSettings(windows=("all", "daily")))
    told = client.schedule(board, count=3)

    assert [(each.window, len(each.boundaries)) for each in told.windows] == [
        ("all", 0),
        ("daily", 3),
    ]
    assert told.windows[1].period == told.windows[1].boundaries[0].ends


def test_the_command_lists_periods_and_shows_one(cli: Cli, client, names):
    board = next(names)
    client.put_board(board, BoardSettings(windows=("daily",)))
    client.submit(board, "ana", 1)
    (listed,) = cli("periods", board, "--json").json["periods"]
    one = cli("periods", board, listed["period"], "--json").json
    table = [line.split("\t") for line in cli("periods", board).out.splitlines()]

    assert (listed["state"], listed["versions"]) == ("open", [])
    assert one["period"] == listed["period"]
    assert table[1][:2] == [listed["period"], "open"]


def test_the_client_asks_for_the_period_before(client, names):
    board = next(names)
    client.put_board(board, BoardSettings(windows=("daily",)))

    assert client.period(board, "previous").state in ("closed", "open")
    assert client.top(board, fallback="previous").rows == ()

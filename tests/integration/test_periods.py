"""Periods of a board over the API, with the clock in the test's hand."""

import pytest

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


@pytest.mark.parametrize(
    ("query", "field"), [("next=0", "next"), ("next=367", "next"), ("window=weekly", "window")]
)
async def test_a_schedule_that_cannot_be_told_names_what_is_wrong(door, query, field):
    await door.make_board(windows=["daily"])
    told = await door.ask("GET", f"/v1/boards/b/schedule?{query}")

    assert (told.status, told.code, told.body["error"]["field"]) == (400, "invalid", field)


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

"""The events of a board over HTTP: what was sent, digit by digit, by pages, for admins alone."""

import msgspec
import pytest

from toprung.domain.limits import PAGE_ROWS
from toprung.query import events as pages
from toprung.sdk import Client, ScoreEvent

pytestmark = pytest.mark.anyio


async def events(door, query="", board="b", **more):
    return await door.ask("GET", f"/v1/boards/{board}/events{query}", **more)


async def test_an_event_is_told_as_it_was_sent(door):
    await door.make_board(columns=[{"name": "laps"}, {"name": "time", "decimals": 3}])
    sent = {
        "board": "b",
        "event_id": "e\t1",
        "player_id": "=ana",
        "points": {"laps": 9007199254740993, "time": "12.340"},
        "at": "2026-05-04T11:00:00.000001+02:00",
        "match_id": "m",
        "metadata": {"big": 12345678901234567890},
    }
    await door.ask("POST", "/v1/scores?history=true", sent)

    answer = await events(door)

    (row,) = answer.body["rows"]
    assert row == {
        "seq": "2",
        "received_at": "2026-05-04T12:00:00Z",
        "event_id": "e\t1",
        "player_id": "=ana",
        "points": {"laps": "9007199254740993", "time": "12.34"},
        "at": "2026-05-04T09:00:00.000001Z",
        "outcome": "counted",
        "history": True,
        "match_id": "m",
        "metadata": {"big": 12345678901234567890},
    }
    assert (answer.body["board"], answer.body["seq"], answer.body["next"]) == ("b", "2", None)


async def test_whatever_became_of_it_is_told_with_the_windows_it_came_too_late_for(door):
    await door.make_board("strict", windows=["all", "daily"], grace="1h", max_ahead="5m")
    old = {"board": "strict", "player_id": "p", "points": 1, "at": "2026-05-01T12:00:00Z"}
    for event in (
        old | {"event_id": "e1"},
        old | {"event_id": "e1"},
        old | {"event_id": "e1", "points": 2},
        old | {"event_id": "e2", "at": "2026-05-09T12:00:00Z"},
    ):
        await door.ask("POST", "/v1/scores", event)
    await door.score("p", "none", "never logged", board="strict")

    rows = (await events(door, board="strict")).body["rows"]

    assert [(row["outcome"], row.get("late", [])) for row in rows] == [
        ("counted", ["daily"]),
        ("duplicate", []),
        ("conflict", []),
        ("early", []),
    ]


async def test_pages_follow_each_other(door, monkeypatch):
    monkeypatch.setattr(pages, "LOOKED_AT", 3)
    await door.make_board()
    await door.make_board("other")
    for number in range(5):
        await door.score("p", 1, f"e{number}")
        for more in range(3):
            await door.score("p", 1, f"o{number}-{more}", board="other")
    found, cursor, empty = [], "", 0
    while cursor is not None:
        page = (await events(door, f"?limit=2{cursor}")).body
        found += [row["event_id"] for row in page["rows"]]
        empty += not page["rows"]
        cursor = page["next"] and f"&cursor={page['next']}"

    assert found == [f"e{number}" for number in range(5)]
    assert empty > 0


async def test_a_board_made_again_begins_anew(door):
    await door.make_board()
    await door.score("p", 1, "e")
    cursor = "1-2"
    await door.ask("DELETE", "/v1/boards/b")
    await door.make_board()

    assert (await events(door)).body["rows"] == []
    assert (await events(door, f"?cursor={cursor}")).body["error"]["field"] == "cursor"


@pytest.mark.parametrize("cursor", ["x", "1", "-", "1-", "1-x", "1--2", f"1-{'9' * 30}", "2-1"])
async def test_a_cursor_of_nobody(door, cursor):
    await door.make_board()

    answer = await events(door, f"?cursor={cursor}")

    assert (answer.code, answer.body["error"]["field"]) == ("invalid", "cursor")


@pytest.mark.parametrize("role", ["client", "server"])
async def test_only_an_admin_sees_events(door, role):
    await door.make_board()

    assert (await events(door, role=role)).code == "forbidden"


async def test_what_is_wrong_is_named(door):
    await door.make_board()
    too_many = await events(door, f"?limit={PAGE_ROWS.maximum + 1}")

    assert (too_many.code, too_many.body["error"]["field"]) == ("invalid", "limit")
    assert (await events(door, board="nowhere")).code == "unknown_board"


async def test_the_client_tells_them(client: Client, names):
    board = next(names)
    client.put_board(board)
    client.submit_many(
        [ScoreEvent(board, "p", i, event_id=f"e{i}", metadata={"i": i}) for i in range(3)]
    )

    first = client.events(board, limit=2)
    rest = client.events(board, limit=2, cursor=first.next)

    assert [row.event_id for row in (*first.rows, *rest.rows)] == ["e0", "e1", "e2"]
    assert msgspec.json.decode(rest.rows[0].metadata) == {"i": 2}
    assert rest.next is None

"""Boards on which each event counts in the segments that it carries, over HTTP (R17)."""

import pytest

from toprung.domain.limits import Limit
from toprung.ports import segments as known

pytestmark = pytest.mark.anyio

SETTINGS = {
    "segments": ["country"],
    "segment_at": "event",
    "windows": ["all", "daily"],
    "grace": "none",
    "max_ahead": "none",
}
"""As the board of these tests is made."""


async def live_in(door, player, land):
    profile = {"attributes": {"country": land}}
    return await door.ask("PUT", f"/v1/players/{player}", profile, role="server")


async def places(door, segment=None, **query):
    query |= {} if segment is None else {"segment": segment}
    also = "&".join(f"{name}={value}" for name, value in query.items())
    reply = await door.ask("GET", f"/v1/boards/b/top?{also}")
    return [(row["rank"], row["player_id"], row["score"]) for row in reply.body["rows"]]


@pytest.fixture
async def sliced(door):
    await door.ask("PUT", "/v1/boards/b", SETTINGS)
    await live_in(door, "ann", "NO")
    await door.score("ann", 3, "e1", segments={"country": "DK"})
    await door.score("ann", 5, "e2")
    await door.score("bo", 4, "e3")
    await door.score("cy", 2, "e4", segments={"country": "NO"})
    return door


async def test_each_event_counts_where_it_says_and_else_where_its_player_is(sliced):
    assert await places(sliced) == [(1, "ann", "8"), (2, "bo", "4"), (3, "cy", "2")]
    assert await places(sliced, "country:DK") == [(1, "ann", "3")]
    for window in ("all", "daily"):
        assert await places(sliced, "country:NO", window=window) == [
            (1, "ann", "5"),
            (2, "cy", "2"),
        ]


async def test_what_counted_stays_where_it_is_when_the_player_moves(sliced):
    await live_in(sliced, "ann", "SE")
    await sliced.score("ann", 1, "e5")

    assert await places(sliced, "country:NO") == [(1, "ann", "5"), (2, "cy", "2")]
    assert await places(sliced, "country:SE") == [(1, "ann", "1")]


async def test_ranks_of_a_batch_are_those_on_the_board(sliced):
    events = [
        {"board": "b", "player_id": "cy", "points": 3, "event_id": "e5"},
        {"board": "b", "player_id": "cy", "points": 9, "event_id": "e6"}
        | {"segments": {"country": "DK"}},
    ]
    reply = await sliced.ask("POST", "/v1/scores", {"events": events}, role="server")

    ranks = [
        [(each["score"], each["previous_rank"], each["rank"]) for each in result["windows"]]
        for result in reply.body["results"]
    ]
    assert ranks == [[("5", 3, 2)] * 2, [("14", 2, 1)] * 2]
    assert await places(sliced, "country:DK") == [(1, "cy", "9"), (2, "ann", "3")]


async def test_a_void_takes_an_event_out_of_its_segment(sliced):
    act = await sliced.ask("POST", "/v1/boards/b/events/e1/void", {})

    assert await places(sliced, "country:DK") == []
    assert {each["window"] for each in act.body["periods"]} == {"all", "daily"}
    assert all("?" not in each["period"] for each in act.body["periods"])
    await sliced.ask("POST", "/v1/boards/b/events/e1/unvoid", {})
    assert await places(sliced, "country:DK") == [(1, "ann", "3")]


async def test_the_past_knows_segments_of_events(sliced):
    then = (await sliced.ask("GET", "/v1/boards/b/top")).body["seq"]
    await sliced.score("cy", 9, "e5", segments={"country": "DK"})

    assert await places(sliced, "country:DK", as_of=then) == [(1, "ann", "3")]
    assert await places(sliced, "country:DK", **{"from": "2000-01-01T00:00:00Z"}) == [
        (1, "cy", "9"),
        (2, "ann", "3"),
    ]
    found = await sliced.ask("GET", "/v1/boards/b/explain/ann?segment=country:DK")
    counted = [each["event_id"] for each in found.body["events"] if each["counts"]]
    assert (counted, found.body["score"]) == (["e1"], "3")


async def test_the_list_of_events_tells_what_they_carry(sliced):
    reply = await sliced.ask("GET", "/v1/boards/b/events")

    carried = {row["event_id"]: row.get("segments") for row in reply.body["rows"]}
    no = {"country": "NO"}
    assert carried == {"e1": {"country": "DK"}, "e2": no, "e3": None, "e4": no}


@pytest.mark.parametrize(
    ("segments", "field"),
    [({"plan": "pro"}, "segments.plan"), ({"country": "x" * 201}, "segments.country")],
)
async def test_an_event_that_carries_what_it_cannot_is_invalid(sliced, segments, field):
    refused = await sliced.score("ann", 1, "e5", segments=segments)

    assert (refused.status, refused.body["error"]["field"]) == (400, field)
    assert await places(sliced) == [(1, "ann", "8"), (2, "bo", "4"), (3, "cy", "2")]


async def test_where_segments_hang_on_the_player_no_event_carries_them(door):
    await door.make_board(segments=["country"])
    refused = await door.score("ann", 1, "e1", segments={"country": "NO"})

    assert (refused.status, refused.body["error"]["field"]) == (400, "segments")


async def test_events_carry_only_so_many_values(monkeypatch, sliced):
    monkeypatch.setattr(known, "SEGMENT_VALUES", Limit("segment_values", 0, 2, "values", "few"))
    refused = await sliced.score("ann", 1, "e5", segments={"country": "SE"})
    taken = await sliced.score("ann", 1, "e5", segments={"country": "DK"})

    assert (refused.status, refused.body["error"]["field"]) == (400, "segments.country")
    assert taken.status == 200


@pytest.mark.parametrize(
    "settings",
    [
        {"windows": ["rolling:7d"]},
        {"freeze_at": "2026-05-04T00:00:00Z"},
        {"windows": ["all", "daily", "weekly"], "segments": ["country", "plan"]},
        {"segment_at": "arrival"},
    ],
)
async def test_what_does_not_go_with_it(door, settings):
    refused = await door.ask("PUT", "/v1/boards/b", SETTINGS | settings)

    assert (refused.status, refused.body["error"]["field"]) == (400, "segment_at")


@pytest.mark.parametrize("settings", [{"segment_at": "player"}, {"segments": []}])
async def test_it_is_fixed_once_there_are_events(sliced, settings):
    path = "/v1/boards/b?if_exists="
    refused = await sliced.ask("PUT", f"{path}change", SETTINGS | settings)
    changed = await sliced.ask("PUT", f"{path}recompute", SETTINGS | settings)

    assert (refused.status, refused.code) == (409, "settings_fixed")
    assert refused.body["error"]["field"] == next(iter(settings))
    assert changed.body["result"] == "recomputed"


async def test_a_recompute_counts_by_player_and_by_event_again(sliced):
    path = "/v1/boards/b?if_exists=recompute"
    await sliced.ask("PUT", path, SETTINGS | {"segment_at": "player"})
    by_player = await places(sliced, "country:NO")
    await sliced.ask("PUT", path, SETTINGS)

    assert by_player == [(1, "ann", "8")]
    assert await places(sliced, "country:NO") == [(1, "ann", "5"), (2, "cy", "2")]

"""Segments of boards over HTTP: ranks inside them, players who move, and what is refused (R17)."""

import pytest

from toprung.domain.instants import DAY, HOUR, format_instant
from toprung.domain.limits import Limit
from toprung.ports import segments as known

pytestmark = pytest.mark.anyio

LANDS = {"ann": "NO", "bo": "SE", "cy": "NO", "di": "SE", "eve": None}
"""Ann leads, then the others in their order."""
SETTINGS = {
    "segments": ["country", "plan"],
    "windows": ["all", "daily"],
    "grace": "none",
    "max_ahead": "none",
}


async def live_in(door, player, land, **more):
    attributes = {"country": land} if land else {}
    return await door.ask(
        "PUT", f"/v1/players/{player}", {"attributes": attributes | more}, role="server"
    )


async def asked(door, what="top", segment="country:NO", board="b", **query):
    also = "".join(f"&{name}={value}" for name, value in query.items())
    return await door.ask("GET", f"/v1/boards/{board}/{what}?segment={segment}{also}")


async def places(door, segment="country:NO", **query):
    reply = await asked(door, segment=segment, **query)
    return [(row["rank"], row["player_id"]) for row in reply.body["rows"]]


@pytest.fixture
async def filled(door):
    await door.make_board(segments=["country", "plan"], windows=["all", "daily"])
    for place, (player, land) in enumerate(LANDS.items()):
        await live_in(door, player, land)
        await door.score(player, 9 - place, f"e-{player}")
    return door


async def test_every_read_answers_for_a_segment(filled):
    top = (await asked(filled)).body
    rank = (await asked(filled, "rank/cy")).body
    around = (await asked(filled, "around/cy", n=1)).body
    ranks = (await asked(filled, "ranks", **{"from": 2, "to": 2})).body
    scores = (await asked(filled, "scores", min=8)).body
    rank_of = (await asked(filled, "rank-of", score=8)).body
    body = {"players": ["cy", "bo", "ann"]}
    of = (await filled.ask("POST", "/v1/boards/b/ranks?segment=country:NO", body)).body
    friends = (await filled.ask("POST", "/v1/boards/b/friends?segment=country:NO", body)).body

    def rows(reply):
        return [(row["rank"], row["player_id"]) for row in reply["rows"]]

    assert rows(top) == [(1, "ann"), (2, "cy")]
    assert (top["segment"], top["total"]) == ("country:NO", 2)
    assert (rank["rank"], rank["total"], rank["percentile"]) == (2, 2, 50.0)
    assert rows(around) == [(1, "ann"), (2, "cy")]
    assert rows(ranks) == [(2, "cy")]
    assert rows(scores) == [(1, "ann")]
    assert (rank_of["rank"], rank_of["total"]) == (2, 2)
    assert (rows(of), of["missing"]) == ([(2, "cy"), (1, "ann")], ["bo"])
    assert [(row["rank"], row["board_rank"]) for row in friends["rows"]] == [(1, 1), (2, 2)]


async def test_who_is_not_in_it_is_unranked_and_nobody_is_an_empty_list(filled):
    unranked = await asked(filled, "rank/bo")

    assert (unranked.status, unranked.code) == (404, "unranked_player")
    assert await places(filled, "country:DK") == []
    assert await places(filled, "country:") == []
    assert await places(filled, "plan:gold") == []


async def test_pages_go_on_inside_the_segment(filled):
    first = (await asked(filled, k=1)).body
    second = (await asked(filled, k=1, cursor=first["next"])).body
    other = await asked(filled, segment="country:SE", cursor=first["next"])
    whole = await filled.ask("GET", f"/v1/boards/b/top?cursor={first['next']}")

    assert [row["player_id"] for row in second["rows"]] == ["cy"]
    assert second["next"] is None
    for refused in (other, whole):
        assert (refused.status, refused.body["error"]["field"]) == (400, "cursor")


@pytest.mark.parametrize("segment", ["city:Oslo", "country", "", ":NO", "country:" + "x" * 201])
async def test_a_segment_that_the_board_does_not_have(filled, segment):
    refused = await asked(filled, segment=segment)

    assert (refused.status, refused.body["error"]["field"]) == (400, "segment")


async def test_a_player_whose_attribute_changes_moves_in_open_periods_at_once(filled):
    before = await places(filled, "country:SE")
    await live_in(filled, "ann", "SE")
    await live_in(filled, "di", None)

    assert before == [(1, "bo"), (2, "di")]
    for window in ("all", "daily"):
        assert await places(filled, "country:SE", window=window) == [(1, "ann"), (2, "bo")]
        assert await places(filled, window=window) == [(1, "cy")]
    await filled.score("cy", 100, "more")
    assert await places(filled) == [(1, "cy")]


async def test_a_closed_period_keeps_players_where_they_were(filled):
    await filled.ask("PUT", "/v1/boards/b?if_exists=change", SETTINGS | {"grace": "1h"})
    filled.clock.set(filled.clock.now() + DAY + 2 * HOUR)
    filled.engine.jobs.look()

    await live_in(filled, "ann", "SE")

    yesterday = {"window": "daily", "period": "2026-05-04"}
    assert await places(filled, **yesterday) == [(1, "ann"), (2, "cy")]
    assert await places(filled, "country:SE", **yesterday) == [(1, "bo"), (2, "di")]
    assert await places(filled) == [(1, "cy")]


async def test_segments_come_and_go_at_once(filled):
    async def change(*segments):
        settings = SETTINGS | {"segments": list(segments)}
        return await filled.ask("PUT", "/v1/boards/b?if_exists=change", settings)

    await live_in(filled, "ann", "NO", city="Oslo")
    changed = await change("city")
    gone = await asked(filled)

    assert (changed.body["result"], changed.body["changed"]) == ("changed", ["segments"])
    assert changed.body["board"]["segments"] == ["city"]
    assert await places(filled, "city:Oslo") == [(1, "ann")]
    assert (gone.status, gone.body["error"]["field"]) == (400, "segment")
    await change("country")
    assert await places(filled) == [(1, "ann"), (2, "cy")]


async def test_hidden_players_are_in_no_segment(filled):
    await filled.ask("POST", "/v1/players/ann/hide", {})
    hidden = await places(filled)
    await live_in(filled, "ann", "SE")
    still = await places(filled, "country:SE")
    await filled.ask("POST", "/v1/players/ann/unhide", {})

    assert hidden == [(1, "cy")]
    assert still == [(1, "bo"), (2, "di")]
    assert await places(filled, "country:SE") == [(1, "ann"), (2, "bo"), (3, "di")]


async def test_the_past_of_a_segment(filled):
    seq = (await asked(filled)).body["seq"]
    then = format_instant(filled.clock.now())
    filled.clock.set(filled.clock.now() + HOUR)
    await live_in(filled, "ann", "SE")

    assert await places(filled, as_of=seq) == [(1, "ann"), (2, "cy")]
    (row,) = (await asked(filled, since=then)).body["rows"]
    assert (row["player_id"], row["rank_delta"]) == ("cy", 1)
    by_time = {"from": "2026-01-01T00:00:00Z"}
    assert await places(filled, "country:SE", **by_time) == [(1, "ann"), (2, "bo"), (3, "di")]
    history = (await asked(filled, "history/cy", step="1h")).body["points"]
    assert [(point["rank"], point["total"]) for point in history][-2:] == [(2, 2), (1, 1)]
    explained = (await asked(filled, "explain/ann")).body
    assert (explained["rank"], explained["counted"], explained["total"]) == (None, 1, 1)


@pytest.fixture
def few_values(monkeypatch):
    """An attribute that boards are sliced by may have two values."""
    monkeypatch.setattr(known, "SEGMENT_VALUES", Limit("segment_values", 0, 2, "values", ""))
    monkeypatch.setattr("toprung.updater.slicing.SEGMENT_VALUES", known.SEGMENT_VALUES)


async def test_too_many_values_are_refused_and_nothing_changes(few_values, filled):
    refused = await live_in(filled, "ann", "DK")

    assert (refused.status, refused.code) == (422, "too_many_values")
    assert refused.body["error"]["field"] == "attributes.country"
    assert await places(filled) == [(1, "ann"), (2, "cy")]
    assert (await live_in(filled, "ann", "SE")).status == 200
    assert (await live_in(filled, "cy", "SE")).status == 200
    # Nobody is left in Norway, which makes room.
    assert (await live_in(filled, "ann", "DK")).status == 200
    assert await places(filled, "country:DK") == [(1, "ann")]


async def test_a_board_is_not_sliced_by_what_has_too_many_values(few_values, filled):
    for place, player in enumerate(LANDS):
        await live_in(filled, player, "NO", city=f"city {place}")
    settings = SETTINGS | {"segments": ["country", "city"]}

    refused = await filled.ask("PUT", "/v1/boards/b?if_exists=change", settings)
    other = await filled.ask("PUT", "/v1/boards/other", settings)

    for answer in (refused, other):
        assert (answer.status, answer.code) == (422, "too_many_values")
        assert answer.body["error"]["field"] == "segments"
    assert (await filled.ask("GET", "/v1/boards/b")).body["segments"] == ["country", "plan"]
    assert (await live_in(filled, "ann", "NO", city="a further one")).status == 200


@pytest.mark.parametrize(
    "segments", [["a", "a"], ["Country"], ["a:b"], [""], [f"s{place}" for place in range(6)]]
)
async def test_segments_that_no_board_may_have(door, segments):
    refused = await door.ask("PUT", "/v1/boards/b", {"segments": segments})

    assert refused.status == 400
    assert refused.body["error"]["field"].startswith("segments")


async def test_other_projects_are_not_asked(filled):
    other = filled.key("admin", "another")
    await filled.ask("PUT", "/v1/boards/b", SETTINGS, key=other)
    await filled.ask("PUT", "/v1/players/ann", {"attributes": {"country": "DK"}}, key=other)

    assert await places(filled) == [(1, "ann"), (2, "cy")]

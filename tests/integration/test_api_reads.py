"""Standings and ranks over HTTP: what a reply holds, and how arguments are read."""

from urllib.parse import quote

import pytest

pytestmark = pytest.mark.anyio

PLAYERS = ["ana", "bo", "cy", "di", "ed"]
READS = ["top", "rank/ana", "around/ana", "ranks", "scores", "rank-of?score=1"]


async def season(door, **settings):
    """Five players with 50, 40, 30, 30 and 10 points."""
    await door.make_board(windows=["all", "daily"], **settings)
    for number, (player, points) in enumerate(zip(PLAYERS, (50, 40, 30, 30, 10), strict=True)):
        await door.score(player, points, f"e{number}")
        door.clock.set(door.clock.now() + 1_000_000)


async def read(door, path, **more):
    return await door.ask("GET", f"/v1/boards/b/{path}", role="client", **more)


def shown(answer):
    return [(row["rank"], row["player_id"]) for row in answer.body["rows"]]


async def test_top_has_everything_that_a_page_tells(door):
    await season(door)

    answer = await read(door, "top?k=2")

    cursor = answer.body.pop("next")
    assert answer.body == {
        "board": "b",
        "window": "all",
        "period": {"key": "all", "start": None, "end": None},
        "numbering": "ordinal",
        "total": 5,
        "seq": "6",
        "rows": [
            {"rank": 1, "player_id": "ana", "score": "50", "reached_at": "2026-05-04T12:00:00Z"},
            {"rank": 2, "player_id": "bo", "score": "40", "reached_at": "2026-05-04T12:00:01Z"},
        ],
        "prev": None,
        "fallback": False,
        "segment": None,
        "frozen_at": None,
        "withheld": None,
    }
    assert cursor


async def test_rank_has_everything_about_one_player(door):
    await season(door)

    answer = await read(door, "rank/di?window=daily&numbering=shared")

    assert answer.body == {
        "board": "b",
        "window": "daily",
        "period": {
            "key": "2026-05-04",
            "start": "2026-05-04T00:00:00Z",
            "end": "2026-05-05T00:00:00Z",
        },
        "numbering": "shared",
        "player_id": "di",
        "rank": 3,
        "score": "30",
        "percentile": 60.0,
        "top_percent": 60.0,
        "total": 5,
        "reached_at": "2026-05-04T12:00:03Z",
        "seq": "6",
    }


async def test_a_walk_by_cursor_meets_each_row_once_forward_and_back(door):
    await season(door)
    path, walked = "top?window=daily&k=2", []

    answer = await read(door, path)
    while answer.body["next"] is not None:
        walked += shown(answer)
        # The cursor keeps the window.
        answer = await read(door, f"top?k=2&cursor={answer.body['next']}")
    walked += shown(answer)
    back = await read(door, f"top?k=2&cursor={answer.body['prev']}")

    assert walked == [(1, "ana"), (2, "bo"), (3, "cy"), (4, "di"), (5, "ed")]
    assert shown(back) == [(3, "cy"), (4, "di")]
    assert answer.body["window"] == "daily"


async def test_a_cursor_keeps_its_period_when_a_new_one_begins(door):
    await season(door)
    first = await read(door, "top?window=daily&period=current&k=2")
    door.clock.set(door.clock.now() + 24 * 3600 * 1_000_000)

    following = await read(door, f"top?period=current&k=2&cursor={first.body['next']}")

    assert (following.body["period"]["key"], shown(following)) == (
        "2026-05-04",
        [(3, "cy"), (4, "di")],
    )


@pytest.mark.parametrize(
    ("path", "rows"),
    [
        ("around/cy?n=1", [(2, "bo"), (3, "cy"), (4, "di")]),
        ("around/ana?n=1", [(1, "ana"), (2, "bo")]),
        ("around/ana?size=3", [(1, "ana"), (2, "bo"), (3, "cy")]),
        ("around/cy?n=0", [(3, "cy")]),
        ("ranks?from=2&to=3", [(2, "bo"), (3, "cy")]),
        ("ranks?from=2&to=3&numbering=shared", [(2, "bo"), (3, "cy"), (3, "di")]),
        ("ranks?from=3&to=2", []),
        ("scores?min=30&max=40", [(2, "bo"), (3, "cy"), (4, "di")]),
        ("scores?max=30", [(3, "cy"), (4, "di"), (5, "ed")]),
        ("scores?min=40&max=30", []),
        ("top?window=daily&period=previous", []),
        ("top?window=daily&period=2026-05-04T23%3A59%3A59Z&k=1", [(1, "ana")]),
        ("top?window=daily&period=1999-12-31", []),
    ],
)
async def test_a_read_gives_the_rows_it_should(door, path, rows):
    await season(door)

    assert shown(await read(door, path)) == rows


async def test_around_shows_five_rows_on_each_side_by_default(door):
    await door.make_board()
    for number in range(12):
        await door.score(f"p{number:02}", 100 - number, f"e{number}")

    assert len(shown(await read(door, "around/p06"))) == 11


async def test_rank_of_tells_what_is_missing(door):
    await season(door)

    answer = await read(door, "rank-of?score=30&wanted=1")

    assert {name: answer.body[name] for name in ("score", "rank", "next", "wanted")} == {
        "score": "30",
        "rank": 5,
        "next": {"rank": 3, "points": "1"},
        "wanted": {"rank": 1, "points": "21"},
    }


async def test_rank_of_writes_the_score_as_replies_do(door):
    await door.make_board(columns=[{"decimals": 2}, {"name": "seconds", "order": "asc"}])

    answer = await read(door, "rank-of?score=1.50,-0")

    assert answer.body["score"] == "1.5,0"


async def test_many_players_come_in_the_order_asked(door):
    await season(door)

    answer = await door.ask(
        "POST", "/v1/boards/b/ranks?numbering=dense", {"players": ["ed", "nobody", "ana", "ed"]}
    )

    assert shown(answer) == [(4, "ed"), (1, "ana"), (4, "ed")]
    assert answer.body["missing"] == ["nobody"]


async def test_boards_with_columns_show_them_by_name(door):
    await door.make_board(columns=[{"name": "points"}, {"name": "seconds", "order": "asc"}])
    await door.score("ana", {"points": 3, "seconds": 70}, "e")

    rank = await read(door, "rank/ana")
    top = await read(door, "top")

    assert rank.body["columns"] == {"points": "3", "seconds": "70"}
    assert top.body["rows"][0]["columns"] == {"points": "3", "seconds": "70"}


@pytest.mark.parametrize("player", ["a/b", "..", "a b", "é", "?", "#", "%", "a\nb", "rank", "*"])
async def test_a_player_id_is_one_segment_whatever_it_holds(door, player):
    await door.make_board()
    await door.score(player, 7, "e")
    segment = quote(player, safe="")

    for path in (f"rank/{segment}", f"around/{segment}"):
        answer = await read(door, path)
        assert answer.status == 200, answer.body
    assert (await read(door, f"rank/{segment}")).body["player_id"] == player


@pytest.mark.parametrize("read_path", READS)
async def test_an_empty_period_is_empty_and_its_players_are_unranked(door, read_path):
    await season(door)
    mark = "&" if "?" in read_path else "?"

    answer = await read(door, f"{read_path}{mark}window=daily&period=1999-12-31")

    if read_path.startswith(("rank/", "around/")):
        assert (answer.status, answer.code) == (404, "unranked_player")
    else:
        assert (answer.status, answer.body["total"]) == (200, 0)


BAD = {
    "k": ["top?k=0", "top?k=1001", "top?k=x", "top?k=", "top?k=1.0", "top?k=%D9%A1", "top?k=+1"],
    "n": ["around/ana?n=-1", "around/ana?n=501"],
    "size": ["around/ana?size=0", "around/ana?size=1001", "around/ana?n=1&size=1"],
    "from": ["ranks?from=0", f"ranks?from={2**53}", f"ranks?from={10**30}"],
    "to": ["ranks?to=0"],
    "limit": ["ranks?limit=0", "scores?limit=1001"],
    "min": ["scores?min=x", "scores?min=1.5", "scores?min=1e2"],
    "max": ["scores?max=", f"scores?max={2**63}"],
    "score": ["rank-of", "rank-of?score=", "rank-of?score=1,2", f"rank-of?score={'9' * 10_000}"],
    "wanted": ["rank-of?score=1&wanted=0"],
    "cursor": ["top?cursor=", "top?cursor=x", "top?cursor=%00", f"top?cursor={'A' * 3000}"],
    "window": ["top?window=weekly", "top?window=", "top?window=ALL"],
    "period": [
        "top?period=previous",
        "top?window=daily&period=2026-W18",
        "top?window=daily&period=",
        "top?window=daily&period=2026-02-30",
        "top?window=daily&period=0001-01-01T00:00:00Z",
    ],
    "numbering": ["top?numbering=olympic"],
}


@pytest.mark.parametrize(("field", "path"), [(field, path) for field in BAD for path in BAD[field]])
async def test_a_bad_argument_is_named(door, field, path):
    await season(door)

    answer = await read(door, path)

    assert (answer.status, answer.code, answer.body["error"]["field"]) == (400, "invalid", field)


async def test_an_argument_may_stand_once(door):
    await season(door)

    answer = await read(door, "top?k=1&k=1")

    assert (answer.status, answer.body["error"]["field"]) == (400, "k")


@pytest.mark.parametrize("read_path", READS)
async def test_an_unknown_argument_is_refused_with_those_that_are_known(door, read_path):
    mark = "&" if "?" in read_path else "?"

    answer = await read(door, f"{read_path}{mark}colour=red")

    assert (answer.status, answer.code) == (400, "unknown_parameter")
    assert "numbering" in answer.body["error"]["hint"]


async def test_a_cursor_of_another_board_is_refused(door):
    await season(door)
    await door.make_board("other", windows=["all"])
    cursor = (await read(door, "top?k=2")).body["next"]

    answer = await door.ask("GET", f"/v1/boards/other/top?cursor={cursor}")

    assert (answer.status, answer.body["error"]["field"]) == (400, "cursor")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"players": []}, "players"),
        ({"players": ["x"] * 1001}, "players"),
        ({"players": [1]}, "players[0]"),
        ({"players": "x"}, "players"),
        ({}, "players"),
        ({"players": ["x"], "k": 1}, "k"),
    ],
)
async def test_a_bad_list_of_players_is_named(door, body, field):
    await season(door)

    answer = await door.ask("POST", "/v1/boards/b/ranks", body)

    assert (answer.status, answer.body["error"]["field"]) == (400, field)

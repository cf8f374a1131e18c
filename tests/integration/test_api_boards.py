"""Boards, seasons and profiles over HTTP."""

import pytest

pytestmark = pytest.mark.anyio

DEFAULTS = {
    "title": "",
    "admit": {},
    "segments": [],
    "limits": {
        "points": {},
        "points_per_hour": None,
        "events_per_minute": None,
        "on_breach": "refuse",
    },
    "mode": "sum",
    "columns": [{"name": "score", "order": "desc", "decimals": 0}],
    "ties": "earliest",
    "zone": "UTC",
    "week_start": "monday",
    "grace": "1h",
    "max_ahead": "5m",
    "remember": "forever",
}


async def test_a_board_is_made_with_defaults_and_told_with_its_present_periods(door):
    made = await door.ask("PUT", "/v1/boards/b", {"windows": ["all", "daily"]})
    told = await door.ask("GET", "/v1/boards/b", role="client")

    assert (made.status, made.body["result"], made.body["changed"]) == (201, "created", [])
    assert told.body == DEFAULTS | {
        "board": "b",
        "windows": [
            {"window": "all", "period": "all", "start": None, "end": None, "next_change": None},
            {
                "window": "daily",
                "period": "2026-05-04",
                "start": "2026-05-04T00:00:00Z",
                "end": "2026-05-05T00:00:00Z",
                "next_change": "2026-05-05T00:00:00Z",
            },
        ],
        "created_at": "2026-05-04T12:00:00Z",
        "seq": "1",
        "freeze_at": None,
        "frozen_at": None,
        "segment_at": "player",
        "publish_delay": None,
    }


async def test_making_it_again_changes_nothing(door):
    await door.make_board(title="Arena")

    again = await door.ask(
        "PUT", "/v1/boards/b", {"title": "Arena", "grace": "none", "max_ahead": "none"}
    )

    assert (again.status, again.body["result"]) == (200, "unchanged")


async def test_other_settings_are_refused_with_the_differences(door):
    await door.make_board()

    answer = await door.ask("PUT", "/v1/boards/b", {"mode": "best", "ties": "shared"})

    assert (answer.status, answer.code) == (409, "settings_differ")
    for name in ("mode", "ties", "grace", "max_ahead"):
        assert name in answer.body["error"]["message"]
    assert (await door.ask("GET", "/v1/boards/b")).body["mode"] == "sum"


async def test_what_can_change_at_once_changes(door):
    await door.make_board()
    await door.score("p", 1, "e")

    answer = await door.ask(
        "PUT",
        "/v1/boards/b?if_exists=change",
        {"title": "New", "windows": ["all", "yearly"], "grace": "none", "max_ahead": "none"},
    )

    assert (answer.status, answer.body["result"]) == (200, "changed")
    assert sorted(answer.body["changed"]) == ["title", "windows"]
    top = await door.ask("GET", "/v1/boards/b/top?window=yearly")
    assert top.body["total"] == 1


async def test_recompute_reads_the_log_by_the_new_settings(door):
    await door.make_board()
    await door.score("p", 5, "e1")
    await door.score("p", 3, "e2")

    answer = await door.ask(
        "PUT",
        "/v1/boards/b?if_exists=recompute",
        {"mode": "best", "grace": "none", "max_ahead": "none"},
    )

    assert (answer.status, answer.body["result"]) == (200, "recomputed")
    assert (await door.ask("GET", "/v1/boards/b/rank/p")).body["score"] == "5"


async def test_boards_are_listed_by_name(door):
    for name in ("zoo", "arena"):
        await door.make_board(name)

    answer = await door.ask("GET", "/v1/boards", role="client")

    assert [board["board"] for board in answer.body["boards"]] == ["arena", "zoo"]
    assert answer.body["next"] is None


async def test_a_dropped_board_is_gone_and_starts_empty_when_made_again(door):
    await door.make_board()
    await door.score("p", 1, "e")

    dropped = await door.ask("DELETE", "/v1/boards/b")
    gone = await door.ask("GET", "/v1/boards/b")
    again = await door.ask("DELETE", "/v1/boards/b")
    await door.make_board()
    counted = await door.score("p", 2, "e")

    assert (dropped.status, dropped.body["dropped"]) == (200, True)
    assert [gone.code, again.code] == ["unknown_board"] * 2
    assert (counted.body["outcome"], counted.body["score"]) == ("counted", "2")


BAD_SETTINGS = {
    "columns": [
        {"columns": []},
        {"columns": [{"name": f"c{n}"} for n in range(6)]},
        {"columns": {}},
    ],
    "columns[0].decimals": [
        {"columns": [{"decimals": 10}]},
        {"columns": [{"decimals": -1}]},
        {"columns": [{"decimals": "2"}]},
    ],
    "columns[0].name": [{"columns": [{"name": "Score"}]}, {"columns": [{"name": "previous"}]}],
    "columns[0].order": [{"columns": [{"order": "down"}]}],
    "columns[0].size": [{"columns": [{"size": 1}]}],
    "mode": [{"mode": "min"}, {"mode": 1}, {"mode": None}],
    "windows": [{"windows": []}, {"windows": ["all", "all"]}],
    "windows[0]": [{"windows": ["fortnightly"]}, {"windows": [1]}],
    "zone": [{"zone": "Mars/Olympus"}, {"zone": "../etc/passwd"}, {"zone": ""}],
    "week_start": [{"week_start": "funday"}],
    "grace": [{"grace": "1 h"}, {"grace": "-1h"}, {"grace": "1w"}, {"grace": "99999999d"}],
    "max_ahead": [{"max_ahead": "forever"}],
    "remember": [{"remember": "none"}],
    "title": [{"title": "x" * 201}, {"title": "\u0007"}],
    "admit": [{"admit": ["country"]}, {"admit": {f"a{n}": ["x"] for n in range(33)}}],
    "admit.country": [{"admit": {"country": []}}, {"admit": {"country": ["x" * 201]}}],
    "admit.Country": [{"admit": {"Country": ["no"]}}],
    "limits.points.gold": [{"limits": {"points": {"gold": {"min": 1}}}}],
    "limits.points.score.min": [{"limits": {"points": {"score": {"min": "1.5"}}}}],
    "limits.points.score.max": [{"limits": {"points": {"score": {"min": 2, "max": 1}}}}],
    "limits.points_per_hour": [
        {"limits": {"points_per_hour": 0}},
        {"limits": {"points_per_hour": "1e3"}},
        {"limits": {"points_per_hour": 2**63}},
        {"limits": {"points_per_hour": 1.5}},
    ],
    "limits.events_per_minute": [
        {"limits": {"events_per_minute": 0}},
        {"limits": {"events_per_minute": 1_000_001}},
    ],
    "limits.on_breach": [{"limits": {"on_breach": "shrug"}}],
    "limits.points_per_day": [{"limits": {"points_per_day": 1}}],
    "colour": [{"colour": "red"}],
}


@pytest.mark.parametrize(
    ("field", "settings"),
    [(field, settings) for field, each in BAD_SETTINGS.items() for settings in each],
)
async def test_impossible_settings_are_refused_by_the_field(door, field, settings):
    answer = await door.ask("PUT", "/v1/boards/b", settings)

    assert (answer.status, answer.body["error"]["field"]) == (400, field)


@pytest.mark.parametrize("name", ["Arena", "current", "previous", "-a", "a" * 65, "a%20b", "a%2Fb"])
async def test_a_board_must_have_a_name(door, name):
    answer = await door.ask("PUT", f"/v1/boards/{name}", {})

    assert (answer.status, answer.body["error"]["field"]) == (400, "board")


class TestSeasons:
    """Resets."""

    async def test_a_season_begins_once_per_id(self, door):
        await door.make_board(windows=["season"])
        winter = {"id": "s1", "name": "winter", "at": "2026-05-04T13:00:00+01:00"}

        first = await door.ask("POST", "/v1/boards/b/seasons", winter)
        again = await door.ask("POST", "/v1/boards/b/seasons", winter)

        assert (first.status, again.status) == (201, 200)
        assert (first.body["result"], again.body["result"]) == ("created", "unchanged")
        assert again.body["season"] == {
            "key": "winter",
            "index": 1,
            "id": "s1",
            "start": "2026-05-04T12:00:00Z",
            "end": None,
        }

    async def test_without_an_instant_it_begins_now_and_a_retry_means_the_same(self, door):
        await door.make_board(windows=["season"])

        await door.ask("POST", "/v1/boards/b/seasons", {"id": "s1"})
        door.clock.set(door.clock.now() + 1_000_000)
        again = await door.ask("POST", "/v1/boards/b/seasons", {"id": "s1"})

        assert (again.status, again.body["result"]) == (200, "unchanged")
        assert again.body["season"]["start"] == "2026-05-04T12:00:00Z"

    @pytest.mark.parametrize(
        ("other", "field"),
        [
            ({"id": "s1", "at": "2026-05-05T12:00:00Z"}, "at"),
            ({"id": "s2", "at": "2026-05-04T12:00:00Z"}, "at"),
            ({"id": "s1", "at": "2026-05-04T12:00:00Z", "name": "winter"}, "name"),
        ],
    )
    async def test_a_clash_is_a_conflict_that_names_the_field(self, door, other, field):
        await door.make_board(windows=["season"])
        await door.ask("POST", "/v1/boards/b/seasons", {"id": "s1", "at": "2026-05-04T12:00:00Z"})

        answer = await door.ask("POST", "/v1/boards/b/seasons", other)

        assert (answer.status, answer.code) == (409, "conflict")
        assert answer.body["error"]["field"] == field

    async def test_seasons_are_listed_from_the_first(self, door):
        await door.make_board(windows=["season"])
        await door.ask("POST", "/v1/boards/b/seasons", {"id": "s1", "name": "winter"})

        answer = await door.ask("GET", "/v1/boards/b/seasons", role="client")

        assert [season["key"] for season in answer.body["seasons"]] == ["0", "winter"]
        assert answer.body["seasons"][0]["end"] == answer.body["seasons"][1]["start"]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "id"),
            ({"id": "S1"}, "id"),
            ({"id": "s1", "name": "7"}, "name"),
            ({"id": "s1", "at": "soon"}, "at"),
            ({"id": "s1", "end": "never"}, "end"),
        ],
    )
    async def test_an_impossible_season_is_refused_by_the_field(self, door, body, field):
        await door.make_board(windows=["season"])

        answer = await door.ask("POST", "/v1/boards/b/seasons", body)

        assert (answer.status, answer.body["error"]["field"]) == (400, field)


class TestPlayers:
    """Profiles."""

    async def test_a_profile_is_kept_whole_and_replaced_whole(self, door):
        first = {
            "name": "Ana",
            "avatar_url": "https://x.example/a",
            "attributes": {"country": "no"},
        }

        await door.ask("PUT", "/v1/players/ana%2F1", first, role="server")
        told = await door.ask("GET", "/v1/players/ana%2F1", role="client")
        replaced = await door.ask("PUT", "/v1/players/ana%2F1", {}, role="server")

        assert told.body == first | {
            "player_id": "ana/1",
            "updated_at": "2026-05-04T12:00:00Z",
            "seq": "1",
        }
        assert (replaced.body["name"], replaced.body["attributes"]) == (None, {})

    async def test_standings_show_the_name_at_once(self, door):
        await door.make_board()
        await door.score("ana", 1, "e")
        before = await door.ask("GET", "/v1/boards/b/rank/ana")

        for name in ("Ana", "Ann"):
            await door.ask("PUT", "/v1/players/ana", {"name": name})
            rank = await door.ask("GET", "/v1/boards/b/rank/ana")
            top = await door.ask("GET", "/v1/boards/b/top")
            many = await door.ask("POST", "/v1/boards/b/ranks", {"players": ["ana"]})

            assert rank.body["name"] == name
            assert [each.body["rows"][0]["name"] for each in (top, many)] == [name] * 2
        assert "name" not in before.body

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"name": ""}, "name"),
            ({"name": "x" * 201}, "name"),
            ({"name": "\u0000"}, "name"),
            ({"avatar_url": "javascript:alert(1)"}, "avatar_url"),
            ({"attributes": {"Country": "no"}}, "attributes.Country"),
            ({"attributes": {"country": 7}}, "attributes"),
            ({"attributes": {f"a{n}": "x" for n in range(33)}}, "attributes"),
            ({"level": 3}, "level"),
        ],
    )
    async def test_an_impossible_profile_is_refused_by_the_field(self, door, body, field):
        answer = await door.ask("PUT", "/v1/players/ana", body)

        assert (answer.status, answer.body["error"]["field"]) == (400, field)

    async def test_a_name_with_a_lone_surrogate_is_no_json(self, door):
        answer = await door.ask("PUT", "/v1/players/ana", b'{"name": "\\ud800"}')

        assert (answer.status, answer.code) == (400, "bad_json")

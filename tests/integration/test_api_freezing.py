"""R18 over HTTP: what is kept from the public is in no public answer, and admins see all."""

import pytest

pytestmark = pytest.mark.anyio

FREEZE = "2026-05-04T13:00:00Z"
BEFORE = [(1, "birch", "20"), (2, "amber", "10")]
FULL = [(1, "cedar", "99"), (2, "amber", "60"), (3, "birch", "20")]
HOUR = 3_600_000_000


async def contest(door, **settings):
    """The clock stands an hour after the freeze; amber and cedar scored since."""
    await door.make_board(freeze_at=FREEZE, **settings)
    await door.score("amber", 10, "a", at="2026-05-04T12:00:00Z")
    await door.score("birch", 20, "b", at="2026-05-04T12:30:00Z")
    await door.score("amber", 50, "c", at=FREEZE)
    await door.score("cedar", 99, "d", at="2026-05-04T13:05:00Z")
    door.clock.set(door.clock.now() + 2 * HOUR)


def rows_of(answer):
    assert answer.status == 200, answer.body
    return [(row["rank"], row["player_id"], row["score"]) for row in answer.body["rows"]]


LISTS = [
    "top",
    "ranks",
    "scores",
    "around/birch",
    "top?as_of=2026-05-04T14:00:00Z",
    "top?from=2026-05-04T00:00:00Z",
    "top?since=2026-05-04T12:10:00Z",
]


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("role", ["client", "server", "admin"])
async def test_lists_show_what_was_before_the_freeze(door, path, role):
    await contest(door)

    answer = await door.ask("GET", f"/v1/boards/b/{path}", role=role)

    assert rows_of(answer) == BEFORE
    assert (answer.body["total"], answer.body["frozen_at"]) == (2, FREEZE)


@pytest.mark.parametrize("path", LISTS)
async def test_an_admin_may_ask_for_all(door, path):
    await contest(door)
    path = f"/v1/boards/b/{path}{'&' if '?' in path else '?'}view=full"

    answer = await door.ask("GET", path)
    assert (rows_of(answer), answer.body["frozen_at"]) == (FULL, None)
    for role in ("client", "server"):
        refused = await door.ask("GET", path, role=role)
        assert (refused.status, refused.code) == (403, "forbidden")
        assert refused.body["error"]["field"] == "view"


async def test_players_are_ranked_as_before_the_freeze(door):
    await contest(door)
    players = {"players": ["cedar", "amber"]}

    rank = (await door.ask("GET", "/v1/boards/b/rank/amber", role="client")).body
    assert (rank["rank"], rank["score"], rank["total"]) == (2, "10", 2)
    assert (rank["percentile"], rank["frozen_at"]) == (50.0, FREEZE)
    assert "score_now" not in rank
    cedar = await door.ask("GET", "/v1/boards/b/rank/cedar", role="client")
    assert cedar.code == "unranked_player"
    many = await door.ask("POST", "/v1/boards/b/ranks", players, role="client")
    assert (rows_of(many), many.body["missing"]) == ([(2, "amber", "10")], ["cedar"])
    friends = await door.ask("POST", "/v1/boards/b/friends", players, role="client")
    assert rows_of(friends) == [(1, "amber", "10")]
    would_be = await door.ask("GET", "/v1/boards/b/rank-of?score=15", role="client")
    assert (would_be.body["rank"], would_be.body["total"]) == (2, 2)


async def test_a_server_may_tell_a_player_the_own_score(door):
    await contest(door)

    for role in ("server", "admin"):
        rank = (await door.ask("GET", "/v1/boards/b/rank/amber", role=role)).body
        assert (rank["rank"], rank["score"], rank["score_now"]) == (2, "10", "60")
    then = await door.ask("GET", "/v1/boards/b/rank/amber?as_of=2026-05-04T14:00:00Z")
    assert "score_now" not in then.body


async def test_how_a_score_came_about_is_told_up_to_the_freeze(door):
    await contest(door)

    explained = (await door.ask("GET", "/v1/boards/b/explain/amber", role="client")).body
    assert [event["event_id"] for event in explained["events"]] == ["a"]
    assert (explained["score"], explained["rank"], explained["frozen_at"]) == ("10", 2, FREEZE)
    path = "/v1/boards/b/history/amber?from=2026-05-04T13:59:00Z"
    history = (await door.ask("GET", path, role="client")).body
    assert {(point["score"], point["total"]) for point in history["points"]} <= {
        (None, 0),
        ("10", 2),
    }
    full = (await door.ask("GET", "/v1/boards/b/explain/amber?view=full")).body
    assert [event["event_id"] for event in full["events"]] == ["a", "c"]


async def test_a_client_is_told_nothing_of_single_events_since(door):
    await contest(door)

    kept_back = await door.ask("GET", "/v1/boards/b/events/c", role="client")
    assert kept_back.code == "unknown_event"
    shown = await door.ask("GET", "/v1/boards/b/events/a", role="client")
    assert (shown.body["points"], shown.body.get("score")) == ("10", None)
    known = await door.ask("GET", "/v1/boards/b/events/c", role="server")
    assert known.body["score"] == "60"


@pytest.mark.parametrize("batch", [True, False])
async def test_results_of_events_tell_no_ranks_since_the_first_that_is_kept_back(door, batch):
    await door.make_board(freeze_at=FREEZE)
    events = [
        {"board": "b", "player_id": player, "points": 5, "event_id": player, "at": at}
        for player, at in (("a", "2026-05-04T12:00:00Z"), ("b", FREEZE), ("c", FREEZE))
    ]
    if batch:
        answer = await door.ask("POST", "/v1/scores", {"events": events}, role="server")
        results = answer.body["results"]
    else:
        results = [(await door.ask("POST", "/v1/scores", event)).body for event in events]

    windows = [result["windows"][0] for result in results]
    assert [window["score"] for window in windows] == ["5", "5", "5"]
    assert [window.get("rank") for window in windows] == [1, None, None]


async def test_what_comes_late_still_moves_the_public_list(door):
    await contest(door)

    await door.score("amber", 15, "late", at="2026-05-04T12:59:59.999999Z")

    top = await door.ask("GET", "/v1/boards/b/top", role="client")
    assert rows_of(top) == [(1, "amber", "25"), (2, "birch", "20")]


async def test_pages_of_a_frozen_list_go_on_by_cursor(door):
    await contest(door)

    first = await door.ask("GET", "/v1/boards/b/top?k=1", role="client")
    path = f"/v1/boards/b/top?k=1&cursor={first.body['next']}"
    second = await door.ask("GET", path, role="client")

    assert [*rows_of(first), *rows_of(second)] == BEFORE
    assert second.body["next"] is None
    assert (await door.ask("GET", f"{path}&view=full")).code == "invalid"


async def test_periods_that_close_meanwhile_say_nothing_of_their_results(door):
    await contest(door, windows=["hourly", "daily"], grace="0s")
    await door.score("elm", 1, "e", at="2026-05-04T14:00:00Z")
    door.clock.set(door.clock.now() + 12 * HOUR)
    door.engine.jobs.look()

    def tidy():
        while door.engine.updater.tidy():
            pass

    door.engine.writer.run_alone(tidy).result()

    async def told(window, **asked):
        path = f"/v1/boards/b/periods?window={window}" + ("&view=full" if asked else "")
        periods = (await door.ask("GET", path)).body["periods"]
        return {each["period"]: [v["count"] for v in each["versions"]] for each in periods}

    assert await told("daily") == {"2026-05-05": [], "2026-05-04": []}
    assert await told("daily", full=True) == {"2026-05-05": [], "2026-05-04": [4]}
    assert list((await told("hourly")).values()) == [[], [2]]
    assert list((await told("hourly", full=True)).values()) == [[], [1], [2], [2]]


async def test_a_board_says_that_it_is_frozen(door):
    await door.make_board(freeze_at="2026-05-04T15:00:00+02:00")

    board = (await door.ask("GET", "/v1/boards/b")).body
    assert (board["freeze_at"], board["frozen_at"]) == (FREEZE, None)
    door.clock.set(door.clock.now() + HOUR)
    board = (await door.ask("GET", "/v1/boards/b")).body
    assert (board["freeze_at"], board["frozen_at"]) == (FREEZE, FREEZE)


async def test_unfreezing_shows_everything_and_leaves_the_setting(door):
    await contest(door)
    settings = {"grace": "none", "max_ahead": "none", "freeze_at": FREEZE}

    answer = await door.ask("POST", "/v1/boards/b/unfreeze")
    assert (answer.body["result"], answer.body["freeze_at"]) == ("changed", FREEZE)
    assert rows_of(await door.ask("GET", "/v1/boards/b/top", role="client")) == FULL
    assert (await door.ask("POST", "/v1/boards/b/unfreeze")).body["result"] == "unchanged"
    same = await door.ask("PUT", "/v1/boards/b?if_exists=change", settings)
    assert same.body["result"] == "unchanged"
    again = settings | {"freeze_at": "2026-05-04T13:01:00Z"}
    await door.ask("PUT", "/v1/boards/b?if_exists=change", again)
    top = await door.ask("GET", "/v1/boards/b/top", role="client")
    assert rows_of(top) == [(1, "amber", "60"), (2, "birch", "20")]


async def test_reveal_leads_from_the_frozen_list_to_the_full_one(door):
    await contest(door)

    told = (await door.ask("GET", "/v1/boards/b/reveal")).body
    steps = [
        (step["player_id"], step["rank_before"], step.get("score_before"), step["rank"])
        for step in told["steps"]
    ]
    assert steps == [("cedar", None, None, 1), ("amber", 3, "10", 2), ("birch", 3, "20", 3)]
    assert (told["total"], told["next"], told["frozen_at"]) == (3, None, FREEZE)
    page = (await door.ask("GET", "/v1/boards/b/reveal?after=1&limit=1")).body
    assert ([step["step"] for step in page["steps"]], page["next"]) == ([2], 2)
    assert (await door.ask("GET", "/v1/boards/b/reveal", role="server")).code == "forbidden"


async def test_a_freeze_survives_a_restart_of_the_windows(door):
    """A window that is added while the board is frozen is frozen, too."""
    await contest(door)
    settings = {"grace": "none", "max_ahead": "none", "freeze_at": FREEZE}

    more = settings | {"windows": ["all", "daily"]}
    changed = await door.ask("PUT", "/v1/boards/b?if_exists=change", more)

    assert changed.body["changed"] == ["windows"]
    top = await door.ask("GET", "/v1/boards/b/top?window=daily&period=2026-05-04", role="client")
    assert rows_of(top) == BEFORE
    assert (await door.ask("GET", "/v1/boards/b/top?window=frozen:all")).code == "invalid"


async def test_a_segment_of_a_frozen_board_is_frozen_too(door):
    for player in ("amber", "cedar"):
        await door.ask("PUT", f"/v1/players/{player}", {"attributes": {"country": "NO"}})
    await contest(door, segments=["country"])

    top = await door.ask("GET", "/v1/boards/b/top?segment=country:NO", role="client")
    full = await door.ask("GET", "/v1/boards/b/top?segment=country:NO&view=full")

    assert rows_of(top) == [(1, "amber", "10")]
    assert (top.body["segment"], top.body["frozen_at"]) == ("country:NO", FREEZE)
    assert rows_of(full) == [(1, "cedar", "99"), (2, "amber", "60")]


async def test_friends_of_a_list_are_ranked_as_before_the_freeze(door):
    await contest(door)
    await door.ask("PUT", "/v1/players/birch/friends", {"players": ["amber", "cedar"]})

    page = (await door.ask("GET", "/v1/boards/b/friends/birch", role="client")).body

    assert [row["player_id"] for row in page["rows"]] == ["birch", "amber"]
    assert (page["frozen_at"], page["segment"]) == (FREEZE, None)

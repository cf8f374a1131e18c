"""Prizes are not shown before review: no public answer has the first ranks of an ended period."""

import pytest

from toprung.domain.instants import parse_instant

pytestmark = pytest.mark.anyio

DAY = "2026-05-04"
NIGHT = "2026-05-05T00:00:00Z"
CLOSE = "2026-05-05T01:00:00Z"
UNTIL = "2026-05-06T01:00:00Z"
SCORES = {"ash": 50, "birch": 40, "cedar": 40, "dogwood": 30, "elm": 10}
FULL = [(1, "ash", "50"), (2, "birch", "40"), (2, "cedar", "40"), (4, "dogwood", "30")]
FULL = [*FULL, (5, "elm", "10")]
SHOWN = FULL[3:]
WITHHELD = {"top": 2, "until": UNTIL, "players": []}


def set_clock(door, instant):
    door.clock.set(parse_instant(instant, "instant"))


async def prizes(door, now=NIGHT, **settings):
    """A day with five players on it, of whom three are on the first two ranks, is over."""
    await door.make_board(
        **{
            "windows": ["daily"],
            "ties": "shared",
            "grace": "1h",
            "segments": ["country"],
            "publish_delay": {"top": 2, "for": "24h"},
            **settings,
        }
    )
    for player in SCORES:
        country = "NO" if player in ("cedar", "dogwood", "elm") else "SE"
        await door.ask("PUT", f"/v1/players/{player}", {"attributes": {"country": country}})
    for player, points in SCORES.items():
        await door.score(player, points, player, at=f"{DAY}T12:00:00Z")
    set_clock(door, now)


def rows_of(answer):
    assert answer.status == 200, answer.body
    return [(row["rank"], row["player_id"], row["score"]) for row in answer.body["rows"]]


async def ask(door, path, role="client", body=None):
    method = "GET" if body is None else "POST"
    return await door.ask(method, f"/v1/boards/b/{path}", body, role=role)


LISTS = [
    f"top?period={DAY}",
    "top?fallback=previous",
    f"ranks?period={DAY}",
    f"ranks?from=1&to=5&period={DAY}",
    f"scores?period={DAY}",
    f"scores?max=100&period={DAY}",
    f"around/elm?period={DAY}",
    f"around/elm?size=5&period={DAY}",
    f"top?as_of={NIGHT}&period={DAY}",
    f"top?as_of={DAY}T23:59:59Z",
]


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("role", ["client", "server", "admin"])
async def test_lists_leave_out_the_first_ranks(door, path, role):
    await prizes(door)

    answer = await ask(door, path, role)

    assert rows_of(answer) == SHOWN
    assert (answer.body["total"], answer.body["withheld"]) == (5, WITHHELD)
    assert answer.body["prev"] is None


@pytest.mark.parametrize("path", LISTS)
async def test_an_admin_may_ask_for_all(door, path):
    await prizes(door)

    answer = await ask(door, f"{path}&view=full", "admin")

    assert (rows_of(answer), answer.body["withheld"]) == (FULL, None)


@pytest.mark.parametrize(
    ("now", "shown"),
    [
        (f"{DAY}T23:59:59.999999Z", FULL),
        (NIGHT, SHOWN),
        (CLOSE, SHOWN),
        ("2026-05-06T00:59:59.999999Z", SHOWN),
        (UNTIL, FULL),
    ],
)
async def test_they_are_withheld_from_the_end_until_a_while_after_the_close(door, now, shown):
    await prizes(door, now)

    assert rows_of(await ask(door, f"top?period={DAY}")) == shown
    interval = await ask(door, f"top?from={DAY}T00:00:00Z&to={NIGHT}")
    assert interval.status == (200 if shown == FULL else 409)
    assert (await ask(door, f"rank/ash?period={DAY}")).status == (200 if shown == FULL else 409)


async def test_a_period_that_never_closes_waits_from_its_end_on(door):
    await prizes(door, grace="none")
    assert (await ask(door, f"top?period={DAY}")).body["withheld"][
        "until"
    ] == "2026-05-06T00:00:00Z"


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"ties": "earliest"}, FULL[2:]),
        ({"ties": "dense"}, FULL[3:]),
        ({"publish_delay": {"top": 1000, "for": "0s"}}, []),
        ({"publish_delay": None}, FULL),
    ],
)
async def test_ranks_are_those_of_the_board(door, settings, shown):
    await prizes(door, **settings)

    answer = await ask(door, f"top?numbering=shared&period={DAY}")

    assert rows_of(answer) == shown


async def test_pages_end_where_the_withheld_begin(door):
    await prizes(door)

    first = await ask(door, f"top?k=1&period={DAY}")
    second = await ask(door, f"top?k=1&period={DAY}&cursor={first.body['next']}")
    back = await ask(door, f"top?k=5&period={DAY}&cursor={second.body['prev']}")

    assert (rows_of(first), rows_of(second), rows_of(back)) == (SHOWN[:1], SHOWN[1:], SHOWN[:1])
    assert second.body["next"] is None
    assert back.body["prev"] is None
    assert rows_of(await ask(door, f"ranks?from=1&to=2&period={DAY}")) == []
    assert rows_of(await ask(door, f"scores?min=40&period={DAY}")) == []


@pytest.mark.parametrize("path", ["rank", "around", "history", "explain"])
async def test_a_player_who_is_withheld_is_told_so(door, path):
    await prizes(door)

    for player in ("ash", "birch", "cedar"):
        refused = await ask(door, f"{path}/{player}?period={DAY}")
        assert (refused.status, refused.code) == (409, "withheld")
        assert refused.body["error"]["field"] == "player"
    shown = (await ask(door, f"{path}/elm?period={DAY}")).body
    assert shown["withheld"] == WITHHELD
    full = (await ask(door, f"{path}/ash?period={DAY}&view=full", "admin")).body
    assert full.get("withheld") is None
    then = f"{path}/ash?as_of={NIGHT}&period={DAY}"
    if path in ("rank", "around"):
        assert (await ask(door, then)).code == "withheld"


async def test_many_players_at_once(door):
    await prizes(door)
    players = {"players": ["elm", "nobody", "ash", "dogwood"]}

    ranks = await ask(door, f"ranks?period={DAY}", body=players)
    friends = await ask(door, f"friends?period={DAY}", body=players)

    told = WITHHELD | {"players": ["ash"]}
    assert rows_of(ranks) == [(5, "elm", "10"), (4, "dogwood", "30")]
    assert (ranks.body["missing"], ranks.body["withheld"]) == (["nobody"], told)
    assert rows_of(friends) == [(2, "dogwood", "30"), (3, "elm", "10")]
    assert friends.body["withheld"] == told


async def test_a_list_of_friends_is_kept_for_each_view(door):
    await prizes(door)
    await door.ask("PUT", "/v1/players/ash/friends", {"players": ["elm", "birch"]})
    path = f"friends/ash?period={DAY}"

    full = await ask(door, f"{path}&view=full", "admin")
    public = await ask(door, path)

    assert rows_of(full) == [(1, "ash", "50"), (2, "birch", "40"), (3, "elm", "10")]
    assert rows_of(public) == [(3, "elm", "10")]
    assert (public.body["own"], public.body["ranked"]) == (None, 3)
    assert public.body["withheld"]["players"] == ["birch", "ash"]


async def test_the_rank_of_a_score_would_tell_which_scores_are_withheld(door):
    await prizes(door)

    assert (await ask(door, f"rank-of?score=45&period={DAY}")).code == "withheld"
    full = await ask(door, f"rank-of?score=45&period={DAY}&view=full", "admin")
    assert full.body["rank"] == 2


async def test_in_a_segment_the_same_players_are_withheld(door):
    await prizes(door)

    segment = await ask(door, f"top?segment=country:NO&period={DAY}")
    assert rows_of(segment) == [(2, "dogwood", "30"), (3, "elm", "10")]
    assert segment.body["total"] == 3
    assert rows_of(await ask(door, f"top?segment=country:SE&period={DAY}")) == []
    cedar = await ask(door, f"rank/cedar?segment=country:NO&period={DAY}")
    assert cedar.code == "withheld"


async def test_a_segment_of_the_past_withholds_its_own_first_ranks(door):
    await prizes(door)

    past = await ask(door, f"top?segment=country:NO&as_of={NIGHT}&period={DAY}")

    assert rows_of(past) == [(3, "elm", "10")]


async def test_changes_of_rank_do_not_tell_what_is_withheld(door):
    await prizes(door)
    for player, points in (("ash", 1), ("elm", 2)):
        await door.score(player, points, f"today-{player}", at=NIGHT)

    today = (await ask(door, "top?since=previous")).body

    deltas = {row["player_id"]: row.get("rank_delta") for row in today["rows"]}
    assert deltas == {"elm": 4, "ash": None}
    assert today["withheld"] is None


async def test_the_rest_of_the_board_tells_nothing_of_it(door):
    await prizes(door)

    period = (await ask(door, f"periods/{DAY}")).body
    assert (period["withheld"], period["versions"]) == (WITHHELD, [])
    (listed,) = [
        each for each in (await ask(door, "periods")).body["periods"] if each["period"] == DAY
    ]
    assert listed["withheld"] == WITHHELD
    assert "score" not in (await ask(door, "events/ash")).body
    assert (await ask(door, "events/ash", "server")).body["score"] == "50"
    assert (await ask(door, "explain/ash")).body["events"] == []
    full = (await ask(door, "explain/ash?view=full", "admin")).body
    assert [event["event_id"] for event in full["events"]] == ["ash"]


@pytest.mark.parametrize("batch", [True, False])
async def test_results_of_late_events_tell_scores_and_no_ranks(door, batch):
    await prizes(door)
    now = {"board": "b", "player_id": "elm", "points": 5, "event_id": "y", "at": NIGHT}
    late = now | {"event_id": "x", "at": f"{DAY}T13:00:00Z"}

    if batch:
        sent = await door.ask("POST", "/v1/scores", {"events": [late, now]}, role="server")
        results = sent.body["results"]
    else:
        results = [
            (await door.ask("POST", "/v1/scores", each, role="server")).body for each in (late, now)
        ]

    windows = [result["windows"][0] for result in results]
    assert [(each["score"], each.get("rank")) for each in windows] == [("15", None), ("5", 1)]


async def test_who_stands_first_after_a_ban_is_withheld(door):
    await prizes(door, publish_delay={"top": 1, "for": "24h"})
    assert rows_of(await ask(door, f"top?period={DAY}")) == FULL[1:]

    await door.ask("POST", "/v1/players/ash/ban", {})

    assert rows_of(await ask(door, f"top?period={DAY}")) == [(3, "dogwood", "30"), (4, "elm", "10")]


async def test_an_admin_publishes_a_period_once(door):
    await prizes(door)
    path = f"/v1/boards/b/periods/{DAY}/publish?reason=reviewed"

    for role in ("client", "server"):
        assert (await door.ask("POST", path, role=role)).code == "forbidden"
    first = (await door.ask("POST", path)).body
    again = (await door.ask("POST", path)).body

    assert (first["window"], first["period"], first["result"]) == ("daily", DAY, "changed")
    assert again["result"] == "unchanged"
    for listed in LISTS:
        answer = await ask(door, listed)
        assert (rows_of(answer), answer.body["withheld"]) == (FULL, None)
    assert (await ask(door, f"rank/ash?period={DAY}")).body["rank"] == 1
    acts = (await door.ask("GET", "/v1/audit?kind=period_published")).body["acts"]
    assert [(each["board"], each["reason"], each["result"]) for each in acts] == [
        ("b", "reviewed", "unchanged"),
        ("b", "reviewed", "changed"),
    ]


async def test_what_was_published_is_so_after_a_rebuild(door):
    await prizes(door)
    await door.ask("POST", f"/v1/boards/b/periods/{DAY}/publish")

    door.engine.rebuilding.start().result()

    assert rows_of(await ask(door, f"top?period={DAY}")) == FULL


@pytest.mark.parametrize(
    ("delay", "field"),
    [
        ({"top": 0, "for": "1h"}, "publish_delay.top"),
        ({"top": 1001, "for": "1h"}, "publish_delay.top"),
        ({"top": 1, "for": "91d"}, "publish_delay.for"),
        ({"top": 1, "for": "soon"}, "publish_delay.for"),
    ],
)
async def test_an_impossible_delay_names_its_field(door, delay, field):
    refused = await door.ask("PUT", "/v1/boards/b", {"publish_delay": delay})

    assert (refused.status, refused.code) == (400, "invalid")
    assert refused.body["error"]["field"] == field
    assert (await door.ask("GET", "/v1/boards/b")).status == 404


async def test_a_period_that_is_none_is_not_published(door):
    await prizes(door)

    for period, field in (("2026-02-30", "period"), ("soon", "period")):
        refused = await door.ask("POST", f"/v1/boards/b/periods/{period}/publish")
        assert (refused.status, refused.body["error"]["field"]) == (400, field)
    unknown = await door.ask("POST", f"/v1/boards/b/periods/{DAY}/publish?window=weekly")
    assert unknown.body["error"]["field"] == "window"
    open_ = await door.ask("POST", "/v1/boards/b/periods/current/publish")
    assert (open_.status, open_.code) == (409, "period_open")


@pytest.mark.parametrize("segment", ["", "&segment=country:SE"])
@pytest.mark.parametrize("moment", [f"{DAY}T12:30:00Z", f"{DAY}T14:00:00Z"])
async def test_a_season_ended_by_hand_is_withheld_as_of_a_moment_when_it_had_no_end(
    door, moment, segment
):
    """What was shown while it ran is, since it ended, the list of the prizes."""
    set_clock(door, f"{DAY}T12:00:00Z")
    await prizes(door, f"{DAY}T13:00:00Z", windows=["season"])
    # The season that runs from the beginning of time ends now; before, nothing said that it would.
    set_clock(door, f"{DAY}T14:00:00Z")
    begun = await ask(door, "seasons", "admin", {"id": "two", "at": f"{DAY}T14:00:00Z"})
    assert begun.status == 201, begun.body
    set_clock(door, f"{DAY}T15:00:00Z")

    now = await ask(door, f"top?period=0{segment}")
    then = await ask(door, f"top?period=0&as_of={moment}{segment}")

    withheld = {"ash", "birch", "cedar"}
    for answer in (now, then):
        assert answer.body["withheld"]["top"] == 2
        assert not withheld & {player for _, player, _ in rows_of(answer)}
    for player in withheld:
        asked = await ask(door, f"rank/{player}?period=0&as_of={moment}")
        assert (asked.status, asked.body["error"]["code"]) == (409, "withheld")


async def test_a_season_that_was_begun_and_ended_by_hand_is_withheld_as_of_before(door):
    set_clock(door, f"{DAY}T10:00:00Z")
    await door.make_board(windows=["season"], publish_delay={"top": 2, "for": "24h"}, ties="shared")
    spring = {"id": "one", "name": "spring", "at": f"{DAY}T11:00:00Z"}
    await ask(door, "seasons", "admin", spring)
    set_clock(door, f"{DAY}T12:00:00Z")
    for player, points in SCORES.items():
        await door.score(player, points, player, at=f"{DAY}T12:00:00Z")
    set_clock(door, f"{DAY}T14:00:00Z")
    ended = await ask(door, "seasons/end", "admin", {"id": "one"})
    assert ended.status == 200, ended.body

    running = await ask(door, f"top?period=spring&as_of={DAY}T13:00:00Z")
    present = await ask(door, f"top?as_of={DAY}T13:00:00Z")
    full = await ask(door, f"top?period=spring&as_of={DAY}T13:00:00Z&view=full", "admin")

    assert rows_of(running) == rows_of(present) == SHOWN
    assert rows_of(full) == FULL

"""What waits for a review is shown by nothing else: intervals, segments, a freeze, friends, what
was in quarantine, an erasure, a restart.
"""

import pytest
from tests.integration.test_api_publishing import (
    DAY,
    FULL,
    NIGHT,
    SHOWN,
    WITHHELD,
    ask,
    prizes,
    rows_of,
    set_clock,
)

from toprung.domain.limits import FRIENDS

pytestmark = pytest.mark.anyio
NOON = f"{DAY}T12:00:00Z"
TOP = f"top?period={DAY}"
CARRIED = [("ash", "NO", 25), ("ash", "SE", 25), ("birch", "NO", 26), ("cedar", "NO", 27)]
CARRIED += [("dogwood", "NO", 1), ("elm", "SE", 26), ("fir", "SE", 2)]
"""In no country ash is among the first two, but on the board ash is the very first."""


@pytest.mark.parametrize("read", ["top?", "rank/elm?", "around/elm?"])
@pytest.mark.parametrize(
    ("interval", "field"),
    [
        (f"from={DAY}T00:00:00Z&to={NIGHT}", "from"),
        (f"from={DAY}T12:00:00Z&to={DAY}T12:00:00.000001Z", "from"),
        (f"from={DAY}T06:00:00Z", "from"),
        (f"to={NIGHT}", "to"),
    ],
)
async def test_intervals_would_add_up_to_what_is_withheld(door, read, interval, field):
    await prizes(door)

    for role in ("client", "server", "admin"):
        refused = await ask(door, read + interval, role)
        assert (refused.status, refused.code) == (409, "withheld")
        assert refused.body["error"]["field"] == field
    assert (await ask(door, f"{read}{interval}&view=full", "admin")).status == 200
    assert (await ask(door, f"top?from={NIGHT}")).status == 200
    await door.ask("POST", f"/v1/boards/b/periods/{DAY}/publish")
    assert (await ask(door, f"top?from={NOON}")).body["total"] == 5


async def test_a_player_is_withheld_in_each_segment_of_events(door):
    await door.make_board(
        windows=["daily"],
        grace="1h",
        segments=["country"],
        segment_at="event",
        publish_delay={"top": 1, "for": "24h"},
    )
    for player, country, points in CARRIED:
        event = f"{player}-{country}"
        await door.score(player, points, event, at=NOON, segments={"country": country})
    set_clock(door, NIGHT)

    async def seen(country, **more):
        asked = "".join(f"&{name}={value}" for name, value in more.items())
        return rows_of(await ask(door, f"{TOP}&segment=country:{country}{asked}"))

    for then in ({}, {"as_of": NIGHT}):
        assert await seen("NO", **then) == [(4, "dogwood", "1")]
        assert await seen("SE", **then) == [(3, "fir", "2")]
    assert rows_of(await ask(door, TOP))[0] == (2, "cedar", "27")
    for path in ("rank", "around", "history", "explain"):
        asked = f"{path}/ash?period={DAY}&segment=country:SE"
        assert (await ask(door, asked)).code == "withheld"
    full = await ask(door, f"{TOP}&segment=country:SE&view=full&as_of={NIGHT}", "admin")
    assert [player for _, player, _ in rows_of(full)] == ["elm", "ash", "fir"]


async def test_no_rolling_window_goes_with_it(door):
    settings = {"windows": ["daily", "rolling:7d"], "publish_delay": {"top": 1, "for": "1h"}}

    refused = await door.ask("PUT", "/v1/boards/b", settings)

    assert (refused.status, refused.body["error"]["field"]) == (400, "publish_delay")


async def test_of_a_frozen_board_the_frozen_list_is_withheld_and_then_the_full_one(door):
    await prizes(door, freeze_at=f"{DAY}T18:00:00Z")
    late = {"at": f"{DAY}T19:00:00Z"}
    await door.score("elm", 100, "late", **late)

    frozen = await ask(door, TOP)
    assert (rows_of(frozen), frozen.body["withheld"]) == (SHOWN, WITHHELD)
    elm = (await ask(door, f"rank/elm?period={DAY}", "server")).body
    assert (elm["rank"], elm["score"], elm["score_now"]) == (5, "10", "110")
    assert (await ask(door, f"rank/ash?period={DAY}", "server")).code == "withheld"
    assert "score_now" not in (await ask(door, f"rank/elm?period={DAY}")).body
    assert (await ask(door, f"{TOP}&as_of={NIGHT}")).body["rows"] == frozen.body["rows"]

    await door.ask("POST", "/v1/boards/b/unfreeze")

    full = await ask(door, TOP)
    assert [player for _, player, _ in rows_of(full)] == ["birch", "cedar", "dogwood"]
    assert full.body["withheld"] == WITHHELD
    assert (await ask(door, f"rank/elm?period={DAY}")).code == "withheld"


async def test_a_list_of_friends_that_is_a_board_of_its_own(door):
    await prizes(door)
    many = [f"friend-{number}" for number in range(FRIENDS.maximum)]
    friends = ["birch", "dogwood", *many]
    assert len(friends) > FRIENDS.maximum
    await door.ask("PUT", "/v1/players/elm/friends", {"players": friends})
    path = f"friends/elm?period={DAY}"
    listed = [(2, "dogwood", "30"), (3, "elm", "10")]

    for _ in range(2):
        public = await ask(door, path)
        assert (rows_of(public), public.body["ranked"]) == (listed, 3)
        assert public.body["withheld"]["players"] == ["birch"]
        full = await ask(door, f"{path}&view=full", "admin")
        assert rows_of(full) == [(1, "birch", "40"), *listed]
    await door.ask("POST", f"/v1/boards/b/periods/{DAY}/publish")
    assert rows_of(await ask(door, path)) == [(1, "birch", "40"), *listed]


async def test_what_is_approved_in_the_review_is_withheld_in_turn(door):
    limits = {"points": {"score": {"max": 100}}, "on_breach": "quarantine"}
    await prizes(door, limits=limits)
    assert (await door.score("elm", 900, "held", at=NOON)).code == "implausible"
    assert rows_of(await ask(door, TOP)) == SHOWN

    await door.ask("POST", "/v1/quarantine/b/held/approve", {})

    # elm has 910 and is the first, and of the others ash alone is on rank 2 or better.
    moved = [(3, "birch", "40"), (3, "cedar", "40"), (5, "dogwood", "30")]
    assert rows_of(await ask(door, TOP)) == moved
    assert (await ask(door, f"rank/elm?period={DAY}")).code == "withheld"


async def test_who_follows_somebody_who_is_erased_is_withheld(door):
    await prizes(door, publish_delay={"top": 1, "for": "24h"})

    assert (await door.ask("POST", "/v1/players/ash/erase", {})).status == 200

    shown = await ask(door, TOP)
    assert rows_of(shown) == [(3, "dogwood", "30"), (4, "elm", "10")]
    assert "ash" not in str(shown.body)
    many = await ask(door, f"ranks?period={DAY}", body={"players": ["ash", "birch"]})
    assert (many.body["missing"], many.body["withheld"]["players"]) == (["ash"], ["birch"])
    published = await door.ask("POST", f"/v1/boards/b/periods/{DAY}/publish")
    assert published.body["result"] == "changed"
    door.engine.rebuilding.start().result()
    assert rows_of(await ask(door, TOP))[0] == (1, "birch", "40")


@pytest.mark.parametrize("publishes", [True, False])
async def test_a_restart_withholds_what_was_withheld(open_door, tmp_path, publishes):
    file = tmp_path / "restarted.db"
    door = open_door(db=file)
    await prizes(door)
    if publishes:
        await door.ask("POST", f"/v1/boards/b/periods/{DAY}/publish")
    door.close()

    again = open_door(db=file)
    set_clock(again, NIGHT)

    answer = await ask(again, TOP)
    assert rows_of(answer) == (FULL if publishes else SHOWN)
    assert answer.body["withheld"] == (None if publishes else WITHHELD)

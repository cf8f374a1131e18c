"""The audit: every act of an admin is listed, with who asked, why, and what came of it."""

from typing import get_args

import pytest

from toprung.domain.records import Act, DayRolled, FriendsPut, PeriodClosed, ProfilePut

pytestmark = pytest.mark.anyio

HOUR = 3_600_000_000


async def audit(door, **query):
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    return await door.ask("GET", f"/v1/audit?{asked}")


def kinds(answer):
    return [act["kind"] for act in answer.body["acts"]]


@pytest.fixture
async def busy(door):
    """A project in which each kind of act was done once."""
    await door.make_board(windows=["all", "season"])
    await door.score("ann", 9, "e1")
    for path, body in (
        ("/v1/boards/b/seasons?reason=autumn", {"id": "s1"}),
        ("/v1/players/ann/hide", {"reason": "asked for it"}),
        ("/v1/players/ann/unhide", {}),
        ("/v1/players/bo/merge", {"into": "ann"}),
        ("/v1/boards/b/players/ann/adjust", {"event_id": "fix", "by": 1}),
        ("/v1/boards/b/events/e1/void", {}),
        ("/v1/matches/m1/void", {}),
    ):
        assert (await door.ask("POST", path, body)).status in (200, 201)
    await door.ask("PUT", "/v1/rules?reason=new%20rules", {"rules": []})
    await door.ask("DELETE", "/v1/boards/b?reason=done")
    return door


async def test_acts_are_listed_the_latest_first(busy):
    told = await audit(busy)

    assert kinds(told) == [
        "board_dropped",
        "rules_put",
        "void_match",
        "void_event",
        "adjust",
        "merge",
        "unhide",
        "hide",
        "season_begun",
        "board_put",
    ]
    by_kind = {act["kind"]: act for act in told.body["acts"]}
    key = busy.keys["admin"].split("_")[2]
    assert {act["actor"] for act in told.body["acts"]} == {key}
    assert by_kind["hide"] == {
        "seq": "4",
        "at": "2026-05-04T12:00:00Z",
        "kind": "hide",
        "board": None,
        "player_id": "ann",
        "actor": key,
        "reason": "asked for it",
        "result": "changed",
        "code": None,
        "details": {},
    }
    assert by_kind["season_begun"]["reason"] == "autumn"
    assert by_kind["season_begun"]["details"] == {"season_id": "s1", "at": "2026-05-04T12:00:00Z"}
    assert by_kind["board_put"]["details"]["settings"]["grace"] == "none"
    assert by_kind["merge"]["details"] == {"into": "ann"}
    assert (by_kind["adjust"]["board"], by_kind["adjust"]["player_id"]) == ("b", "ann")
    assert by_kind["void_event"]["details"] == {"event_id": "e1"}
    assert (by_kind["board_dropped"]["board"], by_kind["board_dropped"]["reason"]) == ("b", "done")


async def test_they_are_narrowed_down_and_paged(busy):
    busy.clock.set(busy.clock.now() + HOUR)
    await busy.ask("POST", "/v1/players/cy/hide", {})
    key = busy.keys["admin"].split("_")[2]

    assert kinds(await audit(busy, player="ann")) == ["adjust", "unhide", "hide"]
    assert kinds(await audit(busy, kind="merge")) == ["merge"]
    assert len(kinds(await audit(busy, board="b"))) == 5
    assert len(kinds(await audit(busy, actor=key))) == 11
    assert kinds(await audit(busy, actor="other")) == []
    assert kinds(await audit(busy, **{"from": "2026-05-04T13:00:00Z"})) == ["hide"]
    assert len(kinds(await audit(busy, to="2026-05-04T13:00:00Z"))) == 10
    paged, cursor = [], {}
    while cursor is not None:
        page = await audit(busy, limit=4, **cursor)
        paged += kinds(page)
        cursor = {"cursor": page.body["next"]} if page.body["next"] else None
    assert paged == kinds(await audit(busy))


async def test_what_was_refused_is_listed_with_why(door):
    await door.ask("POST", "/v1/boards/none/events/e/void", {})

    (act,) = (await audit(door)).body["acts"]

    assert (act["kind"], act["result"], act["code"]) == ("void_event", "refused", "unknown_board")


async def test_it_is_the_same_after_a_rebuild_and_a_restart(busy):
    before = await audit(busy)
    await busy.ask("POST", "/v1/players/ann/hide", {})
    busy.engine.rebuilding.start().result()

    rebuilt = await audit(busy)

    assert kinds(rebuilt) == ["hide", *kinds(before)]
    assert rebuilt.body["acts"][1:] == before.body["acts"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"cursor": "x"}, "cursor"),
        ({"from": "x"}, "from"),
        ({"to": "x"}, "to"),
    ],
)
async def test_what_cannot_be_asked_names_the_field(door, query, field):
    told = await audit(door, **query)

    assert (told.status, told.body["error"]["field"]) == (400, field)


def test_every_act_says_who_asked_for_it_unless_nobody_does():
    unasked = {each for each in get_args(Act) if "actor" not in each.__struct_fields__}

    # A profile and a list of friends are a server's to set; the clock closes and rolls.
    assert unasked == {ProfilePut, FriendsPut, PeriodClosed, DayRolled}

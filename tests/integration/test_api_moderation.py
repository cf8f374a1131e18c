"""Hiding and banning players over HTTP: what is answered, and what everybody then sees."""

import pytest

pytestmark = pytest.mark.anyio


async def places(door, board="b", **query):
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    reply = await door.ask("GET", f"/v1/boards/{board}/top?{asked}", role="client")
    return [(row["rank"], row["player_id"], row["score"]) for row in reply.body["rows"]]


@pytest.fixture
async def filled(door):
    """A board on which ann leads, then bo, then cy."""
    await door.make_board(windows=["all", "daily"])
    for player, points in (("ann", 9), ("bo", 5), ("cy", 3)):
        await door.score(player, points, f"e-{player}")
    return door


async def act(door, action, player="ann", body=None, role="admin"):
    return await door.ask("POST", f"/v1/players/{player}/{action}", body or {}, role=role)


async def test_a_hidden_player_is_out_of_every_answer_and_comes_back(filled):
    hidden = await act(filled, "hide", body={"reason": "asked for it"})
    gone = await filled.ask("GET", "/v1/boards/b/rank/ann")
    around = await filled.ask("GET", "/v1/boards/b/around/bo")
    rank_of = await filled.ask("GET", "/v1/boards/b/rank-of?score=4")
    without = await places(filled), await places(filled, window="daily")
    shown = await act(filled, "unhide")

    assert hidden.body == {
        "player_id": "ann",
        "result": "changed",
        "hidden": True,
        "banned": False,
        "until": None,
        "seq": "5",
    }
    assert (gone.status, gone.code) == (404, "unranked_player")
    assert [row["player_id"] for row in around.body["rows"]] == ["bo", "cy"]
    assert (rank_of.body["rank"], rank_of.body["total"]) == (2, 2)
    assert without == ([(1, "bo", "5"), (2, "cy", "3")],) * 2
    assert (shown.body["result"], shown.body["hidden"]) == ("changed", False)
    assert await places(filled) == [(1, "ann", "9"), (2, "bo", "5"), (3, "cy", "3")]


async def test_events_go_on_counting_out_of_sight_and_tell_no_rank(filled):
    await act(filled, "ban")

    counted = await filled.score("ann", 1, "later")
    other = await filled.score("bo", 1, "other")

    (step, _) = counted.body["windows"]
    assert (counted.body["outcome"], step["score"]) == ("counted", "10")
    assert step.keys().isdisjoint({"rank", "previous_rank"})
    assert (other.body["windows"][0]["rank"], other.body["windows"][0]["previous_rank"]) == (1, 1)
    await act(filled, "unban")
    assert await places(filled) == [(1, "ann", "10"), (2, "bo", "6"), (3, "cy", "3")]


async def test_a_player_may_be_hidden_before_the_first_event_and_on_boards_to_come(door):
    await act(door, "hide")
    await door.make_board()

    await door.score("ann", 9, "e1")
    await door.score("bo", 5, "e2")

    assert await places(door) == [(1, "bo", "5")]


async def test_the_same_act_again_changes_nothing(filled):
    first = await act(filled, "ban", body={"until": "2026-06-01T00:00:00Z"})
    again = await act(filled, "ban", body={"until": "2026-06-01T02:00:00+02:00"})
    longer = await act(filled, "ban")

    assert first.body["until"] == "2026-06-01T00:00:00Z"
    assert [each.body["result"] for each in (first, again, longer)] == [
        "changed",
        "unchanged",
        "changed",
    ]
    assert longer.body["until"] is None


@pytest.mark.parametrize(
    ("action", "body", "field"),
    [
        ("ban", {"until": "2026-05-04T12:00:00Z"}, "until"),
        ("ban", {"until": "soon"}, "until"),
        ("hide", {"reason": ""}, "reason"),
        ("hide", {"reason": "x" * 501}, "reason"),
        ("hide", {"why": "x"}, "why"),
    ],
)
async def test_what_is_wrong_is_named_and_nothing_changes(filled, action, body, field):
    answer = await act(filled, action, body=body)

    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.body["error"].get("field", field) == field
    assert len(await places(filled)) == 3
    assert filled.engine.log.head()[0] == 4


async def test_an_id_nobody_can_have_is_refused(filled):
    answer = await act(filled, "hide", player="%00")

    assert (answer.code, answer.body["error"]["field"]) == ("invalid", "player")


@pytest.mark.parametrize("role", ["client", "server"])
@pytest.mark.parametrize("action", ["hide", "unhide", "ban", "unban"])
async def test_only_an_admin_key_may(filled, action, role):
    answer = await act(filled, action, role=role)

    assert (answer.status, answer.code) == (403, "forbidden")
    assert len(await places(filled)) == 3


async def test_projects_share_nothing(two_doors):
    first, second = two_doors
    for door in (first, second):
        await door.make_board()
        await door.score("ann", 1, "e")

    await act(first, "hide")

    assert (await places(first), await places(second)) == ([], [(1, "ann", "1")])

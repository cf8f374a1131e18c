"""Players and events are taken out over HTTP: what is answered, and what everybody then sees."""

import pytest

pytestmark = pytest.mark.anyio
HOUR = 3_600_000_000


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
        "into": None,
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


async def test_a_ban_ends_at_its_end(filled):
    await act(filled, "ban", body={"until": "2026-05-04T13:00:00Z"})
    before = await places(filled)
    filled.clock.set(filled.clock.now() + HOUR - 1)
    filled.engine.jobs.look()
    just_before = await places(filled)
    filled.clock.set(filled.clock.now() + 1)
    filled.engine.jobs.look()

    assert before == just_before == [(1, "bo", "5"), (2, "cy", "3")]
    assert await places(filled) == [(1, "ann", "9"), (2, "bo", "5"), (3, "cy", "3")]


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


async def void(door, event, action="void", board="b", body=None):
    return await door.ask("POST", f"/v1/boards/{board}/events/{event}/{action}", body or {})


async def test_a_voided_event_never_was_until_that_is_taken_back(filled):
    await filled.score("ann", 4, "more")

    voided = await void(filled, "e-ann", body={"reason": "a fault"})
    without = await places(filled), await places(filled, window="daily")
    restored = await void(filled, "e-ann", "unvoid")

    assert voided.body == {
        "board": "b",
        "event_id": "e-ann",
        "result": "changed",
        "voided": True,
        "periods": [
            {"board": "b", "window": "all", "period": "all"},
            {"board": "b", "window": "daily", "period": "2026-05-04"},
        ],
        "seq": "6",
    }
    assert without == ([(1, "bo", "5"), (2, "ann", "4"), (3, "cy", "3")],) * 2
    assert (restored.body["result"], restored.body["voided"]) == ("changed", False)
    assert (await places(filled))[0] == (1, "ann", "13")


async def test_the_only_event_of_a_player_voided_takes_the_player_off(filled):
    await void(filled, "e-bo")

    gone = await filled.ask("GET", "/v1/boards/b/rank/bo")
    assert gone.code == "unranked_player"
    assert await places(filled) == [(1, "ann", "9"), (2, "cy", "3")]


async def test_an_event_may_be_void_before_it_comes(filled):
    marked = await void(filled, "to-come")
    sent = await filled.score("ann", 100, "to-come")
    again = await filled.score("ann", 100, "to-come")
    restored = await void(filled, "to-come", "unvoid")

    assert (marked.body["result"], marked.body["periods"]) == ("changed", [])
    assert (sent.body["outcome"], sent.body.get("windows", [])) == ("unchanged", [])
    assert (again.body["outcome"], again.body["first"]) == ("duplicate", "unchanged")
    assert len(restored.body["periods"]) == 2
    assert (await places(filled))[0] == (1, "ann", "109")


async def test_a_match_is_void_on_all_boards(filled):
    await filled.make_board("c")
    for board in ("b", "c"):
        event = {"board": board, "player_id": "bo", "points": 50, "match_id": "m 1"}
        await filled.ask("POST", "/v1/scores", event | {"event_id": "m"}, role="server")

    voided = await filled.ask("POST", "/v1/matches/m%201/void", {})
    late = {"board": "c", "player_id": "cy", "points": 5, "match_id": "m 1", "event_id": "m2"}
    sent = await filled.ask("POST", "/v1/scores", late, role="server")
    without = await places(filled), await places(filled, "c")
    restored = await filled.ask("POST", "/v1/matches/m%201/unvoid", {})

    assert (voided.body["match_id"], voided.body["voided"]) == ("m 1", True)
    assert [each["board"] for each in voided.body["periods"]] == ["b", "b", "c"]
    assert sent.body["outcome"] == "unchanged"
    assert without == ([(1, "ann", "9"), (2, "bo", "5"), (3, "cy", "3")], [])
    assert restored.body["result"] == "changed"
    assert (await places(filled))[0] == (1, "bo", "55")
    assert await places(filled, "c") == [(1, "bo", "50"), (2, "cy", "5")]


async def test_events_tell_whether_they_are_void(filled):
    """By themselves, or by their match, and only as long as they are."""
    score = {"board": "b", "player_id": "bo", "points": 50, "match_id": "m 1", "event_id": "m"}
    await filled.ask("POST", "/v1/scores", score, role="server")

    async def told():
        listed = await filled.ask("GET", "/v1/boards/b/events", role="admin")
        one_by_one = {}
        for event in listed.body["rows"]:
            event_id = event["event_id"]
            one = await filled.ask("GET", f"/v1/boards/b/events/{event_id}")
            one_by_one[event_id] = one.body.get("void", False)
        assert one_by_one == {
            event["event_id"]: event.get("void", False) for event in listed.body["rows"]
        }
        return {event_id for event_id, is_void in one_by_one.items() if is_void}

    assert await told() == set()
    await filled.ask("POST", "/v1/matches/m%201/void", {})
    await void(filled, "e-ann")
    assert await told() == {"m", "e-ann"}
    await filled.ask("POST", "/v1/matches/m%201/unvoid", {})
    assert await told() == {"e-ann"}


async def test_a_batch_with_void_events_among_others_tells_each(filled):
    await void(filled, "x1")
    events = [{"board": "b", "player_id": "cy", "points": 1, "event_id": f"x{n}"} for n in range(3)]

    batch = await filled.ask("POST", "/v1/scores", {"events": events}, role="server")

    assert batch.body["outcomes"] == {"counted": 2, "unchanged": 1}
    assert [each.get("score") for each in batch.body["results"]] == ["4", None, "5"]
    assert [each["seq"] for each in batch.body["results"]] == ["6", "7", "8"]


async def test_what_would_overflow_stays_void(filled):
    await void(filled, "e-ann")
    await filled.score("ann", 2**63 - 1, "most")

    refused = await void(filled, "e-ann", "unvoid")
    again = await void(filled, "e-ann")

    assert (refused.status, refused.code) == (422, "overflow")
    assert again.body["result"] == "unchanged"


async def test_the_mark_of_an_unknown_board_or_an_impossible_id_is_refused(filled):
    unknown = await void(filled, "e", board="other")
    impossible = await void(filled, "%00")
    match = await filled.ask("POST", "/v1/matches/%00/void", {})

    assert unknown.code == "unknown_board"
    assert (impossible.code, impossible.body["error"]["field"]) == ("invalid", "event_id")
    assert (match.code, match.body["error"]["field"]) == ("invalid", "match_id")


async def test_a_board_made_again_knows_no_marks(filled):
    await void(filled, "e-ann")
    await filled.ask("DELETE", "/v1/boards/b")
    await filled.make_board()

    await filled.score("ann", 9, "e-ann")

    assert await places(filled) == [(1, "ann", "9")]


async def test_a_merged_player_s_events_past_and_to_come_count_for_the_other(filled):
    merged = await act(filled, "merge", "cy", {"into": "bo"})
    sent = await filled.score("cy", 7, "later")
    again = await filled.score("cy", 7, "later")
    other = await filled.score("bo", 7, "later")
    together = await places(filled), await places(filled, window="daily")
    await act(filled, "unmerge", "cy")

    assert (merged.body["result"], merged.body["into"]) == ("changed", "bo")
    assert (sent.body["outcome"], sent.body["player_id"]) == ("counted", "cy")
    assert (sent.body["windows"][0]["score"], sent.body["windows"][0]["rank"]) == ("15", 1)
    assert again.body["outcome"] == "duplicate"
    assert (other.code, other.body["error"]["field"]) == ("conflict", "player_id")
    assert together == ([(1, "bo", "15"), (2, "ann", "9")],) * 2
    assert await places(filled) == [(1, "cy", "10"), (2, "ann", "9"), (3, "bo", "5")]


@pytest.mark.parametrize(
    ("player", "into"), [("ann", "bo"), ("ann", "ann"), ("bo", "ann"), ("ann", "cy")]
)
async def test_nobody_is_merged_into_oneself_or_in_a_circle_or_twice(filled, player, into):
    await act(filled, "merge", "bo", {"into": "cy"})
    await act(filled, "merge", "cy", {"into": "ann"})

    refused = await act(filled, "merge", player, {"into": into})

    assert (refused.code, refused.body["error"]["field"]) == ("invalid", "into")
    assert await places(filled) == [(1, "ann", "17")]


async def adjust(door, player="ann", role="admin", **body):
    path = f"/v1/boards/b/players/{player}/adjust"
    return await door.ask("POST", path, {"event_id": "fix", **body}, role=role)


async def test_a_score_is_corrected_by_an_amount_and_that_is_undone_by_its_id(filled):
    done = await adjust(filled, by=-6, reason="a bonus was paid twice")
    corrected = await places(filled), await places(filled, window="daily")
    undone = await filled.ask("POST", "/v1/boards/b/events/fix/void", {})

    assert done.status == 200, done.body
    assert (done.status, done.body["result"], done.body["by"]) == (200, "counted", "-6")
    assert [each["window"] for each in done.body["periods"]] == ["all", "daily"]
    assert corrected == ([(1, "bo", "5"), (2, "ann", "3"), (3, "cy", "3")],) * 2
    assert [each["window"] for each in undone.body["periods"]] == ["all", "daily"]
    assert (await places(filled))[0] == (1, "ann", "9")


async def test_a_score_is_corrected_to_a_value_in_the_window_that_is_named(filled):
    filled.clock.set(filled.clock.now() + 24 * HOUR)
    await filled.score("ann", 1, "next day")

    done = await adjust(filled, to="4", window="daily")

    # 1 becomes 4 today, and what that adds counts in all windows.
    assert done.body["by"] == "3"
    assert (1, "ann", "4") in await places(filled, window="daily")
    assert (1, "ann", "13") in await places(filled)


async def test_a_correction_counts_once(filled):
    await adjust(filled, to=4)
    again = await adjust(filled, to=4, reason="sent again")
    other = await adjust(filled, to=5)

    assert (again.body["result"], again.body["by"], again.body["periods"]) == (
        "duplicate",
        "-5",
        [],
    )
    assert (other.status, other.code) == (409, "conflict")
    assert (await places(filled))[1] == (2, "ann", "4")


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({}, 400, "invalid", "by"),
        ({"by": 1, "to": 1}, 400, "invalid", "by"),
        ({"by": "1.5"}, 400, "invalid", "points"),
        ({"by": 1, "window": "yearly"}, 400, "invalid", "window"),
        ({"by": 1, "at": "2026-05-04T12:00:01Z"}, 400, "invalid", "at"),
        ({"by": 1, "player": "nobody"}, 404, "unranked_player", "player"),
        (
            {"by": 1, "at": "2020-01-01T00:00:00Z", "player": "nobody"},
            404,
            "unranked_player",
            "player",
        ),
        ({"by": 9223372036854775807}, 422, "overflow", None),
        ({"by": 1, "reason": "a\x00b"}, 400, "invalid", "reason"),
    ],
)
async def test_a_correction_that_cannot_be_is_refused_and_changes_nothing(
    filled, body, status, code, field
):
    before = await places(filled)

    refused = await adjust(filled, **body)

    assert (refused.status, refused.code) == (status, code)
    assert refused.body["error"].get("field") == field
    assert await places(filled) == before


@pytest.mark.parametrize(("mode", "after"), [("best", "8"), ("last", "2")])
async def test_later_events_compare_with_what_a_correction_made(door, mode, after):
    await door.make_board(mode=mode)
    await door.score("ann", 9, "e1")
    await adjust(door, by=-3)
    moved = await places(door)
    door.clock.set(door.clock.now() + HOUR)
    await door.score("ann", 8, "e2")
    await door.score("ann", 2, "e3", at="2026-05-04T13:00:00Z")

    assert moved == [(1, "ann", "6")]
    assert await places(door) == [(1, "ann", after)]


async def test_a_correction_is_told_where_events_are(filled):
    await adjust(filled, to=4)

    explained = await filled.ask("GET", "/v1/boards/b/explain/ann")
    listed = await filled.ask("GET", "/v1/boards/b/events")
    one = await filled.ask("GET", "/v1/boards/b/events/fix")

    told = explained.body["events"][-1]
    assert (told["event_id"], told["points"], told["adjusts"]) == ("fix", "-5", True)
    assert (listed.body["rows"][-1]["points"], listed.body["rows"][-1]["adjusts"]) == ("-5", True)
    assert (one.body["points"], one.body["outcome"]) == ("-5", "counted")

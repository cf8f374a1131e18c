"""Events in quarantine, over HTTP: what waits, and what becomes of it."""

import pytest

from toprung.domain.instants import DAY, HOUR

pytestmark = pytest.mark.anyio
LIMITS = {"points": {"score": {"max": 100}}, "on_breach": "quarantine"}


@pytest.fixture
async def held(door):
    """A board on which an event of zed waits."""
    await door.make_board(windows=["daily", "all"], limits=LIMITS, grace="1h")
    await door.score("ann", 50, "e-ann")
    await door.score("zed", 900, "e-zed")
    return door


async def score_of(door, player, **query):
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    answer = await door.ask("GET", f"/v1/boards/b/rank/{player}?{asked}", role="client")
    return answer.body.get("score")


async def judge(door, what, event="e-zed", board="b", **body):
    return await door.ask("POST", f"/v1/quarantine/{board}/{event}/{what}", body)


async def waiting(door, **query):
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    answer = await door.ask("GET", f"/v1/quarantine?{asked}")
    return [each["event_id"] for each in answer.body["events"]]


async def test_what_breaks_a_limit_waits_and_does_not_count(held):
    again = await held.score("zed", 900, "e-zed")
    other = await held.score("zed", 90, "e-zed")
    listed = await held.ask("GET", "/v1/quarantine")
    as_client = await held.ask("GET", "/v1/quarantine", role="server")

    assert (again.body["outcome"], again.body["first"]) == ("duplicate", "implausible")
    assert other.code == "conflict"
    assert await score_of(held, "zed") is None
    assert listed.body["next"] is None
    assert listed.body["events"] == [
        {
            "board": "b",
            "event_id": "e-zed",
            "player_id": "zed",
            "points": "900",
            "at": "2026-05-04T12:00:00Z",
            "received_at": "2026-05-04T12:00:00Z",
            "match_id": None,
            "reason": "points.score.max: 900 is more than 100",
            "state": "waiting",
            "seq": "3",
        }
    ]
    assert as_client.status == 403


async def test_what_is_approved_counts_at_its_own_time(held):
    held.clock.set(held.clock.now() + 2 * DAY)

    approved = await judge(held, "approve", reason="a record")
    again = await judge(held, "approve")
    duplicate = await held.score("zed", 900, "e-zed", at="2026-05-04T12:00:00Z")

    assert (approved.status, approved.body["result"]) == (200, "approved")
    assert [each["period"] for each in approved.body["periods"]] == ["all", "2026-05-04"]
    assert again.body["result"] == "unchanged"
    assert await score_of(held, "zed") is None  # nobody is on the board today
    assert await score_of(held, "zed", window="all") == "900"
    assert await score_of(held, "zed", window="daily", period="2026-05-04") == "900"
    assert (duplicate.body["outcome"], duplicate.body["first"]) == ("duplicate", "counted")
    assert await waiting(held) == []


async def test_what_is_approved_is_undone_by_voiding_it(held):
    await judge(held, "approve")
    void = await held.ask("POST", "/v1/boards/b/events/e-zed/void", {})
    rejected = await judge(held, "reject")

    assert (void.body["result"], await score_of(held, "zed")) == ("changed", None)
    assert (rejected.status, rejected.code) == (404, "unknown_event")


async def test_what_is_rejected_stays_out_and_may_be_approved_after_all(held):
    rejected = await judge(held, "reject", reason="a bot")
    again = await judge(held, "reject")
    sent = await held.score("zed", 900, "e-zed")
    lists = await waiting(held), await waiting(held, state="rejected")
    approved = await judge(held, "approve")

    assert [each.body["result"] for each in (rejected, again, approved)] == [
        *("rejected", "unchanged", "approved"),
    ]
    assert sent.body["outcome"] == "duplicate"
    assert lists == ([], ["e-zed"])
    assert await score_of(held, "zed") == "900"


async def test_a_void_event_in_quarantine_counts_when_both_are_taken_back(held):
    await held.ask("POST", "/v1/boards/b/events/e-zed/void", {})
    await judge(held, "approve")
    while_void = await score_of(held, "zed")
    await held.ask("POST", "/v1/boards/b/events/e-zed/unvoid", {})

    assert (while_void, await score_of(held, "zed")) == (None, "900")


async def test_an_event_of_a_merged_player_counts_for_the_other_one(held):
    await held.ask("POST", "/v1/players/zed/merge", {"into": "ann"})
    await judge(held, "approve")

    assert await score_of(held, "ann") == "950"


async def test_the_id_of_an_event_in_quarantine_is_no_adjustment_s(held):
    answer = await held.ask(
        "POST", "/v1/boards/b/players/ann/adjust", {"event_id": "e-zed", "by": 1}
    )

    assert (answer.status, answer.code) == (409, "conflict")


async def test_what_could_not_count_is_refused_and_its_id_stays_free(held):
    """It would wait for nothing: all its windows were closed when it came."""
    await held.make_board("days", windows=["daily"], limits=LIMITS, grace="1h", max_ahead="5m")
    late = await held.score("zed", 900, "e1", "days", at="2026-05-01T00:00:00Z")
    early = await held.score("zed", 900, "e2", "days", at="2026-05-05T00:00:00Z")

    assert late.code == early.code == "implausible"
    assert await waiting(held, board="days") == []
    assert (await held.score("zed", 9, "e1", "days")).body["outcome"] == "counted"


async def test_ids_stay_spent_when_the_limits_are_gone(held):
    free = {"windows": ["daily", "all"], "max_ahead": "none"}
    await held.ask("PUT", "/v1/boards/b?if_exists=change", free)

    assert (await held.score("zed", 900, "e-zed")).body["outcome"] == "duplicate"
    assert (await held.score("zed", 900, "e2")).body["outcome"] == "counted"


async def test_many_are_judged_at_once_and_a_bad_one_costs_only_itself(held):
    await held.score("zed", 800, "e2")
    events = [("b", "e-zed"), ("b", "none"), ("gone", "e2"), ("b", "e2"), ("b", "e2")]
    refs = [{"board": board, "event_id": event} for board, event in events]

    answer = await held.ask("POST", "/v1/quarantine", {"decision": "approve", "events": refs})
    none = await held.ask("POST", "/v1/quarantine", {"decision": "approve", "events": []})

    assert [(each["result"], each["code"]) for each in answer.body["results"]] == [
        ("approved", None),
        ("refused", "unknown_event"),
        ("refused", "unknown_board"),
        ("approved", None),
        ("unchanged", None),
    ]
    assert await score_of(held, "zed") == "1700"
    assert (none.status, none.body["error"]["field"]) == (400, "events")


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("events[0].board", {"events": [{"board": "B!", "event_id": "e"}]}),
        ("events[0].event_id", {"events": [{"board": "b", "event_id": ""}]}),
        ("reason", {"events": [{"board": "b", "event_id": "none"}], "reason": "\u009b"}),
        ("decision", {"events": [{"board": "b", "event_id": "none"}], "decision": "keep"}),
    ],
)
async def test_what_cannot_be_asked_is_refused_as_a_whole(held, field, body):
    answer = await held.ask("POST", "/v1/quarantine", {"decision": "reject"} | body)

    assert (answer.status, answer.body["error"]["field"]) == (400, field)


async def test_a_total_that_leaves_its_range_is_refused_and_waits_on(held):
    await held.score("zed", 9 * 10**18, "huge")
    await judge(held, "approve", "huge")
    await held.score("zed", 9 * 10**18, "more")

    refused = await judge(held, "approve", "more")

    assert (refused.status, refused.code) == (422, "overflow")
    assert await waiting(held) == ["more", "e-zed"]
    assert await score_of(held, "zed") == str(9 * 10**18)


async def test_pages_go_on_to_what_came_earlier(held):
    for number in range(3):
        await held.score("zed", 200 + number, f"e{number}")
    pages, cursor = [], ""
    while cursor is not None:
        page = (await held.ask("GET", f"/v1/quarantine?board=b&limit=2{cursor}")).body
        pages.append([each["event_id"] for each in page["events"]])
        cursor = None if page["next"] is None else f"&cursor={page['next']}"
    bad = await held.ask("GET", "/v1/quarantine?cursor=x")

    assert pages == [["e2", "e1"], ["e0", "e-zed"], []]
    assert (bad.status, bad.body["error"]["field"]) == (400, "cursor")


async def test_the_audit_and_the_metrics_know_of_it(held):
    await judge(held, "reject", reason="a bot")
    await held.score("zed", 901, "e2")
    audit = await held.ask("GET", "/v1/audit?kind=reject_event")
    metrics = await held.ask("GET", "/metrics")

    (act,) = audit.body["acts"]
    assert (act["player_id"], act["reason"], act["result"]) == ("zed", "a bot", "rejected")
    assert "toprung_quarantine_events 1.0" in str(metrics.body)


async def test_what_was_approved_does_not_use_up_a_limit(door):
    await door.make_board(limits={"points_per_hour": 8, "on_breach": "quarantine"})
    await door.score("ann", 9, "e1")
    await judge(door, "approve", "e1")

    assert (await door.score("ann", 8, "e2")).body["outcome"] == "counted"
    door.clock.set(door.clock.now() + HOUR)
    assert await score_of(door, "ann") == "17"


async def test_what_waits_of_somebody_who_is_erased_counts_for_nobody(held):
    erased = await held.ask("POST", "/v1/players/zed/erase", {})
    listed = await held.ask("GET", "/v1/quarantine")
    approved = await judge(held, "approve")

    assert erased.status == 200
    assert listed.body["events"][0]["player_id"] != "zed"
    assert (approved.body["result"], approved.body["periods"]) == ("approved", [])
    assert await score_of(held, "zed") is None

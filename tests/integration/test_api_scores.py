"""POST /v1/scores and what is told of an event: every outcome, and input that is bad."""

import json

import msgspec
import pytest

from toprung.domain.limits import BATCH_EVENTS
from toprung.domain.outcomes import Outcome

pytestmark = pytest.mark.anyio

AT = "2026-05-04T11:00:00Z"
NDJSON = {"content-type": "application/x-ndjson"}


def event(number=0, **changes):
    """An event; each number has an id and a player of its own."""
    return {
        "board": "b",
        "player_id": f"p{number}",
        "points": 1,
        "event_id": f"e{number}",
        "at": AT,
    } | changes


async def send(door, *events, query="", **more):
    answer = await door.ask("POST", f"/v1/scores{query}", {"events": events}, **more)
    assert answer.status == 200, answer.body
    return answer.body["results"]


async def test_a_counted_event_tells_its_score_and_rank_in_each_window(door):
    await door.make_board(windows=["daily", "all"])
    await send(door, event(0, points=5))

    (result,) = await send(door, event(1, player_id="p0", points=3))

    assert result == {
        "outcome": "counted",
        "event_id": "e1",
        "board": "b",
        "player_id": "p0",
        "score": "8",
        "previous_score": "5",
        "windows": [
            {
                "window": "daily",
                "period": "2026-05-04",
                "score": "8",
                "previous_score": "5",
                "rank": 1,
                "previous_rank": 1,
            },
            {
                "window": "all",
                "period": "all",
                "score": "8",
                "previous_score": "5",
                "rank": 1,
                "previous_rank": 1,
            },
        ],
        "seq": "3",
    }


async def test_ranks_false_leaves_ranks_out(door):
    await door.make_board()

    (result,) = await send(door, event(), query="?ranks=false")

    assert result["windows"] == [{"window": "all", "period": "all", "score": "1"}]


async def test_a_window_in_which_an_event_is_late_says_so_and_has_no_rank(door):
    await door.make_board(windows=["daily", "all"], grace="1h")

    (result,) = await send(door, event(at="2026-05-02T12:00:00Z"))

    assert result["windows"] == [
        {"window": "daily", "period": "2026-05-02", "late": True},
        {"window": "all", "period": "all", "score": "1", "rank": 1},
    ]
    assert (result["outcome"], result["score"]) == ("counted", "1")


async def test_a_duplicate_repeats_the_first_outcome_and_where_it_was_late(door):
    await door.make_board(windows=["daily", "all"], grace="1h", mode="best")
    old = event(at="2026-05-02T12:00:00Z")
    await send(door, old)
    await send(door, event(1, player_id="p0", points=0, at="2026-05-02T12:00:00Z"))

    counted, unchanged = await send(
        door, old, event(1, player_id="p0", points=0, at="2026-05-02T12:00:00Z")
    )

    assert (counted["outcome"], counted["first"], counted["score"]) == ("duplicate", "counted", "1")
    assert counted["windows"] == [{"window": "daily", "period": "2026-05-02", "late": True}]
    assert (unchanged["first"], unchanged["score"], unchanged["previous_score"]) == (
        "unchanged",
        "1",
        "1",
    )


async def test_every_outcome_has_its_place_in_a_batch(door):
    await door.make_board(windows=["daily"], grace="1h", max_ahead="5m", mode="best")
    await door.make_board("sums")
    full = {"board": "sums", "player_id": "rich"}
    await send(door, event(0), event(1, points=2**63 - 1, **full))

    results = await send(
        door,
        event(2, points="x"),
        event(3, board="other"),
        event(0),
        event(0, points=2),
        event(4, at="2026-05-04T12:05:01Z"),
        event(5, at="2026-05-01T12:00:00Z"),
        event(6, **full),
        event(7, player_id="p0", points=0),
        event(8),
    )

    assert [(each["outcome"], each.get("field")) for each in results] == [
        ("invalid", "events[0].points"),
        ("unknown_board", "events[1].board"),
        ("duplicate", None),
        ("conflict", "events[3].points"),
        ("early", "events[4].at"),
        ("late", "events[5].at"),
        ("overflow", "events[6].points"),
        ("unchanged", None),
        ("counted", None),
    ]
    assert all("message" in each for each in results if not Outcome(each["outcome"]).accepted)


async def test_a_batch_counts_its_outcomes_and_tells_its_last_place_in_the_log(door):
    await door.make_board()

    answer = await door.ask(
        "POST", "/v1/scores", {"events": [event(0), event(0), event(1, points=None)]}
    )

    assert answer.body["outcomes"] == {"counted": 1, "duplicate": 1, "invalid": 1}
    assert answer.body["seq"] == answer.body["results"][1]["seq"]


async def test_a_batch_of_which_nothing_can_be_logged_has_no_place(door):
    answer = await door.ask("POST", "/v1/scores", {"events": [event(board="other"), 5]})

    assert (answer.status, answer.body["seq"]) == (200, None)


async def test_columns_are_told_by_the_first_and_asked_for_by_name(door):
    await door.make_board(columns=[{"name": "points"}, {"name": "seconds", "order": "asc"}])
    points = {"points": 3, "seconds": "71"}

    (counted, *refused) = await send(
        door,
        event(0, points=points),
        event(1, points=3),
        event(2, points={"points": 3}),
        event(3, points=points | {"lives": 1}),
        event(4, points={"points": 3, "seconds": []}),
    )

    assert (counted["outcome"], counted["score"]) == ("counted", "3")
    assert [each["field"] for each in refused] == [
        "events[1].points",
        "events[2].points.seconds",
        "events[3].points.lives",
        "events[4].points.seconds",
    ]


class TestIdempotencyKey:
    """The header fills missing ids."""

    async def test_an_event_by_itself_gets_the_key(self, door):
        await door.make_board()
        headers = {"idempotency-key": "k"}

        first = await door.ask("POST", "/v1/scores", event(event_id=None), headers=headers)
        again = await door.ask("POST", "/v1/scores", event(event_id=None), headers=headers)

        assert (first.body["event_id"], again.body["outcome"]) == ("k", "duplicate")

    async def test_items_of_a_batch_get_their_index_and_keep_their_own_ids(self, door):
        await door.make_board()

        results = await send(
            door,
            event(0, event_id=None),
            event(1),
            event(2, event_id=None),
            headers={"idempotency-key": "k"},
        )

        assert [each["event_id"] for each in results] == ["k:0", "e1", "k:2"]

    async def test_without_it_a_missing_id_is_invalid(self, door):
        await door.make_board()

        (result,) = await send(door, event(event_id=None))

        assert (result["outcome"], result["field"]) == ("invalid", "events[0].event_id")

    @pytest.mark.parametrize("key", ["", "k" * 252, "å", "a\tb"])
    async def test_a_key_that_can_be_no_event_id_is_refused(self, door, key):
        answer = await door.ask("POST", "/v1/scores", event(), headers={"idempotency-key": key})

        assert (answer.status, answer.body["error"]["field"]) == (400, "Idempotency-Key")


class TestHistory:
    """``history=true``: events count as arrived when they happened."""

    async def test_an_old_event_counts_where_it_was_once_in_time(self, door):
        await door.make_board(windows=["daily"], grace="1h")

        (result,) = await send(door, event(at="2020-01-01T00:00:00Z"), query="?history=true")

        assert result["outcome"] == "counted"

    async def test_only_an_admin_may_say_so(self, door):
        answer = await door.ask("POST", "/v1/scores?history=true", event(), role="server")

        assert (answer.status, answer.body["error"]["field"]) == (403, "history")


class TestLines:
    """NDJSON."""

    async def test_one_event_a_line_blank_ones_skipped(self, door):
        await door.make_board()
        lines = b"\n".join(
            [b"", msgspec.json.encode(event(0)), b" \r", json.dumps(event(1)).encode()]
        )

        answer = await door.ask("POST", "/v1/scores", lines + b"\r\n", headers=NDJSON)

        assert [each["outcome"] for each in answer.body["results"]] == ["counted"] * 2

    async def test_a_broken_line_is_an_invalid_item(self, door):
        await door.make_board()
        lines = msgspec.json.encode(event(0)) + b'\n{"board":\n' + msgspec.json.encode(event(1))

        answer = await door.ask("POST", "/v1/scores", lines, headers=NDJSON)

        assert [each["outcome"] for each in answer.body["results"]] == [
            "counted",
            "invalid",
            "counted",
        ]

    async def test_no_line_is_no_batch(self, door):
        answer = await door.ask("POST", "/v1/scores", b"\n\n", headers=NDJSON)

        assert (answer.status, answer.code) == (400, "invalid")


def raw(points=b"1", player=b'"p"', board=b'"b"'):
    """An event whose parts no encoder would write."""
    return b'{"board":%s,"player_id":%s,"event_id":"e","points":%s}' % (board, player, points)


# What may stand in one item of a batch, as it travels; each is refused, and costs nothing else.
BAD_ITEMS = {
    "a number": b"5",
    "null": b"null",
    "an empty object": b"{}",
    "an unknown field": json.dumps(event(1, colour="red")).encode(),
    "a number as a name": json.dumps(event(1, board=7)).encode(),
    "ten thousand digits": raw(b"9" * 10_000),
    "ten thousand digits as text": raw(b'"%s"' % (b"9" * 10_000)),
    "ten thousand decimals": raw(b"1." + b"1" * 10_000),
    "an exponent": raw(b"1e400"),
    "a small exponent": raw(b"1e2"),
    "NaN": raw(b"NaN"),
    "Infinity": raw(b"-Infinity"),
    "true": raw(b"true"),
    "one beyond 64 bits": raw(b"9223372036854775808"),
    "more decimals than declared": raw(b"1.0"),
    "a lone surrogate in an id": raw(player=b'"\\ud800"'),
    "a lone surrogate in points": raw(b'"\\udc00"'),
    "a lone surrogate in a name": raw(board=b'"\\udfff"'),
    "bytes that are no UTF-8": raw(player=b'"\xff"'),
    "no UTF-8 in points": raw(b'"\xff"'),
    "no UTF-8 beside NaN": raw(b"NaN", player=b'"\xff"'),
    "a control character": raw(player=b'"\\u0000"'),
    "an empty id": json.dumps(event(1, event_id="")).encode(),
    "an id of 257 bytes": json.dumps(event(1, player_id="é" * 128 + "x")).encode(),
    "no instant": json.dumps(event(1, at="yesterday")).encode(),
    "a date that never was": json.dumps(event(1, at="2026-02-30T00:00:00Z")).encode(),
    "an instant without offset": json.dumps(event(1, at="2026-05-04T12:00:00")).encode(),
    "metadata that is a list": json.dumps(event(1, metadata=[])).encode(),
    "metadata of 2 KiB": json.dumps(event(1, metadata={"x": "y" * 2048})).encode(),
    "lists in lists, 5,000 deep": b"[" * 5000 + b"]" * 5000,
    "metadata nested 2,000 deep": json.dumps(event(1, metadata={}))
    .replace("{}", '{"a":' * 2000 + "1" + "}" * 2000)
    .encode(),
    "points as a list": json.dumps(event(1, points=[1])).encode(),
    "points as another column": json.dumps(event(1, points={"lives": 1})).encode(),
}


@pytest.mark.parametrize("what", BAD_ITEMS)
async def test_a_bad_item_among_500_costs_nothing_but_itself(door, what):
    await door.make_board()
    good = [msgspec.json.encode(event(number)) for number in range(499)]
    body = b'{"events": [%s]}' % b", ".join([*good[:250], BAD_ITEMS[what], *good[250:]])

    answer = await door.ask("POST", "/v1/scores", body, role="server")

    assert answer.status == 200, answer.body
    outcomes = [each["outcome"] for each in answer.body["results"]]
    refused = outcomes.pop(250)
    assert (refused, outcomes) == ("invalid", ["counted"] * 499)
    assert answer.body["results"][250]["field"].startswith("events[250]")


# Whole bodies that are no batch at all.
BAD_BODIES = {
    "nothing": (b"", "bad_json"),
    "half a body": (b'{"events": [{"board": "b"', "bad_json"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "bad_json"),
    "no UTF-8 and no JSON": (b"\xff\xfe", "bad_json"),
    "two bodies": (b'{"events": []}{"events": []}', "bad_json"),
    "a comma too many": (b'{"events": [{},]}', "bad_json"),
    "a leading zero": (b'{"events": [{"points": 01}]}', "bad_json"),
    "nesting without end": (b'{"events": ' + b"[" * 100_000, "bad_json"),
    "a list": (b"[]", "invalid"),
    "a number": (b"17", "invalid"),
    "an empty object": (b"{}", "invalid"),
    "an empty batch": (b'{"events": []}', "invalid"),
    "a batch that is none": (b'{"events": 5}', "invalid"),
    "null events": (b'{"events": null}', "invalid"),
    "a batch and more": (b'{"events": [{}], "board": "b"}', "invalid"),
    "too many events": (b'{"events": [%s]}' % b",".join([b"{}"] * 5001), "invalid"),
    "a lone surrogate by itself": (b'{"board": "\\ud800"}', "bad_json"),
}


@pytest.mark.parametrize("what", BAD_BODIES)
async def test_a_body_that_is_no_batch_is_refused_whole(door, what):
    content, code = BAD_BODIES[what]

    answer = await door.ask("POST", "/v1/scores", content, role="server")

    assert (answer.status, answer.code) == (400, code)
    assert door.faults == []


async def test_a_batch_may_have_as_many_events_as_its_limit_says(door):
    await door.make_board()

    results = await send(
        door, *(event(number) for number in range(BATCH_EVENTS.maximum)), query="?ranks=false"
    )

    assert {each["outcome"] for each in results} == {"counted"}


async def test_a_repeated_name_in_an_object_means_its_last_value(door):
    await door.make_board()
    body = b'{"board":"x","board":"b","player_id":"p","points":1,"points":2,"event_id":"e"}'

    answer = await door.ask("POST", "/v1/scores", body)

    assert (answer.body["board"], answer.body["score"]) == ("b", "2")


async def test_numbers_keep_every_digit(door):
    await door.make_board(columns=[{"decimals": 9}])

    (result,) = await send(door, event(points="9223372036.854775807"))

    assert result["score"] == "9223372036.854775807"


class TestEvent:
    """GET /v1/boards/{board}/events/{event_id}."""

    async def test_it_tells_what_became_of_an_event(self, door):
        await door.make_board(windows=["daily", "all"], grace="1h", columns=[{"decimals": 2}])
        old = event(points="1.50", at="2026-05-02T12:00:00+02:00")
        (sent,) = await send(door, old)

        answer = await door.ask("GET", "/v1/boards/b/events/e0", role="client")

        assert answer.body == {
            "board": "b",
            "event_id": "e0",
            "player_id": "p0",
            "points": "1.5",
            "at": "2026-05-02T10:00:00Z",
            "received_at": "2026-05-04T12:00:00Z",
            "outcome": "counted",
            "seq": sent["seq"],
            "score": "1.5",
            "late": ["daily"],
        }

    async def test_it_tells_why_a_refused_one_was_refused(self, door):
        await door.make_board(max_ahead="5m")
        await send(door, event(at="2026-05-05T12:00:00Z"))

        answer = await door.ask("GET", "/v1/boards/b/events/e0")

        assert answer.body["outcome"] == "early"

    async def test_points_are_told_by_name_on_boards_with_columns(self, door):
        await door.make_board(columns=[{"name": "points"}, {"name": "goals", "decimals": 1}])
        await send(door, event(points={"points": 3, "goals": 2.5}))

        answer = await door.ask("GET", "/v1/boards/b/events/e0")

        assert answer.body["points"] == {"points": "3", "goals": "2.5"}

    async def test_an_event_is_told_by_the_columns_it_was_read_by(self, door):
        await door.make_board(columns=[{"decimals": 1}])
        await send(door, event(points="2.5"))
        changed = {"columns": [{"decimals": 3}], "grace": "none", "max_ahead": "none"}
        assert (await door.ask("PUT", "/v1/boards/b?if_exists=recompute", changed)).status == 200

        answer = await door.ask("GET", "/v1/boards/b/events/e0")
        (again,) = await send(door, event(points="2.500"))

        assert (answer.body["points"], answer.body["score"]) == ("2.5", "2.5")
        assert (again["outcome"], again["score"]) == ("duplicate", "2.5")

    async def test_an_id_may_hold_anything(self, door):
        await door.make_board()
        await send(door, event(event_id="a/b?c=d#e %é\n"))

        answer = await door.ask("GET", "/v1/boards/b/events/a%2Fb%3Fc%3Dd%23e%20%25%C3%A9%0A")

        assert (answer.status, answer.body["event_id"]) == (200, "a/b?c=d#e %é\n")

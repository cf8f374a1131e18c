"""Both clients over a network that misbehaves as told: what is sent again, and how it ends.

The transport is a stand-in here, because these faults cannot be had from a real server on
demand; everything above it is real. tests/integration has the same clients and a real server.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal

import httpx2
import msgspec
import pytest

from toprung import sdk
from toprung.sdk import AsyncClient, Client, Retries, ScoreEvent, System

Answer = Exception | Callable[[httpx2.Request], httpx2.Response]
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
DEFAULT = Retries()
COUNTED = msgspec.json.encode({"outcome": "counted"})


@dataclass
class Wire:
    """Answers each request with the next of ``answers``, and remembers what was sent."""

    answers: list[Answer]
    requests: list[httpx2.Request] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self.answers[len(self.requests) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer(request)

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def bodies(self) -> list[dict]:
        return [msgspec.json.decode(request.content) for request in self.requests]

    def system(self) -> System:
        return System(chance=lambda: 1.0, sleep=self.pauses.append, async_sleep=self.pause)


def call_blocking(wire: Wire, operation: str, *arguments, retries=DEFAULT, **options):
    transport = httpx2.MockTransport(wire)
    with Client(
        "http://host", "k", retries=retries, transport=transport, system=wire.system()
    ) as client:
        return getattr(client, operation)(*arguments, **options)


def call_async(wire: Wire, operation: str, *arguments, retries=DEFAULT, **options):
    async def run():
        transport = httpx2.MockTransport(wire)
        async with AsyncClient(
            "http://host", "k", retries=retries, transport=transport, system=wire.system()
        ) as client:
            return await getattr(client, operation)(*arguments, **options)

    return asyncio.run(run())


@pytest.fixture(params=[call_blocking, call_async], ids=["blocking", "async"])
def call(request):
    return request.param


def status(code: int, **more) -> Answer:
    """Each try gets a response of its own: a response can be read only once."""
    return lambda _: httpx2.Response(code, **more)


def ok(body: bytes = COUNTED) -> Answer:
    return status(200, content=body)


def batch_of(request: httpx2.Request) -> httpx2.Response:
    events = msgspec.json.decode(request.content)["events"]
    results = [{"outcome": "counted", "event_id": event["event_id"]} for event in events]
    body = {"results": results, "outcomes": {"counted": len(events)}, "seq": "1"}
    return httpx2.Response(200, json=body)


@pytest.mark.parametrize(
    "fault",
    [
        httpx2.ConnectError("refused"),
        httpx2.ReadError("reset"),
        httpx2.ReadTimeout("slow"),
        httpx2.RemoteProtocolError("closed"),
        status(429),
        status(502, content=b"<html>bad gateway</html>"),
        status(503),
        status(504),
    ],
    ids=["refused", "reset", "slow", "closed", "429", "502", "503", "504"],
)
def test_an_event_is_sent_again_with_the_same_id(call, fault):
    wire = Wire([fault, fault, ok()])

    assert call(wire, "submit", "b", "ana", 3).outcome == "counted"

    first, second, third = wire.bodies()
    assert first == second == third
    assert first["event_id"]
    assert wire.pauses == [0.1, 0.2]


def test_a_batch_is_sent_again_with_the_same_ids(call):
    wire = Wire([httpx2.ReadError("reset"), batch_of])

    reply = call(wire, "submit_many", [ScoreEvent("b", "ana", n) for n in range(3)])

    first, second = wire.bodies()
    assert first == second
    assert [result.event_id for result in reply.results] == [
        event["event_id"] for event in first["events"]
    ]


def test_retry_after_is_waited_for(call):
    wire = Wire([status(429, headers={"Retry-After": "3"}), ok()])

    call(wire, "submit", "b", "ana", 3)

    assert wire.pauses == [pytest.approx(3.1)]


def test_after_the_last_try_the_error_is_raised(call):
    wire = Wire([httpx2.ConnectError("refused")] * 3)

    with pytest.raises(sdk.Unavailable, match="refused") as raised:
        call(wire, "submit", "b", "ana", 3, retries=2)

    assert raised.value.code == "unreachable"
    assert isinstance(raised.value.__cause__, httpx2.ConnectError)
    assert len(wire.requests) == 3


def test_what_is_refused_is_sent_once(call):
    refusal = {"error": {"code": "late", "message": "the period is closed", "field": "at"}}
    wire = Wire([status(422, json=refusal)])

    with pytest.raises(sdk.EventRefused) as raised:
        call(wire, "submit", "b", "ana", 3)

    assert (raised.value.code, raised.value.field) == ("late", "at")
    assert len(wire.requests) == 1


def test_what_can_never_work_is_tried_once(call):
    wire = Wire([httpx2.UnsupportedProtocol("no such protocol")])

    with pytest.raises(sdk.Unavailable) as raised:
        call(wire, "boards")

    assert (raised.value.code, raised.value.retryable) == ("unreachable", False)
    assert len(wire.requests) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"outcome": 3}', b"\xff"])
def test_an_answer_of_something_else_is_no_result(call, body):
    with pytest.raises(sdk.ToprungError) as raised:
        call(Wire([ok(body)]), "submit", "b", "ana", 3)

    assert raised.value.code == "bad_reply"


def test_a_batch_reply_of_another_length_is_no_result(call):
    wire = Wire([ok(b'{"results": [], "outcomes": {}, "seq": null}')])

    with pytest.raises(sdk.ToprungError, match="0 results for 1 events"):
        call(wire, "submit_many", [ScoreEvent("b", "ana", 1)])


def test_a_drop_whose_answer_is_lost_is_not_sent_again(call):
    wire = Wire([httpx2.ReadError("reset")])

    with pytest.raises(sdk.Unavailable):
        call(wire, "drop_board", "b")

    assert len(wire.requests) == 1


def test_a_large_batch_that_fails_midway_says_how_far_it_came(call):
    events = [ScoreEvent("b", f"p{n}", n) for n in range(5_003)]
    wire = Wire([batch_of, status(401)])

    with pytest.raises(sdk.Unauthorized) as raised:
        call(wire, "submit_many", events)

    partial = raised.value.partial
    assert len(partial.results) == 5_000
    assert [event.player_id for event in partial.unanswered] == ["p5000", "p5001", "p5002"]
    sent_ids = [event["event_id"] for event in wire.bodies()[1]["events"]]
    assert [event.event_id for event in partial.unanswered] == sent_ids


def test_nothing_is_sent_when_one_event_cannot_be(call):
    wire = Wire([])

    with pytest.raises(TypeError, match="float"):
        call(wire, "submit_many", [ScoreEvent("b", "ana", 1), ScoreEvent("b", "ana", 1.5)])

    assert wire.requests == []


def test_no_events_need_no_request(call):
    assert call(Wire([]), "submit_many", []).results == ()


@pytest.mark.parametrize(
    ("player", "path"),
    [
        ("ana", "ana"),
        ("a/b", "a%2Fb"),
        ("a b?c#d%", "a%20b%3Fc%23d%25"),
        ("é", "%C3%A9"),
        (".", "%2E"),
        ("..", "%2E%2E"),
        ("a..", "a.."),
    ],
)
def test_an_id_is_one_segment_of_the_path(call, player, path):
    wire = Wire([status(404, json={"error": {"code": "unranked_player", "message": ""}})])

    assert call(wire, "rank", "b", player) is None
    assert wire.requests[0].url.raw_path == f"/v1/boards/b/rank/{path}".encode()


def test_an_empty_id_is_no_question(call):
    with pytest.raises(ValueError, match="empty"):
        call(Wire([]), "rank", "b", "")


@pytest.mark.parametrize(
    ("operation", "arguments", "options", "query"),
    [
        ("top", ["b"], {}, "k=10"),
        ("top", ["b"], {"k": 3, "cursor": "c", "window": "daily"}, "k=3&cursor=c&window=daily"),
        ("top", ["b"], {"period": NOON}, "k=10&period=2026-05-04T12%3A00%3A00Z"),
        ("rank", ["b", "ana"], {"numbering": "dense"}, "numbering=dense"),
        ("around", ["b", "ana"], {}, ""),
        ("around", ["b", "ana"], {"n": 0}, "n=0"),
        ("ranks", ["b", 5, 9], {"limit": 2}, "from=5&to=9&limit=2"),
        ("scores", ["b"], {}, ""),
        ("scores", ["b", Decimal("1.50"), 3], {}, "min=1.50&max=3"),
        ("rank_of", ["b", 12], {"wanted": 1}, "score=12&wanted=1"),
        ("rank_of", ["b", "12.5"], {}, "score=12.5"),
        ("rank_of", ["b", [3, Decimal("-1.5")]], {}, "score=3%2C-1.5"),
        ("put_board", ["b"], {"if_exists": "change"}, "if_exists=change"),
        ("submit", ["b", "ana", 1], {}, ""),
        ("submit", ["b", "ana", 1], {"ranks": False, "history": True}, "ranks=false&history=true"),
    ],
)
def test_a_question_says_what_was_asked_and_no_more(call, operation, arguments, options, query):
    wire = Wire([status(418)])

    with pytest.raises(sdk.ToprungError):
        call(wire, operation, *arguments, **options)

    assert wire.requests[0].url.query.decode() == query


def test_both_ranges_of_a_walk_are_a_contradiction():
    with Client("http://host", "k") as client, pytest.raises(ValueError, match="not both"):
        client.pages("b", ranks=(1, 2), scores=(1, 2))


def test_the_key_goes_with_every_request_and_into_no_text():
    wire = Wire([ok(b'{"boards": []}')])
    transport = httpx2.MockTransport(wire)

    with Client("http://host/base", "secret", transport=transport) as client:
        client.boards()
        assert repr(client) == "Client('http://host/base/')"

    assert wire.requests[0].headers["Authorization"] == "Bearer secret"
    assert wire.requests[0].url.path == "/base/v1/boards"


@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_the_environment_fills_in_what_is_left_out(client, monkeypatch):
    monkeypatch.setenv("TOPRUNG_URL", "http://from-environment")
    monkeypatch.setenv("TOPRUNG_KEY", "k")

    assert "from-environment" in repr(client())
    assert "given" in repr(client("http://given"))


@pytest.mark.parametrize("client", [Client, AsyncClient])
@pytest.mark.parametrize(
    ("missing", "message"),
    [("TOPRUNG_URL", "no server address: .*TOPRUNG_URL"), ("TOPRUNG_KEY", "no key: .*TOPRUNG_KEY")],
)
def test_what_is_nowhere_is_asked_for_by_name(client, missing, message, monkeypatch):
    monkeypatch.setenv("TOPRUNG_URL", "http://host")
    monkeypatch.setenv("TOPRUNG_KEY", "k")
    monkeypatch.delenv(missing)

    with pytest.raises(ValueError, match=message):
        client()


@pytest.mark.parametrize("client", [Client, AsyncClient])
@pytest.mark.parametrize("url", ["localhost:8080", "ftp://host", "http://host:port", "/v1"])
def test_what_is_no_address_is_refused_at_once(client, url):
    with pytest.raises(ValueError, match="no address of a server"):
        client(url, "k")


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize(
    "key", ["tr_secret\n", "tr_secret\r\nX: y", "tr_secr\u00e9t", "tr_\0secret"]
)
def test_what_can_be_no_key_is_refused_without_being_shown(kind, key):
    with pytest.raises(ValueError, match="no key") as raised:
        kind("http://127.0.0.1:1", key)

    assert "secr" not in str(raised.value)

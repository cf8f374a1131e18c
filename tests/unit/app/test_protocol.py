"""The bound on a request's head, and the shape of errors below HTTP."""

import asyncio

import msgspec
import pytest
import uvicorn
from uvicorn.server import ServerState

from toprung.app import protocol as protocol_module
from toprung.app.protocol import HEAD_BYTES_MAX, BoundedProtocol

pytestmark = pytest.mark.anyio

BODIES = []
FULL = b"x" * 8192


class Transport:
    """Keeps what is written."""

    def __init__(self):
        self.written = b""
        self.closed = False
        self.closing = asyncio.Event()

    def get_extra_info(self, name):
        return None

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True
        self.closing.set()

    def is_closing(self):
        return self.closed

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


async def answer(scope, receive, send):
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message["body"]
        more = message["more_body"]
    BODIES.append(body)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
async def connection():
    config = uvicorn.Config(
        answer, http=BoundedProtocol, ws="none", lifespan="off", log_config=None
    )
    config.load()
    protocol = BoundedProtocol(config=config, server_state=ServerState(), app_state={})
    protocol.connection_made(Transport())
    yield protocol
    protocol.connection_lost(None)
    await asyncio.gather(*protocol.tasks)


def refusal(connection):
    head, _, body = connection.transport.written.partition(b"\r\n\r\n")
    return int(head.split()[1]), msgspec.json.decode(body)["error"]["code"]


@pytest.mark.parametrize("begin", [b"GET /", b"GET / HTTP/1.1\r\nX-Long: "])
async def test_a_head_that_goes_on_is_refused(connection, begin):
    connection.data_received(begin)
    reads = 0
    while not connection.transport.closed:
        connection.data_received(FULL)
        reads += 1

    assert refusal(connection) == (431, "head_too_large")
    assert reads == HEAD_BYTES_MAX // len(FULL) + 1


async def test_heads_that_follow_each_other_are_counted_by_themselves(connection):
    request = b"GET / HTTP/1.1\r\nX-Pad: " + FULL + b"\r\n\r\n"
    stream = request * 32

    for at in range(0, len(stream), 5000):
        connection.data_received(stream[at : at + 5000])

    assert not connection.transport.closed


async def test_a_body_may_be_longer_than_a_head(connection):
    connection.data_received(b"POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n")
    for _ in range(20):
        connection.data_received(b"x" * 10_000)

    assert not connection.transport.closed


async def test_what_is_no_http_is_refused(connection):
    connection.data_received(b"hello\r\n\r\n")

    assert refusal(connection) == (400, "bad_request")
    assert connection.transport.closed


async def test_a_head_that_comes_in_one_read_is_measured_too(connection):
    connection.data_received(b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 70_000 + b"\r\n\r\n")

    assert refusal(connection) == (431, "head_too_large")
    assert connection.transport.closed


async def test_a_head_beside_a_large_body_is_not_taken_for_large(connection):
    body = b"x" * 200_000
    connection.data_received(b"POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n" + body)

    assert not connection.transport.closed


BEGUN = [
    b"GET / HT",
    b"POST / HTTP/1.1\r\nContent-Le",
    b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf",
    b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
]


@pytest.mark.parametrize("begun", BEGUN)
async def test_a_request_that_does_not_come_whole_in_time(connection, monkeypatch, begun):
    monkeypatch.setattr(protocol_module, "ARRIVAL_S", 0)

    connection.data_received(begun)
    await asyncio.wait_for(connection.transport.closing.wait(), 60)

    assert refusal(connection) == (408, "timeout")


@pytest.mark.parametrize("begun", BEGUN)
async def test_a_request_that_has_not_come_whole_when_the_server_stops(connection, begun):
    connection.data_received(begun)
    connection.shutdown()

    assert refusal(connection) == (503, "stopped")
    assert b"retry-after: 1" in connection.transport.written
    assert connection.transport.closed


async def test_a_request_that_comes_whole_has_no_time_limit_left(connection):
    connection.data_received(BEGUN[2])
    assert connection._arrival is not None

    connection.data_received(b" more")

    assert connection._arrival is None


async def test_a_request_that_came_whole_is_answered_when_the_server_stops(connection):
    connection.data_received(b"GET / HTTP/1.1\r\n\r\n")
    connection.shutdown()
    await asyncio.wait_for(connection.transport.closing.wait(), 60)

    assert connection.transport.written.startswith(b"HTTP/1.1 204")


async def test_one_that_waits_its_turn_does_not_take_it_from_the_one_before(connection):
    connection.data_received(b"GET / HTTP/1.1\r\n\r\n" + BEGUN[2])
    connection._late()

    assert connection.transport.written == b""


@pytest.mark.parametrize("protocol", [b"websocket", b"h2c"])
@pytest.mark.parametrize("step", [1, 7, 10_000])
async def test_a_request_that_would_upgrade_is_read_as_a_plain_one(connection, protocol, step):
    head = (
        b"POST /x?y HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: %s\r\n" % protocol
    )
    stream = head + b"Content-Length: 5\r\n\r\nhello" + b"GET / HTTP/1.1\r\n\r\n"
    BODIES.clear()

    for at in range(0, len(stream), step):
        connection.data_received(stream[at : at + step])
    while connection.tasks:
        await asyncio.gather(*connection.tasks)

    assert BODIES == [b"hello", b""]
    assert connection.transport.written.count(b"HTTP/1.1 204") == 2
    assert connection._arrival is None


async def test_a_tunnel_is_refused_or_answered_but_not_taken_up(connection):
    connection.data_received(b"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")

    assert len(connection.tasks) <= 1

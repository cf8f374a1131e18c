"""A connection: bytes to requests and back, its bounds, and the shape of errors below HTTP."""

import asyncio

import httptools
import msgspec
import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState

from toprung.api import Reply
from toprung.app import protocol as protocol_module
from toprung.app.protocol import HEAD_BYTES_MAX, Connection, split_url
from toprung.domain.limits import BODY_BYTES

pytestmark = pytest.mark.anyio

FULL = b"x" * 8192
REQUEST = b"GET /%d HTTP/1.1\r\n\r\n"


class Transport:
    """Keeps what is written."""

    def __init__(self):
        self.written = b""
        self.closed = False
        self.closing = asyncio.Event()
        self.reading = True

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True
        self.closing.set()

    def is_closing(self):
        return self.closed

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True


class Posted:
    """A request with a body; it is answered when ``go`` is set."""

    has_body = True

    def __init__(self, application, path):
        self.application = application
        self.path = path

    async def finish(self, content):
        await self.application.go.wait()
        self.application.bodies.append(content)
        return reply(self.path)

    def refuse(self, error):
        return reply(error.code.encode(), error.status)


class Application:
    """A GET is answered at once; a DELETE waits, and a POST, which has a body."""

    def __init__(self):
        self.begun = []
        self.bodies = []
        self.go = asyncio.Event()
        self.go.set()

    def begin(self, method, raw_path, query, headers):
        self.begun.append((method, raw_path, query))
        if method in ("GET", "HEAD"):
            return reply(raw_path)
        waiting = Posted(self, raw_path)
        waiting.has_body = method == "POST"
        return waiting


def reply(content, status=200):
    return Reply(status, b"content-length: %d\r\n" % len(content), content)


def replies(written):
    """Status and body of each reply, in order."""
    found = []
    while written:
        head, _, rest = written.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        found.append((int(head.split()[1]), rest[:length]))
        written = rest[length:]
    return found


@pytest.fixture
async def application():
    return Application()


@pytest.fixture
async def connection(application):
    config = uvicorn.Config(application, ws="none", lifespan="off", log_config=None)
    protocol = Connection(application, config=config, server_state=ServerState(), app_state={})
    protocol.connection_made(Transport())
    yield protocol
    protocol.connection_lost(None)
    application.go.set()
    await settle(protocol)


async def settle(connection):
    """Until everything that was begun is answered."""
    while connection._state.tasks:
        await asyncio.gather(*connection._state.tasks)


def refusal(connection):
    head, _, body = connection._transport.written.partition(b"\r\n\r\n")
    return int(head.split()[1]), msgspec.json.decode(body)["error"]["code"]


@pytest.mark.parametrize("begin", [b"GET /", b"GET / HTTP/1.1\r\nX-Long: "])
async def test_a_head_that_goes_on_is_refused(connection, begin):
    connection.data_received(begin)
    reads = 0
    while not connection._transport.closed:
        connection.data_received(FULL)
        reads += 1

    assert refusal(connection) == (431, "head_too_large")
    assert reads == HEAD_BYTES_MAX // len(FULL) + 1


async def test_heads_that_follow_each_other_are_counted_by_themselves(connection):
    request = b"GET / HTTP/1.1\r\nX-Pad: " + FULL + b"\r\n\r\n"
    stream = request * 32

    for at in range(0, len(stream), 5000):
        connection.data_received(stream[at : at + 5000])

    assert not connection._transport.closed


async def test_a_body_may_be_longer_than_a_head(connection):
    connection.data_received(b"POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n")
    for _ in range(20):
        connection.data_received(b"x" * 10_000)

    assert not connection._transport.closed


async def test_what_is_no_http_is_refused(connection):
    connection.data_received(b"hello\r\n\r\n")

    assert refusal(connection) == (400, "bad_request")
    assert connection._transport.closed


async def test_a_head_that_comes_in_one_read_is_measured_too(connection):
    connection.data_received(b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 70_000 + b"\r\n\r\n")

    assert refusal(connection) == (431, "head_too_large")
    assert connection._transport.closed


async def test_a_head_beside_a_large_body_is_not_taken_for_large(connection):
    body = b"x" * 200_000
    connection.data_received(b"POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n" + body)

    assert not connection._transport.closed


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
    await asyncio.wait_for(connection._transport.closing.wait(), 60)

    assert refusal(connection) == (408, "timeout")


@pytest.mark.parametrize("begun", BEGUN)
async def test_a_request_that_has_not_come_whole_when_the_server_stops(connection, begun):
    connection.data_received(begun)
    connection.shutdown()

    assert refusal(connection) == (503, "stopped")
    assert b"retry-after: 1" in connection._transport.written
    assert connection._transport.closed


async def test_a_request_that_comes_whole_has_no_time_limit_left(connection):
    connection.data_received(BEGUN[2])
    assert connection._arrival is not None

    connection.data_received(b" more")

    assert connection._arrival is None


async def test_a_request_that_came_whole_is_answered_when_the_server_stops(application, connection):
    application.go.clear()
    connection.data_received(b"POST /x HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
    connection.shutdown()
    application.go.set()
    await settle(connection)

    assert replies(connection._transport.written) == [(200, b"/x")]
    assert b"connection: close" in connection._transport.written
    assert connection._transport.closed


async def test_a_connection_without_a_request_is_closed_when_the_server_stops(connection):
    connection.data_received(REQUEST % 1)
    connection.shutdown()

    assert connection._transport.closed


async def test_one_that_waits_its_turn_does_not_take_it_from_the_one_before(
    application, connection
):
    application.go.clear()
    connection.data_received(b"DELETE / HTTP/1.1\r\n\r\n" + BEGUN[2])
    connection._late()

    assert connection._transport.written == b""


async def test_a_request_that_is_answered_before_its_body_came_is_not_answered_twice(connection):
    connection.data_received(b"GET /x HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf")
    connection._late()

    assert replies(connection._transport.written) == [(200, b"/x")]
    assert connection._transport.closed


@pytest.mark.parametrize("protocol", [b"websocket", b"h2c"])
@pytest.mark.parametrize("step", [1, 7, 10_000])
async def test_a_request_that_would_upgrade_is_read_as_a_plain_one(
    application, connection, protocol, step
):
    head = (
        b"POST /x?y HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: %s\r\n" % protocol
    )
    stream = head + b"Content-Length: 5\r\n\r\nhello" + b"GET / HTTP/1.1\r\n\r\n"

    for at in range(0, len(stream), step):
        connection.data_received(stream[at : at + step])
    await settle(connection)

    assert application.bodies == [b"hello"]
    assert application.begun == [("POST", b"/x", b"y"), ("GET", b"/", b"")]
    assert replies(connection._transport.written) == [(200, b"/x"), (200, b"/")]
    assert connection._arrival is None


async def test_a_tunnel_is_refused_or_answered_but_not_taken_up(connection):
    connection.data_received(b"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")

    assert refusal(connection) == (400, "bad_request")


MESSAGES = st.sampled_from(
    [
        (b"GET /a HTTP/1.1\r\n\r\n", b"/a"),
        (b"GET /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyz", b"/b"),
        (b"POST /c HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyz", b"/c"),
        (b"POST /d HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", b"/d"),
        (b"DELETE /e HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", b"/e"),
        (b"POST /f HTTP/1.1\r\nContent-Length: 0\r\n\r\n", b"/f"),
    ]
)


@given(st.lists(MESSAGES, max_size=8), st.integers(1, 200), st.booleans(), st.booleans())
def test_pipelined_requests_are_answered_each_once_and_in_order(messages, step, choked, slow):
    """However the bytes are cut, and whether replies wait for the writer or for the client."""

    async def run():
        application = Application()
        connection = Connection(application, None, ServerState(), {})
        connection.connection_made(Transport())
        if choked:
            connection.pause_writing()
        if slow:
            application.go.clear()
        stream = b"".join(sent for sent, _ in messages)
        for at in range(0, len(stream), step):
            connection.data_received(stream[at : at + step])
        application.go.set()
        if choked:
            connection.resume_writing()
        await settle(connection)
        connection.connection_lost(None)
        return connection

    connection = asyncio.run(run())

    assert replies(connection._transport.written) == [(200, path) for _, path in messages]
    assert connection._transport.reading
    assert not connection._requests


async def test_nothing_more_is_read_while_a_client_does_not_take_its_replies(
    application, connection
):
    connection.pause_writing()
    connection.data_received(REQUEST % 1 + REQUEST % 2)
    assert (connection._transport.reading, application.begun) == (False, [])

    connection.resume_writing()

    assert replies(connection._transport.written) == [(200, b"/1"), (200, b"/2")]
    assert connection._transport.reading


async def test_a_stream_beyond_the_limit_is_answered_and_skipped(application, connection):
    connection.data_received(b"POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    part = b"%x\r\n%s\r\n" % (2**20, b"x" * 2**20)
    for _ in range(BODY_BYTES.maximum // 2**20 + 2):
        connection.data_received(part)
    connection.data_received(b"0\r\n\r\n" + REQUEST % 1)
    await settle(connection)

    assert replies(connection._transport.written) == [(413, b"too_large"), (200, b"/1")]
    assert application.bodies == []


async def test_one_that_asks_whether_to_send_its_body_is_told_to(application, connection):
    head = b"POST /x HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
    connection.data_received(head)
    assert connection._transport.written == b"HTTP/1.1 100 Continue\r\n\r\n"

    connection.data_received(b"ab")
    await settle(connection)

    assert application.bodies == [b"ab"]


async def test_one_that_asks_so_is_not_told_before_its_turn(application, connection):
    application.go.clear()
    head = b"POST /x HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
    connection.data_received(b"DELETE /d HTTP/1.1\r\n\r\n" + head)
    assert connection._transport.written == b""

    application.go.set()
    await settle(connection)

    assert connection._transport.written.endswith(b"/dHTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.parametrize(
    ("request_line", "stays"),
    [
        (b"GET / HTTP/1.1\r\n", True),
        (b"GET / HTTP/1.1\r\nConnection: close\r\n", False),
        (b"GET / HTTP/1.0\r\n", False),
        (b"POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n", False),
    ],
)
async def test_a_connection_stays_open_unless_the_client_wants_otherwise(
    connection, request_line, stays
):
    connection.data_received(request_line + b"\r\n")
    await settle(connection)

    assert connection._transport.closed is not stays
    assert (b"connection: close\r\n" in connection._transport.written) is not stays


async def test_what_follows_a_request_that_closes_is_not_answered(application, connection):
    connection.data_received(b"GET /1 HTTP/1.1\r\nConnection: close\r\n\r\n" + REQUEST % 2)

    assert replies(connection._transport.written) == [(200, b"/1")]
    assert len(application.begun) == 1


async def test_a_head_request_gets_the_head_alone(connection):
    connection.data_received(b"HEAD /some HTTP/1.1\r\n\r\n")

    assert connection._transport.written.endswith(b"content-length: 5\r\n\r\n")


async def test_a_client_that_leaves_while_its_request_is_answered(application, connection):
    application.go.clear()
    connection.data_received(b"DELETE / HTTP/1.1\r\n\r\n")
    connection._transport.close()
    connection.connection_lost(None)
    application.go.set()
    await settle(connection)

    assert connection._transport.written == b""


async def test_the_servers_own_headers_are_told_as_they_are_now(connection):
    for day in (b"Mon", b"Tue"):
        connection._state.default_headers = [(b"date", day)]
        connection.data_received(REQUEST % 1)

    assert [part[:3] for part in connection._transport.written.split(b"date: ")[1:]] == [
        b"Mon",
        b"Tue",
    ]


class TestIdleConnections:
    """A connection without a request is closed after a while."""

    async def test_one_that_never_asks(self, application, monkeypatch):
        monkeypatch.setattr(protocol_module, "KEEP_ALIVE_S", 0)
        connection = Connection(application, None, ServerState(), {})
        connection.connection_made(Transport())

        await asyncio.wait_for(connection._transport.closing.wait(), 60)

        assert connection._transport.closed

    async def test_one_that_asked_lately_is_kept(self, connection):
        connection._idle_since -= protocol_module.KEEP_ALIVE_S + 1
        connection.data_received(REQUEST % 1)

        connection._close_if_idle()
        assert not connection._transport.closed

        connection._idle_since -= protocol_module.KEEP_ALIVE_S + 1
        connection._close_if_idle()
        assert connection._transport.closed

    @pytest.mark.parametrize("sent", [b"DELETE / HTTP/1.1\r\n\r\n", b"GET /"])
    async def test_one_with_a_request_is_kept(self, application, connection, sent):
        application.go.clear()
        connection._idle_since -= protocol_module.KEEP_ALIVE_S + 1
        connection.data_received(sent)

        connection._close_if_idle()

        assert not connection._transport.closed
        application.go.set()


@given(
    st.text("/ab?&=%;:@.+~-_!*'(),#$", max_size=20).map(lambda text: b"/" + text.encode())
    | st.sampled_from([b"http://x/healthz?a", b"http://x", b"//x/y?z", b"/?", b"/a?b?c"])
)
def test_a_target_is_split_as_the_parser_splits_it(url):
    parsed = httptools.parse_url(url)

    assert split_url(url) == (parsed.path or b"/", parsed.query or b"")

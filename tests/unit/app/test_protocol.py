"""The bound on a request's head, and the shape of errors below HTTP."""

import msgspec
import pytest
import uvicorn
from uvicorn.server import ServerState

from toprung.app.protocol import HEAD_BYTES_MAX, BoundedProtocol

pytestmark = pytest.mark.anyio

FULL = b"x" * 8192


class Transport:
    """Keeps what is written."""

    def __init__(self):
        self.written = b""
        self.closed = False

    def get_extra_info(self, name):
        return None

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


async def answer(scope, receive, send):
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
    protocol._unset_keepalive_if_required()


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

"""HTTP/1.1 on a socket: one connection, from bytes to requests and from replies to bytes.

uvicorn listens, counts connections and stops; what comes on a connection is read and answered
here. Its own protocol would start a task, build a scope and pass messages for every request, which
costs more than a whole rank read: here a request that waits for nothing is answered at once.
"""

import asyncio
from collections import deque
from http import HTTPStatus
from typing import Any, Protocol

import httptools
import msgspec
from uvicorn import Config
from uvicorn.server import ServerState

from toprung.api import ApiError, Exchange, Reply
from toprung.api.body import too_large
from toprung.api.errors import RETRY_LATER
from toprung.api.operation import Headers
from toprung.domain.limits import BODY_BYTES

HEAD_BYTES_MAX = 64 * 1024
"""Address and headers together; the parser itself takes any number."""
ARRIVAL_S = 30
"""How long a request may take from its first byte to its last."""
KEEP_ALIVE_S = 75
"""How long a connection without a request stays open: longer than usual proxies keep theirs."""
_HOP_HEADERS = (b"connection", b"upgrade", b"http2-settings")
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_STATUS_LINES = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}


class Answers(Protocol):
    """What answers requests: :class:`~toprung.api.Application`."""

    def begin(
        self, method: str, raw_path: bytes, query: bytes, headers: Headers
    ) -> Reply | Exchange:
        """The reply, or what gives it when the body came."""
        ...


class _Request:
    """A request that could not be answered when its head came."""

    __slots__ = ("exchange", "expects_continue", "head", "is_whole", "keep_alive", "parts", "size")

    def __init__(
        self,
        head: tuple[str, bytes, bytes, Headers],
        exchange: Exchange | None,
        *,
        keep_alive: bool,
        expects_continue: bool,
    ) -> None:
        self.head = head
        self.exchange = exchange
        """``None``: its turn has not come."""
        self.keep_alive = keep_alive
        self.expects_continue = expects_continue
        self.is_whole = False
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, body: bytes) -> None:
        """Keep a part of its body; of one that is too large nothing is kept."""
        self.size += len(body)
        if self.is_too_large:
            self.parts.clear()
        else:
            self.parts.append(body)

    @property
    def is_too_large(self) -> bool:
        return self.size > BODY_BYTES.maximum


class Connection(asyncio.Protocol):
    """One connection.

    Requests are answered one after the other, in the order they came. While one is answered, or
    the client does not take its replies, nothing more is read.
    """

    def __init__(
        self,
        application: Answers,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._begin = application.begin
        self._state = server_state
        self._loop = _loop or asyncio.get_running_loop()
        self._transport: Any = None
        self._parser = _parser(self)
        self._default_headers: list[tuple[bytes, bytes]] | None = None
        self._default_fields = b""

        self._url = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._expects_continue = False
        self._upgrading = False
        self._wrong = ApiError("bad_request", "this is no HTTP that is read here")

        self._read_bytes = 0
        self._head_bytes = 0
        self._in_head = False
        self._head_is_new = False
        self._arriving = False
        self._arrival: asyncio.TimerHandle | None = None
        self._idle_since = 0.0
        self._idle: asyncio.TimerHandle | None = None

        self._requests: deque[_Request] = deque()
        """Those that are not answered yet. Only the last one may still be arriving."""
        self._receiving: _Request | None = None
        """Whose body is arriving; ``None``: what comes of a body is skipped."""
        self._is_answering = False
        self._is_choked = False
        self._is_stopping = False

    # The transport calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._state.connections.add(self)  # type: ignore[arg-type]  # shutdown() is all it asks for
        self._transport = transport
        self._idle_since = self._loop.time()
        self._idle = self._loop.call_later(KEEP_ALIVE_S, self._close_if_idle)

    def connection_lost(self, exc: Exception | None) -> None:
        self._state.connections.discard(self)
        self._arriving = False
        self._watch_arrival()
        if self._idle is not None:
            self._idle.cancel()
        self._requests.clear()

    def pause_writing(self) -> None:
        self._is_choked = True
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._is_choked = False
        self._go_on()

    def data_received(self, data: bytes) -> None:
        self._read_bytes = len(data)
        self._feed(data)
        if self._arriving != (self._arrival is not None):
            self._watch_arrival()
        if self._in_head:
            self._measure_head()

    # The server calls this.

    def shutdown(self) -> None:
        """The server stops: what did not arrive whole is not waited for."""
        self._is_stopping = True
        if self._arriving:
            self._give_up(ApiError("stopped", "the server is stopping", headers=RETRY_LATER))
        if not self._requests:
            self._transport.close()

    # The parser calls these.

    def on_message_begin(self) -> None:
        self._arriving = self._in_head = self._head_is_new = True
        self._expects_continue = False
        self._head_bytes = 0
        self._url = b""
        self._headers = []

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        if name == b"expect" and value.lower() == b"100-continue":
            self._expects_continue = True
        self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        self._in_head = False
        # Only one that came with large reads needs to be measured.
        if self._head_bytes + self._read_bytes > HEAD_BYTES_MAX:
            self._check_head()
        parser = self._parser
        method = parser.get_method()
        if parser.should_upgrade() and method != b"CONNECT":
            self._upgrading = True
            return
        keep_alive = parser.should_keep_alive() and parser.get_http_version() != "1.0"
        raw_path, query = split_url(self._url)
        self._receiving = None
        if self._transport.is_closing():
            return
        head = (method.decode("ascii"), raw_path, query, self._headers)
        if self._requests or self._is_choked:
            self._put_off(head, None, keep_alive)
            return
        answer = self._begin(*head)
        if isinstance(answer, Reply):
            self._write(answer, method == b"HEAD", keep_alive and not self._is_stopping)
        else:
            self._put_off(head, answer, keep_alive)

    def on_body(self, body: bytes) -> None:
        request = self._receiving
        if request is None:
            return
        request.add(body)
        if request.is_too_large and request.exchange is not None:
            self._receiving = None
            self._answer(request, request.exchange.refuse(too_large(BODY_BYTES.maximum)))

    def on_message_complete(self) -> None:
        if self._upgrading:
            return
        self._arriving = False
        request = self._receiving
        if request is not None:
            self._receiving = None
            request.is_whole = True
            if request.exchange is not None:
                self._finish(request, request.exchange)

    # What becomes of a request.

    def _put_off(
        self,
        head: tuple[str, bytes, bytes, Headers],
        exchange: "Exchange | None",
        keep_alive: bool,
    ) -> None:
        request = _Request(
            head, exchange, keep_alive=keep_alive, expects_continue=self._expects_continue
        )
        self._requests.append(request)
        self._receiving = request
        if exchange is None:
            self._transport.pause_reading()
        else:
            self._expect_rest(request, exchange)

    def _expect_rest(self, request: _Request, exchange: Exchange) -> None:
        """It is this request's turn: have the rest of it come, or answer it."""
        if not exchange.has_body:
            self._receiving = None
            self._finish(request, exchange)
        elif request.is_whole:
            self._finish(request, exchange)
        elif request.expects_continue and not request.size:
            self._transport.write(_CONTINUE)

    def _finish(self, request: _Request, exchange: Exchange) -> None:
        if request.is_too_large:
            self._answer(request, exchange.refuse(too_large(BODY_BYTES.maximum)))
            return
        self._is_answering = True
        content = b"".join(request.parts)
        request.parts.clear()
        task = self._loop.create_task(self._run(request, exchange, content))
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    async def _run(self, request: _Request, exchange: Exchange, content: bytes) -> None:
        reply = await exchange.finish(content)
        self._is_answering = False
        # A connection that was lost meanwhile has forgotten its requests.
        if self._requests and not self._transport.is_closing():
            self._answer(request, reply)
            self._go_on()

    def _answer(self, request: _Request, reply: Reply) -> None:
        """Answer the first of the requests that wait."""
        self._requests.popleft()
        is_last = self._is_stopping and not self._requests
        self._write(reply, request.head[0] == "HEAD", request.keep_alive and not is_last)

    def _go_on(self) -> None:
        """Answer what waited for its turn; when nothing does, read on."""
        while self._requests and not self._is_answering and not self._is_choked:
            request = self._requests[0]
            if request.exchange is not None or self._transport.is_closing():
                break
            answer = self._begin(*request.head)
            if isinstance(answer, Reply):
                if self._receiving is request:
                    self._receiving = None
                self._answer(request, answer)
            else:
                request.exchange = answer
                self._expect_rest(request, answer)
        if not (self._is_answering or self._is_choked or self._transport.is_closing()):
            self._transport.resume_reading()

    def _write(self, reply: Reply, is_head: bool, keep_alive: bool) -> None:
        status, fields, content = reply
        if self._default_headers is not self._state.default_headers:
            self._encode_default_headers()
        self._transport.write(
            b"".join(
                (
                    _STATUS_LINES[status],
                    self._default_fields,
                    fields,
                    b"\r\n" if keep_alive else b"connection: close\r\n\r\n",
                    b"" if is_head else content,
                )
            )
        )
        self._idle_since = self._loop.time()
        if not keep_alive:
            self._transport.close()

    def _encode_default_headers(self) -> None:
        """The date, which the server renews every second."""
        self._default_headers = headers = self._state.default_headers
        self._default_fields = b"".join([b"%s: %s\r\n" % header for header in headers])

    # What is no request that can be answered.

    def _feed(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as error:
            if self._upgrading:
                self._feed_without_upgrade(data[error.args[0] :])
        except httptools.HttpParserError:
            self._refuse(self._wrong)

    def _feed_without_upgrade(self, rest: bytes) -> None:
        """Begin the request again as if it had asked for no other protocol, which is its right.

        Some clients ask for HTTP/2 in each first request; the parser then leaves the body out.
        """
        self._upgrading = False
        kept = [(name, value) for name, value in self._headers if name not in _HOP_HEADERS]
        lines = [b"%s %s HTTP/1.1" % (self._parser.get_method(), self._url)]
        lines += [b"%s: %s" % header for header in kept]
        self._parser = _parser(self)
        self._feed(b"\r\n".join(lines) + b"\r\n\r\n" + rest)

    def _measure_head(self) -> None:
        """Of the read in which a head begins, much may belong to others: it is small enough."""
        if self._head_is_new:
            self._head_is_new = False
            return
        self._head_bytes += self._read_bytes
        if self._head_bytes > HEAD_BYTES_MAX and not self._transport.is_closing():
            self._refuse(_head_too_large())

    def _check_head(self) -> None:
        size = len(self._url) + sum(len(name) + len(value) + 4 for name, value in self._headers)
        if size > HEAD_BYTES_MAX:
            self._wrong = _head_too_large()
            raise self._wrong  # the parser stops, and it is refused

    def _watch_arrival(self) -> None:
        """Most requests come in one read, and need no timer."""
        if self._arriving == (self._arrival is not None):
            return
        if self._arrival is None:
            self._arrival = self._loop.call_later(ARRIVAL_S, self._late)
        else:
            self._arrival.cancel()
            self._arrival = None

    def _late(self) -> None:
        self._arrival = None
        self._give_up(ApiError("timeout", f"the request did not arrive within {ARRIVAL_S} seconds"))
        if not self._transport.is_closing():
            self._watch_arrival()

    def _close_if_idle(self) -> None:
        """One timer for each connection, not one for each request."""
        left = self._idle_since + KEEP_ALIVE_S - self._loop.time()
        if self._arriving or self._requests:
            left = KEEP_ALIVE_S
        if left <= 0:
            self._transport.close()
        else:
            self._idle = self._loop.call_later(left, self._close_if_idle)

    def _give_up(self, error: ApiError) -> None:
        """Answer the request that is arriving, unless one before it is still to be answered."""
        waiting = len(self._requests) - (self._receiving is not None)
        if waiting:
            return
        if self._in_head or self._receiving is not None:
            self._refuse(error)
        else:
            self._transport.close()  # it is answered, and only its body still comes

    def _refuse(self, error: ApiError) -> None:
        body = msgspec.json.encode(error.reply())
        head = (
            _STATUS_LINES[error.status],
            b"content-type: application/json\r\n",
            *(b"%s: %s\r\n" % header for header in error.headers),
            b"content-length: %d\r\n" % len(body),
            b"connection: close\r\n\r\n",
        )
        self._transport.write(b"".join(head) + body)
        self._transport.close()


def _parser(connection: Connection) -> Any:
    parser = httptools.HttpRequestParser(connection)
    # What comes after a request that closes the connection is not read, and is no mistake.
    parser.set_dangerous_leniencies(lenient_data_after_close=True)
    return parser


def split_url(url: bytes) -> tuple[bytes, bytes]:
    """Path and query of a request's target, as they came.

    Raises:
        HttpParserInvalidURLError: it is none.
    """
    if url.startswith(b"/") and b"#" not in url and url.isascii():
        raw_path, _, query = url.partition(b"?")
        return raw_path, query
    parsed = httptools.parse_url(url)
    raw_path = parsed.path or b"/"
    raw_path.decode("ascii")
    return raw_path, parsed.query or b""


def _head_too_large() -> ApiError:
    limit = f"address and headers must have at most {HEAD_BYTES_MAX} bytes"
    return ApiError("head_too_large", limit)

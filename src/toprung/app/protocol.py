"""HTTP on a socket: uvicorn's protocol, with bounds on a request and our shape of error."""

import asyncio
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from toprung.api import ApiError
from toprung.api.errors import RETRY_LATER

HEAD_BYTES_MAX = 64 * 1024
"""Address and headers together; the parser itself takes any number."""
_HOP_HEADERS = (b"connection", b"upgrade", b"http2-settings")
ARRIVAL_S = 30
"""How long a request may take from its first byte to its last."""


class BoundedProtocol(HttpToolsProtocol):
    """One connection."""

    _unfinished: object = None
    _head_bytes = 0
    _read_bytes = 0
    _arriving = False
    _arrival: asyncio.TimerHandle | None = None
    _upgrading = False
    _wrong = ApiError("bad_request", "this is no HTTP that is read here")

    def data_received(self, data: bytes) -> None:
        self._read_bytes = len(data)
        self._feed(data)
        self._watch_arrival()
        # The scope is made when a request begins, and gets its method when its head is complete.
        scope: Any = self.scope
        if scope is None or "method" in scope or self.transport.is_closing():
            return
        if scope is not self._unfinished:
            # What of this read belongs to earlier requests is not known; one read is small enough.
            self._unfinished = scope
            self._head_bytes = 0
            return
        self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES_MAX:
            self._refuse(_head_too_large())

    def _feed(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as error:
            if self._upgrading:
                self._feed_without_upgrade(data[error.args[0] :])
        except httptools.HttpParserError:
            self.send_400_response("")

    def _feed_without_upgrade(self, rest: bytes) -> None:
        """Begin the request again as if it had asked for no other protocol, which is its right.

        Some clients ask for HTTP/2 in each first request; the parser then leaves the body out.
        """
        self._upgrading = False
        kept = [(name, value) for name, value in self.headers if name not in _HOP_HEADERS]
        lines = [b"%s %s HTTP/1.1" % (self.parser.get_method(), self.url)]
        lines += [b"%s: %s" % header for header in kept]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        self._feed(b"\r\n".join(lines) + b"\r\n\r\n" + rest)

    def on_message_begin(self) -> None:
        self._arriving = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        # Only one that came with large reads needs to be measured.
        if self._head_bytes + self._read_bytes > HEAD_BYTES_MAX:
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if size > HEAD_BYTES_MAX:
                self._wrong = _head_too_large()
                raise self._wrong  # the parser stops, and send_400_response is called
        if self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT":
            self._upgrading = True
            return
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        if self._upgrading:
            return
        self._arriving = False
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arriving = False
        self._watch_arrival()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops: what did not arrive whole is not waited for."""
        if self._arriving:
            self._give_up(ApiError("stopped", "the server is stopping", headers=RETRY_LATER))
        super().shutdown()

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._wrong)

    def _watch_arrival(self) -> None:
        """Most requests come in one read, and need no timer."""
        if self._arriving == (self._arrival is not None):
            return
        if self._arrival is None:
            self._arrival = self.loop.call_later(ARRIVAL_S, self._late)
        else:
            self._arrival.cancel()
            self._arrival = None

    def _late(self) -> None:
        self._arrival = None
        self._give_up(ApiError("timeout", f"the request did not arrive within {ARRIVAL_S} seconds"))
        if not self.transport.is_closing():
            self._watch_arrival()

    def _give_up(self, error: ApiError) -> None:
        """Answer the request that is arriving, unless one before it is still being answered."""
        cycle: Any = self.cycle
        if cycle is not None and cycle.scope is self.scope:
            if self.pipeline:
                return
            if cycle.response_started:
                self.transport.close()
                return
        elif cycle is not None and not cycle.response_complete:
            return
        self._refuse(error)

    def _refuse(self, error: ApiError) -> None:
        body = msgspec.json.encode(error.reply())
        head = (
            STATUS_LINE[error.status],
            b"content-type: application/json\r\n",
            *(b"%s: %s\r\n" % header for header in error.headers),
            b"content-length: %d\r\n" % len(body),
            b"connection: close\r\n\r\n",
        )
        self.transport.write(b"".join(head) + body)
        self.transport.close()


def _head_too_large() -> ApiError:
    limit = f"address and headers must have at most {HEAD_BYTES_MAX} bytes"
    return ApiError("head_too_large", limit)

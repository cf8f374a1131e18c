"""HTTP on a socket: uvicorn's protocol, with a bound on the head and our shape of error."""

from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from toprung.api import ApiError

HEAD_BYTES_MAX = 64 * 1024
"""Address and headers together, after the first read; the parser itself takes any number."""


class BoundedProtocol(HttpToolsProtocol):
    """One connection."""

    _unfinished: object = None
    _head_bytes = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
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
            limit = f"address and headers must have at most {HEAD_BYTES_MAX} bytes"
            self._refuse(ApiError("head_too_large", limit))

    def send_400_response(self, msg: str) -> None:
        self._refuse(ApiError("bad_request", "this is no HTTP that is read here"))

    def _refuse(self, error: ApiError) -> None:
        body = msgspec.json.encode(error.reply())
        head = (
            STATUS_LINE[error.status],
            b"content-type: application/json\r\n",
            b"content-length: %d\r\n" % len(body),
            b"connection: close\r\n\r\n",
        )
        self.transport.write(b"".join(head) + body)
        self.transport.close()

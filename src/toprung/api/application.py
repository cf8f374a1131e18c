"""The ASGI application: route, key, rate limit, query, body, handler, reply, counts.

One flat function does this for every operation. Middleware classes that wrap each other would be
the usual way; each layer costs time on every request, and the order of the steps is the product's
contract, which reads better in one place.
"""

from inspect import iscoroutinefunction
from typing import Any

import msgspec

from toprung.api.access import Access, Gate
from toprung.api.body import Disconnected, media_type_of, read_body
from toprung.api.content import Content
from toprung.api.decoding import decode_json
from toprung.api.errors import RETRY_AFTER_S, RETRY_LATER, ApiError, as_api_error
from toprung.api.metrics import RequestCounts
from toprung.api.operation import Answer, Call, Operation, RawBody, find_header
from toprung.api.operations import operations_of
from toprung.api.parameters import query_reader
from toprung.api.routes import Routes
from toprung.api.services import Services
from toprung.domain.access import Role
from toprung.domain.limits import BODY_BYTES

Scope = Any
Receive = Any
Send = Any
Header = tuple[bytes, bytes]

_NO_SNIFF = (b"x-content-type-options", b"nosniff")
_JSON = (b"content-type", b"application/json")
_encode = msgspec.json.Encoder().encode


class _Prepared:
    """An operation with what can be made of it beforehand."""

    __slots__ = (
        "counts",
        "decode",
        "handler",
        "is_async",
        "operation",
        "read_query",
        "roles",
        "status",
    )

    def __init__(self, operation: Operation, counts: RequestCounts) -> None:
        self.operation = operation
        self.counts = counts
        self.handler = operation.handler
        self.is_async = iscoroutinefunction(operation.handler)
        self.roles = frozenset(
            role for role in Role if operation.role is not None and role.may(operation.role)
        )
        self.read_query = query_reader(operation.params)
        self.status = next(iter(operation.replies))
        body = operation.body
        self.decode = None if body is None or body.raw else msgspec.json.Decoder(body.kind).decode


class Application:
    """Answers HTTP requests with ``services``."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._routes = Routes(
            (
                operation.method,
                operation.path,
                _Prepared(operation, services.metrics.route(operation.path)),
            )
            for operation in operations_of(services)
        )
        self._unrouted = services.metrics.route("none")
        self._monotonic = services.clock.monotonic
        self._gate = Gate(services.keys, services.rate_limit, services.rate_burst)
        self._limit = (b"ratelimit-limit", b"%d" % services.rate_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            return
        started = self._monotonic()
        headers: list[Header] = [_NO_SNIFF]
        counts = self._unrouted
        try:
            prepared, path = self._routes.find(scope["method"], scope["raw_path"])
            counts = prepared.counts
            project, role = "", None
            if prepared.roles:
                access = self._admit(scope, prepared, started, headers)
                project, role = access.project, access.role
            params = prepared.read_query(scope["query_string"])
            body = None
            if prepared.operation.body is not None:
                body = await self._body(scope, receive, prepared)
            reply = prepared.handler(
                self._services, Call(project, role, path, params, body, scope["headers"])
            )
            if prepared.is_async:
                reply = await reply
            status, content = _written(reply, prepared.status, headers)
        except Disconnected:
            return
        except Exception as error:  # noqa: BLE001  every failure becomes a reply; ours are logged
            status, content = self._failed(error, headers)
        counts.add(status, self._monotonic() - started)
        headers.append((b"content-length", b"%d" % len(content)))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    def _admit(
        self, scope: Scope, prepared: _Prepared, now: float, headers: list[Header]
    ) -> Access:
        access = self._gate.admit(find_header(scope["headers"], b"authorization"), now)
        bucket = access.bucket
        if bucket is not None:
            granted = bucket.take(now)
            headers += (
                self._limit,
                (b"ratelimit-remaining", b"%d" % bucket.tokens),
                (b"ratelimit-reset", b"%d" % bucket.reset),
            )
            if not granted:
                raise _rate_limited(bucket.wait)
        if access.role not in prepared.roles:
            raise ApiError(
                "forbidden", f"a {access.role} key may not do this", hint=_needed(prepared)
            )
        return access

    async def _body(self, scope: Scope, receive: Receive, prepared: _Prepared) -> Any:
        body = prepared.operation.body
        if body is None:
            return None
        media_type = media_type_of(scope["headers"], body)
        content = await read_body(scope["headers"], receive, BODY_BYTES.maximum)
        if prepared.decode is None:
            return RawBody(media_type, content)
        return decode_json(prepared.decode, content)

    def _failed(self, error: Exception, headers: list[Header]) -> tuple[int, bytes]:
        told = as_api_error(error)
        if told is None:
            self._services.log("a request met a fault of the server", error)
            told = _fault(self._services)
        headers += (_JSON, *told.headers)
        return told.status, _encode(told.reply())


def _written(reply: Any, status: int, headers: list[Header]) -> tuple[int, bytes]:
    if type(reply) is Content:
        headers += ((b"content-type", reply.media_type), *reply.headers)
        return reply.status, reply.body
    if type(reply) is Answer:
        status, reply = reply
    content = _encode(reply)
    headers.append(_JSON)
    return status, content


def _fault(services: Services) -> ApiError:
    """What is said of a bug of ours. One in the writer ends the server: the next one may answer."""
    if services.writer.healthy:
        return ApiError("internal", "the server met a fault of its own; it was logged")
    return ApiError(
        "stopped",
        "the server met a fault of its own and stops",
        hint="send again with the same event ids: what was counted is not counted twice",
        headers=RETRY_LATER,
    )


def _rate_limited(wait: int) -> ApiError:
    return ApiError(
        "rate_limited",
        "the key asked too often",
        hint="see the RateLimit headers",
        headers=((b"retry-after", b"%d" % max(wait, RETRY_AFTER_S)),),
    )


def _needed(prepared: _Prepared) -> str:
    return f"it needs a key with the role {' or '.join(sorted(prepared.roles))}"

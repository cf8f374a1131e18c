"""What answers a request: route, key, rate limit, query, body, handler, reply, counts.

One flat function does this for every operation. Middleware classes that wrap each other would be
the usual way; each layer costs time on every request, and the order of the steps is the product's
contract, which reads better in one place.

There are two doors to it: the server's own protocol calls :meth:`Application.begin`, and every
other ASGI server, and most tests, call the application. Both get the same bytes.
"""

from inspect import iscoroutinefunction
from typing import Any, NamedTuple

import msgspec

from toprung.api.access import Gate
from toprung.api.body import Disconnected, check_length, media_type_of, read_body
from toprung.api.content import Content
from toprung.api.cors import Cors
from toprung.api.decoding import decode_json
from toprung.api.errors import RETRY_AFTER_S, RETRY_LATER, ApiError, as_api_error
from toprung.api.metrics import RequestCounts
from toprung.api.operation import (
    Answer,
    Call,
    Headers,
    Later,
    Operation,
    RawBody,
    find_header,
)
from toprung.api.operations import operations_of
from toprung.api.parameters import query_reader
from toprung.api.routes import Routes
from toprung.api.services import Services
from toprung.domain.access import Role
from toprung.domain.limits import BODY_BYTES

Scope = Any
Receive = Any
Send = Any

_NO_SNIFF = b"x-content-type-options: nosniff\r\n"
_JSON = b"content-type: application/json\r\n"
_encode = msgspec.json.Encoder().encode


class Reply(NamedTuple):
    """A reply as it travels."""

    status: int
    fields: bytes
    """The header lines, names in lower case, each with its end."""
    content: bytes


class _Prepared:
    """An operation with what can be made of it beforehand."""

    __slots__ = (
        "body",
        "counts",
        "decode",
        "handler",
        "is_async",
        "is_direct",
        "read_query",
        "roles",
        "status",
    )

    def __init__(self, operation: Operation, counts: RequestCounts) -> None:
        self.counts = counts
        self.handler = operation.handler
        self.is_async = iscoroutinefunction(operation.handler)
        self.body = body = operation.body
        self.is_direct = body is None and not self.is_async
        self.roles = frozenset(
            role for role in Role if operation.role is not None and role.may(operation.role)
        )
        self.read_query = query_reader(operation.params)
        self.status = next(iter(operation.replies))
        self.decode = None if body is None or body.raw else msgspec.json.Decoder(body.kind).decode


class Application:
    """Answers HTTP requests with ``services``.

    Args:
        origins: whose pages may read, see :class:`~toprung.api.cors.Cors`; none: no others.
    """

    def __init__(self, services: Services, origins: tuple[str, ...] = ()) -> None:
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
        self._limits = (
            b"ratelimit-limit: %d\r\nratelimit-remaining: %%d\r\nratelimit-reset: %%d\r\n"
            % services.rate_burst
        )
        self._cors = Cors(origins) if origins else None

    def begin(
        self, method: str, raw_path: bytes, query: bytes, headers: Headers
    ) -> "Reply | Exchange":
        """The reply to a request whose head came; or, where that waits for more, what gives it.

        Args:
            raw_path: the path as it came, without the query.
            headers: names in lower case.
        """
        started = self._monotonic()
        counts = self._unrouted
        fields = [_NO_SNIFF]
        try:
            if self._cors is not None:
                told = self._cors.answer(method, headers, fields)
                if told is not None:
                    status, content = _written(told, told.status, fields)
                    return self._reply(counts, started, status, fields, content)
            prepared, path = self._routes.find(method, raw_path)
            counts = prepared.counts
            project, role, key_id = "", None, ""
            if prepared.roles:
                project, role, key_id = self._admit(headers, prepared, started, fields)
            params = prepared.read_query(query)
            if not prepared.is_direct:
                media_type = ""
                if prepared.body is not None:
                    media_type = media_type_of(headers, prepared.body)
                    check_length(headers, BODY_BYTES.maximum)
                call = Call(project, role, path, params, None, headers, key_id)
                return Exchange(self, prepared, call, media_type, started, fields)
            call = Call(project, role, path, params, None, headers, key_id)
            reply = prepared.handler(self._services, call)
            if type(reply) is Later:
                return Exchange(self, prepared, call, "", started, fields, reply)
            status, content = _written(reply, prepared.status, fields)
        except Exception as error:  # noqa: BLE001  every failure becomes a reply; ours are logged
            status, content = self._failed(error, fields)
        return self._reply(counts, started, status, fields, content)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            return
        reply = self.begin(
            scope["method"], scope["raw_path"], scope["query_string"], scope["headers"]
        )
        if isinstance(reply, Exchange):
            try:
                content = await read_body(receive, BODY_BYTES.maximum) if reply.has_body else b""
            except Disconnected:
                return
            except ApiError as error:
                reply = reply.refuse(error)
            else:
                reply = await reply.finish(content)
        fields = [tuple(line.split(b": ", 1)) for line in reply.fields.splitlines()]
        await send({"type": "http.response.start", "status": reply.status, "headers": fields})
        await send({"type": "http.response.body", "body": reply.content})

    async def _finish(self, exchange: "Exchange", content: bytes) -> Reply:
        prepared, fields = exchange.prepared, exchange.fields
        try:
            call = exchange.call
            if prepared.decode is not None:
                call = msgspec.structs.replace(call, body=decode_json(prepared.decode, content))
            elif prepared.body is not None:
                call = msgspec.structs.replace(call, body=RawBody(exchange.media_type, content))
            reply = exchange.later or prepared.handler(self._services, call)
            if prepared.is_async:
                reply = await reply  # type: ignore[misc]  # as its handler is async
            if type(reply) is Later:
                reply = reply.answer(await self._services.slowly.run(reply.work))
            status, content = _written(reply, prepared.status, fields)
        except Exception as error:  # noqa: BLE001  every failure becomes a reply; ours are logged
            status, content = self._failed(error, fields)
        return self._reply(prepared.counts, exchange.started, status, fields, content)

    def _refuse(self, exchange: "Exchange", error: ApiError) -> Reply:
        status, content = self._failed(error, exchange.fields)
        counts = exchange.prepared.counts
        return self._reply(counts, exchange.started, status, exchange.fields, content)

    def _reply(
        self,
        counts: RequestCounts,
        started: float,
        status: int,
        fields: list[bytes],
        content: bytes,
    ) -> Reply:
        counts.add(status, self._monotonic() - started)
        fields.append(b"content-length: %d\r\n" % len(content))
        return Reply(status, b"".join(fields), content)

    def _admit(
        self, headers: Headers, prepared: _Prepared, now: float, fields: list[bytes]
    ) -> tuple[str, Role, str]:
        access = self._gate.admit(find_header(headers, b"authorization"), now)
        bucket = access.bucket
        if bucket is not None:
            granted = bucket.take(now)
            fields.append(self._limits % (bucket.tokens, bucket.reset))
            if not granted:
                raise _rate_limited(bucket.wait)
        if access.role not in prepared.roles:
            raise ApiError(
                "forbidden", f"a {access.role} key may not do this", hint=_needed(prepared)
            )
        return access.project, access.role, access.key_id

    def _failed(self, error: Exception, fields: list[bytes]) -> tuple[int, bytes]:
        told = as_api_error(error)
        if told is None:
            self._services.log("a request met a fault of the server", error)
            told = _fault(self._services)
        fields += (_JSON, *(b"%s: %s\r\n" % header for header in told.headers))
        return told.status, _encode(told.reply())


class Exchange:
    """A request that is answered when its body came, when the writer is done with it, or when
    another thread has found the answer.
    """

    __slots__ = ("_application", "call", "fields", "later", "media_type", "prepared", "started")

    def __init__(
        self,
        application: Application,
        prepared: _Prepared,
        call: Call,
        media_type: str,
        started: float,
        fields: list[bytes],
        later: Later | None = None,
    ) -> None:
        self._application = application
        self.prepared = prepared
        self.call = call
        self.media_type = media_type
        self.started = started
        self.fields = fields
        self.later = later

    @property
    def has_body(self) -> bool:
        """Whether it needs the request's body; else whatever comes as one is skipped."""
        return self.prepared.body is not None

    async def finish(self, content: bytes) -> Reply:
        """The reply, when the whole body came."""
        return await self._application._finish(self, content)  # noqa: SLF001  two halves of one

    def refuse(self, error: ApiError) -> Reply:
        """The reply to a request whose body is not read to its end."""
        return self._application._refuse(self, error)  # noqa: SLF001  two halves of one


def _written(reply: Any, status: int, fields: list[bytes]) -> tuple[int, bytes]:
    if type(reply) is Content:
        fields.append(b"content-type: %s\r\n" % reply.media_type)
        fields += [b"%s: %s\r\n" % header for header in reply.headers]
        return reply.status, reply.body
    if type(reply) is Answer:
        status, reply = reply
    content = _encode(reply)
    fields.append(_JSON)
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

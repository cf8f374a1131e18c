"""Reading a request's body: never more than it may have, and only what it says it is."""

from typing import Any

from toprung.api.errors import ApiError
from toprung.api.operation import Body, Headers, find_header

Receive = Any


class Disconnected(Exception):
    """The client went away before it had sent everything."""


def media_type_of(headers: Headers, body: Body) -> str:
    """The body's media type, one of those that the operation reads.

    Raises:
        ApiError: ``unsupported_media_type``.
    """
    given = find_header(headers, b"content-type")
    text = "" if given is None else given.decode("latin-1")
    if text in body.media_types:
        return text
    kind, *parameters = [part.strip().lower() for part in text.split(";")]
    plain = all(part.replace('"', "") in {"charset=utf-8", ""} for part in parameters)
    if kind in body.media_types and plain:
        return kind
    wanted = " or ".join(body.media_types)
    raise ApiError("unsupported_media_type", f"the body's Content-Type must be {wanted}")


def check_length(headers: Headers, limit: int) -> None:
    """Refuse by its Content-Length, before anything is read, what would be too large.

    Raises:
        ApiError: ``too_large``.
    """
    length = find_header(headers, b"content-length")
    if length is not None and length.isdigit() and int(length) > limit:
        raise too_large(limit)


async def read_body(receive: Receive, limit: int) -> bytes:
    """The whole body.

    Raises:
        ApiError: ``too_large``.
        Disconnected: it did not come whole.
    """
    message = await receive()
    content: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        if message["type"] == "http.disconnect":
            raise Disconnected
        if len(content) > limit:
            raise too_large(limit)
        return content
    return await _read_rest(content, receive, limit)


async def _read_rest(first: bytes, receive: Receive, limit: int) -> bytes:
    parts, size, more = [first], len(first), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise too_large(limit)
        more = message.get("more_body", False)
    return b"".join(parts)


def too_large(limit: int) -> ApiError:
    """What is said of a body with more bytes than ``limit``."""
    return ApiError("too_large", f"the body must have at most {limit} bytes")

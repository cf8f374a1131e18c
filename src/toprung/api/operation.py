"""What an operation of the API is: plain data, from which everything else is made."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from toprung.api.services import Services
from toprung.domain.access import Role
from toprung.domain.limits import BODY_BYTES


class Call(msgspec.Struct, frozen=True, gc=False):
    """One request, as its handler sees it: who asks, and what was read of path, query and body."""

    project: str
    role: Role | None
    path: Sequence[str]
    params: Any
    body: Any
    headers: Sequence[tuple[bytes, bytes]]


def find_header(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    """The first of ``headers`` with that lower-case name, or ``None``."""
    for key, value in headers:
        if key == name:
            return value
    return None


class Answer(NamedTuple):
    """A reply with another status than the operation's first one."""

    status: int
    body: Any


class NoParams(msgspec.Struct, frozen=True):
    """The query of an operation that takes none."""


class Body(NamedTuple):
    """What a request carries."""

    media_types: tuple[str, ...]
    schema: Any
    """The type that the OpenAPI document shows."""
    example: Any
    raw: bool = False
    """Whether the handler reads it itself: it then gets :class:`RawBody`."""


class RawBody(NamedTuple):
    """A body that was not read yet."""

    media_type: str
    content: bytes


Handler = Callable[[Services, Call], Any | Coroutine[Any, Any, Any]]


class Operation(NamedTuple):
    """One operation. ``path`` has its arguments in braces; each is one segment."""

    name: str
    method: str
    path: str
    role: Role | None
    """The least role that may call it; ``None``: no key is needed."""
    summary: str
    handler: Handler
    replies: Mapping[int, Any]
    """Type of the reply by status; the first is the usual one."""
    errors: tuple[str, ...] = ()
    """Codes that only this operation (and its like) answers; the common ones are understood."""
    params: type[msgspec.Struct] = NoParams
    body: Body | None = None
    tag: str = "service"
    description: str = ""
    example: Any = None
    """An example of the usual reply."""
    media_type: str = "application/json"
    body_bytes_max: int = BODY_BYTES.maximum
    hidden: bool = False
    """Whether the document leaves it out: what exists in tests only."""

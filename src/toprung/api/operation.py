"""What an operation of the API is: plain data, from which everything else is made."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from toprung.api.errors import CODES
from toprung.api.services import Services
from toprung.domain.access import Role

Headers = Sequence[tuple[bytes, bytes]]
"""Names, in lower case, and values, as they came."""


class Call(msgspec.Struct, frozen=True, gc=False):
    """One request, as its handler sees it: who asks, and what was read of path, query and body."""

    project: str
    role: Role | None
    path: Sequence[str]
    params: Any
    body: Any
    headers: Headers
    key_id: str = ""
    """Of the key that asks; empty where none is needed."""


def find_header(headers: Headers, name: bytes) -> bytes | None:
    """The first of ``headers`` with that lower-case name, or ``None``."""
    for key, value in headers:
        if key == name:
            return value
    return None


class Answer(NamedTuple):
    """A reply with another status than the operation's first one."""

    status: int
    body: Any


class Later(NamedTuple):
    """An answer that takes so long to find that it is done in a thread of its own."""

    work: Callable[[], Any]
    """Done there."""
    answer: Callable[[Any], Any]
    """Makes the reply of what ``work`` gave; called where all other requests are answered."""


class NoParams(msgspec.Struct, frozen=True):
    """The query of an operation that takes none."""


JSON = "application/json"
NDJSON = "application/x-ndjson"


class Body(NamedTuple):
    """What a request carries."""

    kind: type[msgspec.Struct]
    example: Any
    media_types: tuple[str, ...] = (JSON,)
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
    example: Any = None
    """An example of the usual reply."""
    errors: tuple[str, ...] = ()
    """Codes of its own; those of its kind are added by :meth:`codes`."""
    params: type[msgspec.Struct] = NoParams
    body: Body | None = None
    tag: str = "service"
    description: str = ""
    writes: bool = False
    """Whether it waits for the writer."""
    media_type: str = JSON
    hidden: bool = False
    """Whether the documents leave it out: pages, and what exists in tests only."""

    def codes(self) -> tuple[str, ...]:
        """Every code that its errors may have."""
        found = ["bad_encoding", "unknown_parameter", *self.errors, "internal"]
        if self.role is not None:
            found += ("unauthorized", "forbidden", "rate_limited", *STORAGE_CODES)
        if self.writes:
            found += WRITER_CODES
        if self.body is not None:
            found += ("bad_json", "invalid", "too_large", "unsupported_media_type")
        if self.params.__struct_fields__:
            found.append("invalid")
        return tuple(code for code in CODES if code in found)


STORAGE_CODES = ("storage_busy", "storage_corrupt", "storage_io", "storage_unavailable")
"""Even a read looks up its key."""
WRITER_CODES = ("overloaded", "stopped", "storage_full", "storage_read_only")

"""How operations ask the server: requests, and how a reply becomes a result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar
from urllib.parse import quote

import msgspec

from toprung.sdk._errors import ToprungError, bad_reply
from toprung.sdk._events import Instant, instant_text
from toprung.sdk._exchange import Exchange, Request, Retries, exchange
from toprung.wire.reads import Numbering

T = TypeVar("T")
View: TypeAlias = Literal["full"]
Query: TypeAlias = Mapping[str, str | int | bool | None]


@dataclass(frozen=True, slots=True)
class Asking:
    """What the operations, group by group, are made with."""

    retries: Retries
    chance: Callable[[], float]
    new_event_id: Callable[[], str]

    def _read(self, shape: type[T], query: Query, *segments: str) -> Exchange[T]:
        request = Request(method="GET", path=path_of(*segments), query=query_of(query))
        return self._call(request, shape)

    def _look_up(self, request: Request, shape: type[T], *, absent: str) -> Exchange[T | None]:
        """Like ``_call``, but an error with the code ``absent`` is the answer None."""
        try:
            return (yield from self._call(request, shape))
        except ToprungError as error:
            if error.code != absent:
                raise
            return None

    def _call(self, request: Request, shape: type[T]) -> Exchange[T]:
        reply = yield from exchange(request, self.retries, self.chance)
        try:
            return msgspec.json.decode(reply.body, type=shape)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise bad_reply(reply.status, str(error)) from error


def path_of(*segments: str) -> str:
    """The path of some segments below the API's root."""
    return "/v1/" + "/".join(map(_segment, segments))


def _segment(text: str) -> str:
    """One path segment, whatever is in ``text``."""
    if not text:
        raise ValueError("a name or an id must not be empty")
    # Dots alone would be taken for "this folder" and "the one above" on the way.
    return quote(text, safe="") if text.strip(".") else text.replace(".", "%2E")


def view_of(
    window: str | None,
    period: Instant | None,
    numbering: Numbering | None,
    segment: str | None = None,
    view: View | None = None,
) -> dict[str, str | int | None]:
    """What chooses the view of a read, as parameters."""
    return {
        "window": window,
        "period": None if period is None else instant_text(period),
        "numbering": numbering,
        "segment": segment,
        "view": view,
    }


def query_of(query: Query) -> tuple[tuple[str, str], ...]:
    """Parameters as they travel; None: left out."""
    return tuple((name, _query_text(value)) for name, value in query.items() if value is not None)


def _query_text(value: str | int | bool | None) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

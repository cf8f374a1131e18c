"""What can go wrong, as exceptions that carry the server's code."""

import http
from typing import TYPE_CHECKING

import msgspec

from toprung.wire.errors import ErrorDetail, ErrorReply

if TYPE_CHECKING:
    from toprung.sdk._events import PartialBatch

RETRYABLE_STATUS = frozenset({429, 502, 503, 504})


class ToprungError(Exception):
    """A request that was not answered as asked. Catch a sub-class to handle one group.

    Besides the codes of the server there are four of the SDK's own: ``unreachable`` (no
    connection), ``no_reply`` (the connection or the time ran out before the answer was
    there), ``bad_reply`` (an answer that is not toprung's) and ``http_NNN`` (an error from
    something between, without a code).
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        hint: str | None = None,
        status: int | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        """A slug that never changes its meaning."""
        self.message = message
        """One sentence that says what is wrong."""
        self.field = field
        """The part of the request that is at fault, as a path: ``events[3].points``."""
        self.hint = hint
        """What to do about it."""
        self.status = status
        """The HTTP status; None when no answer came."""
        self.retryable = retryable
        """Whether the same request may succeed later. The client has tried again already."""
        self.retry_after = retry_after
        """Seconds the server asked to wait; None when it did not say."""
        self.partial: PartialBatch | None = None
        """From ``submit_many``: what became of the events before the one that failed."""

    def __str__(self) -> str:
        where = f" ({self.field})" if self.field else ""
        advice = f" - {self.hint}" if self.hint else ""
        return f"{self.code}: {self.message}{where}{advice}"


class InvalidRequest(ToprungError):
    """The request itself is wrong: ``invalid``, ``unknown_parameter``, ``too_large`` ..."""


class Unauthorized(ToprungError):
    """The key is missing, unknown or revoked."""


class Forbidden(ToprungError):
    """The key's role does not allow this."""


class NotFound(ToprungError):
    """There is no such thing: ``unknown_board`` ..."""


class Conflict(ToprungError):
    """It is there with other content: ``conflict``, ``settings_differ``, ``settings_fixed``; or it
    runs already: ``rebuilding``.
    """


class EventRefused(ToprungError):
    """The board's rules refuse it: ``early``, ``late``, ``overflow``, ``ineligible`` ..."""


class RateLimited(ToprungError):
    """The key asked too often; ``retry_after`` says how long to wait."""


class Unavailable(ToprungError):
    """The server cannot be reached, or cannot do it just now (``overloaded``, ``storage_full``)."""


_BY_CODE: dict[str, type[ToprungError]] = {
    # It has the status of a rate limit, but it is the server that is busy, not this key.
    "overloaded": Unavailable,
}
_BY_STATUS: dict[int, type[ToprungError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    405: InvalidRequest,
    409: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: EventRefused,
    429: RateLimited,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def error_of(status: int, body: bytes, retry_after: float | None) -> ToprungError:
    """The exception for a reply that is no success."""
    detail = _detail(status, body)
    kind = _BY_CODE.get(detail.code) or _BY_STATUS.get(status, ToprungError)
    return kind(
        detail.code,
        detail.message,
        field=detail.field,
        hint=detail.hint,
        status=status,
        retryable=status in RETRYABLE_STATUS,
        retry_after=retry_after,
    )


def bad_reply(status: int, reason: str) -> ToprungError:
    """The exception for a success that cannot be read."""
    return ToprungError(
        "bad_reply",
        f"the answer is not one of toprung's API v1: {reason}",
        hint="check the address, and that client and server are of versions that fit",
        status=status,
    )


def _detail(status: int, body: bytes) -> ErrorDetail:
    try:
        return msgspec.json.decode(body, type=ErrorReply).error
    except (msgspec.DecodeError, UnicodeDecodeError):
        # A proxy or a load balancer answered in the server's place.
        return ErrorDetail(code=f"http_{status}", message=_phrase(status))


def _phrase(status: int) -> str:
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return f"status {status}"

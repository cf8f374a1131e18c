"""Every way in which a request can fail: one table of codes, one shape of reply."""

from typing import NamedTuple

from toprung.domain.acts import Refused
from toprung.domain.errors import InvalidInput, Trouble
from toprung.domain.outcomes import MEANING, Outcome
from toprung.wire.errors import ErrorDetail, ErrorReply


class Code(NamedTuple):
    """What a code means."""

    status: int
    meaning: str


CODES: dict[str, Code] = {
    "bad_request": Code(400, "What came is no HTTP that is read here."),
    "bad_json": Code(400, "The body is no JSON."),
    "bad_encoding": Code(400, "The path or the query is no percent-encoded UTF-8."),
    "invalid": Code(400, "An argument, or an event sent by itself, is wrong; `field` names it."),
    "unknown_parameter": Code(400, "The query has a parameter that the operation does not know."),
    "unauthorized": Code(401, "There is no key, or it is unknown or revoked."),
    "forbidden": Code(403, "The key's role does not allow this."),
    "not_found": Code(404, "There is no such route."),
    "unknown_board": Code(404, "The project has no board of this name."),
    "unknown_season": Code(404, "The board has no season with this id."),
    "unknown_event": Code(404, "The board never got an event with this id, or forgot it."),
    "unknown_player": Code(404, "The player has no profile."),
    "no_friends": Code(404, "The player has no list of friends."),
    "unranked_player": Code(404, "The player is not on this board in this period."),
    "method_not_allowed": Code(405, "The route has no such method; `Allow` names those it has."),
    "timeout": Code(408, "The request did not arrive whole in time. Send it again."),
    "conflict": Code(409, "The id was used for other content; `field` names what differs."),
    "frozen": Code(409, "The board's freeze keeps events back: unfreeze it before it is changed."),
    "not_frozen": Code(409, "The board is not frozen, so there is nothing to reveal."),
    "period_open": Code(409, "The period has not ended, so nothing of it is withheld yet."),
    "withheld": Code(409, "The period has ended, and what is asked for waits for a review."),
    "rebuilding": Code(409, "A rebuild runs already; `GET /v1/admin/rebuild` tells how far it is."),
    "settings_differ": Code(409, "The board exists with other settings; the message lists them."),
    "settings_fixed": Code(409, "A setting that cannot change once the board has events."),
    "too_large": Code(413, "The body is larger than allowed."),
    "unsupported_media_type": Code(415, "The body's Content-Type is none that is read here."),
    "early": Code(422, MEANING[Outcome.EARLY]),
    "implausible": Code(422, MEANING[Outcome.IMPLAUSIBLE]),
    "ineligible": Code(422, MEANING[Outcome.INELIGIBLE]),
    "late": Code(422, MEANING[Outcome.LATE]),
    "no_season_window": Code(422, "The board has no season window, so it takes no resets."),
    "not_exact": Code(422, "Events cannot be said exactly by the columns asked for."),
    "overflow": Code(422, MEANING[Outcome.OVERFLOW]),
    "too_many_values": Code(
        422, "Boards are sliced by the attribute, which has as many values as it may already."
    ),
    "overloaded": Code(429, "Too many events wait to be written. Send again after `Retry-After`."),
    "rate_limited": Code(429, "The key asked too often. Send again after `Retry-After`."),
    "head_too_large": Code(431, "Address and headers are larger than allowed."),
    "internal": Code(500, "A fault of the server's own. It was logged."),
    "unsupported": Code(501, "This server was started without what the request needs."),
    "decider_full": Code(503, "There are more players or entries than can be numbered."),
    "out_of_memory": Code(503, "The server is out of memory. Nothing was lost; send again later."),
    "stopped": Code(503, "The server takes no writes: it is stopping, or found a fault."),
    "storage_busy": Code(503, "Another process is writing to the file. Send again."),
    "storage_corrupt": Code(503, "The file is damaged; the operator must act."),
    "storage_full": Code(503, "The disk is full. Nothing was lost; send again later."),
    "storage_io": Code(503, "The disk could not be read or written. Send again later."),
    "storage_read_only": Code(503, "The file cannot be written; the operator must act."),
    "storage_unavailable": Code(503, "The file cannot be opened. Send again later."),
    "view_full": Code(503, "There are more players or entries than can be numbered."),
}

RETRY_AFTER_S = 1
"""What is asked of a client whose request may succeed later."""
RETRY_LATER = ((b"retry-after", b"%d" % RETRY_AFTER_S),)


class ApiError(Exception):
    """A request that fails, with what its reply says."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        hint: str | None = None,
        headers: tuple[tuple[bytes, bytes], ...] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.hint = hint
        self.headers = headers

    @property
    def status(self) -> int:
        """The HTTP status."""
        return CODES[self.code].status

    def reply(self) -> ErrorReply:
        """The reply's body."""
        return ErrorReply(ErrorDetail(self.code, self.message, self.field, self.hint))


def as_api_error(error: Exception) -> ApiError | None:
    """What a caller is told of ``error``; ``None``: it is a fault of our own."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, InvalidInput):
        return ApiError(error.code, _printable(error.message), field=error.field, hint=error.hint)
    if isinstance(error, Refused):
        return ApiError(error.code, error.message, field=error.field)
    if isinstance(error, Trouble):
        code = error.code if error.code in CODES else "storage_unavailable"
        headers = RETRY_LATER if error.retryable else ()
        return ApiError(code, error.message, hint=error.hint, headers=headers)
    return None


def _printable(message: str) -> str:
    """A message may quote what was sent; what cannot be written as UTF-8 is shown by its code."""
    return message.encode("utf-8", "backslashreplace").decode()

"""The one error shape of the API: ``{"error": {"code", "message", "field"?, "hint"?}}``."""

import msgspec


class ErrorDetail(msgspec.Struct, omit_defaults=True, frozen=True):
    """What went wrong, for a program (``code``) and for a person (``message``)."""

    code: str
    """A slug that never changes its meaning."""
    message: str
    """One sentence that says what is wrong."""
    field: str | None = None
    """The part of the request that is at fault, as a path: ``events[3].points``."""
    hint: str | None = None
    """What to do about it."""


class ErrorReply(msgspec.Struct, frozen=True):
    """The body of every reply with a status of 400 or more."""

    error: ErrorDetail

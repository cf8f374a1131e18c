"""Which other pages may read from a browser."""

from collections.abc import Sequence
from typing import Any

from starlette.middleware.cors import CORSMiddleware

from toprung.api.application import Application

_MAX_AGE_S = 600
_EXPOSED = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After")


def with_cors(application: Application, origins: Sequence[str]) -> Any:
    """``application`` for pages of ``origins`` too: to read, and with a key, never to write."""
    if not origins:
        return application
    return CORSMiddleware(
        application,
        allow_origins=origins,
        allow_methods=("GET", "HEAD"),
        allow_headers=("Authorization",),
        expose_headers=_EXPOSED,
        max_age=_MAX_AGE_S,
    )

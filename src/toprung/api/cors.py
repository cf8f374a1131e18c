"""Which other pages may read from a browser: the Fetch standard's CORS protocol, for reading."""

from collections.abc import Sequence

from toprung.api.content import Content
from toprung.api.operation import Headers, find_header

_MAX_AGE_S = 600
_METHODS = (b"GET", b"HEAD")
_HEADERS = frozenset(
    (b"accept", b"accept-language", b"authorization", b"content-language", b"content-type")
)
_EXPOSED = (
    b"access-control-expose-headers: RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, "
    b"Retry-After\r\n"
)
_VARY = b"vary: Origin\r\n"
_PREFLIGHT = (
    b"vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers\r\n"
    b"access-control-allow-methods: %s\r\naccess-control-max-age: %d\r\n"
    b"access-control-allow-headers: %s\r\n"
) % (b", ".join(_METHODS), _MAX_AGE_S, b", ".join(sorted(_HEADERS)))
_PLAIN = b"text/plain; charset=utf-8"


class Cors:
    """Lets pages of ``origins`` read too, with a key, and never write.

    Args:
        origins: such as ``https://game.example``; ``*``: every origin.
    """

    def __init__(self, origins: Sequence[str]) -> None:
        self._origins = frozenset(origin.encode() for origin in origins)
        self._every = b"*" in self._origins

    def answer(self, method: str, headers: Headers, fields: list[bytes]) -> Content | None:
        """What a browser is told that asks beforehand; ``None`` for a request of its own.

        ``fields`` gets the header lines that the reply needs either way.
        """
        origin = find_header(headers, b"origin")
        asked = find_header(headers, b"access-control-request-method")
        if origin is None or method != "OPTIONS" or asked is None:
            fields.append(_VARY)
            if origin is not None:
                fields.append(_EXPOSED)
                self._allow(origin, fields)
            return None
        return self._preflight(origin, asked, headers, fields)

    def _allow(self, origin: bytes, fields: list[bytes]) -> bool:
        allowed = self._every or origin in self._origins
        if allowed:
            told = b"*" if self._every else origin
            fields.append(b"access-control-allow-origin: %s\r\n" % told)
        return allowed

    def _preflight(
        self, origin: bytes, method: bytes, headers: Headers, fields: list[bytes]
    ) -> Content:
        fields.append(_PREFLIGHT)
        wanted = find_header(headers, b"access-control-request-headers") or b""
        refused = [
            what
            for what, allowed in (
                (b"origin", self._allow(origin, fields)),
                (b"method", method in _METHODS),
                (b"headers", _names(wanted) <= _HEADERS),
            )
            if not allowed
        ]
        if refused:
            return Content(b"not allowed here: " + b", ".join(refused), _PLAIN, 400)
        return Content(b"allowed", _PLAIN)


def _names(listed: bytes) -> set[bytes]:
    return {name for part in listed.lower().split(b",") if (name := part.strip())}

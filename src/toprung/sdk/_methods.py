"""What both clients share: settings, the HTTP side, and how operations become methods."""

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2

from toprung.sdk._calls import Calls
from toprung.sdk._exchange import Failure, Reply, Retries
from toprung.sdk._system import System, setting

F = TypeVar("F", bound=Callable[..., Any])

TIMEOUT = 10.0
"""Seconds for each step of a try: connecting, sending, and waiting for more of the answer."""

# Nothing of the request has left when one of these is raised.
_UNSENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.LocalProtocolError,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
)
# Another try may do better. The rest is wrong in itself: a proxy that refuses, a bad header.
_PASSING = (httpx2.TimeoutException, httpx2.NetworkError, httpx2.RemoteProtocolError)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a client is made with."""

    url: str
    key: str
    timeout: float
    calls: Calls

    def http_options(self) -> dict[str, Any]:
        """The arguments for the HTTP client, blocking or not."""
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": "application/json",
            "User-Agent": "toprung-sdk-python",
        }
        return {"base_url": self.url, "headers": headers, "timeout": self.timeout}


def settings_of(
    url: str | None, key: str | None, timeout: float, retries: int | Retries, system: System
) -> Settings:
    """Fills in what was left out. Raises ``ValueError`` for what is missing or no address."""
    rules = Retries(limit=retries) if isinstance(retries, int) else retries
    return Settings(
        url=_address(_named("no server address", url, "TOPRUNG_URL")),
        key=_plain_key(_named("no key", key, "TOPRUNG_KEY")),
        timeout=timeout,
        calls=Calls(rules, system.chance, system.new_event_id),
    )


def _named(what: str, given: str | None, variable: str) -> str:
    try:
        return setting(given, variable)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None


def _plain_key(key: str) -> str:
    if not (key.isascii() and key.isprintable()):
        raise ValueError("this is no key: a key is printable ASCII, without a line's end")
    return key


def _address(url: str) -> str:
    try:
        scheme = httpx2.URL(url).scheme
    except httpx2.InvalidURL as error:
        raise ValueError(f"{url!r} is no address of a server: {error}") from None
    if scheme not in {"http", "https"}:
        raise ValueError(f"{url!r} is no address of a server: it must begin with http(s)://")
    return url


def reply_of(response: httpx2.Response) -> Reply:
    return Reply(
        status=response.status_code,
        body=response.content,
        retry_after=response.headers.get("Retry-After"),
    )


def failure_of(error: httpx2.RequestError) -> Failure:
    """What an exception of the HTTP client means for trying again."""
    return Failure(
        cause=error,
        sent=not isinstance(error, _UNSENT),
        retryable=isinstance(error, _PASSING),
    )


def shown_as(method: F, describe: Callable[..., Any], returns: Any = None) -> F:
    """The method, with the name, documentation and signature of the operation it performs.

    So ``help`` and editors show what a caller needs. ``returns`` is the type of its result,
    where that is not what the operation's exchange ends in.
    """
    signature = inspect.signature(describe)
    method.__name__ = describe.__name__
    method.__qualname__ = describe.__name__
    method.__doc__ = describe.__doc__
    method.__signature__ = signature.replace(  # type: ignore[attr-defined]
        return_annotation=returns or typing.get_args(signature.return_annotation)[-1]
    )
    return method

"""The public HTTP API as a plain caller sees it: a key, a path, JSON both ways.

Apart from ``toprung.sdk`` on purpose. What judges the product must not share its retries and its
types, or one mistake would hide in both.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2
import msgspec

TIMEOUT_S = 60.0

Parameters = Mapping[str, str | int]


class ProductTrouble(Exception):
    """The product did not answer as it promises: no reply, no JSON, or a status of 500 and up."""


class Refused(Exception):
    """The product said no, in the one error shape of its API."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code


@dataclass(frozen=True)
class Reply:
    """What a request that was not refused came back with."""

    status: int
    body: Any


def segment(text: str) -> str:
    """``text`` as one segment of a path, whatever it holds."""
    # A client takes the segments . and .. for steps in the path unless their dots are encoded.
    return quote(text, safe="") if text not in (".", "..") else text.replace(".", "%2E")


class Api:
    """One key's way into the API, or what needs no key.

    The address is asked for with each request, because a server that was started again may listen
    elsewhere.
    """

    def __init__(
        self,
        url: Callable[[], str],
        key: str | None,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._url = url
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        self._client = httpx2.Client(headers=headers, timeout=TIMEOUT_S, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, parameters: Parameters | None = None) -> Any:
        return self.send("GET", path, parameters=parameters).body

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        parameters: Parameters | None = None,
    ) -> Reply:
        """Send one request and read its reply.

        Raises:
            Refused: the reply is an error below 500.
            ProductTrouble: there is no reply, or not one that the API promises.
        """
        content = None if body is None else msgspec.json.encode(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            response = self._client.request(
                method, self._url() + path, params=parameters, content=content, headers=headers
            )
        except httpx2.HTTPError as error:
            raise ProductTrouble(f"{method} {path}: {error!r}") from error
        return _understood(method, path, response)


def _understood(method: str, path: str, response: httpx2.Response) -> Reply:
    status = response.status_code
    try:
        body = msgspec.json.decode(response.content)
        if status < 400:
            return Reply(status, body)
        error = body["error"]
        refused = Refused(status, error["code"], error["message"])
    except (msgspec.DecodeError, KeyError, TypeError) as problem:
        raise ProductTrouble(f"{method} {path}: {status} with {response.text[:200]!r}") from problem
    if status >= 500:
        raise ProductTrouble(f"{method} {path}: {refused}")
    raise refused

"""A product that answers what a test tells it to, and remembers what it was asked."""

from collections.abc import Callable
from dataclasses import dataclass, field

import httpx2
import msgspec
import pytest

from toprung.testing.api import Api
from toprung.testing.cases.session import Clock, Session


@dataclass
class Asked:
    """One request as it arrived."""

    who: str
    line: str
    """Method, path and query."""
    body: object


@dataclass
class ScriptedProduct:
    """Answers each request by ``answer(line)`` and plays the hands on the product, too."""

    answer: Callable[[str], tuple[int, object]] = lambda line: (200, {})
    asked: list[Asked] = field(default_factory=list)
    handled: list[tuple[str, ...]] = field(default_factory=list)
    url: str = "http://product"

    def api(self, who: str) -> Api:
        def respond(request: httpx2.Request) -> httpx2.Response:
            query = f"?{request.url.query.decode()}" if request.url.query else ""
            line = f"{request.method} {request.url.raw_path.decode().split('?')[0]}{query}"
            content = request.read()
            self.asked.append(Asked(who, line, msgspec.json.decode(content) if content else None))
            status, body = self.answer(line)
            return httpx2.Response(status, content=msgspec.json.encode(body))

        return Api(lambda: self.url, who, httpx2.MockTransport(respond))

    @property
    def lines(self) -> list[str]:
        return [asked.line for asked in self.asked]

    def key(self, project: str, role: str) -> str:
        self.handled.append(("key", project, role))
        return role

    def clock(self, instant: str) -> None:
        self.handled.append(("clock", instant))

    def restart(self) -> None:
        self.handled.append(("restart",))

    def crash(self) -> None:
        self.handled.append(("crash",))

    def rebuild(self) -> None:
        self.handled.append(("rebuild",))


@pytest.fixture
def product() -> ScriptedProduct:
    return ScriptedProduct()


@pytest.fixture
def session(product: ScriptedProduct) -> Session:
    return Session(product, Clock(product), "admin", product.api("admin"), product.api("client"))

"""The demo page and the API reference."""

from toprung.api.content import Content, Pages
from toprung.api.errors import ApiError
from toprung.api.operation import Call
from toprung.api.services import Services


def index(services: Services, call: Call) -> Content:
    """The demo page."""
    return _pages(services).index


def docs(services: Services, call: Call) -> Content:
    """The API reference for a browser."""
    return _pages(services).docs


def asset(services: Services, call: Call) -> Content:
    """A file that the pages use."""
    found = _pages(services).assets.get(call.path[0])
    if found is None:
        raise ApiError("not_found", "there is no such file")
    return found


def demo(services: Services, call: Call) -> Content:
    """What the demo page needs to know."""
    if services.demo is None:
        raise ApiError("not_found", "this server is not in demo mode")
    return Content(services.demo, b"application/json", headers=((b"cache-control", b"no-store"),))


def _pages(services: Services) -> Pages:
    if services.pages is None:
        raise ApiError("not_found", "the web pages were not built", hint="run `make setup`")
    return services.pages

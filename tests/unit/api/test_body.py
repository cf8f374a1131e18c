"""Reading a body: what it is, and never more of it than allowed."""

import pytest

from toprung.api.body import Disconnected, check_length, media_type_of, read_body
from toprung.api.errors import ApiError
from toprung.api.operation import Body
from toprung.wire.scores import EventIn

pytestmark = pytest.mark.anyio

BODY = Body(EventIn, None, ("application/json", "application/x-ndjson"))


class Sender:
    """A client's messages; counts those that were taken."""

    def __init__(self, *parts, leaves=False):
        self.messages = [
            {"type": "http.request", "body": part, "more_body": leaves or at < len(parts) - 1}
            for at, part in enumerate(parts)
        ]
        self.messages.append({"type": "http.disconnect"})
        self.taken = 0

    async def __call__(self):
        self.taken += 1
        return self.messages[self.taken - 1]


@pytest.mark.parametrize("parts", [(b"",), (b"abc",), (b"a", b"", b"bc"), (b"", b"abcdefgh")])
async def test_parts_are_put_together(parts):
    assert await read_body(Sender(*parts), 8) == b"".join(parts)


@pytest.mark.parametrize("length", [b"9", b"10", b"99999999999999999999"])
def test_a_length_beyond_the_limit_is_refused_unread(length):
    with pytest.raises(ApiError) as raised:
        check_length([(b"content-length", length)], 8)

    assert raised.value.code == "too_large"


@pytest.mark.parametrize("headers", [[], [(b"content-length", b"8")], [(b"host", b"9")]])
def test_a_length_within_the_limit_or_none_is_not(headers):
    check_length(headers, 8)


async def test_a_stream_beyond_the_limit_is_left_as_soon_as_it_is():
    sender = Sender(b"x" * 4, b"x" * 4, b"x", b"x" * 4, b"x" * 4)

    with pytest.raises(ApiError) as raised:
        await read_body(sender, 8)

    assert (raised.value.code, sender.taken) == ("too_large", 3)


async def test_one_part_beyond_the_limit_is_refused():
    with pytest.raises(ApiError):
        await read_body(Sender(b"x" * 9), 8)


@pytest.mark.parametrize("parts", [(), (b"a",), (b"a", b"b")])
async def test_a_client_that_leaves_is_noticed(parts):
    with pytest.raises(Disconnected):
        await read_body(Sender(*parts, leaves=True), 8)


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (b"application/json", "application/json"),
        (b"application/x-ndjson", "application/x-ndjson"),
        (b"Application/JSON", "application/json"),
        (b"application/json; charset=utf-8", "application/json"),
        (b'application/json;charset="UTF-8"', "application/json"),
        (b"application/json;", "application/json"),
    ],
)
def test_a_media_type_may_be_written_in_many_ways(given, kind):
    assert media_type_of([(b"content-type", given)], BODY) == kind


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"content-type", b"")],
        [(b"content-type", b"text/plain")],
        [(b"content-type", b"application/json; charset=latin-1")],
        [(b"content-type", b"application/jsonp")],
        [(b"content-type", b"\xff")],
    ],
)
def test_another_media_type_is_refused(headers):
    with pytest.raises(ApiError) as raised:
        media_type_of(headers, BODY)

    assert raised.value.code == "unsupported_media_type"

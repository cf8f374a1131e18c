"""Errors carry what the server said, and fall into the groups that callers catch."""

import pickle

import msgspec
import pytest

from toprung import sdk
from toprung.sdk import ScoreEvent, ToprungError
from toprung.sdk._errors import error_of
from toprung.wire.errors import ErrorDetail, ErrorReply


def body(code: str, **more: str) -> bytes:
    return msgspec.json.encode(ErrorReply(ErrorDetail(code, "what is wrong", **more)))


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid", sdk.InvalidRequest),
        (401, "unauthorized", sdk.Unauthorized),
        (403, "forbidden", sdk.Forbidden),
        (404, "unknown_board", sdk.NotFound),
        (405, "method_not_allowed", sdk.InvalidRequest),
        (409, "settings_differ", sdk.Conflict),
        (413, "too_large", sdk.InvalidRequest),
        (415, "unsupported_media_type", sdk.InvalidRequest),
        (422, "late", sdk.EventRefused),
        (429, "rate_limited", sdk.RateLimited),
        (429, "overloaded", sdk.Unavailable),
        (500, "internal", ToprungError),
        (503, "storage_full", sdk.Unavailable),
    ],
)
def test_each_group_has_its_class(status, code, kind):
    error = error_of(status, body(code), None)

    assert type(error) is kind
    assert isinstance(error, ToprungError)
    assert (error.code, error.status) == (code, status)


def test_an_error_says_all_it_knows():
    error = error_of(400, body("invalid", field="events[3].points", hint="write 12.5"), None)

    assert (error.field, error.hint) == ("events[3].points", "write 12.5")
    assert str(error) == "invalid: what is wrong (events[3].points) - write 12.5"


@pytest.mark.parametrize("text", [b"", b"<html>", b"{}", b'{"error": "no"}', b"\xff"])
def test_an_error_of_something_between_has_a_code_too(text):
    error = error_of(502, text, None)

    assert isinstance(error, sdk.Unavailable)
    assert (error.code, error.message) == ("http_502", "Bad Gateway")


def test_a_status_nobody_knows_is_an_error_too():
    assert error_of(599, b"", None).code == "http_599"


def copied(error: Exception) -> Exception:
    return pickle.loads(pickle.dumps(error))  # noqa: S301 - of this very process


def test_errors_travel_between_processes():
    """A worker's exception is pickled on its way to whoever waits for the worker."""
    error = copied(error_of(429, body("rate_limited", hint="wait"), 3.0))
    failed = sdk.BatchFailed([(ScoreEvent("b", "ana", 1), error)], 1)
    copy = copied(failed)

    assert type(error) is sdk.RateLimited
    assert (error.retry_after, error.hint, error.status) == (3.0, "wait", 429)
    assert copy.count == 1
    assert copy.failures[0][0] == ScoreEvent("b", "ana", 1)

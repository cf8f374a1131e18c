"""From the body of ``POST /v1/scores`` to drafts of events: one bad item costs nothing but itself.

The quick way decodes a whole batch in one call. Where that fails, the items are taken apart and
decoded one by one, so that the bad ones can be told from the good ones.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from toprung.api.decoding import NOT_JSON, decode_json, shape_error
from toprung.api.errors import ApiError
from toprung.domain.limits import BATCH_EVENTS
from toprung.domain.outcomes import Outcome
from toprung.intake import Refusal
from toprung.wire.scores import EventIn

Draft = EventIn | Refusal
Item = TypeVar("Item")


class Drafts(NamedTuple):
    """What a request brought."""

    items: Sequence[Draft]
    single: bool
    """Whether it was one event by itself, which is answered by itself."""


class _Batch(msgspec.Struct, forbid_unknown_fields=True):
    events: list[EventIn]


class _RawBatch(msgspec.Struct, forbid_unknown_fields=True):
    events: list[msgspec.Raw]


class _Members(msgspec.Struct):
    """Whether an object is meant as a batch."""

    events: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_decoder = msgspec.json.Decoder(EventIn)
_decode_event = _decoder.decode
_decode_batch = msgspec.json.Decoder(_Batch).decode
_decode_raw_batch = msgspec.json.Decoder(_RawBatch).decode
_decode_members = msgspec.json.Decoder(_Members).decode
_FAILURES = (*NOT_JSON, RecursionError)


def looks_like_batch(content: bytes) -> bool:
    """Whether a JSON body is written as most batches are."""
    return content.startswith(b'{"events"')


def read_json(content: bytes) -> Drafts:
    """The drafts of a JSON body: one event, or ``{"events": [...]}``.

    Raises:
        ApiError: ``bad_json``.
        InvalidInput: neither of the two, or an event by itself that has a wrong shape.
    """
    try:
        # The beginning only says what to try first; what the body is, is decided below.
        if looks_like_batch(content):
            return _batch(_decode_batch(content).events)
        return Drafts((_decode_event(content),), single=True)
    except _FAILURES:
        return _read_slowly(content)


def read_lines(content: bytes) -> Drafts:
    """The drafts of an NDJSON body: one event a line, blank lines skipped.

    Raises:
        InvalidInput: too many, or none.
    """
    try:
        return _batch(_decoder.decode_lines(content))
    except _FAILURES:
        return _batch(_items(raw_lines(content)))


def _batch(items: Sequence[Draft]) -> Drafts:
    BATCH_EVENTS.check(len(items), "events")
    return Drafts(items, single=False)


def _read_slowly(content: bytes) -> Drafts:
    raw = raw_items(content)
    if raw is None:
        return Drafts((decode_json(_decode_event, content),), single=True)
    return _batch(_items(raw))


def raw_items(content: bytes) -> list[bytes] | None:
    """The items of a batch, not read yet; ``None`` where the body is one event by itself.

    Raises:
        ApiError: ``bad_json``.
        InvalidInput: it is neither.
    """
    try:
        if decode_json(_decode_members, content).events is msgspec.UNSET:
            return None
        return [bytes(item) for item in decode_json(_decode_raw_batch, content).events]
    except ApiError:
        split = _split(content)
        if split is None:
            raise
        return split


def raw_lines(content: bytes) -> list[bytes]:
    """The lines of an NDJSON body that are not blank."""
    return [line for line in content.split(b"\n") if line.strip()]


def _items(raw: Iterable[bytes]) -> list[Draft]:
    return [read_item(_decode_event, content) for content in raw]


def read_item(decode: Callable[[bytes], Item], content: bytes) -> Item | Refusal:
    """An item of a batch, or why it cannot be read."""
    try:
        return decode(content)
    except msgspec.ValidationError as error:
        found = shape_error(error)
        return Refusal(Outcome.INVALID, found.message, found.field)
    except NOT_JSON as error:
        return Refusal(Outcome.INVALID, f"this is no JSON: {error}")
    except RecursionError:
        return Refusal(Outcome.INVALID, "this is nested too deep")


# What msgspec cannot skip over, though it may stand in one item of many: a lone surrogate, the NaN
# and Infinity that some encoders write, and what is nested very deep. The ends of such items are
# found by Python's own reader, or by their brackets.
_lenient = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).raw_decode
_HEAD = re.compile(r'[ \t\n\r]*\{[ \t\n\r]*"events"[ \t\n\r]*:[ \t\n\r]*\[[ \t\n\r]*')
_TAIL = re.compile(r"[ \t\n\r]*\}[ \t\n\r]*")
_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[][{}]', re.DOTALL)
_DEPTH = {"[": 1, "{": 1, "]": -1, "}": -1}
_DEEP_CHARS_MAX = 128 * 1024
"""So much of a body may lie in items that only their brackets can tell the end of: following them
is slow, and eight MiB of them would hold up every other request for ten seconds (measured)."""


def _split(content: bytes) -> list[bytes] | None:
    """The items of a batch, or ``None`` where it is no batch or its items have no clear ends."""
    text = content.decode("utf-8", "surrogateescape")
    head = _HEAD.match(text)
    if head is None:
        return None
    items: list[bytes] = []
    at, deep = head.end(), _DEEP_CHARS_MAX
    try:
        while True:
            end, followed = _item_end(text, at, deep)
            deep -= followed
            items.append(text[at:end].encode("utf-8", "surrogateescape"))
            at = _end(_SPACE, text, end)
            if text[at] == "]":
                return items if _TAIL.fullmatch(text, at + 1) else None
            if text[at] != ",":
                return None
            at = _end(_SPACE, text, at + 1)
    except (ValueError, IndexError):
        return None


def _item_end(text: str, at: int, deep: int) -> tuple[int, int]:
    """Where the item at ``at`` ends, and how many of ``deep`` characters were followed for that."""
    try:
        return _lenient(text, at)[1], 0
    except RecursionError:
        # No reader of ours follows it so deep; its end is where its brackets close.
        depth = 0
        for token in _TOKEN.finditer(text, at):
            followed = token.end() - at
            depth += _DEPTH.get(token[0], 0)
            if followed > deep:
                break
            if not depth:
                return token.end(), followed
        raise ValueError("its brackets do not close, or too late") from None


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()

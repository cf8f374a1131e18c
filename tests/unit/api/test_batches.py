"""Reading the body of POST /v1/scores: what is bad in it costs nothing but itself."""

import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toprung.api.batches import read_json, read_lines
from toprung.api.errors import ApiError
from toprung.domain.errors import InvalidInput
from toprung.intake import Refusal
from toprung.wire.scores import EventIn

EVENT = {"board": "b", "player_id": "p", "points": 1, "event_id": "e"}
GOOD = json.dumps(EVENT).encode()
SPACES = st.text(" \t\n\r", max_size=3).map(str.encode)
# Items that stand alone as JSON for somebody, and are no event for us.
BAD = [
    b"5",
    b"[]",
    b"{}",
    b"null",
    b'"x"',
    b"NaN",
    b"-Infinity",
    b'"\\ud800"',
    b'{"board":"b","player_id":"\\udfff","points":1}',
    b'{"board":"b","player_id":"\xff","points":1}',
    b'{"board":"b","player_id":"p","points":NaN}',
    b'{"board":"b","player_id":"p","points":1,"level":2}',
    b'{"board":"b","player_id":"p","points":"]},{","x":{"events":[]}}',
    b"[" * 2000 + b"]" * 2000,
    b'{"board":"b","player_id":"p","points":1,"metadata":{"]":"\\"}","a":%s"}"%s}}'
    % (b"[" * 2000, b"]" * 2000),
    b'{"a":' * 2000 + b"NaN" + b"}" * 2000,
]


def test_an_event_may_carry_metadata():
    (event,) = read_json(msgspec.json.encode(EVENT | {"metadata": {"map": "dust"}})).items

    assert isinstance(event, EventIn)
    assert isinstance(event.metadata, msgspec.Raw)
    assert bytes(event.metadata) == b'{"map":"dust"}'


@given(
    st.lists(st.tuples(st.sampled_from([GOOD, *BAD]), SPACES, SPACES), min_size=1, max_size=8),
    SPACES,
    SPACES,
)
@example([(b'{"board":"b","player_id":"\xff","points":NaN}', b"", b""), (GOOD, b"", b"")], b"", b"")
def test_each_item_of_a_batch_is_read_as_if_it_were_alone(items, before, after):
    listed = b",".join(left + item + right for item, left, right in items)
    body = before + b'{"events":' + after + b"[" + listed + b"]" + before + b"}" + after

    drafts = read_json(body)

    assert not drafts.single
    assert [isinstance(draft, EventIn) for draft in drafts.items] == [
        item == GOOD for item, _, _ in items
    ]
    assert all(isinstance(draft, EventIn | Refusal) for draft in drafts.items)


@given(st.lists(st.sampled_from([GOOD, *BAD, b"", b" \t", b'{"board":']), max_size=8))
def test_each_line_is_read_as_if_it_were_alone(lines):
    filled = [line for line in lines if line.strip()]
    body = b"\n".join([*lines, GOOD])

    drafts = read_lines(body)

    assert [isinstance(draft, EventIn) for draft in drafts.items] == [
        *(line == GOOD for line in filled),
        True,
    ]


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_any_bytes_are_an_event_a_batch_or_refused(content):
    for read in (read_json, read_lines):
        try:
            drafts = read(content)
        except (ApiError, InvalidInput):
            continue
        assert drafts.items


@pytest.mark.parametrize(
    "end", [b"", b"]", b"]}x", b"] }{", b",]}", b";{}]}", b"," + b"[" * 2000 + b"]}"]
)
def test_a_batch_whose_items_have_no_clear_end_is_refused_whole(end):
    with pytest.raises(ApiError) as raised:
        read_json(b'{"events": [NaN' + end)

    assert raised.value.code == "bad_json"


DEEP = b"[" * 30_000 + b"]" * 30_000


@pytest.mark.parametrize("count", [1, 2])
def test_some_items_may_be_nested_without_measure(count):
    items = read_json(b'{"events":[%s,%s]}' % (b",".join([DEEP] * count), GOOD)).items

    assert [isinstance(item, Refusal) for item in items] == [True] * count + [False]


@pytest.mark.parametrize(
    "events",
    [
        pytest.param(b",".join([DEEP] * 3), id="some"),
        pytest.param(b"[" * 100_000 + b"]" * 100_000, id="one"),
        pytest.param(b"[" * 60_000 + b'"' + b"]" * 60_000 + b'"' + b"]" * 60_000, id="with text"),
    ],
)
def test_a_body_that_is_mostly_such_items_is_refused_whole(events):
    with pytest.raises(ApiError) as raised:
        read_json(b'{"events":[%s]}' % events)

    assert raised.value.code == "bad_json"

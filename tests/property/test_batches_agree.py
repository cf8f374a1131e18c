"""Whatever comes as a batch: what is read natively is read event by event too, to the last byte.

Bodies are made of events as senders write them, of odd ones, and of bodies with damage. The native
way may leave a batch to the other, but not one that is plain.
"""

import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toprung.api.batches import read_json, read_lines
from toprung.batch.native import NativeBatches
from toprung.domain.board import Board, BoardState, Column, Settings
from toprung.domain.limits import BATCH_EVENTS, ID_BYTES, METADATA_BYTES
from toprung.domain.records import Event, encode_record
from toprung.intake.shape import to_event
from toprung.ports.catalog import Catalog
from toprung.ports.log import frames_of

NOW = 1_777_000_000_000_000


def board(board_id: int, name: str, *columns: Column) -> Board:
    settings = Settings("sum", columns, "earliest", ("all",), "UTC", 0, None, None, None, "")
    return Board(BoardState(board_id, "game", name, settings, 3, 0, (), None))


CATALOG = Catalog(
    [
        board(1, "plain", Column("points", True, 0)),
        board(300, "scaled", Column("points", True, 3)),
        board(70_000, "many", Column("a", True, 0), Column("b", False, 2)),
    ]
)

# As senders write them: these are plain.
plain_ids = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"], exclude_characters='"\\'),
    min_size=1,
    max_size=12,
)
whole = st.integers(-(10**12), 10**12)
scaled = st.decimals(-(10**6), 10**6, places=3).map(lambda value: f"{value:f}")
points_of = {
    "plain": st.one_of(whole, whole.map(str), st.builds(dict, points=whole)),
    "scaled": st.one_of(whole, scaled, st.builds(dict, points=scaled)),
    "many": st.builds(dict, a=whole, b=st.one_of(whole, st.just("-0.05"), st.just("7.5"))),
}
instants = st.sampled_from(
    [
        "2026-05-04T12:00:00Z",
        "2026-05-04t12:00:00.5z",
        "2024-02-29T23:59:59.999999+14:00",
        "1000-01-01T00:00:00-00:01",
        "8999-12-31T23:59:59Z",
    ]
)
json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        plain_ids,
    ),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(plain_ids, inner, max_size=2),
    max_leaves=4,
)


@st.composite
def plain_events(draw):
    name = draw(st.sampled_from(sorted(points_of)))
    event = {
        "event_id": draw(plain_ids),
        "board": name,
        "player_id": draw(plain_ids),
        "points": draw(points_of[name]),
    }
    optional = {
        "at": st.none() | instants,
        "match_id": st.none() | plain_ids,
        "metadata": st.none() | st.dictionaries(plain_ids, json_values, max_size=2),
    }
    for member, values in optional.items():
        if draw(st.integers(0, 2)) == 0:
            event[member] = draw(values)
    return dict(draw(st.permutations(list(event.items()))))


# What takes the place of a member's value, as JSON: some are refused, some read otherwise.
ODD = [
    *(
        "null",
        "true",
        "[]",
        "{}",
        '""',
        '" "',
        "0",
        "-0",
        "-1",
        "00",
        "01",
        "1.0",
        "1.50",
        "1e3",
        "1E-2",
    ),
    *(
        "5.",
        "-",
        "+1",
        "0x1",
        "NaN",
        "9" * 18,
        "9" * 19,
        "-" + "9" * 18,
        str(2**63 - 1),
        str(-(2**63)),
    ),
    *(
        "12345678901234567.5",
        "0." + "0" * 30,
        '"1e3"',
        '"-0"',
        '"01"',
        '" 1"',
        '"1 "',
        '"٣"',
        '"5\\u0030"',
    ),
    *(
        '{"points":1,"points":2}',
        '{"points":1,"other":2}',
        '{"a":1}',
        '{"a":1,"b":2,"a":3}',
        '{"\\u0061":1,"b":1}',
    ),
    *(
        '"caf\\u00e9"',
        '"\\ud83d\\ude00"',
        '"\\ud800"',
        '"a\\tb"',
        '"a\tb"',
        '"\x7f"',
        '"\x85"',
        '"\u200b"',
    ),
    *(f'"{"x" * ID_BYTES.maximum}"', f'"{"x" * (ID_BYTES.maximum + 1)}"', f'"{"é" * 129}"'),
    *(
        '"2026-02-29T00:00:00Z"',
        '"2026-05-04T24:00:00Z"',
        '"2026-05-04T12:00:60Z"',
        '"2026-05-04 12:00:00Z"',
    ),
    *(
        '"2026-05-04T12:00:00"',
        '"2026-05-04T12:00:00.1234567Z"',
        '"2026-05-04T12:00:00.Z"',
        '"9000-01-01T00:00:00Z"',
    ),
    *(
        '"0999-12-31T23:59:00-00:01"',
        '"0000-01-01T00:00:00Z"',
        '"2026-05-04T12:00:00+24:00"',
        '"2026-05-04T12:00:00+23:59"',
    ),
    *(
        f'{{"k":"{"x" * (METADATA_BYTES.maximum - 8)}"}}',
        f'{{"k":"{"x" * (METADATA_BYTES.maximum - 7)}"}}',
    ),
    *(
        '{"k":"\\ud800"}',
        '{"k":"\\u00e9\\n"}',
        '{"k":[1,]}',
        '{"k":1e999}',
        '{"k":' + "[" * 40 + "]" * 40 + "}",
        '"nowhere"',
    ),
]


@st.composite
def odd_events(draw):
    """An event as JSON, with one member odd, twice, under another name, or missing."""
    event = draw(plain_events())
    members = [f"{json.dumps(name)}:{encoded(value)}" for name, value in event.items()]
    place = draw(st.integers(0, len(members) - 1))
    name = members[place].partition(":")[0]
    other = draw(st.sampled_from([name, name, name, name, '"level"', '"at"', '"event\\u005fid"']))
    members[place : place + 1] = draw(
        st.sampled_from(
            [[], [members[place]] * 2, [f"{other}:{draw(st.sampled_from(ODD))}"]],
        )
    )
    return "{" + ",".join(members) + "}"


def encoded(value) -> str:
    return msgspec.json.encode(value).decode()


@st.composite
def damaged(draw, bodies):
    """A body with a byte that is gone, or another, or there twice."""
    body = draw(bodies)
    place = draw(st.integers(0, max(0, len(body) - 1)))
    byte = draw(st.sampled_from([b"", b"\xff", b"\x00", b'"', b"\\", b",", b"}", b"]", b" ", b"0"]))
    return body[:place] + byte + body[place + draw(st.integers(0, 1)) :]


def body_of(events, form: str, space: str = "") -> bytes:
    """A body of some form; as a single event the first of them."""
    if form == "single":
        return f"{space}{events[0]}{space}".encode()
    if form == "lines":
        return f"{space}\n".join(events).encode()
    return f'{{"events":{space}[{f"{space},".join(events)}]}}{space}'.encode()


def read_each(body: bytes, form: str, history: bool):
    drafts = read_lines(body) if form == "lines" else read_json(body)
    assert drafts.single == (form == "single")
    return [
        to_event(draft, CATALOG, "game", event_id=None, received_at=NOW, history=history)
        for draft in drafts.items
    ]


def read_natively(body: bytes, form: str, history: bool):
    return NativeBatches().read(
        body,
        lambda name: CATALOG.by_name("game", name),
        NOW,
        form=form,
        ranked=False,
        history=history,
    )


def check(body: bytes, form: str, history: bool = False) -> bool:
    """Whether a body was read natively; then it must be read so by the other way."""
    found = read_natively(body, form, history)
    if found is None:
        return False
    events = read_each(body, form, history)
    assert all(isinstance(event, Event) for event in events), events
    records = [(NOW, encode_record(event)) for event in events]
    assert found.frames == frames_of(records)
    assert [(row.received_at, row.body) for row in found] == records
    return True


FORMS = st.sampled_from(["object", "lines", "single"])
SPACE = st.sampled_from(["", " ", "\t", "\r"])


@given(st.lists(plain_events().map(encoded), min_size=1, max_size=5), FORMS, st.booleans(), SPACE)
def test_a_plain_batch_is_read_natively(events, form, history, space):
    assert check(body_of(events, form, space), form, history)


mixed = st.lists(plain_events().map(encoded) | odd_events(), min_size=1, max_size=3)


@given(mixed, FORMS)
def test_an_odd_batch_is_read_the_same_or_left_alone(events, form):
    check(body_of(events, form), form)


@pytest.mark.parametrize("odd", ODD)
def test_every_odd_value_is_read_the_same_or_left_alone(odd):
    for name in points_of:
        points = {"a": 1, "b": 2} if name == "many" else 1
        event = {"board": name, "event_id": "e", "player_id": "p", "points": points}
        members = {key: encoded(value) for key, value in event.items()}
        for member in (*event, "at", "match_id", "metadata"):
            text = ",".join(f'"{key}":{value}' for key, value in (members | {member: odd}).items())
            check(body_of([f"{{{text}}}"], "object"), "object")


@given(body=damaged(st.builds(body_of, mixed, FORMS, SPACE)), form=FORMS)
@example(body=b'\xef\xbb\xbf{"events":[]}', form="object")
@example(body=b'{"events":[]}', form="object")
@example(body=b"\n", form="lines")
@example(body=b"", form="single")
def test_a_damaged_batch_is_read_the_same_or_left_alone(body, form):
    check(body, form)


def test_too_many_events_are_left_to_be_refused():
    event = encoded({"board": "plain", "event_id": "e", "player_id": "p", "points": 1})

    assert check(body_of([event] * BATCH_EVENTS.maximum, "lines"), "lines")
    assert not check(body_of([event] * (BATCH_EVENTS.maximum + 1), "lines"), "lines")

"""A batch is answered alike, to the last byte, whether it is read natively or event by event.

Two engines live through the same requests, one of them all in Python; replies and logs must be the
same. Requests are held at the writer, so that some are decided together, and behind acts that came
before them.
"""

import asyncio
from threading import Event as Signal

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toprung.domain.access import Role, read_key

AT = [
    "2026-05-04T12:00:00Z",
    "2026-05-04T11:59:59.5Z",
    "2026-05-03T00:00:00Z",
    "2026-04-04T00:00:00Z",
]
AT += ["2026-05-04T12:10:00Z"]  # too far in the future
MOST = 9 * 10**17
BOARDS = {
    "b": {"windows": ["daily", "all", "season"], "grace": "1h", "remember": "20d"},
    "c": {
        "mode": "best",
        "ties": "dense",
        "columns": [{"name": "x", "decimals": 2}, {"name": "y"}],
    },
    "d": {"mode": "last", "windows": ["all", "hourly"], "columns": [{"name": "x", "decimals": 1}]},
}
ODD = [{"board": "b"}, {"board": "gone", "event_id": "e0", "player_id": "bo", "points": 1}]
# So much that another large score leaves the 64-bit range.
FIRST = {"board": "b", "event_id": "first", "player_id": "ana", "points": 9 * 10**18}
FORMS = ["application/json", "application/x-ndjson"]


@st.composite
def events(draw):
    name = draw(st.sampled_from(["b", "b", "c", "d"]))
    number = st.sampled_from([MOST, 0, 1, -5, 250, MOST])
    event = {
        "board": name,
        "event_id": f"e{draw(st.integers(0, 9))}",
        "player_id": draw(st.sampled_from(["ana", "ana", "bo", "é/'"])),
        "points": {"x": draw(number), "y": draw(number)} if name == "c" else draw(number),
    }
    if draw(st.booleans()):
        event["at"] = draw(st.sampled_from(AT))
    return event


@st.composite
def batches(draw):
    sent = draw(st.lists(events(), min_size=1, max_size=6))
    odd = draw(st.integers(0, 9))
    if odd < len(ODD):
        sent.append(ODD[odd])
    query = draw(st.sampled_from(["", "?ranks=false", "?history=true"]))
    form = draw(st.sampled_from(FORMS))
    lines = [msgspec.json.encode(event) for event in sent]
    body = b"\n".join(lines) if form == FORMS[1] else b'{"events":[%b]}' % b",".join(lines)
    return "POST", f"/v1/scores{query}", form, body


@st.composite
def singles(draw):
    query = draw(st.sampled_from(["", "?ranks=false"]))
    return "POST", f"/v1/scores{query}", FORMS[0], msgspec.json.encode(draw(events()))


ACTS = [
    ("DELETE", "/v1/boards/b", FORMS[0], b""),
    ("PUT", "/v1/boards/b", FORMS[0], msgspec.json.encode(BOARDS["b"])),
    (
        "PUT",
        "/v1/boards/d?if_exists=recompute",
        FORMS[0],
        msgspec.json.encode(BOARDS["d"] | {"columns": [{"name": "x", "decimals": 2}]}),
    ),
    ("POST", "/v1/boards/b/seasons", FORMS[0], b'{"id":"s","name":"spring"}'),
    ("POST", "/v1/boards/b/events/e1/void", FORMS[0], b"{}"),
    ("POST", "/v1/boards/b/events/e1/unvoid", FORMS[0], b"{}"),
    ("POST", "/v1/players/ana/hide", FORMS[0], b"{}"),
    ("POST", "/v1/players/ana/unhide", FORMS[0], b"{}"),
]


def log_of(door):
    """The rows of the log; an act names the key that asked, and each door has its own."""
    key_id = read_key(door.keys[Role.ADMIN])[0].encode()
    rows = door.engine.log.read(0, 10**6)
    return [row._replace(body=row.body.replace(key_id, b"the key")) for row in rows]


async def ask(door, method, path, form, body):
    raw_path, _, query = path.encode().partition(b"?")
    scope = {
        "type": "http",
        "method": method,
        "raw_path": raw_path,
        "query_string": query,
        "headers": [
            (b"authorization", f"Bearer {door.keys['admin']}".encode()),
            (b"content-type", form.encode()),
        ],
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    await door.application(scope, receive, send)
    start, end = sent
    return start["status"], end["body"]


async def ask_together(door, requests):
    """The answers to requests that wait for the writer at the same time."""
    gate = Signal()
    door.engine.writer.run_alone(gate.wait)

    async def let_go():
        gate.set()

    *answers, _ = await asyncio.gather(*(ask(door, *request) for request in requests), let_go())
    return answers


@given(
    st.lists(
        st.lists(batches() | singles() | st.sampled_from(ACTS), min_size=1, max_size=4), max_size=4
    )
)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_ways_give_the_same_answers(open_door, groups):
    doors = [open_door(view=view, rate_burst=10_000) for view in ("native", "reference")]

    async def run():
        for door in doors:
            for name, board in BOARDS.items():
                await door.make_board(name, **{"max_ahead": "5m"} | board)
        first = "POST", "/v1/scores", FORMS[0], msgspec.json.encode(FIRST)
        for group in [[first], *groups]:
            native, reference = [await ask_together(door, group) for door in doors]
            assert native == reference

    try:
        asyncio.run(run())
        logs = [log_of(door) for door in doors]
        assert logs[0] == logs[1]
        metrics = [door.services.metrics.outcomes for door in doors]
        assert metrics[0] == metrics[1]
        assert not any(door.faults or door.broken for door in doors)
    finally:
        for door in doors:
            door.close()

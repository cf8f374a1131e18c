"""The server's own protocol and the ASGI application give the same answers, errors included.

Two engines live through the same requests, one behind each door; every reply must be the same.
"""

import asyncio
from urllib.parse import quote

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from uvicorn.server import ServerState

from toprung.api.operations import operations_of
from toprung.app.protocol import Connection
from toprung.domain.access import Role

SEGMENTS = ["b", "c", "p", "e1", "a/b", "é", "index.js", "x" * 300]
PIECES = [
    "k=2",
    "k=0",
    "n=1",
    "size=3",
    "window=daily",
    "period=previous",
    "numbering=dense",
    "k=2",
]
PIECES += [
    "k=2",
    "score=5",
    "wanted=1",
    "from=1",
    "to=2",
    "min=1",
    "cursor=AAAA",
    "ranks=false",
    "x=%FF",
]
EVENT = {"board": "b", "player_id": "p", "points": 5, "event_id": "e1"}
BODIES = [
    b"",
    b"{}",
    b"{",
    b'{"players":["p","q"]}',
    b'{"mode":"sum","windows":["all","daily"]}',
    b'{"at":"2026-05-04T12:00:00Z"}',
    msgspec.json.encode(EVENT),
    msgspec.json.encode({"events": [EVENT, EVENT | {"event_id": "e2", "player_id": "q"}, 7]}),
]
MEDIA_TYPES = ["application/json", "application/x-ndjson", "text/plain"]
UNLIKE = {"/metrics"}  # it tells measured times


class Transport:
    """Keeps what is written."""

    def __init__(self):
        self.written = b""

    def write(self, data):
        self.written += data

    def is_closing(self):
        return False

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass

    def close(self):
        pass


async def ask_socket(application, method, path, headers, body):
    """What comes back on a connection: status, headers and body."""
    connection = Connection(application, None, ServerState(), {})
    connection.connection_made(Transport())
    lines = [f"{method} {path} HTTP/1.1", *map(": ".join, headers.items())]
    lines.append(f"Content-Length: {len(body)}")
    connection.data_received("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    while connection._state.tasks:
        await asyncio.gather(*connection._state.tasks)
    connection.connection_lost(None)
    head, _, content = connection._transport.written.partition(b"\r\n\r\n")
    status, *fields = head.split(b"\r\n")
    return int(status.split()[1]), [tuple(line.split(b": ", 1)) for line in fields], content


async def ask_application(application, method, path, headers, body):
    """The same of an ASGI application."""
    raw_path, _, query = path.encode().partition(b"?")
    given_headers = [(name.lower().encode(), text.encode()) for name, text in headers.items()]
    given_headers.append((b"content-length", b"%d" % len(body)))
    scope = {
        "type": "http",
        "method": method,
        "raw_path": raw_path,
        "query_string": query,
        "headers": given_headers,
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    await application(scope, receive, send)
    start, end = sent
    # To leave out the body of a reply to HEAD is a server's business, not the application's.
    return start["status"], start["headers"], b"" if method == "HEAD" else end["body"]


@st.composite
def asked(draw, paths):
    path = draw(st.sampled_from(paths))
    while "{" in path:
        argument = path[path.index("{") : path.index("}") + 1]
        path = path.replace(argument, quote(draw(st.sampled_from(SEGMENTS)), safe=""), 1)
    query = "&".join(draw(st.lists(st.sampled_from(PIECES), max_size=2)))
    method = draw(st.sampled_from(["GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]))
    role = draw(st.sampled_from([None, *Role, Role.ADMIN]))
    headers = {"Content-Type": draw(st.sampled_from(MEDIA_TYPES))}
    if draw(st.booleans()):
        headers["Idempotency-Key"] = "once"
    return (
        method,
        f"{path}?{query}" if query else path,
        role,
        headers,
        draw(st.sampled_from(BODIES)),
    )


@given(st.data())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_doors_give_the_same_answers(two_doors, data):
    by_socket, by_application = two_doors
    paths = [
        operation.path
        for operation in operations_of(by_socket.services)
        if operation.path not in UNLIKE
    ] + ["/nowhere", "/v1/boards//top"]
    asking = data.draw(st.lists(asked(paths), min_size=1, max_size=6))

    async def run():
        for method, path, role, headers, body in asking:
            told = []
            for door, ask in ((by_socket, ask_socket), (by_application, ask_application)):
                key = {} if role is None else {"Authorization": f"Bearer {door.keys[role]}"}
                told.append(await ask(door.application, method, path, headers | key, body))
            assert told[0] == told[1]

    asyncio.run(run())

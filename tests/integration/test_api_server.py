"""A server as a process: what a socket may send, how it starts, stops and refuses to start."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import apsw
import httpx2
import msgspec
import pytest

from toprung.domain.limits import BODY_BYTES
from toprung.testing.command import COMMAND
from toprung.testing.server import RunningServer, Server, create_key, running_server

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server"), "--log-level", "debug") as server:
        with client(server) as caller:
            caller.put("/v1/boards/b", json={}).raise_for_status()
        yield server


def client(running: RunningServer, role: str = "admin") -> httpx2.Client:
    headers = {"Authorization": f"Bearer {running.keys[role]}"}
    return httpx2.Client(base_url=running.url, headers=headers, timeout=60)


def json_headers(running: RunningServer) -> dict[str, str]:
    key = running.keys["server"]
    return {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}


def exchange(running: RunningServer, *parts: bytes) -> bytes:
    """Send bytes as they are; everything that comes until the server closes."""
    address = urlsplit(running.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        try:
            for part in parts:
                connection.sendall(part)
        except ConnectionError:
            pass  # it closes as soon as it has seen enough
        received = b""
        try:
            while part := connection.recv(65536):
                received += part
        except ConnectionResetError:
            pass
    return received


def error_of(received: bytes) -> tuple[int, str]:
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), msgspec.json.decode(body)["error"]["code"]


def memory_peak(running: RunningServer) -> int:
    """The most memory the process ever had, in bytes."""
    status = Path(f"/proc/{running.server.pid}/status").read_text("ascii")
    (kib,) = re.findall(r"VmHWM:\s+([0-9]+) kB", status)
    return int(kib) * 1024


class TestSizes:
    """More than is read is refused, without keeping it."""

    @pytest.mark.parametrize("known", [True, False], ids=["with its length", "as a stream"])
    def test_a_body_of_50_mib_is_refused_and_not_kept(self, running, known):
        before = memory_peak(running)
        content = b"x" * (50 * MIB) if known else iter([b"x" * MIB] * 50)
        address = urlsplit(running.url)
        connection = HTTPConnection(address.hostname, address.port)

        with closing(connection):
            connection.request("POST", "/v1/scores", content, json_headers(running))
            answer = connection.getresponse()
            code = msgspec.json.decode(answer.read())["error"]["code"]
            connection.request("GET", "/healthz")
            after = connection.getresponse()

            assert (answer.status, code, after.status) == (413, "too_large", 200)
        assert memory_peak(running) - before < BODY_BYTES.maximum + 8 * MIB

    def test_a_stream_within_the_limit_is_read(self, running):
        body = b'{"board":"b","player_id":"p","points":1,"event_id":"streamed"}'

        with client(running) as caller:
            answer = caller.post(
                "/v1/scores",
                content=iter([body[:20], body[20:]]),
                headers={"Content-Type": "application/json"},
            )

        assert answer.json()["outcome"] == "counted"

    @pytest.mark.parametrize(
        "begin", [b"GET /", b"GET / HTTP/1.1\r\nX-Long: "], ids=["address", "header"]
    )
    def test_a_head_without_end_is_refused_and_not_kept(self, running, begin):
        before = memory_peak(running)

        received = exchange(running, begin, *[b"x" * MIB] * 32)

        # What is still on its way when the server closes may cost the client the reply.
        assert received == b"" or error_of(received) == (431, "head_too_large")
        assert memory_peak(running) - before < 8 * MIB
        assert httpx2.get(f"{running.url}/healthz").status_code == 200

    def test_many_small_requests_on_one_connection_do_not_add_up(self, running):
        one = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Pad: " + b"x" * 30_000 + b"\r\n"

        received = exchange(running, *[one + b"\r\n"] * 4, one + b"Connection: close\r\n\r\n")

        assert received.count(b"HTTP/1.1 200 OK") == 5


class TestBytes:
    """What a socket may bring."""

    @pytest.mark.parametrize(
        "sent",
        [
            b"hello\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01",
            b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"POST /v1/scores HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        ],
    )
    def test_what_is_no_http_gets_the_one_shape_of_error(self, running, sent):
        assert error_of(exchange(running, sent)) == (400, "bad_request")

    def test_a_slash_in_an_id_stays_in_its_segment(self, running):
        with client(running) as caller:
            event = {"board": "b", "player_id": "a/b", "points": 1, "event_id": "slash"}
            caller.post("/v1/scores", json=event).raise_for_status()
            answer = caller.get("/v1/boards/b/rank/a%2Fb")

        assert (answer.status_code, answer.json()["player_id"]) == (200, "a/b")

    def test_an_address_with_a_host_means_the_same(self, running):
        received = exchange(
            running, b"GET http://x/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )

        assert received.startswith(b"HTTP/1.1 200 OK")

    def test_a_client_that_leaves_in_the_middle_of_its_body_harms_nobody(self, running):
        key = running.keys["server"].encode()
        address = urlsplit(running.url)
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall(
                b"POST /v1/scores HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Authorization: Bearer " + key + b'\r\nContent-Length: 100\r\n\r\n{"board":'
            )

        assert httpx2.get(f"{running.url}/healthz").status_code == 200

    def test_a_request_to_become_a_websocket_is_answered_as_the_get_it_is(self, running):
        address = urlsplit(running.url)
        headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}

        with closing(HTTPConnection(address.hostname, address.port)) as connection:
            connection.request("GET", "/healthz", headers=headers)

            assert connection.getresponse().status == 200


def test_no_key_gets_into_the_log(running):
    with client(running) as caller:
        caller.get("/v1/boards?x=1")
        caller.post("/v1/scores", content=b"{", headers={"Content-Type": "application/json"})

    log = running.server.database.with_name("toprung.db.log").read_text("utf-8")
    assert '"event": "listening"' in log
    assert not [key for key in running.keys.values() if key in log or key[-64:] in log]


class TestStopping:
    """SIGTERM and SIGINT end a server in order."""

    @pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
    def test_it_ends_with_status_0_and_keeps_what_it_acknowledged(self, tmp_path, how):
        server = Server(tmp_path / "toprung.db")
        server.start()
        process = server._process
        running = RunningServer(server, {"admin": create_key(server.database, "game", "admin")})
        with client(running) as caller:
            caller.put("/v1/boards/b", json={}).raise_for_status()
            event = {"board": "b", "player_id": "p", "points": 1, "event_id": "e"}
            caller.post("/v1/scores", json=event).raise_for_status()

            os.kill(process.pid, how)
            assert process.wait(60) == 0

        server.start()
        try:
            with client(running) as caller:
                assert caller.get("/v1/boards/b/rank/p").json()["score"] == "1"
        finally:
            server.stop()

    def test_a_fault_in_the_writer_ends_it_with_another_status(self, tmp_path):
        code = (
            "import sys\n"
            "from pathlib import Path\n"
            "from toprung.app.server import serve\n"
            "from toprung.app.settings import Settings\n"
            "from toprung.updater import Updater\n"
            "def fail(*_): raise KeyError('a bug')\n"
            "Updater.apply = fail\n"
            "db, ready_file = map(Path, sys.argv[1:])\n"
            "sys.exit(serve(Settings(db=db, port=0, ready_file=ready_file)))\n"
        )
        database = tmp_path / "toprung.db"
        key = create_key(database, "game", "admin")
        reading, writing = os.pipe()
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(database), f"/dev/fd/{writing}"],
            pass_fds=(writing,),
            stderr=subprocess.PIPE,
        )
        os.close(writing)
        with os.fdopen(reading, "rb") as ready:
            url = msgspec.json.decode(ready.readline())["url"]

        answer = httpx2.put(
            f"{url}/v1/boards/b", json={}, headers={"Authorization": f"Bearer {key}"}
        )
        _, said = process.communicate(timeout=60)

        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "stopped")
        assert process.returncode == 1
        assert b"KeyError" in said

    def test_a_request_that_is_still_arriving_is_not_waited_for(self, tmp_path):
        with running_server(tmp_path) as running:
            address = urlsplit(running.url)
            headers = {**json_headers(running), "Content-Length": "99", "Expect": "100-continue"}
            lines = ["POST /v1/scores HTTP/1.1", *map(": ".join, headers.items()), "", ""]
            with socket.create_connection((address.hostname, address.port)) as connection:
                connection.sendall("\r\n".join(lines).encode())
                assert connection.recv(65536).startswith(b"HTTP/1.1 100 ")
                connection.sendall(b'{"board":')
                running.stop()
                received = b"".join(iter(lambda: connection.recv(65536), b""))

            assert error_of(received) == (503, "stopped")
            assert "Traceback" not in running.server._said()


def refused_start(*arguments: str | Path) -> str:
    """What a server says that does not start."""
    done = subprocess.run(
        [str(COMMAND), "serve", "--port", "0", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


class TestStarting:
    """What a server refuses to start on: one clear line, and status 1."""

    def test_a_file_that_another_server_holds(self, running):
        assert "in_use" in refused_start("--db", running.server.database)

    def test_an_address_that_another_server_holds(self, running, tmp_path):
        port = str(urlsplit(running.url).port)

        said = refused_start("--db", tmp_path / "other.db", "--port", port)

        assert "address_unavailable" in said
        assert not (tmp_path / "other.db").exists()

    def test_a_file_that_is_no_database(self, tmp_path):
        file = tmp_path / "notes.txt"
        file.write_text("nothing of ours\n" * 1000, "utf-8")

        assert "foreign_file" in refused_start("--db", file)
        assert file.read_text("utf-8") == "nothing of ours\n" * 1000

    def test_a_database_of_another_program(self, tmp_path):
        connection = apsw.Connection(str(tmp_path / "other.db"))
        connection.execute("CREATE TABLE notes (text)")
        connection.close()

        assert "foreign_file" in refused_start("--db", tmp_path / "other.db")

    def test_a_folder_that_cannot_be_made(self, tmp_path):
        (tmp_path / "file").touch()

        refused_start("--db", tmp_path / "file" / "toprung.db")

    def test_a_test_clock_where_others_could_reach_it(self, tmp_path):
        said = refused_start(
            *("--db", tmp_path / "t.db", "--test-clock", "2026-05-04T12:00:00Z"),
            *("--host", "0.0.0.0"),  # noqa: S104 - which is what it refuses
        )

        assert "loopback" in said

    def test_a_test_clock_on_data_of_the_real_one(self, tmp_path):
        with running_server(tmp_path):
            pass

        said = refused_start(
            "--db", tmp_path / "toprung.db", "--test-clock", "2026-05-04T12:00:00Z"
        )

        assert "wrong_clock" in said

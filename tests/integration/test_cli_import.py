"""``toprung import`` against a real server: every row once, whatever happens on the way."""

import gzip
import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread

import httpx2
import pytest

from toprung.sdk import BoardSettings, Client, Column
from toprung.testing.cli import Cli, Ended
from toprung.testing.server import running_server

ROWS, BATCH = 600, 50


@pytest.fixture
def board(client, names) -> str:
    name = next(names)
    client.put_board(name, BoardSettings())
    return name


@pytest.fixture
def file(tmp_path) -> Path:
    """Rows that each give one point to one of ten players, without event ids."""
    path = tmp_path / "rows.csv"
    path.write_text("player_id,points\n" + "".join(f"p{n % 10},1\n" for n in range(ROWS)))
    return path


def good(ended: Ended) -> Ended:
    assert (ended.status, ended.code) == (0, ""), ended.err
    return ended


def totals(client: Client, board: str) -> dict[str, str]:
    return {row.player_id: row.score for row in client.top(board, k=100).rows}


ALL_ONCE = {f"p{n}": str(ROWS // 10) for n in range(10)}


def test_a_file_counts_once_however_often_it_is_imported(cli, client, board, file, tmp_path):
    first = good(cli("import", str(file), "--board", board, "--json"))
    assert {**first.json, "seq": ""} == {"rows": ROWS, "outcomes": {"counted": ROWS}, "seq": ""}
    assert int(first.json["seq"]) > 0
    packed = tmp_path / "rows.csv.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    for path in (file, packed):
        again = good(cli("import", str(path), "--board", board, "--json"))
        assert again.json["outcomes"] == {"duplicate": ROWS}
    assert totals(client, board) == ALL_ONCE
    assert {path.name for path in tmp_path.iterdir()} == {"rows.csv", "rows.csv.gz"}


def test_rows_that_are_refused_are_told_and_cost_nothing_else(cli, client, board, tmp_path):
    path, results = tmp_path / "rows.csv", tmp_path / "results.jsonl"
    path.write_text(
        "id,player,score,when\n1,ana,5,2026-01-01T00:00:00Z\n2,bob\n3,cid,many,2026-01-01T00:00:00Z\n"
        "4,dan,5,2999-01-01T00:00:00Z\n1,ana,6,2026-01-01T00:00:00Z\n5,eve,5,2026-01-01T00:00:00Z\n"
    )
    command = ["import", str(path), "--board", board, "--history", "--results", str(results)]
    maps = ["event_id=id", "player_id=player", "points=score", "at=when"]
    command += [f"--map={each}" for each in maps]
    ended = good(cli(*command))
    assert dict(line.split("\t") for line in ended.out.splitlines()[1:]) == {
        "counted": "2",
        "invalid": "2",
        "early": "1",
        "conflict": "1",
    }
    assert "row 2 (line 3): invalid: the row has 2 cells, the header 4" in ended.err
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [(line["row"], line["line"], line["outcome"]) for line in lines] == [
        (1, 2, "counted"),
        (2, 3, "invalid"),
        (3, 4, "invalid"),
        (4, 5, "early"),
        (5, 6, "conflict"),
        (6, 7, "counted"),
    ]
    assert "message" in lines[2]
    assert cli(*command, "--strict").status == 1
    assert totals(client, board) == {"ana": "5", "eve": "5"}


def test_json_lines_of_several_boards_and_columns(cli, client, names, tmp_path):
    league, single = next(names), next(names)
    client.put_board(league, BoardSettings(columns=(Column("points"), Column("gd"))))
    client.put_board(single, BoardSettings(columns=(Column(decimals=3),)))
    path = tmp_path / "rows.jsonl"
    lines = [
        {"event_id": "1", "board": league, "player_id": "reds", "points": {"points": 3, "gd": -1}},
        {"event_id": "2", "board": single, "player_id": "ana", "points": 1.25},
        {"event_id": "3", "board": "nowhere", "player_id": "ana", "points": 1},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ended = good(cli("import", str(path), "--json"))
    assert ended.json["outcomes"] == {"counted": 2, "unknown_board": 1}
    assert client.top(league).rows[0].columns == {"points": "3", "gd": "-1"}
    assert client.top(single).rows[0].score == "1.25"


def test_standard_input(cli, client, board):
    content = b"event_id,player_id,points\n1,ana,5\n2,bob,6\n"
    for stdin in (content, gzip.compress(content)):
        good(cli("import", "-", "--board", board, "--strict", stdin=stdin))
    assert totals(client, board) == {"ana": "5", "bob": "6"}
    without_ids = cli("import", "-", "--board", board, stdin=b"player_id,points\nana,5\n")
    assert (without_ids.status, without_ids.code) == (1, "no_event_ids")


PLAIN = b"player_id,points\na,1\n"


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        pytest.param(b"", [], "no_header", id="empty"),
        pytest.param(b"name,points\na,1\n", [], "no_column", id="no player"),
        pytest.param(PLAIN, ["--map", "at=when"], "no_column", id="no mapped column"),
        pytest.param(b"[{}]", [], "format", id="array"),
        pytest.param(PLAIN.decode().encode("utf-16"), [], "encoding", id="utf-16"),
        pytest.param(gzip.compress(PLAIN * 99)[:-9], [], "damaged", id="cut"),
    ],
)
def test_a_file_that_cannot_be_imported(cli, board, tmp_path, content, options, code):
    path = tmp_path / "rows"
    path.write_bytes(content)
    ended = cli("import", str(path), "--board", board, *options)
    assert (ended.status, ended.code) == (1, code), ended.err
    assert len(ended.err.splitlines()) <= 2
    assert [each.name for each in tmp_path.iterdir()] == ["rows"]


def test_a_board_that_is_not_there_is_told_once(cli, file):
    ended = cli("import", str(file), "--board", "nowhere")
    assert (ended.status, ended.code) == (1, "unknown_board")


def test_a_file_that_is_not_there(cli, board, tmp_path):
    assert cli("import", str(tmp_path / "none.csv"), "--board", board).code == "file"


def test_history_is_for_admin_keys(cli, server, board, file):
    key = ["--key", server.keys["server"]]
    ended = cli("import", str(file), "--board", board, "--history", *key)
    assert (ended.status, ended.code) == (1, "forbidden")
    good(cli("import", str(file), "--board", board, *key))


# --- interrupted imports


class Between:
    """Stands between a command and the server, and can act when a batch of scores is answered.

    ``before_answer(n)`` runs when the server has answered the n-th batch and the command has not
    been told; when it gives false, the command never is.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self._lock = Lock()
        self._batches = 0
        self.before_answer: Callable[[int], bool] = lambda number: True

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes):
        kept = {
            name: headers[name] for name in ("Authorization", "Content-Type") if name in headers
        }
        reply = httpx2.request(method, self.target + path, headers=kept, content=body, timeout=60)
        with self._lock:
            if path.startswith("/v1/scores"):
                self._batches += 1
                if not self.before_answer(self._batches):
                    return None
        return reply


@contextmanager
def standing_between(target: str) -> Iterator[tuple[str, Between]]:
    between = Between(target)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            reply = between.answer(self.command, self.path, dict(self.headers), body)
            if reply is None:
                self.close_connection = True
                return
            self.send_response(reply.status_code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply.content)))
            self.end_headers()
            self.wfile.write(reply.content)

        do_GET = do_POST = do_PUT = handle_any  # noqa: N815 - the names are the library's

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}", between
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def interrupted(url: str, between: Between, cli: Cli, command: list[str], nth: int, how) -> Ended:
    """Run a command that gets a signal when its n-th batch is in the log, its answer on the way."""
    started: Future[subprocess.Popen[bytes]] = Future()

    def end(number: int) -> bool:
        if number == nth:
            process = started.result()
            process.send_signal(how)
            process.wait()
        return number < nth

    between.before_answer = end
    with cli.start(*command, "--url", url) as process:
        started.set_result(process)
        out, err = process.communicate()
    between.before_answer = lambda number: True
    return Ended(process.returncode, out.decode(), err.decode())


@pytest.mark.parametrize("in_flight", ["1", "3"])
@pytest.mark.parametrize("nth", [1, 7])
def test_an_import_that_was_killed_goes_on(cli, server, client, board, file, nth, in_flight):
    results = file.with_name("results.jsonl")
    command = ["import", str(file), "--board", board, "--batch", str(BATCH)]
    command += ["--in-flight", in_flight, "--results", str(results), "--json"]
    state = file.with_name("rows.csv.toprung-import.json")
    with standing_between(server.url) as (url, between):
        ended = interrupted(url, between, cli, command, nth, signal.SIGKILL)
        assert ended.status == -signal.SIGKILL
        kept = json.loads(state.read_text())["progress"]["rows"] if state.exists() else 0
        assert kept <= (nth - 1) * BATCH
        done = good(cli(*command, "--url", url)).json
    assert done["rows"] == sum(done["outcomes"].values()) == ROWS
    assert set(done["outcomes"]) <= {"counted", "duplicate"}
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["row"] for line in lines] == list(range(1, ROWS + 1))
    assert totals(client, board) == ALL_ONCE
    assert not state.exists()


def test_an_import_that_was_killed_is_not_begun_anew(cli, server, board, file):
    """What was acknowledged is not sent again: the second run has less to do."""
    command = ["import", str(file), "--board", board, "--batch", str(BATCH), "--in-flight", "1"]
    with standing_between(server.url) as (url, between):
        interrupted(url, between, cli, command, 5, signal.SIGKILL)
        sent = []
        between.before_answer = lambda number: bool(sent.append(number) or True)
        again = good(cli(*command, "--url", url))
    assert again.err == f"went on after row {4 * BATCH} of an earlier run\n"
    assert len(sent) == ROWS // BATCH - 4


def test_restart_begins_anew(cli, server, client, board, file):
    command = ["import", str(file), "--board", board, "--batch", str(BATCH), "--in-flight", "1"]
    with standing_between(server.url) as (url, between):
        interrupted(url, between, cli, command, 5, signal.SIGKILL)
        again = good(cli(*command, "--restart", "--json", "--url", url))
    assert again.json["outcomes"]["duplicate"] == 5 * BATCH
    assert totals(client, board) == ALL_ONCE


def test_ctrl_c_is_quiet_and_says_how_to_go_on(cli, server, client, board, file):
    command = ["import", str(file), "--board", board, "--batch", str(BATCH), "--in-flight", "1"]
    with standing_between(server.url) as (url, between):
        ended = interrupted(url, between, cli, command, 3, signal.SIGINT)
    assert ended.status == 130
    assert ended.err == f"interrupted: {2 * BATCH} rows are in; the same command goes on there\n"


def test_a_changed_file_or_another_board_begins_anew(cli, server, client, board, names, file):
    other = next(names)
    client.put_board(other, BoardSettings())
    command = ["import", str(file), "--batch", str(BATCH), "--in-flight", "1", "--json"]
    with standing_between(server.url) as (url, between):
        interrupted(url, between, cli, [*command, "--board", board], 5, signal.SIGKILL)
        elsewhere = good(cli(*command, "--board", other, "--url", url))
    assert elsewhere.json["outcomes"] == {"counted": ROWS}
    assert totals(client, other) == ALL_ONCE


def test_an_import_goes_on_where_command_and_server_were_killed(tmp_path, file):
    with running_server(tmp_path) as running:
        cli = Cli({"TOPRUNG_KEY": running.keys["admin"]})
        with Client(running.url, running.keys["admin"]) as client:
            client.put_board("b")
        command = ["import", str(file), "--board", "b", "--batch", str(BATCH), "--json"]
        with standing_between(running.url) as (url, between):
            interrupted(url, between, cli, [*command, "--in-flight", "1"], 4, signal.SIGKILL)
            running.kill()
            running.restart()
            between.target = running.url
            done = good(cli(*command, "--url", url))
        with Client(running.url, running.keys["admin"]) as client:
            assert totals(client, "b") == ALL_ONCE
    assert done.json["rows"] == ROWS

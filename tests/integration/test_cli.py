"""Every command against a real server, as its user sees it: what it prints, and how it fails."""

import csv
import gzip
import io
import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import apsw
import msgspec
import pytest

import toprung
from toprung.ports.store import Changes
from toprung.sdk import BoardSettings, Client, Column, ScoreEvent
from toprung.sqlite import open_database
from toprung.store.sqlite import SqliteScoreStore
from toprung.testing.agreement import stored_entries
from toprung.testing.cli import Cli, Ended
from toprung.testing.server import Server, running_server

LEAGUE = BoardSettings(columns=(Column("points"), Column("goal_difference")), ties="shared")


@pytest.fixture
def board(client, names) -> str:
    """A board with four players: ana 40, bob 30, cid 20, eve 10."""
    name = next(names)
    client.put_board(name, BoardSettings(windows=("all", "daily")))
    scores = {"ana": 40, "bob": 30, "cid": 20, "eve": 10}
    client.submit_many([ScoreEvent(name, player, score) for player, score in scores.items()])
    return name


def good(ended: Ended) -> Ended:
    assert (ended.status, ended.code) == (0, ""), ended.err
    return ended


def table(ended: Ended) -> list[list[str]]:
    """What a pipe gets: tab-separated lines under a header."""
    return [line.split("\t") for line in good(ended).out.splitlines()]


def check_failed(ended: Ended, code: str, status: int = 1) -> None:
    assert (ended.status, ended.code) == (status, code), ended.err
    assert 1 <= len(ended.err.splitlines()) <= 2
    assert ended.out == ""


def rows_of(ended: Ended) -> list[tuple[int, str, str]]:
    return [(row["rank"], row["player_id"], row["score"]) for row in good(ended).json["rows"]]


# --- scores and standings


def test_a_score_says_what_it_did(cli, board):
    ended = good(cli("score", board, "eve", "25", "--event-id", "e1"))
    assert ended.err == "counted: event e1\n"
    assert table(ended)[1] == ["all", "all", "35", "10", "2", "4"]
    again = good(cli("score", board, "eve", "25", "--event-id", "e1", "--json"))
    assert (again.json["outcome"], again.json["first"]) == ("duplicate", "counted")


def test_a_score_may_be_negative_and_have_columns(cli, board, client, names):
    assert good(cli("score", board, "low", "-5", "--json")).json["score"] == "-5"
    league = next(names)
    client.put_board(league, LEAGUE)
    columns = ["rank", "player", "name", "points", "goal_difference", "reached_at"]
    assert table(cli("top", league)) == [columns]
    good(cli("score", league, "reds", "points=3", "goal_difference=-2"))
    header, row = table(cli("top", league))
    assert header == columns
    assert row[:5] == ["1", "reds", "", "3", "-2"]


def test_a_score_says_in_which_segment_it_counts(cli, client, names):
    name = next(names)
    client.put_board(name, BoardSettings(segments=("country", "plan"), segment_at="event"))
    carried = ("--segment", "country:NO", "--segment", "plan:a:b")
    good(cli("score", name, "ana", "3", *carried))
    client.submit(name, "ana", 4, segments={"country": "SE"})
    client.submit_many([ScoreEvent(name, "ana", 5, segments={"country": "SE"})])

    scores = [
        rows_of(cli("top", name, "--segment", segment, "--json"))
        for segment in ("country:NO", "plan:a:b", "country:SE")
    ]
    assert scores == [[(1, "ana", "3")], [(1, "ana", "3")], [(1, "ana", "9")]]
    for wrong in (["country"], ["country:NO", "--segment", "country:SE"]):
        refused = cli("score", name, "ana", "3", "--segment", *wrong)
        assert (refused.status, "--segment" in refused.err) == (2, True)


def test_a_score_that_is_refused(cli, board):
    check_failed(cli("score", board, "ana", "many"), "invalid")
    check_failed(cli("score", board, "ana", "1", "--at", "2999-01-01T00:00:00Z"), "early")
    check_failed(cli("score", "nowhere", "ana", "1"), "unknown_board")
    good(cli("score", board, "ana", "1", "--event-id", "once"))
    check_failed(cli("score", board, "ana", "2", "--event-id", "once"), "conflict")


def test_top_rank_and_around(cli, board):
    assert rows_of(cli("top", board, "-k", "2", "--json")) == [(1, "ana", "40"), (2, "bob", "30")]
    assert [row[1] for row in table(cli("top", board, "--window", "daily"))[1:]] == [
        "ana",
        "bob",
        "cid",
        "eve",
    ]
    rank = good(cli("rank", board, "bob", "--json")).json
    assert (rank["rank"], rank["total"], rank["percentile"]) == (2, 4, 75.0)
    shown = ["2", "bob", "", "30", "75.00", "50.00", "4"]
    assert table(cli("rank", board, "bob"))[1] == shown
    assert rows_of(cli("around", board, "bob", "-n", "1", "--json")) == [
        (1, "ana", "40"),
        (2, "bob", "30"),
        (3, "cid", "20"),
    ]
    assert len(rows_of(cli("around", board, "eve", "--size", "3", "--json"))) == 3


def test_numbering_and_period_can_be_chosen(cli, board, client):
    client.submit(board, "bea", 30)
    shared = rows_of(cli("top", board, "--numbering", "shared", "--json"))
    assert [rank for rank, _, _ in shared] == [1, 2, 2, 4, 5]
    before = good(cli("top", board, "--window", "daily", "--period", "previous", "--json"))
    assert before.json["rows"] == []


def test_who_is_not_there(cli, board):
    check_failed(cli("rank", board, "nobody"), "unranked_player")
    check_failed(cli("around", board, "nobody"), "unranked_player")
    check_failed(cli("top", "nowhere"), "unknown_board")


@pytest.mark.parametrize(
    "arguments",
    [
        ["top"],
        ["top", ""],
        ["top", "b", "-k", "0"],
        ["top", "b", "--bogus"],
        ["top", "b", "--numbering", "odd"],
        ["around", "b", "p", "-n", "1", "--size", "2"],
        ["score", "b", "p", "1", "--bogus"],
        ["import", "x.csv", "--map", "nonsense"],
        ["nonsense"],
        ["top", "\udcff"],
    ],
)
def test_a_wrong_command_line_has_a_status_of_its_own(cli, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("")
    ended = cli(*arguments)
    assert ended.status == 2
    assert "Error: " in ended.err
    assert "Traceback" not in ended.err


# --- boards, seasons, players


def test_boards_as_a_file(cli, tmp_path, names, client):
    name = next(names)
    path = tmp_path / "boards.toml"
    path.write_text(f'[boards.{name}]\nmode = "best"\ngrace = "60m"\n')
    plan = cli("boards", "plan", str(path), "--detailed-exitcode")
    assert (plan.status, plan.out) == (2, f"+ {name}\n    mode = best\n")
    check_failed_with_plan = cli("boards", "apply", str(path))
    assert (check_failed_with_plan.status, check_failed_with_plan.code) == (1, "not_confirmed")
    good(cli("boards", "apply", str(path), "--yes"))
    assert cli("boards", "plan", str(path), "--detailed-exitcode").out == "no differences\n"
    good(cli("boards", "apply", str(path)))
    client.submit(name, "ana", 5)
    client.submit(name, "ana", 3)

    path.write_text(f'[boards.{name}]\nmode = "sum"\ntitle = "New"\n')
    steps = good(cli("boards", "plan", str(path), "--json")).json["boards"]
    assert [
        (change["setting"], change["old"], change["new"], change["fixed"])
        for change in steps[0]["changes"]
    ] == [("mode", "best", "sum", True), ("title", '""', "New", False)]
    fixed = cli("boards", "apply", str(path), "--yes")
    assert (fixed.status, fixed.code) == (1, "settings_fixed")
    error, hint = fixed.err.splitlines()
    assert error == (
        f"error: settings_fixed: board '{name}' has events, so this cannot change: "
        'mode is "best", asked for "sum"; 0 of 1 boards were brought up to date'
    )
    assert hint == "hint: --recompute works the board out anew from its log"
    good(cli("boards", "apply", str(path), "--yes", "--recompute"))
    assert client.top(name).rows[0].score == "8"


def test_a_board_that_fails_keeps_no_other_from_being_done(cli, board, tmp_path, names):
    new, also = next(names), next(names)
    path = tmp_path / "boards.toml"
    path.write_text(f'[boards.{new}]\n[boards.{board}]\nmode = "last"\n[boards.{also}]\n')
    ended = cli("boards", "apply", str(path), "--yes")
    assert (ended.status, ended.code) == (1, "settings_fixed")
    assert "; 2 of 3 boards were brought up to date\n" in ended.err
    assert good(cli("boards", "show", also, "--json")).json["board"] == also


def test_boards_that_a_file_does_not_name_are_dropped_only_when_asked(tmp_path):
    with running_server(tmp_path) as running:
        cli = Cli({"TOPRUNG_URL": running.url, "TOPRUNG_KEY": running.keys["admin"]})
        path = tmp_path / "boards.toml"
        path.write_text("[boards.a]\n[boards.b]\n")
        good(cli("boards", "apply", str(path), "--yes"))
        path.write_text("[boards.b]\n")
        assert cli("boards", "plan", str(path)).out == "no differences\n"
        assert cli("boards", "plan", str(path), "--prune").out == "- a\n"
        good(cli("boards", "apply", str(path), "--prune", "--yes"))
        boards = good(cli("boards", "list", "--json")).json["boards"]
        assert [each["board"] for each in boards] == ["b"]


def test_a_file_of_boards_that_is_wrong(cli, tmp_path):
    check_failed(cli("boards", "plan", str(tmp_path / "none.toml")), "file")
    path = tmp_path / "boards.toml"
    path.write_text("[boards.x]\nmode = 3\n")
    check_failed(cli("boards", "apply", str(path), "--yes"), "bad_boards")
    path.write_text("[[[")
    check_failed(cli("boards", "plan", str(path)), "bad_toml")


def test_boards_list_and_show(cli, board):
    assert [board, "sum", "score desc", "all, daily", ""] in table(cli("boards", "list"))
    shown = table(cli("boards", "show", board))
    assert ["mode", "sum"] in shown
    assert ["all", "all", "", "", ""] in shown
    assert good(cli("boards", "show", board, "--json")).json["board"] == board
    check_failed(cli("boards", "show", "nowhere"), "unknown_board")


def test_seasons(cli, client, names):
    name = next(names)
    client.put_board(name, BoardSettings(windows=("season",)))
    begin = [
        "seasons",
        "begin",
        name,
        "reset-1",
        "--name",
        "spring",
        "--at",
        "2026-03-01T00:00:00Z",
    ]
    assert good(cli(*begin)).err.startswith("created: season spring")
    assert good(cli(*begin, "--json")).json["result"] == "unchanged"
    assert [row[0] for row in table(cli("seasons", "list", name))] == ["season", "0", "spring"]
    assert len(good(cli("seasons", "list", name, "--json")).json["seasons"]) == 2
    check_failed(cli("seasons", "begin", name, "reset-1", "--name", "other"), "conflict")


def test_players(cli, board):
    set_ = ["players", "set", "ana", "--name", "Ana B.", "--attribute", "country=pt"]
    assert table(cli(*set_))[1][:4] == ["ana", "Ana B.", "", "country=pt"]
    assert good(cli("players", "show", "ana", "--json")).json["attributes"] == {"country": "pt"}
    assert table(cli("top", board))[1][2] == "Ana B."
    check_failed(cli("players", "show", "nobody"), "unknown_player")


# --- keys


def test_keys_are_known_at_once_and_refused_when_revoked(server, cli):
    db = ["--db", str(server.server.database)]
    made = good(cli("keys", "create", *db, "--project", "game", "--role", "client"))
    key = made.out.strip()
    assert key.startswith("tr_client_")
    assert key not in made.err
    listed = good(cli("keys", "list", *db, "--json"))
    assert key.rpartition("_")[2] not in listed.out
    key_id = key.split("_")[2]
    assert key_id in {each["id"] for each in listed.json["keys"]}
    assert good(cli("boards", "list", "--key", key)).status == 0

    good(cli("keys", "revoke", *db, key))
    shown = [row for row in table(cli("keys", "list", *db)) if row[0] == key_id]
    assert shown[0][5] != ""
    good(cli("keys", "revoke", *db, key_id))
    check_failed(cli("keys", "revoke", *db, "0" * 12), "unknown_key")


def test_a_key_of_the_wrong_role_or_none(cli, server, board):
    client_key = server.keys["client"]
    check_failed(cli("score", board, "ana", "1", "--key", client_key), "forbidden")
    check_failed(cli("top", board, "--key", "nonsense"), "unauthorized")
    check_failed(cli("top", board, "--key", ""), "no_key")
    check_failed(cli("top", board, "--key", "ä"), "invalid")
    check_failed(cli("top", board, "--url", "ftp://x"), "bad_url")
    check_failed(cli("top", board, "--url", "http://127.0.0.1:1"), "unreachable")


def test_keys_of_a_file_that_is_none(cli, tmp_path):
    check_failed(cli("keys", "list", "--db", str(tmp_path / "none.db")), "no_database")
    (tmp_path / "foreign.db").write_bytes(b"not a database, but long enough to be read as one")
    create = ["keys", "create", "--project", "p", "--role", "admin"]
    check_failed(cli(*create, "--db", str(tmp_path / "foreign.db")), "foreign_file")
    check_failed(cli("keys", "create", "--project", "P", "--role", "admin"), "invalid")


# --- export


def test_an_export_can_be_imported_elsewhere(cli, client, names, tmp_path):
    source, goal = next(names), next(names)
    for name in (source, goal):
        client.put_board(name, LEAGUE)
    client.submit_many(
        [
            ScoreEvent(
                source, f'team {number}, "{number}"', {"points": number % 3, "goal_difference": 0}
            )
            for number in range(30)
        ]
    )
    for name in ("out.csv", "out.jsonl", "out.csv.gz"):
        path = tmp_path / name
        assert good(cli("export", source, "-o", str(path))).err == f"30 rows are in {path}\n"
        good(cli("import", str(path), "--board", goal, "--strict"))
        want, got = client.top(source, k=100), client.top(goal, k=100)
        assert [(r.rank, r.player_id, r.columns, r.reached_at) for r in got.rows] == [
            (r.rank, r.player_id, r.columns, r.reached_at) for r in want.rows
        ]
        client.drop_board(goal)
        client.put_board(goal, LEAGUE)
    assert {path.name for path in tmp_path.iterdir()} == {"out.csv", "out.jsonl", "out.csv.gz"}
    with gzip.open(tmp_path / "out.csv.gz", "rb") as packed:
        assert packed.read() == (tmp_path / "out.csv").read_bytes()


def test_an_export_to_standard_output(cli, board):
    rows = list(csv.DictReader(io.StringIO(good(cli("export", board)).out)))
    assert [(row["rank"], row["player_id"], row["points"]) for row in rows][:2] == [
        ("1", "ana", "40"),
        ("2", "bob", "30"),
    ]
    lines = good(cli("export", board, "--format", "jsonl")).out.splitlines()
    assert [json.loads(line)["points"] for line in lines] == ["40", "30", "20", "10"]


def test_a_failed_export_leaves_no_file(cli, tmp_path):
    check_failed(cli("export", "nowhere", "-o", str(tmp_path / "x.csv")), "unknown_board")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["export", "top"])
def test_a_reader_that_goes_away_is_no_error(cli, client, names, command):
    name = next(names)
    client.put_board(name, BoardSettings())
    client.submit_many([ScoreEvent(name, f"player {n}", n) for n in range(3000)], ranks=False)
    with cli.start(command, name) as process:
        process.stdout.close()
        _, err = process.communicate()
    assert err == b""


# --- rebuild and verify


def test_verify_finds_a_planted_difference_and_rebuild_mends_it(tmp_path):
    cli = Cli()
    with running_server(tmp_path) as running:
        with Client(running.url, running.keys["admin"]) as client:
            client.put_board("b")
            client.submit_many([ScoreEvent("b", f"p{n}", n) for n in range(100)])
        db = ["--db", str(running.server.database)]
        beside = good(cli("verify", *db))
        assert beside.err.startswith("log, store and view agree")
        in_use = cli("rebuild", *db)
        check_failed(in_use, "in_use")
        assert "--url" in in_use.err

    plant_entry(running.server.database, "p7")
    found = cli("verify", *db)
    assert found.status == 1
    assert "p7" in found.out
    as_json = cli("verify", *db, "--json")
    assert (as_json.status, as_json.json["differences"]) == (1, 1)
    assert as_json.json["shown"][0]["where"] == "store"

    rebuilt = good(cli("rebuild", *db, "--json"))
    assert rebuilt.json == {"rows": 101}
    assert good(cli("verify", *db, "--json")).json["differences"] == 0


def test_a_server_rebuilds_beside_reads_and_writes(tmp_path):
    """Of two servers that are told the same one is damaged, and rebuilds while it is told more."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    cli = Cli()
    with running_server(tmp_path / "a") as damaged, running_server(tmp_path / "b") as twin:
        pair, at = (damaged, twin), "2026-01-15T00:00:00Z"

        def tell(number: int) -> None:
            events = [
                ScoreEvent("b", f"p{n}", n * number % 91, event_id=f"{number} {n}", at=at)
                for n in range(50)
            ]
            for running in pair:
                with Client(running.url, running.keys["admin"]) as client:
                    client.submit_many(events)
                    client.put_player(f"p{number}", name=f"Player {number}")
                    client.put_board(f"board-{number}")
                    if number % 2:
                        client.drop_board(f"board-{number}")
                        client.begin_season("b", f"s{number}", at=f"2026-01-01T00:{number:02}:00Z")
                    client.top("b", window="season")

        for running in pair:
            with Client(running.url, running.keys["admin"]) as client:
                client.put_board(
                    "b", BoardSettings(windows=("all", "season"), grace="none", max_ahead="none")
                )
        for number in range(1, 6):
            tell(number)
        plant(damaged.server.database, "DELETE FROM seen WHERE first > 100; DELETE FROM profiles")
        db = ["--db", str(damaged.server.database)]
        assert cli("verify", *db).status == 1
        to = ["--url", damaged.url, "--key", damaged.keys["admin"]]
        with cli.start("rebuild", *to, "--json") as process:
            number = 6
            while process.poll() is None and number < 60:
                tell(number)
                number += 1
            out, err = process.communicate()
        assert (process.returncode, err) == (0, b"")
        assert msgspec.json.decode(out)["state"] == "done"

        assert good(cli("verify", *db, "--json")).json["differences"] == 0
        states = []
        for running in pair:
            with Client(running.url, running.keys["admin"]) as client:
                boards = [board.board for board in client.boards().boards]
                tops = [client.top("b", k=100, window=window).rows for window in ("all", "season")]
                events = [client.event("b", f"{told} 7").outcome for told in range(1, number)]
                states.append((boards, tops, events))
        assert states[0] == states[1]


def test_only_an_admin_has_a_server_rebuild(server):
    refused = Cli()("rebuild", "--url", server.url, "--key", server.keys["server"])
    check_failed(refused, "forbidden")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory) -> Path:
    """The database of a server that has stopped, with a hundred players."""
    folder = tmp_path_factory.mktemp("stopped")
    with running_server(folder) as running, Client(running.url, running.keys["admin"]) as client:
        client.put_board("b")
        client.submit_many([ScoreEvent("b", f"p{n}", n) for n in range(100)])
    return running.server.database


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM entry_blocks",
        "DELETE FROM seen",
        "DELETE FROM boards",
        "DELETE FROM log WHERE first > 1",
    ],
)
def test_verify_finds_what_is_missing(stopped, tmp_path, change):
    database = tmp_path / "toprung.db"
    shutil.copy(stopped, database)
    plant(database, change)
    found = Cli()("verify", "--db", str(database))
    assert found.status == 1, found.err
    assert found.out != ""
    assert "internal" not in found.err


def plant_entry(path: Path, player: str) -> None:
    """Change what the board ``b`` has of a player, as if it had been written so."""
    database = open_database(path)
    store = SqliteScoreStore(database)
    key = (store.boards()[0].board_id, "all", "all")
    entry = stored_entries(store, key, [player])[player]
    wrong = msgspec.structs.replace(entry, columns=(entry.columns[0] + 1,))
    store.write(Changes(store.checkpoint(), entries={key: {player: wrong}}))
    database.close()


def plant(database: Path, sql: str) -> None:
    connection = apsw.Connection(str(database))
    connection.execute(sql)
    connection.close()


def test_nothing_to_rebuild_or_verify(tmp_path):
    for command in ("rebuild", "verify"):
        check_failed(Cli()(command, "--db", str(tmp_path / "none.db")), "no_database")
    assert list(tmp_path.iterdir()) == []


# --- serve and the rest


def test_settings_come_from_flags_then_the_environment_then_the_file(tmp_path, monkeypatch):
    config = tmp_path / "toprung.toml"
    config.write_text('port = 1\nview = "off"\nhost = "192.0.2.1"\n')
    monkeypatch.setenv("TOPRUNG_HOST", "127.0.0.2")
    server = Server(tmp_path / "a.db", "--config", str(config))
    with server:  # the helper's flags name the host and the port
        assert server.url.startswith("http://127.0.0.1:")


def test_a_server_that_cannot_start(tmp_path):
    cli = Cli()
    serve = ["serve", "--port", "0", "--db", str(tmp_path / "a.db")]
    check_failed(cli(*serve, "--config", str(tmp_path / "none.toml")), "file")
    (tmp_path / "c.toml").write_text("prot = 1")
    strange = cli(*serve, "--config", str(tmp_path / "c.toml"))
    check_failed(strange, "invalid")
    assert f"{tmp_path / 'c.toml'}: unknown field 'prot'" in strange.err
    (tmp_path / "c.toml").write_text("= 1")
    check_failed(cli(*serve, "--config", str(tmp_path / "c.toml")), "bad_toml")
    (tmp_path / "foreign.db").write_bytes(b"not a database, but long enough to be read as one")
    check_failed(cli("serve", "--db", str(tmp_path / "foreign.db")), "foreign_file")


def test_a_server_that_does_not_listen_asks_for_no_key(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = Cli()("serve", "--db", str(tmp_path / "a.db"), "--port", port)
    check_failed(ended, "address_unavailable")


def test_a_server_without_a_key_says_how_to_make_one(tmp_path):
    with Server(tmp_path / "a.db"):
        pass
    log = (tmp_path / "a.db.log").read_text()
    hint = next(line for line in log.splitlines() if "toprung keys create" in line)
    good(Cli()(*hint.split()[1:]))
    with Server(tmp_path / "a.db"):
        pass
    assert (tmp_path / "a.db.log").read_text().count("toprung keys create") == 1


def test_version():
    assert good(Cli()("--version")).out.startswith(f"toprung {toprung.__version__}, native core")


ONLY_CLIENT = """
import sys
for name in ("apsw", "prometheus_client", "starlette", "structlog", "uvicorn", "uvloop"):
    sys.modules[name] = None
from toprung.cli import main
main()
"""


def only_client(*arguments: str) -> Ended:
    done = subprocess.run(
        [sys.executable, "-c", ONLY_CLIENT, *arguments], capture_output=True, text=True, check=False
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def test_client_commands_run_without_the_server_packages(server, board):
    remote = ["--url", server.url, "--key", server.keys["client"]]
    assert len(rows_of(only_client("top", board, *remote, "--json"))) == 4
    assert only_client("--help").status == 0
    assert only_client("--version").status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["demo"],
        ["keys", "list"],
        ["keys", "create", "--project", "p", "--role", "admin"],
        ["rebuild"],
        ["verify"],
    ],
)
def test_server_commands_say_what_to_install(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = only_client(*arguments)
    check_failed(ended, "no_server")
    assert "toprung[server]" in ended.err
    assert list(tmp_path.iterdir()) == []

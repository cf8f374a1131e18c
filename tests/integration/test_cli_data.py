"""Data out of a board and SQL on it: exact in every format, from a server and from a file."""

import csv
import decimal
import gzip
import io
import json

import duckdb
import pytest

from toprung.app.local import LocalTransport
from toprung.cli.errors import Failed
from toprung.cli.exporting.command import write_all
from toprung.cli.exporting.sources import snapshots
from toprung.cli.exporting.writers import csv_writer
from toprung.sdk import BoardSettings, Client, Column, PublishDelay, ScoreEvent
from toprung.testing.cli import Cli, Ended
from toprung.testing.server import running_server

LARGEST = 2**63 - 1
FINE = BoardSettings(columns=(Column("laps"), Column("time", decimals=9)), windows=("all", "daily"))
WHAT = ("entries", "events")
ODD = ["plain", 'a "quote", a comma', "two\nlines", "a\rreturn", "=1+1", "é\u2028ü", "007"]


def good(ended: Ended) -> Ended:
    assert (ended.status, ended.code) == (0, ""), ended.err
    return ended


def check_failed(ended: Ended, code: str) -> None:
    assert (ended.status, ended.code) == (1, code), ended.err


@pytest.fixture
def plain(client, names) -> str:
    """A board whose players have every odd name, and numbers that no float holds."""
    name = next(names)
    client.put_board(name)
    client.submit_many(
        [
            ScoreEvent(
                name,
                player,
                LARGEST - n,
                event_id=f"e{n}",
                at=f"2026-05-04T12:00:00.00000{n}Z",
                match_id="m",
                metadata={"big": 12345678901234567890},
            )
            for n, player in enumerate(ODD)
        ],
        history=True,
    )
    client.put_player("plain", name="=SUM(A1)")
    return name


@pytest.fixture
def fine(client, names) -> str:
    """A board with two columns, one of nine decimals."""
    name = next(names)
    client.put_board(name, FINE)
    client.submit(name, "ana", {"laps": -3, "time": "9223372036.854775807"}, event_id="1")
    client.submit(name, "bo", {"laps": 7, "time": "0.000000001"}, event_id="2")
    return name


def read(path, order: str) -> list[tuple[object, ...]]:
    with duckdb.connect() as database:
        database.execute("SET TimeZone = 'UTC'")
        return database.execute(f'SELECT * FROM "{path}" ORDER BY {order}').fetchall()


def types(path) -> dict[str, str]:
    with duckdb.connect() as database:
        found = database.execute(f'DESCRIBE SELECT * FROM "{path}"').fetchall()
    return {row[0]: row[1] for row in found}


def test_parquet_of_entries_has_exact_types_and_every_id(cli, plain, tmp_path):
    path = tmp_path / "entries.parquet"
    assert good(cli("export", plain, "-o", str(path))).err == f"7 rows are in {path}\n"

    rows = read(path, "rank")

    assert types(path) == {
        "rank": "BIGINT",
        "player_id": "VARCHAR",
        "name": "VARCHAR",
        "points": "BIGINT",
        "at": "TIMESTAMP WITH TIME ZONE",
    }
    assert [row[:4] for row in rows] == [
        (n + 1, player, "=SUM(A1)" if n == 0 else None, LARGEST - n) for n, player in enumerate(ODD)
    ]
    assert [row[4].microsecond for row in rows] == list(range(7))
    assert {each.name for each in tmp_path.iterdir()} == {"entries.parquet"}


def test_parquet_of_events_has_every_event_with_its_outcome(cli, client, plain, tmp_path):
    client.submit_many(
        [
            ScoreEvent(plain, "plain", LARGEST, event_id="e0", at="2026-05-04T12:00:00Z"),
            ScoreEvent(plain, "plain", 5, event_id="e0"),
        ]
    )
    path = tmp_path / "events.parquet"
    good(cli("export", plain, "--what", "events", "-o", str(path)))

    rows = read(path, "seq")

    assert [(row[2], row[3], row[4], row[6]) for row in rows] == [
        *((f"e{n}", player, LARGEST - n, "counted") for n, player in enumerate(ODD)),
        ("e0", "plain", LARGEST, "duplicate"),
        ("e0", "plain", 5, "conflict"),
    ]
    assert rows[0][7:] == ([], True, "m", '{"big":12345678901234567890}', False, False)
    assert rows[-1][8:] == (False, None, None, False, False)


def test_decimals_are_decimals(cli, fine, tmp_path):
    path = tmp_path / "entries.parquet"
    good(cli("export", fine, "-o", str(path)))

    assert [row[3:5] for row in read(path, "rank")] == [
        (7, decimal.Decimal("0.000000001")),
        (-3, decimal.Decimal("9223372036.854775807")),
    ]
    assert types(path)["points.time"] == "DECIMAL(28,9)"


@pytest.mark.parametrize("name", ["events.csv", "events.jsonl", "events.csv.gz"])
def test_events_can_be_imported_as_they_are(cli, client, names, plain, tmp_path, name):
    path, goal = tmp_path / name, next(names)
    good(cli("export", plain, "--what", "events", "-o", str(path)))
    client.put_board(goal)

    good(cli("import", str(path), "--board", goal, "--history", "--strict"))

    got, want = client.top(goal), client.top(plain)
    assert got.rows == want.rows
    assert [
        (row.event_id, row.player_id, row.points, row.at, row.match_id, row.metadata)
        for row in client.events(goal).rows
    ] == [
        (row.event_id, row.player_id, row.points, row.at, row.match_id, row.metadata)
        for row in client.events(plain).rows
    ]


def test_a_spreadsheet_runs_nothing(cli, plain, tmp_path):
    path = tmp_path / "x.csv"
    good(cli("export", plain, "--spreadsheet", "-o", str(path)))

    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))

    assert rows[0]["name"] == "'=SUM(A1)"
    assert rows[4]["player_id"] == "'=1+1"


def test_snapshots_are_the_final_standings_of_closed_periods(door, tmp_path):
    text = io.StringIO()
    with Client(
        "http://door", door.keys["admin"], transport=LocalTransport(door.application)
    ) as client:
        client.put_board("b", BoardSettings(windows=("daily", "weekly"), grace="1h"))
        for day, player, points in (("03", "ana", 5), ("02", "bo", 7), ("02", "ana", 1)):
            at = f"2026-05-{day}T10:00:00Z"
            client.submit("b", player, points, event_id=f"{day}{player}", at=at, history=True)
        client.submit("b", "cy", 9, event_id="today")
        for _ in range(2):
            door.engine.jobs.look()
            door.engine.writer.run_alone(lambda: tidy(door)).result()

        table = snapshots(client, "b", None, None)
        one = [page.rows for page in snapshots(client, "b", "daily", "previous").pages()]
        with pytest.raises(Failed) as refused:
            snapshots(client, "b", "daily", "current")
        write_all(table, csv_writer(table, text), quiet=True)

    assert text.getvalue().splitlines() == [
        "window,period,version,rank,player_id,name,points,at",
        "daily,2026-05-02,1,1,bo,,7,2026-05-02T10:00:00Z",
        "daily,2026-05-02,1,2,ana,,1,2026-05-02T10:00:00Z",
        "daily,2026-05-03,1,1,ana,,5,2026-05-03T10:00:00Z",
        "weekly,2026-W18,1,1,bo,,7,2026-05-02T10:00:00Z",
        "weekly,2026-W18,1,2,ana,,6,2026-05-03T10:00:00Z",
    ]
    assert one == [[("daily", "2026-05-03", 1, 1, "ana", None, "5", "2026-05-03T10:00:00Z")]]
    assert refused.value.code == "not_closed"


def test_snapshots_that_are_left_out_are_named(door, capsys):
    with Client(
        "http://door", door.keys["admin"], transport=LocalTransport(door.application)
    ) as client:
        delayed = BoardSettings(windows=("daily",), grace="1h", publish_delay=PublishDelay(1, "7d"))
        client.put_board("b", delayed)
        for day, player, points in (("02", "ana", 4), ("03", "ana", 5), ("03", "bo", 3)):
            at = f"2026-05-{day}T10:00:00Z"
            client.submit("b", player, points, event_id=f"{day}{player}", at=at, history=True)
        for _ in range(2):
            door.engine.jobs.look()
            door.engine.writer.run_alone(lambda: tidy(door)).result()
        client.publish("b", "2026-05-02")

        def players(period, *, full):
            pages = list(snapshots(client, "b", None, period, full=full).pages())
            return [(row[1], row[4]) for page in pages for row in page.rows]

        assert players(None, full=False) == [("2026-05-02", "ana")]
        assert "daily 2026-05-03 is left out: ranks 1 to 1 are withheld" in capsys.readouterr().err
        whole = [("2026-05-02", "ana"), ("2026-05-03", "ana"), ("2026-05-03", "bo")]
        assert players(None, full=True) == whole
        assert capsys.readouterr().err == ""
        assert players("previous", full=True) == whole[1:]
        with pytest.raises(Failed) as refused:
            snapshots(client, "b", "daily", "previous")

    assert refused.value.code == "withheld"


def tidy(door) -> None:
    while door.engine.updater.tidy():
        pass


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--what", "events", "--window", "all"], "leave out --window"),
        (["--what", "events", "--period", "current"], "leave out --window"),
        (["--format", "parquet"], "Parquet is written to a file"),
        (["--format", "parquet", "-o", "x.parquet.gz"], "Parquet is written to a file"),
        (["--format", "jsonl", "--spreadsheet"], "for CSV alone"),
    ],
)
def test_options_that_do_not_go_together(cli, plain, options, said):
    ended = cli("export", plain, *options)

    assert ended.status == 2
    assert said in ended.err


def test_events_of_more_decimals_than_the_board_has_now_lose_none(cli, client, names, tmp_path):
    board, path = next(names), tmp_path / "e.parquet"
    client.put_board(board, BoardSettings(columns=(Column("n", decimals=3),), grace="0s"))
    client.submit(board, "ana", "1.5", event_id="counts")
    late = ScoreEvent(board, "ana", "0.125", event_id="early", at="2999-01-01T00:00:00Z")
    client.submit_many([late])
    client.put_board(
        board, BoardSettings(columns=(Column("n", decimals=1),), grace="0s"), if_exists="recompute"
    )

    good(cli("export", board, "--what", "events", "-o", str(path)))

    assert [row[4] for row in read(path, "seq")] == [
        decimal.Decimal("1.500"),
        decimal.Decimal("0.125"),
    ]


# --- a file without a server


def test_a_file_is_read_as_its_server_reads_it(tmp_path):
    (tmp_path / "server").mkdir()
    cli = Cli()
    with (
        running_server(tmp_path / "server") as running,
        Client(running.url, running.keys["admin"]) as client,
    ):
        database = str(running.server.database)
        client.put_board("b", FINE)
        client.submit("b", "ana", {"laps": 1, "time": "2.5"}, event_id="e")
        beside = Cli({"TOPRUNG_URL": running.url, "TOPRUNG_KEY": running.keys["admin"]})
        told = {what: good(beside("export", "b", "--what", what)).out for what in WHAT}
        in_use = cli("export", "b", "--db", database)
        # Killed, so that what its tables lack has to be done again.
        running.kill()

    alone = {what: good(cli("export", "b", "--what", what, "--db", database)).out for what in WHAT}

    check_failed(in_use, "in_use")
    assert alone == told
    assert good(cli("verify", "--db", database, "--json")).json["differences"] == 0
    check_failed(cli("export", "none", "--db", database), "unknown_board")
    check_failed(cli("export", "b", "--db", database, "--project", "other"), "unknown_board")
    check_failed(cli("export", "b", "--db", str(tmp_path / "none.db")), "no_database")


# --- query


@pytest.fixture
def files(cli, fine, tmp_path) -> list[str]:
    """The same standings in every format."""
    paths = [str(tmp_path / name) for name in ("p.parquet", "c.csv", "z.csv.gz", "j.jsonl")]
    for path in paths:
        good(cli("export", fine, "-o", path))
    return paths


def test_every_format_has_the_same_exact_numbers(cli, files):
    for table in "pczj":
        sql = f'SELECT player_id, "points.laps", "points.time" FROM {table} ORDER BY rank'
        assert good(cli("query", sql, *files, "--json")).json == {
            "columns": ["player_id", "points.laps", "points.time"],
            "rows": [["bo", 7, "0.000000001"], ["ana", -3, "9223372036.854775807"]],
        }
        kinds = good(cli("query", f"DESCRIBE {table}", *files, "--json")).json["rows"]
        shown = {row[0]: row[1] for row in kinds}
        assert (shown["points.laps"], shown["points.time"]) == ("BIGINT", "DECIMAL(28,9)")
        assert shown["at"] == "TIMESTAMP WITH TIME ZONE"


@pytest.mark.parametrize("name", ["o.parquet", "o.csv", "o.jsonl"])
def test_odd_ids_are_the_same_in_sql(cli, plain, tmp_path, name):
    path = str(tmp_path / name)
    good(cli("export", plain, "-o", path))

    ended = good(
        cli("query", 'SELECT player_id, points, "at" FROM o ORDER BY rank', path, "--json")
    )

    assert ended.json["rows"] == [
        [player, LARGEST - n, f"2026-05-04T12:00:00{f'.00000{n}' if n else ''}Z"]
        for n, player in enumerate(ODD)
    ]


def test_a_board_is_exported_for_the_question(cli, plain):
    sql = "SELECT count(*), sum(e.points) FROM entries e JOIN events v USING (player_id)"
    ended = good(cli("query", sql, "--board", plain, "--events", "--csv"))

    assert ended.out.splitlines()[1] == f"7,{sum(LARGEST - n for n in range(7))}"


def test_a_table_for_a_person(cli, fine):
    ended = good(cli("query", 'SELECT rank, "points.time", name FROM entries', "--board", fine))

    assert ended.out == "rank\tpoints.time\tname\n1\t0.000000001\t\n2\t9223372036.854775807\t\n"


def test_files_of_others_are_read_as_they_are(cli, tmp_path):
    (tmp_path / "other.csv").write_text("country,people\nNO,5\nDE,80\n")
    with gzip.open(tmp_path / "more.jsonl.gz", "wt") as file:
        file.write(json.dumps({"country": "NO", "code": 47}) + "\n")

    ended = cli(
        "query",
        "SELECT people + code FROM other JOIN more USING (country)",
        str(tmp_path / "other.csv"),
        str(tmp_path / "more.jsonl.gz"),
        "--json",
    )

    assert good(ended).json["rows"] == [[52]]


def test_snapshots_of_a_board_without_any_are_an_empty_table(cli, client, names, tmp_path):
    board, path = next(names), str(tmp_path / "s.csv")
    client.put_board(board, BoardSettings(windows=("daily",)))

    good(cli("export", board, "--what", "snapshots", "-o", path))

    assert good(cli("query", "SELECT period, points FROM s", path, "--json")).json["rows"] == []


def test_an_empty_export_is_an_empty_table(cli, client, names, tmp_path):
    board = next(names)
    client.put_board(board)
    for name in ("p.parquet", "c.csv"):
        good(cli("export", board, "-o", str(tmp_path / name)))
        sql = f"SELECT count(*) FROM {name[0]} WHERE points > 0"
        assert good(cli("query", sql, str(tmp_path / name), "--json")).json["rows"] == [[0]]


def test_what_is_wrong_is_told_in_a_line(cli, files, tmp_path):
    check_failed(cli("query", "SELEC 1", *files), "sql")
    check_failed(cli("query", "SELECT * FROM nowhere", *files), "sql")
    check_failed(cli("query", "SELECT 1", files[0], files[0]), "same_name")
    check_failed(cli("query", "SELECT 1", str(tmp_path / "none.parquet")), "file")
    (tmp_path / "notes.txt").write_text("")
    check_failed(cli("query", "SELECT 1", str(tmp_path / "notes.txt")), "format")
    (tmp_path / "broken.parquet").write_text("no such thing")
    check_failed(cli("query", "SELECT 1", str(tmp_path / "broken.parquet")), "sql")
    assert cli("query", "SELECT 1").status == 2
    assert cli("query", "SELECT 1", *files, "--board", "b").status == 2
    assert cli("query", "SELECT 1", *files, "--csv", "--json").status == 2


def test_without_the_extra_it_says_how_to_get_it(cli, plain, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "duckdb.py").write_text("raise ModuleNotFoundError(name='duckdb')")
    without = Cli({**cli.environment, "PYTHONPATH": str(blocked)})

    for ended in (
        without("export", plain, "-o", str(tmp_path / "x.parquet")),
        without("query", "SELECT 1", "--board", plain),
    ):
        check_failed(ended, "no_data")
        assert "hint: pip install 'toprung[data]'" in ended.err
    assert good(without("export", plain)).out

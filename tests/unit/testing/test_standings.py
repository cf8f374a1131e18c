"""Importing and comparing knows no set; what it counts and what it refuses."""

import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from toprung.testing.standings import importing
from toprung.testing.standings.adapter import (
    BadAdapter,
    Bar,
    Board,
    Event,
    Line,
    Season,
    Standings,
    Step,
    Table,
    load,
    shared_ranks,
)
from toprung.testing.standings.comparing import Tally, compare
from toprung.testing.standings.importing import Importer, ImportRefused
from toprung.testing.standings.runner import missed, run_set

AT = "2026-05-04T12:00:00Z"


def row(rank, player, score, **columns):
    return {"rank": rank, "player_id": player, "score": score, "columns": columns or None}


def page(*rows, following=None):
    return 200, {"rows": list(rows), "next": following}


# Comparing


# official line, the board's row, whether the values are equal, whether the ranks are
LINES = [
    (Line("p", {"score": "9"}, 2), row(2, "p", "9"), 1, 1),
    (Line("p", {"score": "9.0"}, 2), row(2, "p", "9"), 1, 1),
    (Line("p", {"score": "9"}, 2), row(2, "p", "9.01"), 0, 1),
    (Line("p", {"score": "9"}, 2), row(3, "p", "9"), 1, 0),
    (Line("p", {"score": "0"}, 2), None, 0, 0),
    (Line("p", {"gd": "-3", "gf": "4"}, 1), row(1, "p", "9", pts="9", gd="-3", gf="4"), 1, 1),
    (Line("p", {"gd": "-3", "gf": "4"}, 1), row(1, "p", "9", pts="9", gd="3", gf="4"), 0, 1),
]


@pytest.mark.parametrize(("line", "found", "values", "ranks"), LINES)
def test_values_and_ranks_are_counted_apart(line, found, values, ranks):
    tally = Tally()

    tally.add(line, found)

    assert (tally.rows, tally.values_equal, tally.ranked, tally.ranks_equal) == (
        1,
        values,
        1,
        ranks,
    )


def test_a_row_without_an_official_rank_is_not_counted_among_the_ranked():
    tally = Tally()

    tally.add(Line("p", {"score": "9"}), row(7, "p", "9"))

    assert (tally.rows, tally.ranked, tally.ranks_equal) == (1, 0, 0)


def test_a_mean_is_half_to_even_and_nothing_where_nothing_is_counted(product):
    """25 of 4 is 6.25: the digit that is kept is even."""
    points, counts = page(row(1, "p", "25"), row(2, "q", "7")), page(row(1, "p", "4"))
    product.answer = lambda line: counts if "/n/" in line else points
    lines = (Line("p", {"score": "6.2"}), Line("q", {"score": "0"}))
    interval = ("2026-05-01T00:00:00Z", "2026-05-04T00:00:00Z")
    tally = Tally()

    compare(product.api("admin"), Table("b", lines, interval=interval, per="n"), tally)

    assert tally == Tally(rows=2, values_equal=2)
    asked = "from=2026-05-01T00%3A00%3A00Z&to=2026-05-04T00%3A00%3A00Z"
    assert product.lines == [f"GET /v1/boards/{name}/top?k=1000&{asked}" for name in ("b", "n")]


def test_a_board_is_read_to_its_last_page_in_the_period_of_the_table(product):
    product.answer = lambda line: (
        page(row(2, "q", "1")) if "cursor" in line else page(row(1, "p", "2"), following="c1")
    )
    lines = (Line("p", {"score": "2"}, 1), Line("q", {"score": "1"}, 2))
    tally = Tally()

    compare(product.api("admin"), Table("b", lines, "daily", "2026-05-04"), tally)

    assert tally == Tally(rows=2, values_equal=2, ranked=2, ranks_equal=2)
    assert product.lines == [
        "GET /v1/boards/b/top?k=1000&window=daily&period=2026-05-04",
        "GET /v1/boards/b/top?k=1000&cursor=c1",
    ]


def test_equal_totals_share_a_rank_and_the_next_one_skips():
    totals = {"a": Decimal(5), "b": Decimal("7.5"), "c": Decimal(5), "d": Decimal(-1)}

    assert shared_ranks(totals) == {"b": 1, "a": 2, "c": 2, "d": 4}


@pytest.mark.parametrize(
    ("bar", "said"),
    [
        (Bar(0.99, 0.98), []),
        (Bar(1, 0), ["drivers: values equal 99.000%, asked for 100.000%"]),
        (Bar(0, 0.981), ["drivers: ranks equal 98.000%, asked for 98.100%"]),
    ],
)
def test_a_bar_that_is_not_reached_is_told(bar, said):
    tally = Tally(rows=100, values_equal=99, ranked=100, ranks_equal=98)

    assert list(missed({"drivers": tally}, {"drivers": bar})) == said


def test_a_group_that_was_never_compared_misses_its_bar():
    assert len(list(missed({}, {"drivers": Bar(1, 1)}))) == 2


# Importing


@pytest.fixture
def imported(monkeypatch):
    """What each import was given; answers that every row was counted unless told otherwise."""
    calls = []
    outcomes = {}

    def fake(*arguments: str) -> str:
        text = Path(arguments[1]).read_text(encoding="utf-8")
        calls.append((arguments, text))
        rows = len(text.splitlines()) - (arguments[1].endswith(".csv"))
        return msgspec.json.encode({"outcomes": outcomes or {"counted": rows}}).decode()

    monkeypatch.setattr(importing, "toprung", fake)
    return calls, outcomes


def event(id_="e1", points=("3",)):
    return Event("b", id_, "Last, First", points, AT)


def test_events_become_a_csv_file_and_columns_are_mapped_by_name(imported, tmp_path: Path):
    importer = Importer("http://h", "k", tmp_path, ("points", "gd"))

    importer.send([event(points=("3", "-2"))])

    ((arguments, text),) = imported[0]
    assert text.splitlines() == [
        "board,event_id,player_id,at,points,gd",
        f'b,e1,"Last, First",{AT},3,-2',
    ]
    assert {"--map=board=board", "--map=points.points=points", "--map=points.gd=gd"} < {*arguments}
    assert {"--history", "--json"} < {*arguments}
    assert importer.rows == 1
    assert list(tmp_path.iterdir()) == []


def test_one_column_is_the_points(imported, tmp_path: Path):
    Importer("http://h", "k", tmp_path, ("ms",)).send([event()])

    assert "--map=points=ms" in imported[0][0][0]


def test_events_become_json_lines_with_numbers_as_text(imported, tmp_path: Path):
    Importer("http://h", "k", tmp_path, ("ms",), "jsonl").send([event(points=("0.10",))])

    ((_, text),) = imported[0]
    assert msgspec.json.decode(text) == {
        "board": "b",
        "event_id": "e1",
        "player_id": "Last, First",
        "at": AT,
        "ms": "0.10",
    }


def test_nothing_is_imported_where_nothing_happened(imported, tmp_path: Path):
    Importer("http://h", "k", tmp_path, ("ms",)).send([])

    assert imported[0] == []


@pytest.mark.parametrize(
    "outcomes", [{"counted": 1}, {"counted": 1, "invalid": 1}, {"counted": 1, "duplicate": 1}]
)
def test_an_import_that_did_not_count_every_event_is_refused(imported, tmp_path: Path, outcomes):
    imported[1].update(outcomes)

    with pytest.raises(ImportRefused, match="of 2 events 1 were counted"):
        Importer("http://h", "k", tmp_path, ("ms",)).send([event(), event("e2")])


def test_an_event_with_too_few_numbers_is_refused(imported, tmp_path: Path):
    with pytest.raises(ImportRefused, match="2 columns"):
        Importer("http://h", "k", tmp_path, ("points", "gd")).send([event()])


# A whole set


def test_tables_are_compared_right_after_the_events_they_follow(imported, product, monkeypatch):
    monkeypatch.setattr("toprung.testing.standings.runner.Api", lambda url, key: product.api(key))
    product.answer = lambda line: page(row(1, "p", str(len(imported[0]))))
    table = [Table("b", (Line("p", {"score": total}, 1),), group=total) for total in ("1", "3")]
    settings = {"mode": "sum"}
    standings = Standings(
        boards=(Board("b", settings, (Season("s1", AT, "spring"),)),),
        steps=iter([Step([event()], (table[0],)), Step([event("e2")], (table[1],))]),
    )

    tallies = run_set(standings, "http://h", "k")

    assert product.lines[:2] == ["PUT /v1/boards/b", "POST /v1/boards/b/seasons"]
    assert product.asked[0].body == settings
    assert product.asked[1].body == {"id": "s1", "at": AT, "name": "spring"}
    # The board shows how many imports there were, so the second table is one too far.
    assert [tallies[group].values_equal for group in ("1", "3")] == [1, 0]


# Adapters and the command


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", r"no function standings\(folder\)"),
        ("standings = 3", r"no function standings\(folder\)"),
        ("raise OSError('no data')", "no data"),
        ("raise SystemExit(0)", "SystemExit"),
        ("def", "SyntaxError"),
    ],
)
def test_a_file_that_is_no_adapter_is_named(tmp_path: Path, text: str, said: str):
    path = tmp_path / "other.py"
    path.write_text(text)

    with pytest.raises(BadAdapter, match=f"other.py: .*{said}"):
        load(path)


@pytest.mark.parametrize("name", ["nowhere.py", "nowhere.txt", "."])
def test_a_path_that_is_no_file_is_named(tmp_path: Path, name: str):
    with pytest.raises(BadAdapter, match="no Python file"):
        load(tmp_path / name)


def run_standings(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "toprung.testing.standings", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_has_no_official_table_is_named_and_skipped(tmp_path: Path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "manifest.json").write_text("{}")

    done = run_standings(str(tmp_path / "runs"), str(tmp_path / "manifest.json"))

    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "runs: skipped, it has no official table",
        "manifest.json: skipped, it is no folder",
    ]


@pytest.mark.parametrize("arguments", [[], ["--adapter", "one.py"], ["--format", "xml", "."]])
def test_bad_arguments_are_named(arguments):
    done = run_standings(*arguments)

    assert done.returncode == 2
    assert "usage: scripts/standings" in done.stderr
    assert "Traceback" not in done.stderr

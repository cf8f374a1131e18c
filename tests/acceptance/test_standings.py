"""Real seasons against their official tables, small enough for every run, and a planted mistake."""

import csv
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from toprung.testing.standings.__main__ import HEADER, main

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "standings"
SETS = SCRIPT.parent / "sets"
Row = dict[str, str]


def run(*arguments: object) -> tuple[int, list[str], list[str]]:
    figures, remarks = StringIO(), StringIO()
    status = main(["--sets", str(SETS), *map(str, arguments)], figures, remarks)
    return status, figures.getvalue().splitlines(), remarks.getvalue().splitlines()


def copied(source: Path, to: Path, keep: Callable[[Row], Row | None]) -> Path:
    """A folder of the same name with the rows that ``keep`` returns, perhaps changed."""
    folder = to / source.name
    folder.mkdir(parents=True)
    for path in source.glob("*.csv"):
        with path.open(newline="") as old, (folder / path.name).open("w", newline="") as new:
            reader = csv.DictReader(old)
            writer = csv.DictWriter(new, reader.fieldnames or [])
            writer.writeheader()
            writer.writerows(row for row in map(keep, reader) if row)
    return folder


@pytest.mark.parametrize("file_format", ["csv", "jsonl"])
def test_premier_league(shared: Path, file_format: str):
    status, figures, _ = run(shared / "data" / "football_epl", "--format", file_format)

    assert status == 0
    assert figures == [HEADER, "football_epl, 240, 240 (100.00%), 240 (100.00%)"]


def season_of(wanted: str) -> Callable[[Row], Row | None]:
    return lambda row: row if row.get("season", wanted) == wanted else None


# 1997 has a driver who was excluded at the end, 2023 has sprints.
@pytest.mark.parametrize(
    ("season", "drivers"),
    [
        ("1997", "f1_standings drivers 1991-1999, 291, 291 (100.00%), 290 (99.66%)"),
        ("2023", "f1_standings drivers from 2000, 481, 481 (100.00%), 481 (100.00%)"),
    ],
)
def test_formula_1_after_every_round(shared: Path, tmp_path: Path, season: str, drivers: str):
    folder = copied(shared / "data" / "f1_standings", tmp_path, season_of(season))

    _, figures, _ = run(folder)

    assert drivers in figures


def test_qualifying(shared: Path):
    status, figures, _ = run(shared / "data" / "f1_qualifying")

    assert status == 0
    assert figures == [
        HEADER,
        "f1_qualifying first session, 7664, 7664 (100.00%), 7664 (100.00%)",
        "f1_qualifying second session, 7414, 7414 (100.00%), 7399 (99.80%)",
        "f1_qualifying best of both, 6958, 6955 (99.96%), 6912 (99.34%)",
        "f1_qualifying sum of both, 107, 107 (100.00%), 107 (100.00%)",
    ]


def test_a_wrong_table_is_not_reached(shared: Path, tmp_path: Path):
    """Planted: one champion with a point more, and two neighbours who swapped their ranks."""
    swapped = {"chelsea": "3", "manchester-city": "2"}

    def plant(row: Row) -> Row | None:
        if row["board"] != "2010-11":
            return None
        if "rank" in row and row["player_id"] == "manchester-united":
            return {**row, "points": "81"}
        if "rank" in row and row["player_id"] in swapped:
            return {**row, "rank": swapped[row["player_id"]]}
        return row

    source = shared / "data" / "football_epl"
    folder = copied(source, tmp_path, lambda row: plant(row) if "board" in row else row)

    status, figures, remarks = run(folder)

    assert status == 1
    assert figures == [HEADER, "football_epl, 20, 19 (95.00%), 18 (90.00%)"]
    assert [line for line in remarks if "MISSED" in line] == [
        "football_epl: MISSED all: values equal 95.000%, asked for 100.000%",
        "football_epl: MISSED all: ranks equal 90.000%, asked for 100.000%",
    ]


ADAPTER = """
from toprung.testing.standings.adapter import Bar, Board, Event, Line, Standings, Step, Table

def standings(folder):
    at = "2026-05-04T12:00:00Z"
    events = [Event("darts", str(n), p, (s,), at) for n, p, s in [(1, "a", "0.5"), (2, "b", "-1")]]
    lines = (Line("a", {"score": "0.50"}, 1), Line("b", {"score": "-1"}, RANK), Line("c", {}, 3))
    settings = {"columns": [{"name": "score", "decimals": 1}]}
    steps = [Step(events, (Table("darts", lines),))]
    return Standings((Board("darts", settings),), steps, bars=BARS)
"""


@pytest.mark.parametrize(
    ("rank", "bars", "status"), [(2, None, 0), (3, None, 0), (3, '{"": Bar(0, 0.5)}', 1)]
)
def test_an_adapter_from_elsewhere(tmp_path: Path, rank, bars, status):
    adapter = tmp_path / "darts.py"
    adapter.write_text(ADAPTER.replace("RANK", str(rank)).replace("BARS", str(bars)))
    equal = 2 if rank == 2 else 1

    done, figures, _ = run("--adapter", adapter, tmp_path)

    assert done == status
    assert figures[1] == f"{tmp_path.name}, 3, 2 (66.67%), {equal} ({equal / 3:.2%})"


def test_an_unknown_set_is_named_and_the_next_one_is_compared(tmp_path: Path):
    unknown = tmp_path / "curling"
    unknown.mkdir()
    (unknown / "expected.csv").write_text("rank\n")
    adapter = tmp_path / "darts.py"
    adapter.write_text(ADAPTER.replace("RANK", "2").replace("BARS", "None"))

    status, figures, remarks = run(unknown, tmp_path / "nowhere", "--adapter", adapter, tmp_path)

    assert status == 1
    assert len(figures) == 2
    told = [line for line in remarks if "could not be compared" in line]
    assert [line.split(":")[0] for line in told] == ["curling", "nowhere"]


def test_the_script_finds_the_adapters_of_known_sets(tmp_path: Path):
    runs = tmp_path / "xcpc_runs"
    runs.mkdir()

    done = subprocess.run(
        [sys.executable, SCRIPT, runs], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "xcpc_runs: skipped, it has no official table\n"

"""The page of figures shows the results that are kept, and nothing else."""

import json
from pathlib import Path

import figure
import page

PAGE = "before\n<!-- results: reads -->\nold\n<!-- end -->\nafter\n"

LINE = {
    "bench": "reads",
    "what": "rank",
    "unit": "reads/cpu_s",
    "median": 20_100.0,
    "min": 20_100.0,
    "max": 20_100.0,
    "rounds": 1,
    "members": 1_000_000,
    "command": "bench/reads.py rank",
    "date": "2026-01-31",
    "commit": "abc1234",
    "machine": "x86_64, 2 cores",
    "system": "Linux 6",
    "python": "3.11.7",
    "versions": {},
}


def a_speed(who: str, members: int, median: float) -> dict[str, object]:
    return {"what": "rank", "choice": "uniform", "who": who, "members": members, "median": median}


def test_a_block_is_filled_with_its_results(tmp_path: Path):
    (tmp_path / "reads.jsonl").write_text(json.dumps(LINE) + "\n")

    made = "2026-01-31, x86_64, 2 cores, Linux 6, CPython 3.11.7; commit abc1234."
    assert page.filled(PAGE, tmp_path).splitlines() == [
        "before",
        "<!-- results: reads -->",
        "",
        "| what        | with              | toprung            | bar       | met |",
        "| ----------- | ----------------- | ------------------ | --------- | --- |",
        "| reads: rank | 1,000,000 members | 20,100 reads/cpu_s | >= 20,000 | yes |",
        "",
        f"`bench/reads.py rank`: {made}",
        "",
        "<!-- end -->",
        "after",
    ]


def test_filling_again_changes_nothing(tmp_path: Path):
    (tmp_path / "reads.jsonl").write_text(json.dumps(LINE) + "\n")
    once = page.filled(PAGE, tmp_path)

    assert page.filled(once, tmp_path) == once


def test_a_block_without_results_says_so(tmp_path: Path):
    assert "\nNot measured yet.\n" in page.filled(PAGE, tmp_path)


def test_the_page_and_its_figure_show_the_kept_results():
    text = page.PAGE.read_text("utf-8")

    assert page.filled(text, page.RESULTS) == text
    assert page.figure(page.RESULTS) == page.FIGURE.read_text("utf-8")


def test_a_line_of_the_figure_is_a_speed_by_members():
    lines = [a_speed("redis", 10_000_000, 12.5), a_speed("redis", 1_000_000, 4)]

    points = figure.series(lines, "rank", "uniform")

    assert points == {"redis": [(1_000_000, 250_000), (10_000_000, 80_000)]}

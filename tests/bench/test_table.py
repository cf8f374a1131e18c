"""The table puts everyone's figures into one row, and says what reaches its bar."""

import pytest
import table


def a_line(what: str, median: float, **fields: object) -> dict[str, object]:
    line = {"bench": "engine", "what": what, "unit": "us", "median": median, "rounds": 1}
    return {**line, "min": median, "max": median, **fields}


def test_a_row_holds_everyone_and_the_ratio_to_redis():
    lines = [
        a_line("rank", 0.25, members=1_000_000, choice="zipf", who="toprung"),
        a_line("rank", 4.0, members=1_000_000, choice="zipf", who="redis"),
        a_line("rank", 5.0, members=1_000_000, choice="zipf", who="valkey"),
    ]

    with_what = "1,000,000 members, zipf"
    assert table.rows(lines) == [
        ["engine: rank", with_what, "0.25 us", "4 us", "5 us", "16", ">= 15 x", "yes"]
    ]


def test_other_settings_are_another_row():
    lines = [
        a_line("rank", 1, members=1_000_000, choice="zipf", who="toprung"),
        a_line("rank", 10, members=1_000_000, choice="uniform", who="redis"),
    ]

    assert [row[1] for row in table.rows(lines)] == [
        "1,000,000 members, zipf",
        "1,000,000 members, uniform",
    ]


def test_of_sizes_the_ratio_is_ours_to_theirs():
    ours = a_line("bytes a member", 50, unit="B", who="toprung")
    theirs = a_line("bytes a member", 100, unit="B", who="redis")

    (row,) = table.rows([ours, theirs])

    assert row[5:] == ["0.5", "<= 0.4 x", "no"]


@pytest.mark.parametrize(
    ("bench", "what", "fields", "median", "met"),
    [
        ("engine", "leaf fill after churn", {}, 0.88, "yes"),
        ("engine", "leaf fill after churn", {}, 0.87, "no"),
        ("engine", "single rank p99", {"members": 100_000_000}, 10, "no"),
        ("engine", "single rank p99", {"members": 1_000_000}, 10, ""),
        ("ingest", "events in batches", {"stored": 5_000_000}, 50_000, "yes"),
        ("reads", "rank p99", {"members": 20_000}, 49.9, "yes"),
        ("restart", "start from an image", {"entries": 10_000_000}, 10, "no"),
        ("restart", "start from an image", {"entries": 1_000_000}, 1, ""),
    ],
)
def test_a_bar_is_met_or_not(
    bench: str, what: str, fields: dict[str, object], median: float, met: str
):
    (row,) = table.rows([a_line(what, median, bench=bench, **fields)])

    assert row[-1] == met


def test_a_bar_of_a_ratio_needs_redis():
    (row,) = table.rows([a_line("rank", 0.1, members=1_000_000, who="toprung")])

    assert row[5:] == ["", ">= 15 x", ""]


def test_figures_have_three_digits_and_their_spread():
    line = {**a_line("top", 1234.5), "bench": "reads", "min": 1200, "max": 1300.4, "rounds": 3}

    assert table.rows([line])[0][2] == "1,230 us (1,200 to 1,300)"


def test_lines_are_found_among_other_text():
    assert table.read_lines(["a note", '{"bench": "reads"}', ""]) == [{"bench": "reads"}]

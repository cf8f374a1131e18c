"""JSON lines: numbers keep every digit, and a bad line costs only itself."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.cli.importing.jsonl_rows import jsonl_rows
from toprung.cli.importing.rows import Row
from toprung.cli.importing.source import RECORD_CHARS_MAX, read_lines


def rows_of(content: str | bytes, **options) -> list[Row]:
    raw = content.encode() if isinstance(content, str) else content
    text = io.TextIOWrapper(io.BytesIO(raw), "utf-8-sig", errors="surrogateescape", newline="")
    given = {"board": "b", "make_id": "f-"} | options
    return list(jsonl_rows(read_lines(text), given.pop("explicit", {}), **given))


def test_numbers_keep_their_digits():
    digits = "1" * 40 + ".500"
    (row,) = rows_of('{"player_id": "a", "points": ' + digits + "}")
    assert row.event.points == digits


@pytest.mark.parametrize("points", ["true", "1e400", "[1]", "-0.0", "[]"])
def test_what_is_no_number_is_left_to_the_server_to_refuse(points):
    (row,) = rows_of('{"player_id": "a", "points": ' + points + "}")
    assert row.event.points == points


def test_points_of_several_columns():
    (row,) = rows_of('{"player_id": "a", "points": {"points": 3, "gd": "-2.50"}}')
    assert row.event.points == {"points": "3", "gd": "-2.50"}


def test_columns_under_other_names():
    (row,) = rows_of(
        '{"club": 17, "pts": 3, "gd": -2}',
        explicit={"player_id": "club", "points.points": "pts", "points.gd": "gd"},
    )
    assert (row.event.player_id, row.event.points) == ("17", {"points": "3", "gd": "-2"})


def test_a_bad_line_costs_only_itself():
    rows = rows_of(
        '{"player_id": "a", "points": 1}\n\nnope\n{"points": 1}\n{"player_id": "d"}\n'
        '{"player_id": 1.5, "points": 1}\n{"player_id": "f", "points": null}\n'
        '{"player_id": "g", "points": 1, "metadata": 3}\n'
        '{"player_id": "\\ud800", "points": 1}\n[1]\n'
        '{"player_id": "z", "points": 1}'
    )
    assert [(row.number, row.line) for row in rows if row.event] == [(1, 1), (10, 11)]
    assert [row.problem.partition(":")[0] for row in rows if row.problem] == [
        "the row is no JSON object",
        "player_id is missing",
        "points is missing",
        "player_id must be text",
        "points is missing",
        "metadata is no object",
        "the row is no JSON object",
        "the row is no JSON object",
    ]


def test_a_line_without_end_costs_only_itself():
    rows = rows_of('{"a": "' + "x" * RECORD_CHARS_MAX + '"}\n{"player_id": "b", "points": 1}')
    assert [row.event is not None for row in rows] == [False, True]


def test_a_field_that_was_mapped_must_be_there():
    rows = rows_of('{"player_id": "a", "points": 1}', explicit={"at": "played_at"})
    assert [row.problem for row in rows] == ["played_at is missing"]


def test_ids_are_made_only_for_files():
    line = '{"player_id": "a", "points": 1}'
    assert rows_of(line)[0].event.event_id == "f-1"
    assert rows_of(line, make_id=None)[0].problem.startswith("event_id is missing")


def test_the_board_of_the_command_wins_over_the_row():
    line = '{"board": "own", "player_id": "a", "points": 1}'
    assert rows_of(line)[0].event.board == "b"
    assert rows_of(line, board=None)[0].event.board == "own"
    assert rows_of('{"player_id": "a", "points": 1}', board=None)[0].event is None


value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
fields = st.sampled_from(["player_id", "points", "event_id", "at", "match_id", "metadata", "x"])


@given(st.lists(st.dictionaries(fields, value, max_size=7) | value, max_size=5))
def test_no_json_breaks_the_reader(values):
    rows = rows_of("\n".join(json.dumps(item) for item in values))
    assert len(rows) == len(values)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(content):
    rows = rows_of(content)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))

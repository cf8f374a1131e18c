"""Reading a file of cases: numbers stay as they are written, and what is wrong is named."""

import json
from pathlib import Path

import msgspec
import pytest

from toprung.testing.cases.model import BadCaseFile, read_cases

CASE = {
    "id": "A-1",
    "setup": {"mode": "sum"},
    "events": [{"id": "a", "player": "p", "score": 1, "at": "2026-05-04T12:00:00Z"}],
    "queries": [
        {"op": "count", "args": {}, "expect": 1},
        {"op": "manual", "args": {}, "expect": "nothing", "after": 1},
    ],
}


def written(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "cases.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_a_case_is_read_whole_and_blank_lines_are_skipped(tmp_path: Path):
    (case,) = read_cases(written(tmp_path, "", CASE, "  "))

    assert case.id == "A-1"
    assert case.setup == {"mode": "sum"}
    assert case.events == (CASE["events"][0],)
    assert [(query.op, query.after) for query in case.queries] == [("count", None), ("manual", 1)]
    assert case.manual_count == 1


@pytest.mark.parametrize(
    "number", ["1e999", "0.10", "-0", "1E5", "9223372036854775808", "9" * 5000, "NaN", "-Infinity"]
)
def test_a_number_is_sent_as_it_is_written(tmp_path: Path, number: str):
    text = json.dumps(CASE).replace('"score": 1', f'"score": {number}')

    (case,) = read_cases(written(tmp_path, text))

    assert msgspec.json.encode(case.events[0]["score"]) == number.encode()


def test_a_text_may_hold_what_python_takes_for_the_end_of_a_line(tmp_path: Path):
    case = {**CASE, "events": [{"id": "a\u2028\x85b"}]}

    (read,) = read_cases(written(tmp_path, json.dumps(case, ensure_ascii=False)))

    assert read.events == ({"id": "a\u2028\x85b"},)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["{"], "cases.jsonl:1: not a case"),
        ([CASE, "[]"], "cases.jsonl:2: not a case"),
        ([{key: value for key, value in CASE.items() if key != "setup"}], ":1: not a case.*setup"),
        ([{**CASE, "queries": [{"op": "count"}]}], ":1: not a case.*expect"),
        ([CASE, CASE], "A-1 is there more than once"),
        ([], "holds no case"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, lines: list[object], said: str):
    with pytest.raises(BadCaseFile, match=said):
        read_cases(written(tmp_path, *lines))


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(BadCaseFile, match="nowhere"):
        read_cases(tmp_path / "nowhere")

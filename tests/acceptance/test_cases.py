"""Every case of the shared rules on a real server, and a runner that fails when it should."""

import json
import os
import sys
from io import StringIO
from pathlib import Path

import pytest

from toprung.testing.cases.__main__ import LocalProducts, main
from toprung.testing.cases.model import Case, read_cases
from toprung.testing.cases.pending import PENDING
from toprung.testing.cases.runner import run_each_alone
from toprung.testing.server import running_server

SHARED = os.environ.get("TOPRUNG_SHARED")  # noqa: TID251 - a test's own setting
FILE = Path(SHARED or Path(__file__).resolve().parents[3] / "shared") / "cases" / "cases.jsonl"
CASES = read_cases(FILE) if FILE.exists() else []

OWN_CASES = read_cases(Path(__file__).with_name("own_cases.jsonl"))

needs_cases = pytest.mark.skipif(not CASES, reason="shared data not present")


@pytest.fixture(scope="module")
def products(tmp_path_factory) -> LocalProducts:
    return LocalProducts(tmp_path_factory.mktemp("products"))


@needs_cases
@pytest.mark.parametrize(
    "case", [case for case in CASES if case.id not in PENDING], ids=lambda case: case.id
)
def test_case(case: Case, products: LocalProducts):
    (result,) = run_each_alone([case], products.open, workers=1)

    assert result.problems == ()


@pytest.mark.parametrize("case", OWN_CASES, ids=lambda case: case.id)
def test_own_case(case: Case, products: LocalProducts):
    """Parts of the case format that the shared file does not happen to use."""
    (result,) = run_each_alone([case], products.open, workers=1)

    assert result.problems == ()


@needs_cases
def test_what_is_pending_is_there_and_nothing_else_is_left_out():
    assert PENDING.keys() <= {case.id for case in CASES}


SETUP = {"mode": "best", "order": "desc", "ties": "shared", "windows": ["all"], "tz": "UTC"}
EVENTS = [
    {"id": "a", "player": "amber", "score": 40, "at": "2026-05-04T12:00:00Z", "name": "Amber"},
    {"id": "b", "player": "birch", "score": 40, "at": "2026-05-04T12:01:00Z"},
    {"id": "c", "player": "cedar", "score": 52, "at": "2026-05-04T12:02:00Z"},
    {"id": "d", "player": "dune", "score": "NaN", "at": "2026-05-04T12:03:00Z"},
    {"id": "a", "player": "amber", "score": 41, "at": "2026-05-04T12:00:00Z"},
    {"op": "restart"},
]
CEDAR, AMBER, BIRCH = [1, "cedar", "52"], [2, "amber", "40"], [2, "birch", "40"]
# op, args, the right answer, a wrong one
QUESTIONS = [
    ("top", {}, [CEDAR, AMBER, BIRCH], [CEDAR, AMBER, [3, "birch", "40"]]),
    ("top", {"limit": 2}, [CEDAR, AMBER], [CEDAR, AMBER, BIRCH]),
    ("top", {"limit": 2, "offset": 1}, [AMBER, BIRCH], [CEDAR, AMBER]),
    ("top", {"limit": 0}, {"error": True}, []),
    ("top", {}, {"players": ["cedar", "amber", "birch"]}, {"players": ["cedar", "birch", "amber"]}),
    ("rank", {"player": "birch"}, 2, 3),
    ("rank", {"player": "dune"}, None, 4),
    ("score", {"player": "birch"}, "40", "40.0"),
    ("name", {"player": "amber"}, "Amber", "amber"),
    ("count", {}, 3, 4),
    ("around", {"player": "cedar", "size": 1}, [CEDAR], [CEDAR, AMBER]),
    ("around", {"player": "dune", "size": 1}, [], [CEDAR]),
    ("walk", {"size": 2, "moves": ["first", "next"]}, [BIRCH], [AMBER]),
    ("walk", {"size": 1, "moves": ["first", "next", "prev"]}, [CEDAR], [AMBER]),
    ("walk_all", {"size": 1}, ["cedar", "amber", "birch"], ["cedar", "amber"]),
    ("of", {"players": ["birch", "dune", "cedar"]}, [BIRCH, CEDAR], [CEDAR, BIRCH]),
    ("ranks", {"from": 2, "to": 2}, [AMBER, BIRCH], [AMBER]),
    ("range", {"min": 41, "max": 60}, [CEDAR], []),
    ("percentile", {"player": "cedar"}, 100, {"between": [0, 99.9]}),
    ("window_of", {"at": "2026-05-04T12:00:00Z"}, ["all", None, None], ["2026", None, None]),
    (
        "outcomes",
        {},
        ["counted", "counted", "counted", "rejected", "conflict"],
        ["counted", "counted", "counted", "rejected", "duplicate"],
    ),
    ("sum_all", {}, "132", "133"),
    ("consistent", {}, True, False),
    ("count", {}, {"any_of": [2, 3]}, {"any_of": [4, 5]}),
]


def case_of(id_: str, place: int) -> dict:
    """All questions with their right answers, except that one of them (3: the wrong answer)."""
    queries = [
        {"op": op, "args": args, "expect": wrong if number == place else right}
        for number, (op, args, right, wrong) in enumerate(QUESTIONS)
    ]
    return {"id": id_, "setup": SETUP, "events": EVENTS, "queries": queries}


def written(path: Path, *cases: dict) -> Path:
    path.write_text("\n".join(map(json.dumps, cases)))
    return path


def run(*arguments: object) -> tuple[int, list[str]]:
    out = StringIO()
    status = main([str(argument) for argument in arguments], out)
    return status, out.getvalue().splitlines()


def test_right_answers_pass_and_each_wrong_one_is_reported(tmp_path: Path, products: LocalProducts):
    """One server answers all questions; each planted expectation must be the only one to fail."""
    wrong = {
        **case_of("ALL-WRONG", -1),
        "queries": [{"op": op, "args": args, "expect": bad} for op, args, _, bad in QUESTIONS],
    }
    path = written(tmp_path / "cases.jsonl", case_of("ALL-RIGHT", -1), wrong)

    results = list(run_each_alone(read_cases(path), products.open, workers=2))
    right, wrong_result = results

    assert right.problems == ()
    told = [problem.split(" ", 2)[:2] for problem in wrong_result.problems]
    assert told == [["query", str(number)] for number in range(1, 1 + len(QUESTIONS))]


def test_the_command_names_a_failing_case_and_ends_with_the_counts(tmp_path: Path):
    manual = {"op": "manual", "args": {"do": "look"}, "expect": "fine"}
    asked = {"op": "count", "args": {}, "expect": 0, "after": 0}
    late = {"op": "count", "args": {}, "expect": 9}
    cases = [
        {"id": "A-1", "setup": SETUP, "events": EVENTS, "queries": [asked, manual]},
        {"id": "A-2", "setup": SETUP, "events": EVENTS, "queries": [asked, late]},
        {"id": "A-3", "setup": SETUP, "events": [{"op": "dance"}], "queries": []},
    ]

    status, lines = run(written(tmp_path / "cases.jsonl", *cases))

    assert status == 1
    assert lines == [
        "FAIL A-2 query 2 count {}: expected 9, got 3",
        "FAIL A-3 there is no way to play 'dance' yet",
        "1 passed, 2 failed, 0 pending, 1 manual",
    ]


CONTROL = """
import subprocess, sys
from toprung.testing.api import Api
from toprung.testing.command import toprung
database, url, act, *rest = sys.argv[1:]
if act == "key":
    place = ["--db", database, "--project", rest[0], "--role", rest[1], "--json"]
    import json
    print(json.loads(toprung("keys", "create", *place))["key"])
elif act in ("clock", "rebuild"):
    Api(lambda: url, None).send("POST", f"/_control/{act}", {"at": rest[0]} if rest else {})
else:
    sys.exit(f"cannot {act}")
"""


def test_a_server_elsewhere_plays_the_same_cases(tmp_path: Path):
    control = tmp_path / "control.py"
    control.write_text(CONTROL)
    questions = case_of("A-1", -1)
    bound = {
        "id": "A-2",
        "setup": {**SETUP, "grace_s": 0},
        "events": [{"op": "rebuild"}, EVENTS[0], EVENTS[0]],
        "queries": [{"op": "outcomes", "args": {}, "expect": ["counted", "duplicate"]}],
    }
    cases = [{**questions, "events": EVENTS[:-1]}, bound, {**questions, "id": "A-3"}]
    file = written(tmp_path / "cases.jsonl", *cases)

    with running_server(tmp_path, test_clock="2026-05-04T11:00:00Z") as running:
        command = f"{sys.executable} {control} {running.server.database} {running.url}"
        status, lines = run(file, "--url", running.url, "--control", command)

    assert status == 1
    assert lines[0].startswith("FAIL A-3 ")
    assert "cannot restart" in lines[0]
    assert lines[1:] == ["2 passed, 1 failed, 0 pending, 0 manual"]

"""Which cases are played, in what order, on which clock, and how they are counted."""

import subprocess
import sys
from contextlib import nullcontext
from io import StringIO

import pytest

from toprung.testing.cases.__main__ import REMARK_S, Progress
from toprung.testing.cases.model import Case, Query
from toprung.testing.cases.pending import PENDING
from toprung.testing.cases.runner import (
    Result,
    in_clock_order,
    needs_clock,
    project_name,
    run_all_on_one,
    run_each_alone,
    start_of,
    summary,
)
from toprung.testing.command import CommandFailed, run
from toprung.testing.control import CommandControl

SETUP = {"mode": "sum", "order": "desc", "ties": "shared", "windows": ["all"], "tz": "UTC"}
COUNT = Query("count", {}, 0)


def case(id_="A-1", at="2026-05-04T12:00:00Z", queries=(COUNT,), **setup) -> Case:
    events = ({"id": "a", "player": "p", "score": 1, "at": at},) if at else ()
    return Case(id_, {**SETUP, **setup}, events, tuple(queries))


def test_the_last_line_counts_cases_and_manual_questions():
    results = [
        Result("a", "passed", manual_count=2),
        Result("b", "failed", ("wrong",), manual_count=1),
        Result("c", "pending"),
        Result("d", "passed"),
    ]

    assert str(summary(results)) == "2 passed, 1 failed, 1 pending, 3 manual"


def test_pending_cases_are_not_played(monkeypatch):
    def refuse(case):
        raise AssertionError("a product was opened")

    monkeypatch.setitem(PENDING, "X-01", "something that is to come")
    cases = [case(id_) for id_ in PENDING]

    assert {result.verdict for result in run_each_alone(cases, refuse, workers=1)} == {"pending"}


def test_every_pending_case_says_what_it_waits_for():
    assert all(PENDING.values())


@pytest.mark.parametrize(
    ("played", "needs"),
    [
        (case(), False),
        (case(grace_s=600), True),
        (case(max_ahead_s=0), True),
        (case(more_boards=[{**SETUP, "grace_s": 5}]), True),
        (case(windows=["daily"]), True),
        (case(windows=["all", "daily"]), False),
        (case(queries=[Query("top", {"window": "daily"}, [])]), True),
        (case(queries=[Query("top", {"window": "daily", "key": "2026-05-04"}, [])]), False),
        (case(windows=["daily"], queries=[Query("outcomes", {}, [])]), False),
    ],
)
def test_a_case_needs_the_clock_when_a_later_one_would_change_an_answer(played, needs):
    assert needs_clock(played) is needs


def test_on_one_clock_the_cases_that_need_it_come_first_and_in_its_order():
    cases = [
        case("free-1"),
        case("late", at="2026-06-01T00:00:00Z", grace_s=1),
        case("early", grace_s=1),
        case("free-2", at="2020-01-01T00:00:00Z"),
    ]

    assert [each.id for each in in_clock_order(cases)] == ["early", "late", "free-1", "free-2"]


@pytest.mark.parametrize(
    ("entries", "start"),
    [
        ([], "2026-05-04T12:00:00Z"),
        ([{"op": "join", "player": "p"}], "2026-05-04T12:00:00Z"),
        ([{"id": "a", "at": "2026-05-01T00:00:00Z"}], "2026-05-01T00:00:00Z"),
        (
            [{"id": "a", "at": "2026-05-01T00:00:00Z", "recv": "2026-05-02T00:00:00Z"}],
            "2026-05-02T00:00:00Z",
        ),
        (
            [{"op": "batch", "events": [{"id": "a", "at": "2026-05-03T00:00:00+02:00"}]}],
            "2026-05-02T22:00:00Z",
        ),
        ([{"op": "advance", "to": "2026-05-07T00:00:00Z"}], "2026-05-07T00:00:00Z"),
    ],
)
def test_the_clock_starts_at_the_first_arrival(entries, start):
    assert start_of(Case("A-1", SETUP, tuple(entries), ())) == start


def test_a_project_is_named_for_its_case():
    assert project_name(case("WIN-19 ä/B")) == "case-win-19---b"


def test_a_case_that_cannot_be_played_fails_and_the_next_one_goes_on(product):
    # Nothing listens at the product's address, so that each case meets trouble of its own.
    results = run_each_alone([case("A-1"), case("A-2")], lambda case: nullcontext(product), 2)

    assert [(result.case_id, result.verdict) for result in results] == [
        ("A-1", "failed"),
        ("A-2", "failed"),
    ]


def test_on_one_product_a_case_whose_time_is_over_fails_and_says_so(product, monkeypatch):
    monkeypatch.setattr("toprung.testing.cases.session.Api", lambda url, key: product.api(key))
    product.answer = lambda line: (200, {"outcome": "counted", "total": 0})
    into_the_future = ({"op": "advance", "to": "2027-01-01T00:00:00Z"},)
    first = Case("first", {**SETUP, "grace_s": 1}, into_the_future, (COUNT,))
    cases = [case("free"), case("bound", at="2027-01-01T00:00:01Z", grace_s=1), first]
    early = Case("early", first.setup, (*case().events, *into_the_future), (COUNT,))

    results = list(run_all_on_one([*cases, early, case("over", grace_s=1)], product, "r"))

    assert [(result.case_id, result.verdict) for result in results] == [
        ("early", "passed"),
        ("over", "failed"),
        ("first", "passed"),
        ("bound", "passed"),
        ("free", "passed"),
    ]
    assert results[1].problems == ("the server's clock is past 2026-05-04T12:00:00Z already",)


def test_on_one_product_each_case_has_a_project_of_its_own(product, monkeypatch):
    monkeypatch.setattr("toprung.testing.cases.session.Api", lambda url, key: product.api(key))
    product.answer = lambda line: (200, {"outcome": "counted", "total": 0})

    list(run_all_on_one([case("A-1"), case("A-2")], product, "run"))

    assert [made for made in product.handled if made[0] == "key"] == [
        ("key", "case-a-1.run", "admin"),
        ("key", "case-a-1.run", "client"),
        ("key", "case-a-2.run", "admin"),
        ("key", "case-a-2.run", "client"),
    ]


def test_the_control_of_a_server_elsewhere_is_called_with_what_to_do():
    script = "import sys; print(' '.join(sys.argv[1:]))"
    control = CommandControl("http://host:1/", f'{sys.executable} -c "{script}"')

    assert control.url == "http://host:1"
    assert control.key("game", "admin") == "key game admin"


def test_a_control_that_fails_says_why():
    script = "import sys; sys.exit('no such project')"
    control = CommandControl("http://host:1", f'{sys.executable} -c "{script}"')

    with pytest.raises(CommandFailed, match="no such project"):
        control.crash()


def test_a_failing_command_does_not_show_the_key_it_was_given():
    with pytest.raises(CommandFailed) as failure:
        run([sys.executable, "-c", "raise SystemExit(3)", "--key", "secret-key"])

    assert "secret-key" not in str(failure.value)


def run_cases(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "toprung.testing.cases", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such-file"], "no-such-file"),
        ([__file__], "not a case"),
        ([__file__, "--url", "http://127.0.0.1:1"], "--url and --control go together"),
        ([], "FILE"),
    ],
)
def test_bad_arguments_are_named(arguments, said):
    done = run_cases(*arguments)

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


# How far a run is


class Remarks(StringIO):
    """Where remarks go: a pipe, or a terminal."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def test_a_pipe_is_told_at_the_start_and_then_every_few_seconds():
    instants = iter([0.0, REMARK_S - 1, REMARK_S, REMARK_S, REMARK_S + 1])
    remarks = Remarks(terminal=False)
    progress = Progress(3, remarks, lambda: next(instants))

    for done in (1, 2, 3):
        progress.show(done, f"A-{done}")

    assert remarks.getvalue() == "playing 3 cases ...\n2 of 3 cases played\n"


def test_a_terminal_has_one_line_that_is_written_over():
    remarks = Remarks(terminal=True)
    progress = Progress(2, remarks)

    progress.show(1, "A-1")
    progress.show(2, "A-2")

    assert [line.rstrip() for line in remarks.getvalue().split("\r")] == [
        "",
        "1/2 A-1",
        "2/2 A-2",
        "",
    ]

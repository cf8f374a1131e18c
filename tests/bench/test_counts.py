"""The engine's hot operations take as many instructions as when they were last looked at."""

import counts
import pytest

KEPT = {"rank": 100_000, "build": 2_000_000}


def test_what_stays_within_the_tolerance_is_no_difference():
    assert counts.differences(KEPT, {"rank": 102_900, "build": 1_950_000}) == []


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ({"rank": 104_000}, "rank: 100,000 -> 104,000 instructions (+4.0 %)"),
        ({"rank": 96_000}, "rank: 100,000 -> 96,000 instructions (-4.0 %)"),
        ({"remove": 7_000}, "remove: is new, 7,000 instructions"),
    ],
)
def test_a_difference_is_named(found: dict[str, int], line: str):
    assert counts.differences(KEPT, {**KEPT, **found}) == [line]


def test_a_lost_operation_is_named():
    assert counts.differences(KEPT, {"rank": 100_000}) == ["build: is no longer counted"]


def test_counts_of_another_compiler_are_not_compared():
    problem = counts.another_compiler(counts.Counts("rustc 1.0.0 of another machine", KEPT))

    assert problem is not None
    assert "rustc 1.0.0 of another machine" in problem
    assert "--update" in problem
    assert counts.another_compiler(counts.Counts(counts.compiler(), KEPT)) is None


@pytest.mark.timeout(600)
def test_the_engine_takes_the_instructions_it_took(pytestconfig: pytest.Config):
    kept = counts.read_kept()
    problem = counts.another_compiler(kept)
    # With another compiler the counts say nothing, which CI and a release must not accept.
    if problem and pytestconfig.getoption("hypothesis_profile") != "ci":
        pytest.skip(problem)

    assert problem is None, problem
    found = counts.count_all()
    assert counts.differences(kept.operations, found.operations) == []

"""An answer passes when it is the expected one, and only then."""

import pytest

from toprung.testing.cases.compare import matches
from toprung.testing.cases.reader import ErrorAnswer

ROWS = [[1, "amber", "9"], [2, "birch", "7"]]
REFUSED = ErrorAnswer(400, "invalid")

# op, expected, an answer that passes, an answer that must not
PAIRS = [
    ("top", ROWS, [list(row) for row in ROWS], [[1, "amber", "9"]]),
    ("top", ROWS, ROWS, [[1, "amber", "9"], [3, "birch", "7"]]),
    ("top", ROWS, ROWS, [[2, "birch", "7"], [1, "amber", "9"]]),
    ("top", ROWS, ROWS, [[1, "amber", 9], [2, "birch", "7"]]),
    ("top", [], [], ROWS),
    ("top", [], [], None),
    ("top", [], [], REFUSED),
    ("rank", 2, 2, 3),
    ("rank", 1, 1, True),
    ("rank", 1, 1, "1"),
    ("rank", None, None, 0),
    ("score", "1", "1", "1.0"),
    ("score", None, None, "0"),
    ("consistent", True, True, False),
    ("consistent", True, True, 1),
    ("percentile", 66.5, 66.5, 66.6),
    ("percentile", 100, 100.0, 99.9),
    ("percentile", {"between": [0, 100]}, 0, -0.1),
    ("percentile", {"between": [0, 100]}, 100, None),
    ("percentile", {"between": [0, 100]}, 5.5, REFUSED),
    ("top", {"error": True}, REFUSED, []),
    ("top", {"error": True}, REFUSED, None),
    ("top", {"any_of": [{"error": True}, []]}, [], ROWS),
    ("top", {"any_of": [{"error": True}, []]}, REFUSED, None),
    ("count", {"any_of": [2, 1]}, 1, 3),
    ("top", {"players": ["amber", "birch"]}, ROWS, ROWS[::-1]),
    ("top", {"players": []}, [], REFUSED),
    ("outcomes", ["counted"], ["unchanged"], ["duplicate"]),
    ("outcomes", ["counted"], ["counted"], ["counted", "counted"]),
    ("outcomes", ["rejected"], ["overflow"], ["late"]),
    ("outcomes", ["rejected"], ["early"], ["forbidden"]),
    ("outcomes", ["rejected"], ["invalid"], ["conflict"]),
    ("outcomes", ["rejected"], ["implausible"], ["unknown_board"]),
    ("outcomes", ["unchanged"], ["unchanged"], ["counted"]),
    ("outcomes", {"any_of": [["rejected"], ["counted"]]}, ["unchanged"], ["late"]),
]


@pytest.mark.parametrize(("op", "expect", "right", "wrong"), PAIRS)
def test_the_expected_answer_passes_and_another_fails(op, expect, right, wrong):
    assert matches(op, expect, right)
    assert not matches(op, expect, wrong)


def test_an_expectation_of_an_unknown_form_is_no_pass():
    with pytest.raises(ValueError, match="unknown form"):
        matches("top", {"about": 3}, 3)

"""What a double says exactly, and ids that name a member the same each time."""

import math
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.cli.errors import Failed
from toprung.cli.importing.redis_feed import (
    event_id_of,
    exact_points,
    is_redis,
    only_column,
)
from toprung.domain.limits import ID_BYTES
from toprung.domain.numbers import NUMBER_PATTERN

DECIMALS = 9


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, DECIMALS))
def test_a_number_of_fifteen_digits_comes_out_as_it_was_put_in(digits, decimals):
    meant = Decimal(digits).scaleb(-decimals)

    told = exact_points(float(meant), DECIMALS)

    assert told is not None
    assert Decimal(told) == meant


@given(st.floats(), st.integers(0, DECIMALS))
def test_what_is_told_is_the_double_and_a_number_of_the_board(score, decimals):
    told = exact_points(score, decimals)

    if told is not None:
        assert float(told) == score
        assert len(told.partition(".")[2]) <= decimals
        assert len(told.replace("-", "").replace(".", "").strip("0")) <= 16


@pytest.mark.parametrize(
    ("score", "decimals", "told"),
    [
        (12.0, 0, "12"),
        (-0.0, 0, "0"),
        (0.1, 1, "0.1"),
        (1e-7, 7, "0.0000001"),
        (float(2**53), 0, str(2**53)),
        (-float(2**53), 3, str(-(2**53))),
        (float(2**53 + 2), 0, None),
        (1e300, 0, None),
        (0.1, 0, None),
        (1.25, 1, None),
        (0.1 + 0.2, 9, None),
        (math.inf, 9, None),
        (-math.inf, 9, None),
        (math.nan, 9, None),
    ],
)
def test_what_may_have_been_another_number_is_refused(score, decimals, told):
    assert exact_points(score, decimals) == told


TEXTS = st.text(st.sampled_from("a:%é "), max_size=150)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_an_id_names_one_member_of_one_key(key, member, other_key, other):
    made = event_id_of(key, member)

    assert len(made.encode()) <= ID_BYTES.maximum
    assert (made == event_id_of(other_key, other)) == ((key, member) == (other_key, other))


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("redis://h:1/0", True),
        ("rediss://h", True),
        ("valkey://h", True),
        ("valkeys://h", True),
        ("scores.csv", False),
        ("-", False),
        ("https://h", False),
    ],
)
def test_an_address_is_told_from_a_file(address, is_one):
    assert is_redis(address) == is_one


def test_a_member_has_one_score():
    assert only_column("b", [3]) == 3
    with pytest.raises(Failed, match="must have one column"):
        only_column("b", [0, 0])


def test_numbers_are_written_as_the_rules_want_them():
    for score in (1e-7, 123456789.5, -5.0, 1e15):
        assert re.fullmatch(NUMBER_PATTERN, exact_points(score, DECIMALS))

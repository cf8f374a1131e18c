"""R6: the grammar of numbers, exact scaling, and text without trailing zeros."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.errors import InvalidInput
from toprung.domain.numbers import NUMBER_PATTERN, fits, format_number, parse_number, rescale

MAX = 9223372036854775807
MIN = -9223372036854775808

numbers = st.integers(MIN, MAX) | st.sampled_from([MIN, MIN + 1, -1, 0, 1, MAX - 1, MAX])
decimals = st.integers(0, 9)


@pytest.mark.parametrize(
    ("text", "places", "value"),
    [
        ("0", 0, 0),
        ("-0", 0, 0),
        ("-0.0", 1, 0),
        ("-0.000", 3, 0),
        ("7", 0, 7),
        ("-7", 0, -7),
        ("7", 3, 7000),
        ("12.345", 3, 12345),
        ("12.3", 3, 12300),
        ("12.300", 3, 12300),
        ("-3.5", 1, -35),
        ("-0.05", 2, -5),
        ("0.000000001", 9, 1),
        ("999999999999999999", 0, 999999999999999999),
        ("1000000000000000000", 0, 1000000000000000000),
        ("9223372036854775807", 0, MAX),
        ("-9223372036854775808", 0, MIN),
        ("9223372036.854775807", 9, MAX),
        ("-9223372036.854775808", 9, MIN),
    ],
)
def test_a_number_is_scaled_by_its_decimals(text, places, value):
    assert parse_number(text, places, "points") == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        " 1",
        "1 ",
        "1\n",
        "+1",
        "--1",
        "-",
        ".",
        ".5",
        "5.",
        "-.5",
        "1..2",
        "1.2.3",
        "01",
        "00",
        "-01",
        "00.5",
        "1e3",
        "1E3",
        "1e400",
        "0x10",
        "1_000",
        "1,5",
        "NaN",
        "nan",
        "Infinity",
        "-Infinity",
        "inf",
        "true",
        "null",
        "[]",
        "\N{ARABIC-INDIC DIGIT ONE}",
        "\N{FULLWIDTH DIGIT ONE}",
        "1\N{DEVANAGARI DIGIT TWO}",
        "\N{SUPERSCRIPT TWO}",
        "1.\N{ARABIC-INDIC DIGIT ONE}",
        "\N{MINUS SIGN}1",
        "1\0",
    ],
)
@pytest.mark.parametrize("places", [0, 2])
def test_what_the_grammar_does_not_know_is_refused(text, places):
    with pytest.raises(InvalidInput, match="must be a decimal number") as caught:
        parse_number(text, places, "points.time")

    assert caught.value.field == "points.time"


@pytest.mark.parametrize(
    ("text", "places", "message"),
    [
        ("1.0", 0, "may have no decimals"),
        ("-0.0", 0, "may have no decimals"),
        ("1.50", 1, "at most 1 decimals"),
        ("0.0000000001", 9, "at most 9 decimals"),
    ],
)
def test_more_decimals_than_declared_are_refused_even_when_they_are_zeros(text, places, message):
    with pytest.raises(InvalidInput, match=message):
        parse_number(text, places, "points")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("9223372036854775808", 0),
        ("-9223372036854775809", 0),
        ("9223372036854775807", 1),
        ("9223372036.854775808", 9),
        ("1" * 10_000, 0),
        ("-" + "9" * 10_000, 0),
        ("0." + "0" * 10_000, 9),
        ("1" * 5_000 + "." + "1" * 5_000, 9),
    ],
)
def test_what_64_bits_cannot_hold_is_refused(text, places):
    with pytest.raises(InvalidInput) as caught:
        parse_number(text, places, "points")

    assert caught.value.field == "points"
    assert len(caught.value.message) < 300  # the ten thousand digits are not sent back


@given(st.text("-+.0123456789eE \n\u0661", max_size=12), decimals)
def test_exactly_the_published_grammar_is_accepted(text, places):
    match = re.fullmatch(NUMBER_PATTERN, text, re.ASCII)
    allowed = match is not None and len((match[2] or ".")[1:]) <= places
    if allowed and fits(int(Fraction(text) * 10**places)):
        assert parse_number(text, places, "points") == Fraction(text) * 10**places
    else:
        with pytest.raises(InvalidInput):
            parse_number(text, places, "points")


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0, 0, "0"),
        (0, 9, "0"),
        (12300, 3, "12.3"),
        (12345, 3, "12.345"),
        (12000, 3, "12"),
        (100, 0, "100"),
        (5, 3, "0.005"),
        (-5, 1, "-0.5"),
        (-1000, 3, "-1"),
        (MIN, 0, "-9223372036854775808"),
        (MIN, 9, "-9223372036.854775808"),
        (MAX, 9, "9223372036.854775807"),
    ],
)
def test_text_has_no_trailing_zeros(value, places, text):
    assert format_number(value, places) == text


@given(numbers, decimals)
def test_text_and_value_are_inverse(value, places):
    text = format_number(value, places)

    assert parse_number(text, places, "points") == value
    assert Fraction(text) * 10**places == value
    assert "." not in text or text[-1] != "0"


@given(numbers, decimals, decimals)
def test_rescaling_is_exact_or_refused(value, old, new):
    exact = Fraction(value) * 10**new / 10**old
    possible = exact.denominator == 1 and MIN <= exact <= MAX

    assert rescale(value, old, new) == (exact if possible else None)

"""R1, R10: instants in RFC 3339, durations, and what is refused."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain import instants
from toprung.domain.errors import InvalidInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

any_instant = st.integers(instants.INSTANT_MIN, instants.INSTANT_MAX)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
        ("2026-11-30T12:00:00+02:00", "2026-11-30T10:00:00Z"),
        ("2026-11-30T12:00:00-03:30", "2026-11-30T15:30:00Z"),
        ("2026-11-30t12:00:00z", "2026-11-30T12:00:00Z"),
        ("2026-11-30T12:00:00-00:00", "2026-11-30T12:00:00Z"),
        ("2026-11-30T12:00:00.5Z", "2026-11-30T12:00:00.500000Z"),
        ("2026-11-30T12:00:00.000001Z", "2026-11-30T12:00:00.000001Z"),
        ("2026-12-31T23:59:59.999999-01:00", "2027-01-01T00:59:59.999999Z"),
        ("2026-11-30T00:00:00+23:59", "2026-11-29T00:01:00Z"),
        ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z"),
        ("1000-01-01T00:00:00Z", "1000-01-01T00:00:00Z"),
        ("0999-12-31T23:30:00-01:00", "1000-01-01T00:30:00Z"),
        ("8999-12-31T23:59:59.999999Z", "8999-12-31T23:59:59.999999Z"),
    ],
)
def test_two_notations_of_one_instant_are_equal(text, same):
    assert instants.parse_instant(text, "at") == instants.parse_instant(same, "at")


def test_an_instant_is_counted_in_microseconds():
    assert instants.parse_instant("1970-01-01T00:00:01.000002Z", "at") == 1_000_002
    assert instants.parse_instant("1969-12-31T23:59:59.999999Z", "at") == -1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-30",
        "2026-11-30T12:00:00",
        "2026-11-30 12:00:00Z",
        "2026-11-30T12:00Z",
        "2026-11-30T12:00:00.Z",
        "2026-11-30T12:00:00.1234567Z",
        "2026-11-30T12:00:00,5Z",
        "20261130T120000Z",
        "2026-W49-1T12:00:00Z",
        "2026-11-30T12:00:00+0200",
        "2026-11-30T12:00:00+02",
        "2026-11-30T12:00:00+02:00:00",
        "+2026-11-30T12:00:00Z",
        "12026-11-30T12:00:00Z",
        " 2026-11-30T12:00:00Z",
        "2026-11-30T12:00:00Z\n",
        "2026-11-30T12:00:00 02:00",
        "\N{FULLWIDTH DIGIT TWO}026-11-30T12:00:00Z",
        "1764504000",
        "now",
    ],
)
def test_another_shape_is_refused(text):
    with pytest.raises(InvalidInput, match="at must be an RFC 3339 instant") as caught:
        instants.parse_instant(text, "at")

    assert caught.value.field == "at"
    assert not instants.looks_like_instant(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2026-02-29T00:00:00Z", "day"),
        ("2026-11-31T00:00:00Z", "day"),
        ("2026-13-01T00:00:00Z", "month"),
        ("2026-00-10T00:00:00Z", "month"),
        ("2026-11-30T24:00:00Z", "hour"),
        ("2026-11-30T12:60:00Z", "minute"),
        ("2016-12-31T23:59:60Z", "second"),  # a real leap second
        ("2026-11-30T12:00:00+24:00", "offset"),
        ("2026-11-30T12:00:00+05:60", "offset"),
        ("2026-11-30T12:00:00-05:99", "offset"),
        ("0000-01-01T00:00:00Z", "year"),
    ],
)
def test_what_names_no_instant_is_refused_and_says_which_part(text, why):
    with pytest.raises(InvalidInput, match=f"at names no instant: .*{why}"):
        instants.parse_instant(text, "at")


@pytest.mark.parametrize(
    "text",
    [
        "0999-12-31T23:59:59.999999Z",
        "1000-01-01T00:30:00+01:00",
        "9000-01-01T00:00:00Z",
        "8999-12-31T23:30:00-01:00",
        "9999-12-31T23:59:59.999999-23:59",
        "0001-01-01T00:00:00+23:59",
    ],
)
def test_years_that_have_no_periods_around_them_are_refused(text):
    with pytest.raises(InvalidInput, match="at must lie in the years 1000 to 8999"):
        instants.parse_instant(text, "at")


@given(any_instant, st.integers(-23 * 60 - 59, 23 * 60 + 59))
def test_reading_what_was_written_with_any_offset_gives_the_instant_again(instant, minutes):
    utc = EPOCH + instant * MICROSECOND
    text = utc.astimezone(timezone(timedelta(minutes=minutes))).isoformat()

    assert instants.parse_instant(text, "at") == instant
    assert instants.parse_instant(instants.format_instant(instant), "at") == instant
    assert instants.from_datetime(instants.to_datetime(instant)) == instant


@pytest.mark.parametrize(
    ("instant", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (500_000, "1970-01-01T00:00:00.5Z"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (10_000_000, "1970-01-01T00:00:10Z"),
    ],
)
def test_an_instant_is_written_with_the_digits_it_needs(instant, text):
    assert instants.format_instant(instant) == text


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("0s", 0),
        ("90s", 90_000_000),
        ("10m", 600_000_000),
        ("1h", 3_600_000_000),
        ("400d", 400 * 86_400_000_000),
        ("36500d", 36_500 * 86_400_000_000),
        ("none", None),
    ],
)
def test_durations(text, microseconds):
    assert instants.parse_duration(text, "grace", unlimited="none") == microseconds
    again = instants.format_duration(microseconds, unlimited="none")
    assert instants.parse_duration(again, "grace", unlimited="none") == microseconds


@pytest.mark.parametrize(
    "text", ["", "1", "h", "1 h", "-1h", "1.5h", "01h", "1w", "1H", "36501d", "9999999999s", "None"]
)
def test_impossible_durations_name_their_field(text):
    with pytest.raises(InvalidInput) as caught:
        instants.parse_duration(text, "grace", unlimited="none")

    assert caught.value.field == "grace"


@given(st.integers(0, 36_500 * 86_400))
def test_a_duration_is_written_in_its_largest_unit(seconds):
    text = instants.format_duration(seconds * 1_000_000, unlimited="none")
    sizes = {"s": 1, "m": 60, "h": 3600, "d": 86_400}

    assert int(text[:-1]) * sizes[text[-1]] == seconds
    larger = [size for size in sizes.values() if size > sizes[text[-1]]]
    assert seconds == 0 or all(seconds % size for size in larger)

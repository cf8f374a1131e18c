"""R5: windows by the local calendar; expected are facts of the zones, or what walking finds."""

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.calendar import WINDOWS, AllTime, Calendar, Season, Seasons, load_zone
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import (
    INSTANT_MAX,
    INSTANT_MIN,
    format_instant,
    from_datetime,
    parse_instant,
)
from toprung.testing import strategies, zone_strategies
from toprung.testing.oracle import span_of

CLOCK_WINDOWS = [window for window in WINDOWS if window not in ("all", "season")]
HOUR = 3_600_000_000

NEW_YORK = "America/New_York"
HOWE = "Australia/Lord_Howe"
SAO_PAULO = "America/Sao_Paulo"
HAVANA = "America/Havana"
JOHNS = "America/St_Johns"
APIA = "Pacific/Apia"
NEPAL = "Asia/Kathmandu"
DUBLIN = "Europe/Dublin"
ANGELES = "America/Los_Angeles"
TOKYO = "Asia/Tokyo"


def at(text: str) -> int:
    return parse_instant(text, "at")


def calendar(window: str, zone: str = "UTC", week_start: int = 0) -> Calendar:
    return Calendar(window, load_zone(zone, "zone"), week_start)


def span(window, zone, instant, week_start=0):
    period = calendar(window, zone, week_start).period_at(at(instant))
    return period.key, format_instant(period.start), format_instant(period.end)


@pytest.mark.parametrize(
    ("zone", "instant", "key", "start", "end", "hours"),
    [
        ("UTC", "2026-06-01T00:00:00Z", "2026-06-01", "2026-06-01", "2026-06-02", 24),
        ("UTC", "2026-05-31T23:59:59.999999Z", "2026-05-31", "2026-05-31", "2026-06-01", 24),
        # Clocks go forward, and back, in the night.
        (NEW_YORK, "2026-03-08T12:00:00Z", "2026-03-08", "2026-03-08T05", "2026-03-09T04", 23),
        (NEW_YORK, "2026-11-01T12:00:00Z", "2026-11-01", "2026-11-01T04", "2026-11-02T05", 25),
        (DUBLIN, "2026-03-29T12:00:00Z", "2026-03-29", "2026-03-29T00", "2026-03-29T23", 23),
        # By half an hour only.
        (HOWE, "2026-04-04T18:00:00Z", "2026-04-05", "2026-04-04T13", "2026-04-05T13:30", 24.5),
        (HOWE, "2026-10-03T20:00:00Z", "2026-10-04", "2026-10-03T13:30", "2026-10-04T13", 23.5),
        # At midnight: the day begins at one, or the evening comes twice.
        (SAO_PAULO, "2018-11-04T12:00:00Z", "2018-11-04", "2018-11-04T03", "2018-11-05T02", 23),
        (SAO_PAULO, "2018-02-18T01:59:59Z", "2018-02-17", "2018-02-17T02", "2018-02-18T03", 25),
        (HAVANA, "2026-03-08T12:00:00Z", "2026-03-08", "2026-03-08T05", "2026-03-09T04", 23),
        (HAVANA, "2024-11-03T12:00:00Z", "2024-11-03", "2024-11-03T04", "2024-11-04T05", 25),
        # The clock was set back at one minute past midnight: the new day had begun and goes on.
        (JOHNS, "2006-10-29T02:30:30Z", "2006-10-29", "2006-10-29T02:30", "2006-10-30T03:30", 25),
        (JOHNS, "2006-10-29T02:31:00Z", "2006-10-29", "2006-10-29T02:30", "2006-10-30T03:30", 25),
        (JOHNS, "2006-10-29T02:29:59Z", "2006-10-28", "2006-10-28T02:30", "2006-10-29T02:30", 24),
        # The day before the one that was skipped, and the one after it.
        (APIA, "2011-12-30T09:59:59Z", "2011-12-29", "2011-12-29T10", "2011-12-30T10", 24),
        (APIA, "2011-12-30T10:00:00Z", "2011-12-31", "2011-12-30T10", "2011-12-31T10", 24),
        (NEPAL, "2026-05-01T18:15:00Z", "2026-05-02", "2026-05-01T18:15", "2026-05-02T18:15", 24),
        (NEPAL, "2026-05-01T18:14:59Z", "2026-05-01", "2026-04-30T18:15", "2026-05-01T18:15", 24),
    ],
)  # fmt: skip
def test_days(zone, instant, key, start, end, hours):
    found = calendar("daily", zone).period_at(at(instant))

    assert found.key == key
    assert format_instant(found.start).startswith(start)
    assert format_instant(found.end).startswith(end)
    assert found.end - found.start == hours * HOUR


@pytest.mark.parametrize(
    ("zone", "instant", "key", "start", "end"),
    [
        ("UTC", "2026-11-30T14:00:00Z", "2026-11-30T14+00:00", "14:00:00Z", "15:00:00Z"),
        ("Europe/Oslo", "2026-11-30T13:59:59Z", "2026-11-30T14+01:00", "13:00:00Z", "14:00:00Z"),
        (NEPAL, "2026-05-01T18:15:00Z", "2026-05-02T00+05:45", "18:15:00Z", "19:15:00Z"),
        (NEPAL, "2026-05-01T18:14:59Z", "2026-05-01T23+05:45", "17:15:00Z", "18:15:00Z"),
        # The hour that comes twice is two hours.
        (NEW_YORK, "2026-11-01T05:30:00Z", "2026-11-01T01-04:00", "05:00:00Z", "06:00:00Z"),
        (NEW_YORK, "2026-11-01T06:30:00Z", "2026-11-01T01-05:00", "06:00:00Z", "07:00:00Z"),
        # Half an hour comes twice: one hour whole, then half an hour under the other offset.
        (HOWE, "2026-04-04T14:59:59Z", "2026-04-05T01+11:00", "14:00:00Z", "15:00:00Z"),
        (HOWE, "2026-04-04T15:00:00Z", "2026-04-05T01+10:30", "15:00:00Z", "15:30:00Z"),
        (HOWE, "2026-04-04T15:30:00Z", "2026-04-05T02+10:30", "15:30:00Z", "16:30:00Z"),
        # Half an hour is left out.
        (HOWE, "2026-10-03T15:29:59Z", "2026-10-04T01+10:30", "14:30:00Z", "15:30:00Z"),
        (HOWE, "2026-10-03T15:30:00Z", "2026-10-04T02+11:00", "15:30:00Z", "16:00:00Z"),
        (HOWE, "2026-10-03T16:00:00Z", "2026-10-04T03+11:00", "16:00:00Z", "17:00:00Z"),
        # Back at 00:01: one minute of the new day's first hour, then the evening again.
        (JOHNS, "2006-10-29T02:30:00Z", "2006-10-29T00-02:30", "02:30:00Z", "02:31:00Z"),
        (JOHNS, "2006-10-29T02:31:00Z", "2006-10-28T23-03:30", "02:31:00Z", "03:30:00Z"),
        # A mean time with seconds in its offset.
        (DUBLIN, "1900-01-01T12:00:00Z", "1900-01-01T11-00:25:21", "11:25:21Z", "12:25:21Z"),
    ],
)  # fmt: skip
def test_hours(zone, instant, key, start, end):
    found_key, found_start, found_end = span("hourly", zone, instant)

    assert (found_key, found_start[11:], found_end[11:]) == (key, start, end)


@pytest.mark.parametrize(
    ("instant", "week_start", "key", "start"),
    [
        ("2026-05-10T23:59:59Z", 0, "2026-W19", "2026-05-04"),
        ("2026-05-11T00:00:00Z", 0, "2026-W20", "2026-05-11"),
        ("2026-12-28T00:00:00Z", 0, "2026-W53", "2026-12-28"),
        ("2027-01-03T23:59:59Z", 0, "2026-W53", "2026-12-28"),
        ("2027-01-04T00:00:00Z", 0, "2027-W01", "2027-01-04"),
        ("2024-12-30T00:00:00Z", 0, "2025-W01", "2024-12-30"),
        ("2021-01-03T12:00:00Z", 0, "2020-W53", "2020-12-28"),
        ("2026-11-29T00:00:00Z", 6, "wk2026-11-29", "2026-11-29"),
        ("2026-12-05T23:59:59Z", 6, "wk2026-11-29", "2026-11-29"),
        ("2026-11-28T23:59:59Z", 6, "wk2026-11-22", "2026-11-22"),
        ("2026-11-28T00:00:00Z", 5, "wk2026-11-28", "2026-11-28"),
        ("2027-01-01T00:00:00Z", 2, "wk2026-12-30", "2026-12-30"),
    ],
)
def test_weeks(instant, week_start, key, start):
    found = calendar("weekly", "UTC", week_start).period_at(at(instant))

    assert found.key == key
    assert format_instant(found.start) == f"{start}T00:00:00Z"
    assert found.end - found.start == 7 * 24 * HOUR


@pytest.mark.parametrize(
    ("window", "zone", "instant", "key", "start", "end"),
    [
        ("monthly", "UTC", "2028-02-29T23:59:59Z", "2028-02", "2028-02-01T00", "2028-03-01T00"),
        ("monthly", "UTC", "2027-02-28T23:59:59Z", "2027-02", "2027-02-01T00", "2027-03-01T00"),
        ("monthly", TOKYO, "2026-12-31T15:00:00Z", "2027-01", "2026-12-31T15", "2027-01-31T15"),
        ("monthly", APIA, "2011-12-31T00:00:00Z", "2011-12", "2011-12-01T10", "2011-12-31T10"),
        ("yearly", "UTC", "2026-12-31T23:59:59Z", "2026", "2026-01-01T00", "2027-01-01T00"),
        ("yearly", ANGELES, "2026-01-01T07:59:59Z", "2025", "2025-01-01T08", "2026-01-01T08"),
    ],
)  # fmt: skip
def test_months_and_years(window, zone, instant, key, start, end):
    found = span(window, zone, instant)

    assert found[0] == key
    assert found[1].startswith(start)
    assert found[2].startswith(end)


@given(st.data(), st.sampled_from(CLOCK_WINDOWS), zone_strategies.zones, st.integers(0, 6))
def test_periods_are_those_found_by_walking(data, window, zone, week_start):
    instant = data.draw(zone_strategies.moments(zone))

    found = calendar(window, zone, week_start).period_at(instant)

    assert (found.key, found.start, found.end) == span_of(window, zone, week_start, instant)
    assert found.window == window


@given(
    st.lists(zone_strategies.moments(JOHNS), min_size=2, max_size=6),
    st.sampled_from(CLOCK_WINDOWS),
)
def test_what_was_asked_before_plays_no_part(moments, window):
    """A calendar keeps the period it found last."""
    kept = calendar(window, JOHNS)

    found = [kept.period_at(moment) for moment in moments]

    assert found == [calendar(window, JOHNS).period_at(each) for each in moments]


@given(st.data(), st.sampled_from(CLOCK_WINDOWS), zone_strategies.zones, st.integers(0, 6))
def test_key_and_period_are_inverse(data, window, zone, week_start):
    instant = data.draw(
        zone_strategies.moments(zone)
        | strategies.instants
        | st.integers(INSTANT_MIN, INSTANT_MIN + 48 * HOUR)
        | st.integers(INSTANT_MAX - 48 * HOUR, INSTANT_MAX)
    )
    asked = calendar(window, zone, week_start)

    period = asked.period_at(instant)

    assert period.holds(instant)
    assert asked.parse(period.key) == period


@given(st.data(), st.sampled_from(CLOCK_WINDOWS), zone_strategies.zones)
def test_periods_follow_each_other_without_gap(data, window, zone):
    instant = data.draw(zone_strategies.moments(zone))
    asked = calendar(window, zone)

    period = asked.period_at(instant)

    assert asked.period_at(period.end).start == period.end
    assert asked.period_at(period.start - 1).end == period.start
    assert asked.period_at(period.start) == period == asked.period_at(period.end - 1)


@pytest.mark.parametrize(
    ("window", "zone", "key"),
    [("daily", APIA, "2011-12-30"), ("daily", "Pacific/Kiritimati", "1994-12-31")],
)
def test_a_day_that_was_skipped_is_an_empty_period(window, zone, key):
    period = calendar(window, zone).parse(key)

    assert period.key == key
    assert period.start == period.end
    assert not period.holds(period.start)


@pytest.mark.parametrize(
    ("window", "week_start", "key"),
    [
        ("hourly", 0, "2026-11-30T14"),
        ("hourly", 0, "2026-11-30T14Z"),
        ("hourly", 0, "2026-11-30T14+02:00"),
        ("hourly", 0, "2026-11-30T24+00:00"),
        ("hourly", 0, "2026-11-30T14:00+00:00"),
        ("hourly", 0, "2026-11-30T14-00:00"),
        ("hourly", 0, "2026-02-30T14+00:00"),
        ("daily", 0, "2026-11-31"),
        ("daily", 0, "2026-11-3"),
        ("daily", 0, "20261130"),
        ("daily", 0, "2026-W49-1"),
        ("daily", 0, "2026-11-30 "),
        ("daily", 0, "\N{FULLWIDTH DIGIT TWO}026-11-30"),
        ("weekly", 0, "2026-W54"),
        ("weekly", 0, "2025-W53"),
        ("weekly", 0, "2026-W00"),
        ("weekly", 0, "2026W49"),
        ("weekly", 0, "wk2026-11-30"),
        ("weekly", 6, "2026-W49"),
        ("weekly", 6, "wk2026-11-30"),
        ("weekly", 6, "2026-11-29"),
        ("monthly", 0, "2026-13"),
        ("monthly", 0, "2026-1"),
        ("monthly", 0, "2026-11-30"),
        ("yearly", 0, "26"),
        ("yearly", 0, "02026"),
        ("yearly", 0, "2026.0"),
        ("yearly", 0, "9999"),
        ("yearly", 0, "1" * 5000),
        ("yearly", 0, ""),
        ("daily", 0, "all"),
    ],
)
def test_what_is_no_key_is_refused_with_an_example(window, week_start, key):
    with pytest.raises(InvalidInput, match="is no key of the window") as caught:
        calendar(window, "UTC", week_start).parse(key)

    assert caught.value.field == "period"
    assert calendar(window, "UTC", week_start).parse(caught.value.hint.split("'")[1])


def test_all_time_has_one_period():
    period = AllTime().period_at(0)

    assert (period.key, period.start, period.end) == ("all", None, None)
    assert AllTime().parse("all") == period
    with pytest.raises(InvalidInput):
        AllTime().parse("2026")


SEASONS = Seasons([Season("r1", None, 100), Season("r2", "autumn", 200), Season("r3", None, 300)])


@pytest.mark.parametrize(
    ("instant", "key", "start", "end"),
    [
        (-(10**15), "0", None, 100),
        (99, "0", None, 100),
        (100, "1", 100, 200),
        (199, "1", 100, 200),
        (200, "autumn", 200, 300),
        (300, "3", 300, None),
        (10**15, "3", 300, None),
    ],
)
def test_seasons_run_from_reset_to_reset(instant, key, start, end):
    period = SEASONS.period_at(instant)

    assert (period.key, period.start, period.end) == (key, start, end)
    assert SEASONS.parse(key) == period


def test_a_named_season_is_also_found_by_its_number():
    assert SEASONS.parse("2") == SEASONS.period_at(200)


@pytest.mark.parametrize("key", ["4", "winter", "r1"])
def test_a_season_that_never_was_is_empty(key):
    """Its key is well-formed, so it is a period without entries, not an error (R7)."""
    period = SEASONS.parse(key)

    assert period.key == key
    assert period not in SEASONS.periods


@pytest.mark.parametrize("key", ["", "Winter", "a b", "previous", "-1"])
def test_what_can_be_no_season_is_refused(key):
    with pytest.raises(InvalidInput) as caught:
        SEASONS.parse(key)

    assert caught.value.field == "period"


def test_without_resets_everything_is_season_0():
    period = Seasons([]).period_at(0)

    assert (period.key, period.start, period.end) == ("0", None, None)


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "europe/oslo ", "../../etc/passwd", "/etc/passwd", "\0", "x" * 999]
)
def test_an_unknown_zone_is_refused_never_utc_in_silence(name):
    with pytest.raises(InvalidInput, match="zone: no time zone") as caught:
        load_zone(name, "zone")

    assert caught.value.field == "zone"


def test_the_host_s_zone_plays_no_part(monkeypatch):
    monkeypatch.setenv("TZ", "Pacific/Auckland")

    time.tzset()
    try:
        period = calendar("daily").period_at(at("2026-05-04T23:30:00Z"))
    finally:
        monkeypatch.undo()
        time.tzset()

    assert (period.key, format_instant(period.start)) == ("2026-05-04", "2026-05-04T00:00:00Z")
    assert datetime.fromtimestamp(period.start / 10**6, UTC) + timedelta(days=1) == (
        datetime.fromtimestamp(period.end / 10**6, UTC)
    )


@pytest.mark.parametrize(
    "zone",
    [
        "__init__/x",
        "a/" * 400 + "x",
        "../UTC",
        "",
        "Europe",
        "\0",
        "tzdata",
    ],
)
def test_a_name_that_is_no_zone_is_bad_input_whatever_it_is(zone):
    """Such a name once ended in an error of the import system, inside the writer."""
    with pytest.raises(InvalidInput) as caught:
        load_zone(zone, "zone")

    assert caught.value.field == "zone"


@pytest.mark.parametrize("window", ["daily", "weekly", "monthly", "yearly", "hourly"])
@pytest.mark.parametrize("key", ["9" * 23, "9" * 5000, "0", "-1", "2026-13-40", "wk", "T"])
def test_a_key_that_is_none_is_bad_input(window, key):
    with pytest.raises(InvalidInput) as caught:
        Calendar(window, UTC, 0).parse(key)

    assert caught.value.field == "period"


def test_two_hours_of_an_old_local_mean_time_have_two_keys():
    """Pacific/Gambier left its mean time of -8:59:48 in October 1912."""
    calendar = Calendar("hourly", ZoneInfo("Pacific/Gambier"), 0)
    change = from_datetime(datetime(1912, 10, 1, 8, 59, 48, tzinfo=UTC))
    before, after = calendar.period_at(change - 1), calendar.period_at(change)

    assert before.end == after.start == change
    assert before.key != after.key
    assert calendar.parse(before.key) == before
    assert calendar.parse(after.key) == after

"""The coming boundaries are those of the periods, one after the other, as the oracle has them."""

from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.calendar import WINDOWS, AllTime, Calendar, Season, Seasons, load_zone
from toprung.domain.instants import DAY, HOUR, INSTANT_MAX, parse_instant
from toprung.domain.schedule import boundaries
from toprung.testing.oracle import span_of
from toprung.testing.zone_strategies import moments, zones

CALENDARS = [window for window in WINDOWS if window not in ("all", "season")]


def at(text):
    return parse_instant(text, "at")


@given(st.data(), st.sampled_from(CALENDARS), zones, st.sampled_from([0, 6]))
def test_each_boundary_is_where_the_oracle_ends_one_period_and_begins_the_next(
    data, window, zone, week_start
):
    after = data.draw(moments(zone))
    found = boundaries(Calendar(window, load_zone(zone, "zone"), week_start), after, 3)

    now = after
    for boundary in found:
        ends = span_of(window, zone, week_start, now)
        begins = span_of(window, zone, week_start, ends.end)
        assert boundary.at == ends.end == begins.start
        assert (boundary.ends.key, boundary.begins.key) == (ends.key, begins.key)
        now = ends.end
    assert len(found) == 3


def test_days_on_which_clocks_are_set_have_23_and_25_hours():
    days = Calendar("daily", load_zone("Europe/Oslo", "zone"), 0)
    spring = boundaries(days, at("2026-03-27T12:00:00Z"), 3)
    autumn = boundaries(days, at("2026-10-23T12:00:00Z"), 3)

    assert [b.begins.end - b.begins.start for b in spring] == [DAY, DAY - HOUR, DAY]
    assert [b.begins.end - b.begins.start for b in autumn] == [DAY, DAY + HOUR, DAY]


def test_the_first_instant_of_a_period_lies_before_its_own_end_alone():
    days = Calendar("daily", load_zone("UTC", "zone"), 0)

    (boundary,) = boundaries(days, at("2026-03-27T00:00:00Z"), 1)
    assert boundary.at == at("2026-03-28T00:00:00Z")


def test_what_has_no_end_has_no_boundary():
    assert boundaries(AllTime(), 0, 5) == []


def test_seasons_that_were_told_ahead_are_boundaries():
    seasons = Seasons([Season("s1", "spring", 100), Season("s2", None, 200)])

    assert [(b.at, b.ends.key, b.begins.key) for b in boundaries(seasons, 0, 5)] == [
        (100, "0", "spring"),
        (200, "spring", "2"),
    ]
    assert boundaries(seasons, 200, 5) == []


def test_it_stops_where_instants_stop():
    years = Calendar("yearly", load_zone("UTC", "zone"), 0)

    assert boundaries(years, INSTANT_MAX, 5) == []
    assert len(boundaries(years, at("8998-01-01T00:00:00Z"), 5)) == 1

"""R5: the last so many local days, kept day by day and put together."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.acts import put_board, roll_day
from toprung.domain.board import Board, Column, Settings
from toprung.domain.calendar import Rolling, load_zone, rolling_days
from toprung.domain.entries import fold, together
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import HOUR, format_instant, parse_instant
from toprung.testing.zone_strategies import moments, zones

DAY = 24 * HOUR


def at(text):
    return parse_instant(text, "at")


def window(days, zone="UTC"):
    return Rolling(f"rolling:{days}d", load_zone(zone, "zone"))


def state(windows=("rolling:7d",), zone="Europe/Oslo", mode="sum", arrival="2026-05-04T12:00:00Z"):
    settings = Settings(
        mode, (Column("score", True, 0),), "earliest", windows, zone, 0, HOUR, None, None, ""
    )
    return put_board(None, "game", "b", settings, "refuse", 1, at(arrival)).state


@pytest.mark.parametrize(
    ("name", "days"),
    [
        ("rolling:2d", 2),
        ("rolling:90d", 90),
        ("rolling:1d", None),
        ("rolling:91d", None),
        ("rolling:07d", None),
        ("rolling:7", None),
        ("rolling:\N{ARABIC-INDIC DIGIT SEVEN}d", None),
        ("daily", None),
    ],
)
def test_of_how_many_days_a_window_is(name, days):
    assert rolling_days(name) == days


@pytest.mark.parametrize(
    ("key", "start", "end"),
    [
        # The night of 29 March is an hour shorter in Oslo, that of 25 October an hour longer.
        ("2026-03-30", "2026-03-23T23:00:00Z", "2026-03-30T22:00:00Z"),
        ("2026-03-28", "2026-03-21T23:00:00Z", "2026-03-28T23:00:00Z"),
        ("2026-10-25", "2026-10-18T22:00:00Z", "2026-10-25T23:00:00Z"),
    ],
)
def test_a_window_of_seven_days_where_clocks_are_set(key, start, end):
    period = window(7, "Europe/Oslo").parse(key)
    assert (period.key, format_instant(period.start), format_instant(period.end)) == (
        key,
        start,
        end,
    )


def test_the_parts_of_a_period_are_its_days():
    assert window(3).part_keys("2026-03-01") == ["2026-02-27", "2026-02-28", "2026-03-01"]


def test_a_day_leaves_when_the_first_day_without_it_begins():
    assert format_instant(window(7, "Europe/Oslo").leaves_at("2026-03-24")) == (
        "2026-03-30T22:00:00Z"
    )


@given(st.integers(2, 90), zones, st.data())
def test_parts_are_days_and_a_period_runs_over_them(days, zone, data):
    moment, found = data.draw(moments(zone)), window(days, zone)
    part, period = found.part_at(moment), found.period_at(moment)

    assert part.holds(moment)
    assert period.key == part.key
    assert period.end == part.end
    keys = found.part_keys(period.key)
    assert keys[-1] == part.key
    assert len(keys) == days
    assert date.fromisoformat(keys[-1]) - date.fromisoformat(keys[0]) == timedelta(days=days - 1)
    assert found.parse(part.key) == period
    # A day leaves just when the period begins with the day after it.
    assert found.leaves_at(keys[0]) == period.end


facts = st.lists(
    st.tuples(st.integers(0, 3), st.integers(-2, 2), st.integers(-2, 2), st.integers(0, 5)),
    min_size=1,
    max_size=12,
)
"""Day, two columns, and the hour of the day."""


@given(st.sampled_from(["sum", "best", "last"]), st.tuples(st.booleans(), st.booleans()), facts)
def test_days_together_are_what_all_their_events_make(mode, descending, events):
    whole, days = None, {}
    for number, (day, first, second, hour) in enumerate(events):
        told = ((first, second), day * DAY + hour, f"e{number}", number)
        whole = fold(mode, descending, whole, *told)
        days[day] = fold(mode, descending, days.get(day), *told)

    assert together(mode, descending, days.values()) == whole
    assert together(mode, descending, reversed(list(days.values()))) == whole


def test_nothing_together_is_nothing():
    assert together("sum", (True,), []) is None


@pytest.mark.parametrize(
    ("mode", "windows", "asked", "most"),
    [
        ("sum", ("all", "rolling:7d"), "rolling:7d", (2**63 - 1) // 7),
        ("sum", ("all", "rolling:7d"), "all", 2**63 - 1),
        ("best", ("rolling:7d",), "rolling:7d", 2**63 - 1),
        ("last", ("rolling:7d",), "rolling:7d", 2**63 - 1),
    ],
)
def test_a_day_has_its_share_of_what_a_total_may_be(mode, windows, asked, most):
    board = Board(state(windows, mode=mode))

    assert board.holds(asked, (most,))
    assert board.holds(asked, (-most,))
    assert not board.holds(asked, (most + 1,))


def test_a_board_stands_at_the_local_day_of_its_arrival_and_goes_on_by_records():
    board = state(arrival="2026-05-04T21:59:59Z")
    assert (board.day, board.rolled) == ("2026-05-04", 0)

    assert roll_day(board, 5, at("2026-05-04T21:59:59.999999Z")).result == "unchanged"
    change = roll_day(board, 5, at("2026-05-04T22:00:00Z"))
    assert (change.result, change.state.day, change.state.rolled) == ("changed", "2026-05-05", 5)
    # After a long downtime one record passes over all days; a clock that went back, over none.
    change = roll_day(change.state, 6, at("2026-07-01T12:00:00Z"))
    assert change.state.day == "2026-07-01"
    assert roll_day(change.state, 7, at("2026-06-01T12:00:00Z")).result == "unchanged"


def test_a_board_without_a_rolling_window_stands_at_no_day():
    board = state(("all", "daily"))
    assert board.day is None
    assert roll_day(board, 5, at("2026-07-01T12:00:00Z")).result == "unchanged"


def test_a_window_that_is_added_shows_the_day_on_which_it_was():
    board = state(("all",))
    changed = put_board(
        board,
        "game",
        "b",
        state(("all", "rolling:7d")).settings,
        "change",
        9,
        at("2026-06-01T12:00:00Z"),
    )
    assert (changed.state.day, changed.refill) == ("2026-06-01", ("rolling:7d",))


@pytest.mark.parametrize("name", ["rolling:1d", "rolling:91d", "rolling:7h", "rolling"])
def test_a_window_of_no_such_length_is_refused_with_the_lengths_there_are(name):
    with pytest.raises(InvalidInput, match=r"rolling:<n>d of 2 to 90 days") as refused:
        state(("all", name))
    assert refused.value.field == "windows[1]"

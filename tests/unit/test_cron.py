"""Seasons by a schedule: what fires when, and that each is told once and one ahead."""

from concurrent.futures import Future
from itertools import islice

import msgspec
import pytest

from toprung.domain.acts import Refused, begin_season, schedule_seasons
from toprung.domain.board import Board, BoardState, Column, Settings
from toprung.domain.calendar import SeasonSchedule
from toprung.domain.cron import check_cron, occurrences
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import DAY, HOUR, format_instant, parse_instant
from toprung.jobs import ScheduledSeasons
from toprung.ports.catalog import Catalog
from toprung.testing.path import StandingClock

START = parse_instant("2026-03-27T12:00:00Z", "at")
SETTINGS = Settings(
    "sum", (Column("score", True, 0),), "earliest", ("season",), "UTC", 0, None, None, None, ""
)
BOARD = BoardState(1, "game", "b", SETTINGS, 1, 0, (), None)


def fires(cron, zone="UTC", count=3, after=START):
    return [format_instant(at) for at in islice(occurrences(cron, zone, after), count)]


def test_it_fires_by_the_clock_of_its_zone_also_where_clocks_are_set():
    assert fires("0 6 * * *", "Europe/Oslo") == [
        "2026-03-28T05:00:00Z",
        "2026-03-29T04:00:00Z",
        "2026-03-30T04:00:00Z",
    ]


def test_an_hour_that_comes_twice_or_never_fires_once():
    autumn = parse_instant("2026-10-24T12:00:00Z", "at")
    assert len(fires("30 2 * * *", "Europe/Oslo", 2, autumn)) == 2
    days = [at[:10] for at in fires("30 2 * * *", "Europe/Oslo", 3, autumn)]
    assert days == ["2026-10-25", "2026-10-26", "2026-10-27"]
    assert [at[:10] for at in fires("30 2 * * *", "Europe/Oslo")] == [
        "2026-03-28",
        "2026-03-29",
        "2026-03-30",
    ]


@pytest.mark.parametrize(
    ("cron", "zone", "field"),
    [
        ("0 0 30 2 *", "UTC", "cron"),
        ("0 0 31 2,4 *", "UTC", "cron"),
        ("60 * * * *", "UTC", "cron"),
        ("* * * * * *", "UTC", "cron"),
        ("every monday", "UTC", "cron"),
        ("@daily at 6", "UTC", "cron"),
        ("0 0 * * MON", "Europe/Atlantis", "zone"),
        ("0 0 * * MON" + " " * 100, "UTC", "cron"),
    ],
)
def test_what_never_fires_or_cannot_be_read_names_the_field(cron, zone, field):
    with pytest.raises(InvalidInput) as caught:
        check_cron(cron, zone, START)
    assert caught.value.field == field


class Told:
    """A board whose seasons are told at once."""

    def __init__(self, cron, **changes):
        schedule = SeasonSchedule(cron, "UTC", START)
        self.clock = StandingClock(START)
        self.catalog = Catalog(
            [Board(msgspec.structs.replace(BOARD, schedule=schedule, **changes))]
        )
        self.job = ScheduledSeasons(self.clock, self.catalog, self.begin)

    @property
    def state(self):
        return self.catalog.by_id(1).state

    def begin(self, project, name, season_id, season_name, at):
        change = begin_season(self.state, season_id, season_name, at, 9)
        assert change.result == "created", "it was told before"
        self.catalog.put(Board(change.state))
        done = Future()
        done.set_result([])
        return done

    def look(self, at):
        self.clock.instant = at
        self.job.look()
        return [format_instant(season.at) for season in self.state.seasons]


def test_the_next_season_is_told_ahead_and_each_once():
    told = Told("0 0 * * *")

    assert told.look(START) == ["2026-03-28T00:00:00Z"]
    assert told.look(START + HOUR) == ["2026-03-28T00:00:00Z"]
    assert told.look(START + 12 * HOUR) == ["2026-03-28T00:00:00Z", "2026-03-29T00:00:00Z"]


def test_after_a_long_downtime_all_that_fired_is_told_in_order():
    told = Told("0 0 * * *")

    assert told.look(START + 4 * DAY) == [f"2026-03-{day}T00:00:00Z" for day in range(28, 32)] + [
        "2026-04-01T00:00:00Z"
    ]


def test_what_fires_inside_a_planned_season_begins_none():
    planned = begin_season(BOARD, "s1", None, START, 9, START + 3 * DAY).state
    told = Told("0 0 * * *", seasons=planned.seasons)

    assert told.look(START + 2 * DAY) == ["2026-03-27T12:00:00Z"]
    assert told.look(START + 3 * DAY) == ["2026-03-27T12:00:00Z", "2026-03-31T00:00:00Z"]


def test_another_schedule_takes_the_place_of_what_is_planned_and_not_begun():
    told = Told("0 0 * * *")
    told.look(START + DAY)
    now = START + DAY
    change = schedule_seasons(told.state, SeasonSchedule("0 6 * * *", "UTC", now), 9, now)

    assert [season.id for season in change.state.seasons] == ["cron-20260328t000000z"]
    again = SeasonSchedule("0 6 * * *", "UTC", now + 1)
    assert schedule_seasons(change.state, again, 9, now + 1).result == "unchanged"
    assert schedule_seasons(change.state, None, 9, now + 2).state.schedule is None


def test_a_board_without_the_window_has_no_schedule():
    settings = msgspec.structs.replace(SETTINGS, windows=("all",))
    state = msgspec.structs.replace(BOARD, settings=settings)
    with pytest.raises(Refused) as caught:
        schedule_seasons(state, SeasonSchedule("0 6 * * *", "UTC", 0), 9, 0)
    assert caught.value.code == "no_season_window"

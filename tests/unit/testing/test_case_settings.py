"""A case's setup becomes the settings of a board, or is refused by name."""

import pytest

from toprung.testing.cases.settings import board_settings
from toprung.testing.cases.trouble import CannotPlay

SETUP = {"mode": "sum", "order": "desc", "ties": "shared", "windows": ["all"], "tz": "UTC"}


def column(settings: dict) -> dict:
    (only,) = settings["columns"]
    return only


def test_a_setup_without_a_word_about_time_takes_events_of_any_time():
    settings = board_settings(SETUP)

    assert (settings["grace"], settings["max_ahead"]) == ("none", "none")


def test_seconds_become_durations_also_when_there_are_none():
    settings = board_settings({**SETUP, "grace_s": 600, "max_ahead_s": 0})

    assert (settings["grace"], settings["max_ahead"]) == ("600s", "0s")


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_min_is_best_with_the_smallest_first(order: str):
    settings = board_settings({**SETUP, "mode": "min", "order": order})

    assert settings["mode"] == "best"
    assert column(settings)["order"] == "asc"


def test_scale_zone_ties_and_windows_keep_their_values():
    settings = board_settings({**SETUP, "order": "asc", "scale": 3, "tz": "Asia/Kathmandu"})

    assert column(settings) == {"name": "score", "order": "asc", "decimals": 3}
    assert (settings["zone"], settings["ties"], settings["windows"]) == (
        "Asia/Kathmandu",
        "shared",
        ["all"],
    )


@pytest.mark.parametrize("word", ["sunday", "Sunday", "sun", "SU"])
def test_a_week_may_start_on_another_day(word: str):
    assert board_settings({**SETUP, "week_start": word})["week_start"] == "sunday"


@pytest.mark.parametrize("word", ["someday", "s", 7, None])
def test_a_day_that_is_none_is_refused(word: object):
    with pytest.raises(CannotPlay, match="week_start"):
        board_settings({**SETUP, "week_start": word})


def test_a_setting_without_counterpart_is_refused_by_name():
    with pytest.raises(CannotPlay, match="blink_at"):
        board_settings({**SETUP, "blink_at": "2026-05-04T13:00:00Z"})

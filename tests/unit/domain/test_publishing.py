"""When the first ranks of a period are withheld, and which acts show them."""

import msgspec
import pytest

from toprung.domain.acts import Refused, change_board
from toprung.domain.board import Board, BoardState, Column, Settings, check_settings
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import DAY, HOUR
from toprung.domain.publishing import PublishDelay, Published
from toprung.domain.records import PeriodPublished

D0, D1, D2 = "1970-01-01", "1970-01-02", "1970-01-03"


def board(grace=HOUR, wait=2 * HOUR, windows=("daily",), published=()):
    settings = Settings(
        mode="sum",
        columns=(Column("score", True, 0),),
        ties="earliest",
        windows=windows,
        zone="UTC",
        week_start=0,
        grace=grace,
        max_ahead=None,
        remember=None,
        title="",
        publish_delay=None if wait is None else PublishDelay(3, wait),
    )
    made = BoardState(1, "p", "b", settings, 1, 0, (), None, day=D0)
    return Board(msgspec.structs.replace(made, published=published))


def until(found, key, now, window="daily"):
    return found.withheld_until(found.window(window).parse(key), now)


@pytest.mark.parametrize(
    ("grace", "wait", "last"),
    [(HOUR, 2 * HOUR, DAY + 3 * HOUR), (0, HOUR, DAY + HOUR), (None, HOUR, DAY + HOUR)],
)
def test_it_begins_with_the_end_and_ends_after_the_close(grace, wait, last):
    found = board(grace, wait)

    assert [until(found, D0, now) for now in (DAY - 1, DAY, last - 1, last)] == [
        None,
        last,
        last,
        None,
    ]


def test_what_has_no_end_is_shown():
    found = board(windows=("all", "daily"))

    assert until(found, "all", 100 * DAY, "all") is None
    assert until(board(wait=None), D0, DAY) is None


def test_an_interval_tells_what_its_periods_hold():
    found = board()
    now, last = DAY + HOUR, DAY + 3 * HOUR

    assert found.withheld_between(None, None, now) == last
    assert found.withheld_between(0, 1, now) == last
    assert found.withheld_between(DAY - 1, 9 * DAY, now) == last
    assert found.withheld_between(DAY, None, now) is None
    assert found.withheld_between(5, 5, now) == found.withheld_between(DAY, DAY, now) is None
    assert found.withheld_between(None, 0, now) is None
    assert found.withheld_between(None, None, last) is None


def test_an_interval_looks_past_a_period_that_was_published():
    found = board(wait=2 * DAY, published=(Published("daily", D1),))

    assert found.withheld_between(None, None, 2 * DAY) == 3 * DAY + HOUR
    assert found.withheld_between(DAY, None, 2 * DAY) is None


def publish(found, key, now, window="daily"):
    return change_board(found.state, PeriodPublished("p", "b", window, key, "k", None), 9, now)


def test_a_published_period_is_shown_and_others_are_not():
    change = publish(board(wait=2 * DAY), D0, 2 * DAY)

    after = Board(change.state)
    assert (change.result, change.refill, change.removed) == ("changed", (), ())
    assert until(after, D0, 2 * DAY) is None
    assert until(after, D1, 2 * DAY) == 4 * DAY + HOUR
    assert publish(after, D0, 2 * DAY).result == "unchanged"


def test_a_publication_is_forgotten_when_its_time_has_come():
    first = Board(publish(board(), D0, DAY).state)

    second = publish(first, D1, 2 * DAY)

    assert second.state.published == (Published("daily", D1),)
    assert Board(second.state).withheld_until(first.window("daily").parse(D0), 2 * DAY) is None


def test_what_withholds_nothing_stays_as_it_is():
    assert publish(board(wait=None), D0, DAY).result == "unchanged"
    assert publish(board(), D0, DAY + 3 * HOUR).result == "unchanged"


def test_what_has_not_ended_is_not_published():
    with pytest.raises(Refused, match="has not ended") as refused:
        publish(board(), D0, DAY - 1)
    assert (refused.value.code, refused.value.field) == ("period_open", "period")
    with pytest.raises(Refused, match="has not ended"):
        publish(board(windows=("all",)), "all", DAY, "all")
    with pytest.raises(InvalidInput) as invalid:
        publish(board(), "soon", DAY)
    assert invalid.value.field == "period"


def test_no_rolling_window_goes_with_it():
    for wait, windows in ((0, ("daily", "rolling:2d")), (0, ("rolling:7d",))):
        with pytest.raises(InvalidInput, match="no rolling window") as invalid:
            check_settings(board(wait=wait, windows=windows).settings)
        assert invalid.value.field == "publish_delay"
    check_settings(board(wait=None, windows=("rolling:7d",)).settings)

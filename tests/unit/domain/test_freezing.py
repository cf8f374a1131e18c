"""R18: which standings are kept beside those of a board's windows, and when a freeze may change."""

import msgspec
import pytest

from toprung.domain.acts import Refused, put_board, unfreeze
from toprung.domain.board import Board, BoardState, Column, Settings, check_settings
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import DAY

SETTINGS = Settings(
    "sum", (Column("score", True, 0),), "earliest", ("all", "daily"), "UTC", 0, None, None, None, ""
)
FROZEN = msgspec.structs.replace(SETTINGS, freeze_at=100)
BOTH = ("frozen:all", "frozen:daily")


def state(settings=FROZEN, latest_at=None, unfrozen=None) -> BoardState:
    return BoardState(7, "game", "week", settings, 1, 0, (), latest_at, unfrozen=unfrozen)


def put(old, new, if_exists="change"):
    return put_board(old, "game", "week", new, if_exists, 9, 100)


def test_before_the_freeze_events_fall_into_frozen_periods_too():
    board = Board(state())

    assert [period.window for period in board.parts_at(99)] == ["all", "daily", *BOTH]
    assert [period.window for period in board.parts_at(100)] == ["all", "daily"]
    assert board.stretch_of(99, board.parts_at(99)) == (0, 100)
    assert board.stretch_of(100, board.parts_at(100)) == (100, DAY)


def test_who_sets_a_freeze_has_frozen_windows_filled():
    change = put(state(SETTINGS, latest_at=200), FROZEN)

    assert (change.refill, change.removed, change.state.generation) == (BOTH, (), 9)
    assert change.state.kept_windows == ("all", "daily", *BOTH)


def test_a_window_that_goes_takes_its_frozen_one_along():
    change = put(state(), msgspec.structs.replace(FROZEN, windows=("daily",)))

    assert (change.refill, change.removed) == ((), ("all", "frozen:all"))


def test_a_freeze_may_be_another_as_long_as_it_keeps_nothing_back():
    change = put(state(latest_at=99), msgspec.structs.replace(FROZEN, freeze_at=200))

    assert (change.refill, change.removed) == (BOTH, ())


@pytest.mark.parametrize("freeze_at", [None, 99, 101])
def test_a_freeze_that_keeps_something_back_is_not_changed(freeze_at):
    with pytest.raises(Refused, match="unfreeze it before") as caught:
        put(state(latest_at=100), msgspec.structs.replace(FROZEN, freeze_at=freeze_at))

    assert (caught.value.code, caught.value.field) == ("frozen", "freeze_at")


def test_unfreezing_removes_the_frozen_windows_and_keeps_the_setting():
    change = unfreeze(state(latest_at=200), 9)

    assert (change.result, change.removed) == ("changed", BOTH)
    assert change.state.settings == FROZEN
    assert change.state.freeze_at is None
    assert unfreeze(change.state, 10).result == "unchanged"


def test_the_same_settings_told_again_do_not_freeze_again():
    assert put(state(latest_at=200, unfrozen=100), FROZEN).result == "unchanged"


def test_a_freeze_that_was_taken_off_may_be_set_again():
    without = put(state(latest_at=200, unfrozen=100), SETTINGS).state

    assert without.freeze_at is None
    assert put(without, FROZEN).state.freeze_at == 100


def test_a_frozen_board_has_four_windows_at_most():
    windows = ("all", "hourly", "daily", "weekly", "monthly")

    check_settings(msgspec.structs.replace(FROZEN, windows=windows[:4]))
    with pytest.raises(InvalidInput) as caught:
        check_settings(msgspec.structs.replace(FROZEN, windows=windows))
    assert caught.value.field == "windows"

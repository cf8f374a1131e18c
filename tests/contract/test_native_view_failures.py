"""What the native view's failures look like to the rest, and who may touch the engine when."""

from threading import Thread

import pytest

from toprung._native import EngineBroken, EngineError, build_profile
from toprung.domain.errors import Broken, Trouble
from toprung.ports.moves import Move, moves_of
from toprung.rank.native import NativeView
from toprung.rank.native.failures import raise_ours
from toprung.rank.native.gate import Gate

ALL = (1, "all", "all")


@pytest.fixture
def view() -> NativeView:
    view = NativeView()
    view.open_board(1, [True], 0)
    view.apply(moves_of([Move(ALL, "ann", (1,), 1, None)]), 1)
    return view


@pytest.mark.parametrize(
    ("code", "ours", "retryable"),
    [("full", "view_full", False), ("out_of_memory", "out_of_memory", True)],
)
def test_what_an_operator_can_help_is_trouble(code, ours, retryable):
    with pytest.raises(Trouble, match="no room") as caught:
        raise_ours(EngineError(code, "no room"))

    assert (caught.value.code, caught.value.retryable) == (ours, retryable)
    assert caught.value.hint


@pytest.mark.parametrize("failure", [EngineError("bad_columns", "two"), EngineBroken("two")])
def test_what_nobody_may_ask_is_our_own_bug(failure):
    with pytest.raises(Broken, match="two") as caught:
        raise_ours(failure)

    assert caught.value.__cause__ is failure


def test_other_failures_are_not_touched(view):
    with pytest.raises(KeyError), view.read():
        raise KeyError

    with view.read() as reader:
        assert reader.seq == 1, "and the gate is open again"


def test_a_read_that_the_engine_refuses_is_our_own_bug(view):
    with pytest.raises(Broken, match="columns"), view.read() as reader:
        reader.period(ALL).count_above((1, 2))


def test_a_batch_that_is_refused_changes_nothing(view):
    moves = [Move(ALL, "ann", (9,), 9, None), Move(ALL, "bob", (9, 9), 9, None)]

    with pytest.raises(Broken, match="columns"):
        view.apply(moves_of(moves), 2)

    with view.read() as reader:
        assert reader.seq == 1
        assert reader.period(ALL).rows(0, 9) == [("ann", (1,), 1)]


def test_a_move_on_a_board_never_opened_is_our_own_bug(view):
    with pytest.raises(Broken, match="board 7"):
        view.apply(moves_of([Move((7, "all", "all"), "ann", (1,), 1, None)]), 2)


def test_periods_built_in_vain_leave_nothing_behind(view):
    good, bad = [("bob", (1,), 1)], [("bob", (1, 2), 1)]

    with pytest.raises(Broken, match="columns"):
        view.replace(1, [True], 1, ["all"], [(ALL, good), ((1, "all", "x"), bad)], 2)

    assert view.sizes() == (1, 1)
    assert view.memory()["periods"] == 1
    with view.read() as reader:
        assert reader.period(ALL).rows(0, 9) == [("ann", (1,), 1)]


@pytest.mark.skipif(build_profile() != "debug", reason="only a debug build fails on purpose")
def test_an_engine_that_failed_inside_is_never_used_again(view):
    with pytest.raises(EngineBroken, match="on purpose"):
        view._state.engine.fail_inside()

    with pytest.raises(Broken, match="failed before"), view.read() as reader:
        reader.period(ALL).place("ann")
    with pytest.raises(Broken, match="failed before"):
        view.apply(moves_of([]), 2)
    with pytest.raises(Broken, match="failed before"):
        view.validate()


def test_a_reader_that_waits_goes_before_the_next_change():
    gate, order = Gate(), []

    def enter(name):
        gate.enter()
        order.append(name)
        gate.leave()

    gate.enter()
    reader, change = Thread(target=enter, args=["reader"]), Thread(target=enter, args=["change"])
    reader.start()
    while not gate._turn.locked():
        pass  # until the reader waits
    change.start()
    gate.leave()
    reader.join()
    change.join()

    assert order == ["reader", "change"]


def test_a_thread_may_read_while_it_reads(view):
    with view.read(), view.read() as reader:
        assert reader.period(ALL).total == 1

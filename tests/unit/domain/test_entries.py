"""R3, R4: how one more event changes an entry, mode by mode."""

import itertools

import pytest

from toprung.domain.entries import Entry, EntryOverflow, fold, is_better

MAX = 2**63 - 1
DOWN, UP = (True,), (False,)


def entry_after(mode, descending, events):
    """``events``: points (a number or a tuple), ``at``, and an id where it matters."""
    entry = None
    for points, at, *event_id in events:
        columns = points if isinstance(points, tuple) else (points,)
        entry = fold(mode, descending, entry, columns, at, *(event_id or ["e"]), 1)
    return entry


@pytest.mark.parametrize(
    ("mode", "descending", "events", "columns", "reached_at"),
    [
        # A first event puts a player on the board, also with 0.
        ("sum", DOWN, [(0, 5)], (0,), 5),
        ("best", DOWN, [(0, 5)], (0,), 5),
        ("last", DOWN, [(0, 5, "a")], (0,), 5),
        ("best", DOWN, [(-7, 5)], (-7,), 5),
        # sum: reached with the latest event that is not zero, whatever the order of delivery.
        ("sum", DOWN, [(3, 5), (4, 9)], (7,), 9),
        ("sum", DOWN, [(4, 9), (3, 5)], (7,), 9),
        ("sum", DOWN, [(3, 5), (0, 9)], (3,), 5),
        ("sum", DOWN, [(0, 9), (3, 5)], (3,), 5),
        ("sum", DOWN, [(0, 1), (3, 5)], (3,), 5),
        ("sum", DOWN, [(5, 3), (-5, 8)], (0,), 8),
        # sum of zeros alone: reached with the earliest of them.
        ("sum", DOWN, [(0, 9), (0, 5)], (0,), 5),
        ("sum", DOWN, [(0, 5), (0, 9)], (0,), 5),
        # sum: an event is zero only when all its columns are.
        ("sum", (True, True), [((0, 1), 5), ((0, 0), 9)], (0, 1), 5),
        ("sum", (True, True), [((1, 0), 5), ((0, -1), 9)], (1, -1), 9),
        # best: the earliest event with the present value.
        ("best", DOWN, [(7, 5), (9, 6)], (9,), 6),
        ("best", DOWN, [(9, 6), (7, 5)], (9,), 6),
        ("best", DOWN, [(9, 6), (9, 4)], (9,), 4),
        ("best", DOWN, [(9, 4), (9, 6)], (9,), 4),
        ("best", UP, [(9, 4), (7, 6)], (7,), 6),
        ("best", UP, [(7, 6), (9, 4)], (7,), 6),
        # best: columns move as one unit, and compare by their directions.
        ("best", (True, True), [((100, 1), 5), ((50, 99), 6)], (100, 1), 5),
        ("best", (True, True), [((100, 1), 5), ((100, 2), 6)], (100, 2), 6),
        ("best", (True, False), [((100, 1), 5), ((100, 2), 6)], (100, 1), 5),
        ("best", (True, False), [((100, 2), 5), ((100, 1), 6)], (100, 1), 6),
        # last: the event with the latest at; at equal instants the larger id by bytes.
        ("last", DOWN, [(9, 5, "a"), (3, 6, "b")], (3,), 6),
        ("last", DOWN, [(3, 6, "b"), (9, 5, "a")], (3,), 6),
        ("last", DOWN, [(3, 6, "a"), (9, 6, "b")], (9,), 6),
        ("last", DOWN, [(9, 6, "b"), (3, 6, "a")], (9,), 6),
        ("last", DOWN, [(9, 6, "B"), (3, 6, "a")], (3,), 6),
        ("last", DOWN, [(9, 6, "10"), (3, 6, "9")], (3,), 6),
        # UTF-8 keeps the order of code points, unlike UTF-16.
        ("last", DOWN, [(1, 6, "\uffee"), (2, 6, "\U0001f4a9")], (2,), 6),
        ("last", DOWN, [(2, 6, "\U0001f4a9"), (1, 6, "\uffee")], (2,), 6),
    ],
)
def test_one_more_event(mode, descending, events, columns, reached_at):
    entry = entry_after(mode, descending, events)

    assert (entry.columns, entry.reached_at) == (columns, reached_at)
    assert entry.events == len(events)


@pytest.mark.parametrize(
    ("mode", "events"),
    [
        ("sum", [(3, 5), (0, 7), (-3, 9), (0, 1)]),
        ("sum", [(0, 5), (0, 7), (0, 3)]),
        ("best", [(3, 5), (7, 9), (7, 6), (1, 1)]),
        ("last", [(3, 5, "a"), (7, 9, "b"), (8, 9, "c"), (1, 1, "d")]),
    ],
)
@pytest.mark.parametrize("descending", [DOWN, UP])
def test_every_order_of_delivery_gives_the_same_entry(mode, events, descending):
    found = {repr(entry_after(mode, descending, order)) for order in itertools.permutations(events)}

    assert len(found) == 1


@pytest.mark.parametrize(
    ("total", "points"),
    [((MAX,), (1,)), ((-MAX - 1,), (-1,)), ((0, MAX), (0, 1)), ((0, -MAX - 1), (5, -1))],
)
def test_a_total_that_leaves_64_bits_is_refused(total, points):
    directions = (True,) * len(total)
    entry = fold("sum", directions, None, total, 1, "a", 1)

    with pytest.raises(EntryOverflow):
        fold("sum", directions, entry, points, 2, "b", 2)


def test_a_total_may_reach_the_very_end():
    entry = fold("sum", DOWN, fold("sum", DOWN, None, (MAX - 1,), 1, "a", 1), (1,), 2, "b", 2)

    assert entry.columns == (MAX,)


@pytest.mark.parametrize("mode", ["best", "last"])
def test_only_sums_can_overflow(mode):
    entry = fold(mode, DOWN, fold(mode, DOWN, None, (MAX,), 1, "a", 1), (MAX,), 2, "b", 2)

    assert entry.columns == (MAX,)


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [
        (None, Entry((0,), 5, 1), False),
        (Entry((3,), 5, 1), Entry((3,), 5, 2), True),
        (Entry((3,), 5, 1), Entry((3,), 4, 2), False),
        (Entry((3,), 5, 1), Entry((4,), 5, 2), False),
        (Entry((3,), 5, 1, False, "a"), Entry((3,), 5, 2, False, "b"), True),
    ],
)
def test_unchanged_means_neither_columns_nor_the_time_of_reaching_them(old, new, alike):
    assert new.same_standing(old) is alike


@pytest.mark.parametrize(
    ("new", "old", "descending", "better"),
    [
        ((2,), (1,), (True,), True),
        ((1,), (2,), (True,), False),
        ((1,), (1,), (True,), False),
        ((1,), (2,), (False,), True),
        ((1, 5), (1, 4), (True, True), True),
        ((1, 5), (1, 4), (True, False), False),
        ((1, 9), (2, 0), (True, True), False),
        ((-1, 0), (-2, 0), (True, True), True),
    ],
)
def test_better_is_by_the_directions_of_the_columns(new, old, descending, better):
    assert is_better(new, old, descending) is better

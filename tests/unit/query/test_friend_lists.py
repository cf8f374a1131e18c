"""R13: a player among the friends of a list, against the oracle's subset; long lists are kept."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.query.test_query import KEY, Ranked, players, ranked

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import FRIENDS
from toprung.ports.moves import Move, moves_of
from toprung.ports.view import Row
from toprung.query import FriendLists, StaleScope
from toprung.query.friend_lists import BOARDS_KEPT, WANTED_US
from toprung.testing.agreement import NUMBERINGS

MANY = tuple(f"friend {number}" for number in range(FRIENDS.maximum))


class TurnedClock:
    def __init__(self):
        self.instant = 0

    def now(self):
        return self.instant

    def monotonic(self):
        return 0.0


def walked(lists, scope, player, friends, k):
    """All pages of a list."""
    pages = [lists.page(scope, player, friends, k, None)]
    while pages[-1].next is not None:
        pages.append(lists.page(scope, player, friends, k, pages[-1].next))
    return pages


@given(ranked(), st.lists(players, max_size=9), players, st.integers(1, 4))
@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_pages_of_a_list_are_the_subset(numbering, found, friends, player, k):
    scope = found.scope(numbering)

    pages = walked(FriendLists(found.query, TurnedClock()), scope, player, tuple(friends), k)

    rows = [row for page in pages for row in page.rows]
    alone = found.standings.only([*friends, player])
    assert [(row.rank, row.standing.rank, row.standing.player_id) for row in rows] == [
        (rank, found.standings.rank(line.player_id, numbering), line.player_id)
        for rank, line in alone.rows(0, len(alone.lines), numbering)
    ]
    assert all(len(page.rows) == k for page, _ in pairwise(pages))
    own = [row for row in rows if row.standing.player_id == player]
    for page in pages:
        assert ([] if page.own is None else [page.own]) == own
        assert (page.ranked, page.total) == (len(rows), len(found.lines))


class Long:
    """A list that is ranked as a board of its own: three of its players have a score."""

    def __init__(self):
        self.found = Ranked([("friend 1", (3,)), ("friend 2", (2,)), ("me", (1,)), ("x", (9,))])
        self.clock = TurnedClock()
        self.lists = FriendLists(self.found.query, self.clock)

    def is_ranked(self, friends=MANY):
        return self.lists.is_ranked(self.found.scope(), "me", friends)

    def names(self, friends=MANY):
        rows = self.lists.page(self.found.scope(), "me", friends, 10, None).rows
        return [row.standing.player_id for row in rows]


def test_a_long_list_stands_until_it_is_made_anew():
    long = Long()
    assert not long.is_ranked()
    assert long.names() == ["friend 1", "friend 2", "me"]
    assert long.is_ranked()

    long.found.view.apply(moves_to("me", (5,)), 2)
    before = long.names()
    long.lists.refresh()

    assert before == ["friend 1", "friend 2", "me"]
    assert long.names() == ["me", "friend 1", "friend 2"]


def moves_to(player, columns):
    return moves_of([Move(KEY, player, columns, 0, None)])


def test_a_list_that_is_set_anew_is_ranked_anew():
    long = Long()
    long.names()
    other = ("friend 2", "x", *MANY[2:])

    assert not long.is_ranked(other)
    assert long.names(other) == ["x", "friend 2", "me"]


def test_a_list_that_nobody_asks_for_is_dropped():
    long = Long()
    long.names()
    long.clock.instant = WANTED_US
    long.lists.refresh()
    assert long.is_ranked()

    long.clock.instant += 1
    long.lists.refresh()

    assert not long.is_ranked()


def test_of_many_lists_the_one_not_asked_for_longest_goes():
    long = Long()
    scope = long.found.scope()
    long.names()
    for number in range(BOARDS_KEPT):
        long.lists.page(scope, f"player {number}", MANY, 1, None)

    assert not long.is_ranked()
    assert long.lists.is_ranked(scope, "player 0", MANY)


def test_a_board_that_is_another_one_now_is_not_answered_from_what_was_kept():
    long = Long()
    scope = long.found.scope()
    long.names()
    long.found.view.replace(1, (True,), 7, ["all"], [(KEY, [Row("me", (5,), 0)])], 7)
    long.lists.refresh()

    assert not long.is_ranked()
    with pytest.raises(StaleScope):
        long.lists.page(scope, "me", MANY, 1, None)


def test_a_cursor_belongs_to_its_list():
    found = Ranked([("a", (5,)), ("b", (4,))])
    lists, scope = FriendLists(found.query, TurnedClock()), found.scope()
    cursor = lists.page(scope, "a", ("b",), 1, None).next
    of_board = found.query.top(scope, 1).next

    for ask in (
        lambda: lists.page(scope, "b", ("a",), 1, cursor),
        lambda: lists.page(scope, "a", ("b",), 1, of_board),
        lambda: found.query.top(scope, 1, cursor),
    ):
        with pytest.raises(InvalidInput, match="belongs to") as caught:
            ask()
        assert caught.value.field == "cursor"

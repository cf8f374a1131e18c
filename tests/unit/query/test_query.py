"""R4, R7, R8, R13-R15: what is asked of one period, against sorting and counting."""

import base64
from contextlib import contextmanager

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from toprung.domain.board import Board, BoardState, Column, Numbering, Settings
from toprung.domain.errors import InvalidInput, Trouble
from toprung.ports.catalog import Catalog
from toprung.ports.moves import Move, moves_of
from toprung.ports.view import Row
from toprung.query import Query, StaleScope
from toprung.query.cursor import Cursor, write_cursor
from toprung.query.pages import span_of_ranks
from toprung.rank.reference import ReferenceView
from toprung.testing.agreement import NUMBERINGS, check_scope
from toprung.testing.oracle import Line, Standings

MAX = 2**63 - 1
KEY = (1, "all", "all")


class StandingClock:
    def now(self) -> int:
        return 0

    def monotonic(self) -> float:
        return 0.0


class Ranked:
    """A board with these lines, its query, and the oracle's standings of the same lines."""

    def __init__(self, lines, descending=(True,), decimals=0):
        columns = tuple(Column(f"c{i}", down, decimals) for i, down in enumerate(descending))
        settings = Settings("sum", columns, "earliest", ("all",), "UTC", 0, None, None, None, "")
        self.board = Board(BoardState(1, "game", "week", settings, 1, 0, (), 0))
        self.view = ReferenceView()
        self.view.open_board(1, descending, 0)
        self.descending = descending
        self.lines = {}
        self.query = Query(Catalog([self.board]), self.view, StandingClock())
        for line in lines:
            self.put(*line)

    def put(self, player, columns, reached_at=0):
        self.lines[player] = Line(player, columns, reached_at, 1)
        self.view.apply(moves_of([Move(KEY, player, columns, reached_at, None)]), 1)

    @property
    def standings(self):
        return Standings(list(self.lines.values()), self.descending)

    def scope(self, numbering="ordinal"):
        return self.query.scope("game", "week", numbering=numbering)

    @contextmanager
    def reader(self):
        with self.view.read() as view:
            yield view.period(KEY)


small = st.integers(-3, 3)
players = st.sampled_from(["a", "A", "b", "\uffee", "\U0001f4a9", "9", "10", "c", "d", "e"])


@st.composite
def ranked(draw, columns=3):
    descending = tuple(draw(st.lists(st.booleans(), min_size=1, max_size=columns)))
    lines = draw(
        st.lists(
            st.tuples(players, st.tuples(*[small] * len(descending)), st.integers(0, 2)),
            max_size=9,
            unique_by=lambda line: line[0],
        )
    )
    return Ranked(lines, descending)


@given(ranked(), st.sampled_from(NUMBERINGS))
def test_every_answer_is_that_of_sorting_and_counting(found, numbering):
    check_scope(found.query, found.scope(numbering), found.standings, numbering)


@given(ranked(), st.sampled_from(NUMBERINGS), st.integers(1, 12), st.integers(1, 12))
def test_the_span_of_ranks(found, numbering, first, last):
    with found.reader() as reader:
        start, stop = span_of_ranks(reader, first, last, Numbering(numbering))
        rows = reader.rows(start, stop)

    expected = found.standings.ranks(first, last, numbering)
    assert [row.player_id for row in rows] == [line.player_id for _, line in expected]


def cheapest(found, columns, wanted, numbering):
    """The least that the first column must improve by for a rank of at most ``wanted``."""
    better = 1 if found.descending[0] else -1
    for missing in range(20):
        value = columns[0] + better * missing
        if not -MAX - 1 <= value <= MAX:
            return None
        rank = found.standings.would_be((value, *columns[1:]), numbering)
        if rank <= wanted:
            return rank, str(missing)
    return None


@given(
    ranked(), st.sampled_from(NUMBERINGS), st.tuples(small, small, small), st.integers(1, 3),
    st.integers(1, 12),
)  # fmt: skip
def test_what_is_missing_to_a_rank_is_the_least_there_is(found, numbering, score, width, wanted):
    columns = score[: min(width, len(found.descending))]

    answer = found.query.rank_of(found.scope(numbering), ",".join(map(str, columns)), wanted)

    assert answer.rank == found.standings.would_be(columns, numbering)
    assert answer.wanted == cheapest(found, columns, wanted, numbering)
    if answer.rank == 1:
        assert answer.next is None
    else:
        assert answer.next == cheapest(found, columns, answer.rank - 1, numbering)


def test_nothing_can_be_better_than_the_best_number_there_is():
    found = Ranked([("a", (MAX,)), ("b", (MAX - 1,))])

    answer = found.query.rank_of(found.scope(), str(MAX - 2), 1)

    assert (answer.rank, answer.next, answer.wanted) == (3, (2, "2"), None)


def test_what_is_missing_has_the_column_s_decimals():
    found = Ranked([("a", (12_300,))], decimals=3)

    answer = found.query.rank_of(found.scope(), "12", None)

    assert (answer.rank, answer.next) == (2, (1, "0.301"))


@given(ranked(), st.integers(1, 3), st.booleans(), st.data())
def test_a_cursor_neither_repeats_nor_skips_who_did_not_move(found, size, forward, data):
    assume(len(found.lines) > 1)
    still = set(found.lines)
    page = found.query.top(found.scope(), size) if forward else last_page(found, size)
    met = [row.player_id for row in page.rows]
    moves = data.draw(st.lists(st.none() | st.sampled_from(sorted(found.lines)), max_size=9))
    while cursor := page.next if forward else page.prev:
        mover = moves.pop() if moves else None
        if mover is not None:
            still.discard(mover)
            found.put(mover, data.draw(st.tuples(*[small] * len(found.descending))))
        page = found.query.top(found.scope(), size, cursor)
        met += [row.player_id for row in page.rows]

    assert sorted(player for player in met if player in still) == sorted(still)


def last_page(found, size):
    page = found.query.top(found.scope(), size)
    while page.next is not None:
        page = found.query.top(found.scope(), size, page.next)
    return page


def test_a_cursor_stands_where_its_player_stood():
    found = Ranked([("a", (5,)), ("b", (4,)), ("c", (3,))])
    page = found.query.top(found.scope(), 1)
    found.put("a", (1,))

    page = found.query.top(found.scope(), 2, page.next)

    assert [row.player_id for row in page.rows] == ["b", "c"]
    assert (page.prev, page.next is not None) == (None, True)


@pytest.mark.parametrize(
    "cursor", ["", "x", "====", "a" * 3000, "\N{PILE OF POO}", "kqFh", "lqJjMQGjYWxso2FsbMOQ"]
)
def test_what_is_no_cursor(cursor):
    found = Ranked([("a", (5,))])

    with pytest.raises(InvalidInput) as caught:
        found.query.top(found.scope(), 1, cursor)

    assert caught.value.field == "cursor"


@given(st.binary(max_size=60))
def test_no_bytes_are_trouble_as_a_cursor(content):
    found = Ranked([("a", (5,))])
    text = base64.urlsafe_b64encode(content).decode()

    with pytest.raises(InvalidInput) as caught:
        found.query.top(found.scope(), 1, text)

    assert caught.value.field == "cursor"


@pytest.mark.parametrize(
    ("columns", "reached_at"),
    [((2**64 - 1,), 0), ((2**63,), 0), ((-(2**63),) * 2, 0), ((), 0), ((5,), 2**63)],
)
def test_a_cursor_that_was_made_up(columns, reached_at):
    found = Ranked([("a", (5,)), ("b", (4,))])
    cursor = write_cursor(Cursor(*KEY, 1, True, columns, reached_at, "a"))

    with pytest.raises(InvalidInput) as caught:
        found.query.top(found.scope(), 1, cursor)

    assert caught.value.field == "cursor"


def test_a_cursor_is_of_no_use_once_the_columns_are_others():
    found = Ranked([("a", (5,)), ("b", (4,))])
    cursor = write_cursor(Cursor(*KEY, 2, True, (5,), 0, "a"))

    with pytest.raises(InvalidInput, match="older than the board's columns"):
        found.query.top(found.scope(), 1, cursor)


def test_a_board_that_changed_between_scope_and_read_is_looked_at_again():
    found = Ranked([("a", (5,))])
    scope = found.scope()
    asks = [
        lambda: found.query.top(scope, 1),
        lambda: found.query.ranks(scope, 1, 1, 1),
        lambda: found.query.scores(scope, None, None, 1),
        lambda: found.query.rank(scope, "a"),
        lambda: found.query.around(scope, "a", 1, None),
        lambda: found.query.ranks_of(scope, ["a"]),
        lambda: found.query.friends(scope, ["a"]),
        lambda: found.query.rank_of(scope, "5", None),
    ]
    for ask in asks:
        assert ask()

    found.view.replace(1, (True, True), 7, ["all"], [(KEY, [Row("a", (5, 5), 0)])], 7)

    for ask in asks:
        with pytest.raises(StaleScope):
            ask()


def test_a_cursor_belongs_to_its_board_and_period():
    found, other = (Ranked([("a", (5,)), ("b", (4,))]) for _ in range(2))
    cursor = found.query.top(found.scope(), 1).next
    moved = found.scope()._replace(period=found.scope().period.__class__("all", "2026", None, None))

    with pytest.raises(InvalidInput, match="belongs to another"):
        found.query.top(moved, 1, cursor)
    assert other.query.top(other.scope(), 1, cursor).rows[0].player_id == "b"


@pytest.mark.parametrize(
    ("ask", "field", "maximum"),
    [
        (lambda q, s: q.top(s, 0), "k", 1000),
        (lambda q, s: q.top(s, 1001), "k", 1000),
        (lambda q, s: q.top(s, -1), "k", 1000),
        (lambda q, s: q.ranks(s, 0, 5, 10), "from", 2**53 - 1),
        (lambda q, s: q.ranks(s, 1, 2**53, 10), "to", 2**53 - 1),
        (lambda q, s: q.ranks(s, 1, 5, 1001), "limit", 1000),
        (lambda q, s: q.scores(s, None, None, 0), "limit", 1000),
        (lambda q, s: q.around(s, "a", 501, None), "n", 500),
        (lambda q, s: q.around(s, "a", -1, None), "n", 500),
        (lambda q, s: q.around(s, "a", None, 0), "size", 1000),
        (lambda q, s: q.around(s, "a", None, 1001), "size", 1000),
        (lambda q, s: q.ranks_of(s, []), "players", 1000),
        (lambda q, s: q.ranks_of(s, ["a"] * 1001), "players", 1000),
        (lambda q, s: q.friends(s, []), "players", 5000),
        (lambda q, s: q.friends(s, ["a"] * 5001), "players", 5000),
        (lambda q, s: q.rank_of(s, "5", 0), "wanted", 2**53 - 1),
    ],
)
def test_beyond_a_limit_the_argument_and_the_maximum_are_named(ask, field, maximum):
    found = Ranked([("a", (5,))])

    with pytest.raises(InvalidInput, match=str(maximum)) as caught:
        ask(found.query, found.scope())

    assert caught.value.field == field


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda q, s: q.scores(s, "x", None, 10), "min"),
        (lambda q, s: q.scores(s, None, "1.5", 10), "max"),
        (lambda q, s: q.rank_of(s, "", None), "score"),
        (lambda q, s: q.rank_of(s, "1,2", None), "score"),
        (lambda q, s: q.rank_of(s, "1,", None), "score"),
        (lambda q, s: q.around(s, "a", 1, 1), "size"),
        (lambda q, s: q.scope("game", "week", "daily"), "window"),
        (lambda q, s: q.scope("game", "week", "all", "2026"), "period"),
        (lambda q, s: q.scope("game", "week", "all", "previous"), "period"),
        (lambda q, s: q.scope("game", "week", numbering="olympic"), "numbering"),
    ],
)
def test_a_bad_argument_is_named(ask, field):
    found = Ranked([("a", (5,))])

    with pytest.raises(InvalidInput) as caught:
        ask(found.query, found.scope())

    assert caught.value.field == field


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda q, s: q.scope("game", "month"), "unknown_board"),
        (lambda q, s: q.scope("other", "week"), "unknown_board"),
        (lambda q, s: q.rank(s, "nobody"), "unranked_player"),
        (lambda q, s: q.rank(s, "\ud800"), "unranked_player"),
        (lambda q, s: q.around(s, "", 1, None), "unranked_player"),
    ],
)
def test_unknown_boards_and_unranked_players_are_told_apart(ask, code):
    found = Ranked([("a", (5,))])

    with pytest.raises(InvalidInput) as caught:
        ask(found.query, found.scope())

    assert caught.value.code == code


@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_past_the_end_and_upside_down_are_empty(numbering):
    found = Ranked([("a", (5,)), ("b", (4,))])
    scope = found.scope(numbering)

    for page in (
        found.query.ranks(scope, 3, 9, 10),
        found.query.ranks(scope, 2, 1, 10),
        found.query.scores(scope, "5", "4", 10),
        found.query.scores(scope, "6", None, 10),
    ):
        assert (page.rows, page.total, page.next, page.prev) == ([], 2, None, None)


def test_without_a_view_there_are_no_ranks():
    found = Ranked([])
    query = Query(Catalog([found.board]), None, StandingClock())

    with pytest.raises(Trouble) as caught:
        query.top(query.scope("game", "week"), 1)

    assert caught.value.code == "unsupported"


def test_a_row_is_what_the_view_holds():
    found = Ranked([("a", (5,), 7)])

    with found.reader() as reader:
        assert reader.rows(0, 9) == [Row("a", (5,), 7)]

"""The native view answers as the reference view does, whatever is done to both.

Boards of one to five columns in all directions, every numbering, and enough players that trees are
cut and merged; after each step all answers are compared and the native one checks itself.
"""

from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from toprung.domain.board import Numbering
from toprung.domain.limits import COLUMNS, NUMBER
from toprung.ports.moves import Move, moves_of
from toprung.ports.view import Row
from toprung.rank.native import NativeView
from toprung.rank.reference import ReferenceView
from toprung.testing.suites.home import machine_settings
from toprung.testing.suites.view import validate

WINDOWS = ("all", "daily")
BOARDS = (1, 2)
KEYS = [(board, window, window) for board in BOARDS for window in WINDOWS]
PLAYERS = [f"player {number}" for number in range(400)]
SAMPLES = 12
"""Rows of a period that are looked at one by one; all are compared in order."""

_directions = st.lists(st.booleans(), min_size=1, max_size=COLUMNS.maximum)
_numbers = st.integers(-2, 2) | st.sampled_from([NUMBER.minimum, NUMBER.maximum])
_numberings = st.sampled_from([None, *Numbering])
_keys = st.sampled_from(KEYS)
_spreads = st.sampled_from([2, 99, 2**62])
_seeds = st.integers(0, 2**32)


def probes(row, width):
    """The score of a row and scores beside it, whole and cut."""
    for columns in (row.columns, *((*row.columns[:-1], edge) for edge in NUMBER[1:3])):
        for length in range(1, width + 1):
            yield columns[:length]


def looked_at(period, row, width):
    """All that is told about a row that may be on the period or not."""
    counts = [
        (period.count_above(columns), period.count_to(columns), period.distinct_above(columns))
        for columns in probes(row, width)
    ]
    return period.index_of(row.player_id), period.place(row.player_id), period.index_at(row), counts


def answers(view, widths):
    """All that a view tells, in a form that can be compared."""
    told = [view.sizes()]
    with view.read() as reader:
        told += [reader.seq, [reader.generation(board) for board in BOARDS]]
        for key in KEYS:
            period, width = reader.period(key), widths[key[0]]
            rows = period.rows(0, len(PLAYERS))
            distinct = [period.distinct(index) for index in range(-1, len(rows) + 1)]
            step = max(1, len(rows) // SAMPLES)
            sampled = [*rows[::step], Row("nobody", (0,) * width, 0)]
            looks = [looked_at(period, row, width) for row in sampled]
            told.append((period.total, rows, distinct, looks, period.rows(step, 3 * step)))
    return told


class Views(RuleBasedStateMachine):
    """The reference view and the native one, told the same."""

    @initialize(directions=st.tuples(_directions, _directions))
    def begin(self, directions):
        self.views = ReferenceView(), NativeView()
        self.directions = dict(zip(BOARDS, directions, strict=True))
        self.seq = 0
        for board in BOARDS:
            self._open(board)

    def _open(self, board):
        for view in self.views:
            view.open_board(board, self.directions[board], 0)

    def _width(self, key):
        return len(self.directions[key[0]])

    def _apply(self, moves):
        self.seq += 1
        expected, found = (view.apply(moves_of(moves), self.seq) for view in self.views)
        assert list(found.before) == list(expected.before)
        assert list(found.after) == list(expected.after)

    @rule(data=st.data(), keys=st.lists(_keys, min_size=1, max_size=8))
    def move_a_few(self, data, keys):
        self._apply(
            [
                Move(
                    key,
                    data.draw(st.sampled_from(PLAYERS[:9])),
                    data.draw(st.tuples(*[_numbers] * self._width(key))),
                    data.draw(st.integers(0, 2)),
                    data.draw(_numberings),
                )
                for key in keys
            ]
        )

    @rule(
        key=_keys, seed=_seeds, count=st.integers(50, 600), spread=st.sampled_from([2, 99, 2**62])
    )
    def move_many(self, key, seed, count, spread):
        random = Random(seed)
        rows = self._rows(key, random, count, spread)
        self._apply([Move(key, *row, random.choice([None, *Numbering])) for row in rows])

    @rule(key=_keys)
    def move_all_to_one_end(self, key):
        columns = (NUMBER.maximum,) * self._width(key)
        self._apply([Move(key, player, columns, 1, Numbering.DENSE) for player in PLAYERS[::2]])

    @rule(
        board=st.sampled_from(BOARDS),
        windows=st.lists(st.sampled_from(WINDOWS), unique=True),
        seed=_seeds,
        count=st.sampled_from([0, 3, 300]),
    )
    def replace(self, board, windows, seed, count):
        random = Random(seed)
        self.seq += 1
        periods = [
            (key, list({row.player_id: row for row in rows}.values()))
            for key in KEYS
            if key[0] == board and key[1] in windows
            for rows in [self._rows(key, random, count, 9)]
        ]
        for view in self.views:
            view.replace(board, self.directions[board], self.seq, windows, periods, self.seq)

    @rule(board=st.sampled_from(BOARDS), directions=_directions)
    def make_anew(self, board, directions):
        self.directions[board] = directions
        for view in self.views:
            view.drop_board(board)
        self._open(board)

    def _rows(self, key, random, count, spread):
        return [
            Row(
                random.choice(PLAYERS),
                tuple(random.randrange(-spread, spread) for _ in range(self._width(key))),
                random.randrange(3),
            )
            for _ in range(count)
        ]

    @invariant()
    def agree(self):
        widths = {board: len(directions) for board, directions in self.directions.items()}
        expected, found = (answers(view, widths) for view in self.views)
        assert found == expected
        for view in self.views:
            validate(view)


def test_both_views_tell_the_same():
    run_state_machine_as_test(Views, settings=machine_settings())

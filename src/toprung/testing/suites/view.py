"""What every rank view must do."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from threading import Thread
from typing import ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from toprung.domain import limits
from toprung.domain.board import Numbering
from toprung.domain.decide import EntryKey
from toprung.domain.errors import Trouble
from toprung.ports.moves import Move, Moves, moves_of
from toprung.ports.view import PeriodReader, Place, RankView, Row
from toprung.testing.oracle import Line, Standings
from toprung.testing.suites.home import Home, machine_settings
from toprung.testing.suites.samples import ODD_IDS

MakeHome = Callable[[], Home[RankView]]

LEAST, MOST = limits.NUMBER.minimum, limits.NUMBER.maximum
ALL, DAY, OTHER = (1, "all", "all"), (1, "daily", "2026-11-30"), (2, "all", "all")
DIRECTIONS = {1: (True, False), 2: (False,)}

_numbers = st.integers(-2, 2) | st.sampled_from([LEAST, LEAST + 1, MOST - 1, MOST])
_moments = st.integers(0, 2) | st.sampled_from([-(2**55), 2**55])
_players = st.sampled_from(ODD_IDS[:12])
_keys = st.sampled_from([ALL, DAY, OTHER])
_numberings = st.sampled_from([None, *Numbering])


def standings(rows: Sequence[Row], larger_is_better: Sequence[bool]) -> Standings:
    """The oracle's standings of some rows."""
    return Standings([Line(*row, 1) for row in rows], larger_is_better)


def told(view: RankView, moves: Sequence[Move], seq: int) -> list[tuple[int, int]]:
    """The ranks before and after each of the moves, which are applied."""
    changes = view.apply(moves_of(moves), seq)
    return list(zip(changes.before, changes.after, strict=True))


def check_period(
    reader: PeriodReader, expected: Standings, numberings: Sequence[Numbering]
) -> None:
    """Hold every answer of a period against sorting and counting."""
    rows = [Row(*line[:3]) for line in expected.lines]
    total = len(rows)
    assert reader.total == total
    assert reader.rows(0, total) == rows, "all at once"
    assert [row for at in range(0, total, 2) for row in reader.rows(at, at + 2)] == rows, "pages"
    backward = [row for at in reversed(range(total)) for row in reader.rows(at, at + 1)]
    assert backward[::-1] == rows, "forward is the reverse of backward"
    assert reader.rows(-3, 1) == rows[:1]
    assert reader.rows(total - 1, total + 5) == rows[-1:]
    assert reader.rows(total, total + 5) == []
    assert reader.rows(2, 1) == []
    for index, row in enumerate(rows):
        assert reader.index_of(row.player_id) == index, "rank -> member -> rank"
        assert reader.index_at(row) == index
        above = expected.would_be(row.columns, "shared") - 1
        distinct = expected.would_be(row.columns, "dense") - 1
        if Numbering.DENSE in numberings:
            place = Place(index, row.columns, row.reached_at, above, distinct, total)
            assert reader.place(row.player_id) == place
        _check_counts(reader, expected, row.columns, numberings)
    assert reader.index_of("nobody has this id") is None
    assert reader.place("nobody has this id") is None
    asked = [row.player_id for row in reversed(rows)]
    assert list(reader.places(["nobody has this id", *asked])) == [None, *map(reader.place, asked)]
    if Numbering.DENSE in numberings:
        scores = list(dict.fromkeys(row.columns for row in rows))
        assert [reader.distinct(index) for index in range(len(scores))] == scores
        assert reader.distinct(len(scores)) is None
        assert reader.distinct(-1) is None


def _check_counts(
    reader: PeriodReader,
    expected: Standings,
    columns: tuple[int, ...],
    numberings: Sequence[Numbering],
) -> None:
    """Counts about a score that is there, scores beside it, and beginnings of them."""
    for width in range(1, len(columns) + 1):
        for step in (-1, 0, 1):
            asked = (*columns[: width - 1], columns[width - 1] + step)
            if not LEAST <= asked[-1] <= MOST:
                continue
            assert reader.count_above(asked) == expected.would_be(asked, "shared") - 1
            assert reader.count_to(asked) == expected.would_be(asked, "ordinal") - 1
            if Numbering.DENSE in numberings:
                assert reader.distinct_above(asked) == expected.would_be(asked, "dense") - 1


class _Machine(RuleBasedStateMachine):
    """A view and plain dictionaries."""

    def __init__(self, make_home: MakeHome, numberings: Sequence[Numbering]) -> None:
        super().__init__()
        self.home = make_home()
        self.view = self.home.open()
        self.numberings = numberings
        self.seq = 0
        self.directions = dict(DIRECTIONS)
        self.generations = dict.fromkeys(DIRECTIONS, 0)
        self.model: dict[EntryKey, dict[str, Row]] = {}
        self.last: list[Move] = []
        for board_id, descending in self.directions.items():
            self.view.open_board(board_id, descending, 0)

    def _standings(self, key: EntryKey) -> Standings:
        return standings(list(self.model.get(key, {}).values()), self.directions[key[0]])

    def _row(self, key: EntryKey, data: st.DataObject) -> Row:
        width = len(self.directions[key[0]])
        return Row(
            data.draw(_players), data.draw(st.tuples(*[_numbers] * width)), data.draw(_moments)
        )

    @rule(data=st.data(), keys=st.lists(_keys, min_size=1, max_size=5))
    def apply(self, data: st.DataObject, keys: list[EntryKey]) -> None:
        moves = []
        for key in keys:
            numbering = data.draw(_numberings)
            allowed = numbering is None or numbering in self.numberings
            moves.append(Move(key, *self._row(key, data), numbering if allowed else None))
        self._apply(moves)

    def _apply(self, moves: list[Move]) -> None:
        expected = [self._move(move) for move in moves]
        self.seq += 1
        assert told(self.view, moves, self.seq) == expected
        self.last = moves

    def _move(self, move: Move) -> tuple[int, int]:
        numbering, player = move.numbering, move.player_id
        before = numbering and self._standings(move.key).rank(player, numbering.value)
        row = Row(player, move.columns, move.reached_at)
        self.model.setdefault(move.key, {})[player] = row
        after = numbering and self._standings(move.key).rank(player, numbering.value)
        return before or 0, after or 0

    @rule()
    def apply_again(self) -> None:
        """Moves are absolute: a second time they change nothing."""
        self._apply(self.last)

    @rule(
        data=st.data(),
        board_id=st.sampled_from([1, 2]),
        players=st.lists(_players, max_size=3, unique=True),
        left=st.none() | st.lists(_keys, unique=True),
    )
    def place_players(
        self,
        data: st.DataObject,
        board_id: int,
        players: list[str],
        left: list[EntryKey] | None,
    ) -> None:
        """Players who were there or not; each then stands in some periods, or in none, or leaves
        some alone.
        """
        places = st.sets(_keys.filter(lambda key: key[0] == board_id))
        moves = [
            Move(key, *self._row(key, data)._replace(player_id=player), None)
            for player in players
            for key in data.draw(places)
        ]
        if left is not None:
            left = [key for key in left if key[0] == board_id]
        for key in self.model:
            if key[0] == board_id if left is None else key in left:
                for player in players:
                    self.model[key].pop(player, None)
        for move in moves:
            self._move(move)
        self.seq += 1
        self.view.place_players(board_id, players, moves_of(moves), self.seq, left)
        self.last = moves

    @rule(data=st.data(), board_id=st.sampled_from([1, 2]))
    def replace(self, data: st.DataObject, board_id: int) -> None:
        """All windows of a board, perhaps under other directions."""
        width = len(self.directions[board_id])
        self.directions[board_id] = data.draw(st.tuples(*[st.booleans()] * width))
        keys = data.draw(st.lists(_keys, unique=True))
        self._replace(data, board_id, ["all", "daily"], [key for key in keys if key[0] == board_id])

    @rule(data=st.data(), filled=st.booleans())
    def replace_one_window(self, data: st.DataObject, filled: bool) -> None:
        self._replace(data, 1, ["daily"], [DAY] if filled else [])

    def _replace(
        self, data: st.DataObject, board_id: int, windows: list[str], keys: list[EntryKey]
    ) -> None:
        made = {
            key: {row.player_id: row for row in (self._row(key, data) for _ in range(3))}
            for key in keys
        }
        kept = {
            key: rows
            for key, rows in self.model.items()
            if key[0] != board_id or key[1] not in windows
        }
        self.model = kept | made
        self.seq += 1
        periods = [(key, list(rows.values())) for key, rows in made.items()]
        self.generations[board_id] = generation = 10 * self.seq
        self.view.replace(
            board_id, self.directions[board_id], generation, windows, periods, self.seq
        )
        self.last = []

    @rule(board_id=st.sampled_from([1, 2]))
    def drop_and_open(self, board_id: int) -> None:
        self.view.drop_board(board_id)
        self.model = {key: rows for key, rows in self.model.items() if key[0] != board_id}
        self.directions[board_id] = DIRECTIONS[board_id]
        self.generations[board_id] = 0
        self.view.open_board(board_id, DIRECTIONS[board_id], 0)
        self.last = []

    @rule(board_id=st.sampled_from([1, 2]))
    def open_again(self, board_id: int) -> None:
        """A board that is known stays as it is."""
        self.view.open_board(board_id, self.directions[board_id], 1)

    @rule(back=st.integers(0, 2))
    def advance(self, back: int) -> None:
        self.seq += 1
        self.view.advance(self.seq)
        self.view.advance(self.seq - back)

    @invariant()
    def agrees(self) -> None:
        with self.view.read() as reader:
            assert reader.seq == self.seq
            assert {i: reader.generation(i) for i in (1, 2)} == self.generations
            assert reader.generation(9) is None
            for key in (ALL, DAY, OTHER, (1, "daily", "2026-12-01"), (9, "all", "all")):
                expected = self._standings(key) if key[0] in self.directions else Standings([], ())
                check_period(reader.period(key), expected, self.numberings)
        assert self.view.sizes()[1] == sum(len(rows) for rows in self.model.values())
        validate(self.view)

    def teardown(self) -> None:
        self.home.close()


def validate(view: RankView) -> None:
    """Have the view check its own structure, where it can."""
    check = getattr(view, "validate", None)
    if check is not None:
        check()


class RankViewSuite:
    """The conformance suite of :class:`~toprung.ports.view.RankView`.

    Attributes:
        numberings: those that the view can tell; asked for another it is ``unsupported``.
    """

    numberings: ClassVar[Sequence[Numbering]] = tuple(Numbering)

    @pytest.fixture
    def make_home(self) -> MakeHome:
        """Makes a home with empty data of its own."""
        raise NotImplementedError

    @pytest.fixture
    def view(self, make_home: MakeHome) -> Iterator[RankView]:
        """A view with two boards and nothing on them."""
        home = make_home()
        view = home.open()
        for board_id, descending in DIRECTIONS.items():
            view.open_board(board_id, descending, 0)
        yield view
        home.close()

    def test_an_empty_view(self, view: RankView) -> None:
        assert view.sizes()[1] == 0
        with view.read() as reader:
            assert reader.seq == 0
            for key in (ALL, (9, "all", "all")):
                check_period(reader.period(key), Standings([], ()), self.numberings)

    def test_what_is_not_declared_is_unsupported(self, view: RankView) -> None:
        """Never a wrong number."""
        for numbering in set(Numbering).difference(self.numberings):
            with pytest.raises(Trouble) as caught:
                view.apply(moves_of([Move(ALL, "a", (1, 1), 1, numbering)]), 1)
            assert caught.value.code == "unsupported"
        assert Numbering.ORDINAL in self.numberings

    def test_the_order_of_entries(self, view: RankView) -> None:
        """Columns by their directions, then the earlier, then the id's bytes (R4)."""
        rows = [
            Row("z", (9, 1), 5),
            Row("a", (9, 2), 1),
            Row("A", (8, 0), 1),
            Row("a ", (8, 0), 1),
            Row("\uffee", (8, 0), 1),
            Row("\U0001f4a9", (8, 0), 1),
            Row("0", (8, 0), 2),
            Row("b", (-1, LEAST), 0),
            Row("c", (-1, MOST), 0),
            Row("d", (LEAST, LEAST), 0),
        ]
        view.apply(moves_of([Move(ALL, *row, None) for row in reversed(rows)]), 1)

        with view.read() as reader:
            assert reader.period(ALL).rows(0, 99) == rows

    @pytest.mark.parametrize(
        ("numbering", "ranks"),
        [
            (Numbering.ORDINAL, [1, 2, 3, 4]),
            (Numbering.SHARED, [1, 2, 2, 4]),
            (Numbering.DENSE, [1, 2, 2, 3]),
        ],
    )
    def test_a_tie_in_each_numbering(
        self, view: RankView, numbering: Numbering, ranks: list[int]
    ) -> None:
        if numbering not in self.numberings:
            pytest.skip("declared: does not tell this numbering")
        scores = {"a": 9, "b": 7, "c": 7, "d": 5}
        rows = [(player, (score, 0), 0) for player, score in scores.items()]
        view.apply(moves_of([Move(ALL, *row, None) for row in rows]), 1)

        moves = [Move(ALL, *row, numbering) for row in rows]

        assert told(view, moves, 2) == [(rank, rank) for rank in ranks]

    def test_the_ranks_of_a_move_are_those_right_before_and_after_it(self, view: RankView) -> None:
        moves = [
            Move(OTHER, player, (score,), 0, Numbering.ORDINAL)
            for player, score in (("a", 5), ("b", 4), ("c", 6), ("c", 3), ("a", 9))
        ]

        # On this board smaller is better.
        assert told(view, moves, 1) == [(0, 1), (0, 1), (0, 3), (3, 1), (3, 3)]

    def test_a_board_never_opened_has_empty_periods(self, view: RankView) -> None:
        view.apply(moves_of([Move(ALL, "a", (1, 1), 1, None)]), 1)

        with view.read() as reader:
            assert reader.period((7, "all", "all")).total == 0
            assert reader.period((1, "all", "2026")).rows(0, 9) == []

    def test_a_dropped_board_made_again_may_be_ordered_otherwise(self, view: RankView) -> None:
        view.apply(moves_of([Move(OTHER, "a", (1,), 1, None)]), 1)
        view.drop_board(2)
        view.open_board(2, (True, True), 0)

        view.apply(moves_of([Move(OTHER, p, (n, 0), 1, None) for p, n in (("a", 1), ("b", 2))]), 2)

        with view.read() as reader:
            assert [row.player_id for row in reader.period(OTHER).rows(0, 9)] == ["b", "a"]

    def test_the_generation_is_that_of_the_last_replacement(self, view: RankView) -> None:
        def generation() -> int | None:
            with view.read() as reader:
                return reader.generation(2)

        assert generation() == 0
        view.replace(2, (False, True), 7, ["all"], [], 1)
        view.open_board(2, (False, True), 9)
        assert generation() == 7, "a board that is known stays as it is"
        view.apply(moves_of([Move(OTHER, "a", (1, 0), 1, None)]), 2)
        assert generation() == 7
        view.drop_board(2)
        assert generation() is None

    def test_players_who_are_placed_stand_nowhere_else(self, view: RankView) -> None:
        """Those before and after them close up; another board has other rows."""
        rows = [Row(player, (9 - place, 0), 0) for place, player in enumerate("abcd")]
        view.apply(moves_of([Move(key, *row, None) for key in (ALL, DAY) for row in rows]), 1)
        view.apply(moves_of([Move(OTHER, "b", (1,), 0, None)]), 2)

        view.place_players(1, ["b", "d", "nobody"], moves_of([Move(DAY, "d", (20, 0), 5, None)]), 3)

        with view.read() as reader:
            check_period(
                reader.period(ALL), standings([rows[0], rows[2]], (True, False)), self.numberings
            )
            on_the_day = [Row("d", (20, 0), 5), rows[0], rows[2]]
            check_period(reader.period(DAY), standings(on_the_day, (True, False)), self.numberings)
            assert reader.period(OTHER).total == 1
            assert reader.seq == 3
        assert view.sizes()[1] == 6
        validate(view)

    def test_what_is_renewed_is_seen_when_all_of_it_is_there(self, view: RankView) -> None:
        """The periods of other windows stay, and so do those of other boards."""
        view.apply(moves_of([Move(ALL, "a", (1, 1), 1, None), Move(DAY, "b", (2, 2), 1, None)]), 1)
        view.apply(moves_of([Move(OTHER, "c", (3,), 1, None)]), 2)
        tomorrow = (1, "daily", "2026-12-01")
        seen: list[tuple[int, int]] = []

        def parts() -> Iterator[Moves]:
            for score in (4, 5):
                yield moves_of(
                    [Move(tomorrow, player, (score, 0), 3, None) for player in ("d", f"e{score}")]
                )
                with view.read() as reader:
                    seen.append((reader.period(DAY).total, reader.period(tomorrow).total))
            yield moves_of([])

        view.renew(1, 7, ["daily"], parts(), 3)

        assert seen == [(1, 0), (1, 0)]
        with view.read() as reader:
            assert (reader.seq, reader.generation(1), reader.generation(2)) == (3, 7, 0)
            assert [reader.period(key).total for key in (ALL, DAY, OTHER)] == [1, 0, 1]
            rows = [Row("d", (5, 0), 3), Row("e4", (4, 0), 3), Row("e5", (5, 0), 3)]
            check_period(reader.period(tomorrow), standings(rows, (True, False)), self.numberings)
        view.apply(moves_of([Move(tomorrow, "d", (6, 0), 4, None)]), 4)
        validate(view)

    def test_it_becomes_another_one_of_its_kind(self, make_home: MakeHome) -> None:
        home, other = make_home(), make_home()
        view, made = home.open(), other.open()
        view.open_board(1, (True, False), 3)
        view.apply(moves_of([Move(ALL, "old", (1, 1), 1, None)]), 4)
        made.open_board(2, (False,), 5)
        made.apply(moves_of([Move(OTHER, "a", (2,), 1, None), Move(OTHER, "b", (1,), 1, None)]), 6)

        view.become(made)

        with view.read() as reader:
            assert reader.seq == 6
            assert (reader.generation(1), reader.generation(2)) == (None, 5)
            check_period(reader.period(ALL), Standings([], ()), self.numberings)
            rows = [Row("a", (2,), 1), Row("b", (1,), 1)]
            check_period(reader.period(OTHER), standings(rows, (False,)), self.numberings)
        assert view.sizes()[1] == 2
        assert told(view, [Move(OTHER, "c", (0,), 2, Numbering.ORDINAL)], 7) == [(0, 1)]
        validate(view)
        home.close()
        other.close()

    @pytest.mark.parametrize("seed", [1, 2])
    def test_many_entries_that_move_at_random(self, view: RankView, seed: int) -> None:
        """Enough for every structure to be cut, merged and filled anew."""
        random = Random(seed)
        rows: dict[str, Row] = {}
        for seq in range(1, 41):
            spread = random.choice([3, 10**6])
            moved = [
                Row(
                    f"p{random.randrange(5000)}",
                    (random.randrange(spread), random.randrange(2)),
                    random.randrange(3),
                )
                for _ in range(500)
            ]
            view.apply(moves_of([Move(ALL, *row, None) for row in moved]), seq)
            rows |= {row.player_id: row for row in moved}
        self._check_many(view, rows)
        leader = Row("p0", (0, MOST), 9)
        all_to_the_end = [Move(ALL, player, leader.columns, 9, None) for player in rows]
        view.apply(moves_of(all_to_the_end), 41)
        self._check_many(view, {player: Row(player, leader.columns, 9) for player in rows})

    @staticmethod
    def _check_many(view: RankView, rows: dict[str, Row]) -> None:
        expected = [Row(*line[:3]) for line in standings(list(rows.values()), (True, False)).lines]
        validate(view)
        with view.read() as reader:
            period = reader.period(ALL)
            assert period.total == len(expected)
            assert period.rows(0, len(expected)) == expected
            for index in range(0, len(expected), 97):
                row = expected[index]
                assert period.index_of(row.player_id) == index
                assert period.rows(index, index + 1) == [row]
                better = [each for each in expected[:index] if each.columns != row.columns]
                assert period.count_above(row.columns) == len(better)

    def test_readers_see_all_of_a_change_or_nothing(self, view: RankView) -> None:
        """Two players always have the same score, whenever one looks; the seq never goes back."""
        rounds = 300

        def write() -> None:
            for seq in range(1, rounds + 1):
                view.apply(
                    moves_of([Move(ALL, player, (seq, 0), 0, None) for player in ("a", "b")]), seq
                )

        writer = Thread(target=write)
        writer.start()
        seen = [0]
        while seen[-1] < rounds:
            with view.read() as reader:
                rows = reader.period(ALL).rows(0, 9)
                again = reader.period(ALL).rows(0, 9)
                seen.append(reader.seq)
            assert rows == again, "one moment, for as long as it is held"
            assert {row.columns for row in rows} == ({(seen[-1], 0)} if seen[-1] else set())
        writer.join()

        assert seen == sorted(seen)

    def test_it_behaves_like_sorting_and_counting(self, make_home: MakeHome) -> None:
        run_state_machine_as_test(
            lambda: _Machine(make_home, self.numberings),  # type: ignore[arg-type]
            settings=machine_settings(),
        )

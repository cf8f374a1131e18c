"""What every event log must do."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from toprung.ports.log import EventLog, LogRow, frames_of
from toprung.testing.suites.home import Failure, LogHome, machine_settings

MakeHome = Callable[[], LogHome]

_rows = st.lists(st.tuples(st.integers(0, 3), st.binary(max_size=20)), min_size=1, max_size=5)


class _Machine(RuleBasedStateMachine):
    """A log and a plain list."""

    def __init__(self, make_home: MakeHome, transactional: bool) -> None:
        super().__init__()
        self.home = make_home()
        self.log = self.home.open()
        self.transactional = transactional
        self.model: list[LogRow] = []

    def _stamped(self, rows: list[tuple[int, bytes]]) -> list[LogRow]:
        """Rows as they should come out: arrivals never go back."""
        now = self.model[-1].received_at if self.model else 0
        stamped = []
        for seq, (waited, body) in enumerate(rows, len(self.model) + 1):
            now += waited
            stamped.append(LogRow(seq, now, body))
        return stamped

    @rule(rows=_rows)
    def append(self, rows: list[tuple[int, bytes]]) -> None:
        stamped = self._stamped(rows)
        first = self.log.append(frames_of([row[1:] for row in stamped]))
        assert first == stamped[0].seq
        self.model += stamped

    @rule(groups=st.lists(_rows, min_size=1, max_size=3), fails=st.booleans())
    def append_in_transaction(self, groups: list[list[tuple[int, bytes]]], fails: bool) -> None:
        if not self.transactional:
            return
        before = list(self.model)
        with suppress(Failure), self.home.transaction():
            for rows in groups:
                self.append(rows)
                assert self.log.head()[0] == len(self.model), "a log must see its own rows"
            if fails:
                raise Failure
        if fails:
            self.model = before

    @rule(after=st.integers(0, 20), limit=st.integers(1, 7))
    def read(self, after: int, limit: int) -> None:
        assert self.log.read(after, limit) == self.model[after : after + limit]

    @rule(
        texts=st.lists(st.binary(min_size=1, max_size=2), min_size=1, max_size=6),
        after=st.integers(0, 20),
        until=st.integers(0, 20),
    )
    def search(self, texts: list[bytes], after: int, until: int) -> None:
        found = list(self.log.containing(texts, after, until))
        assert found == [
            row
            for row in self.model
            if after < row.seq <= until and any(text in row.body for text in texts)
        ]

    @rule()
    def open_again(self) -> None:
        self.log = self.home.open()

    @invariant()
    def agrees(self) -> None:
        last = self.model[-1] if self.model else LogRow(0, 0, b"")
        assert self.log.head() == (last.seq, last.received_at)
        assert self.log.read(0, len(self.model) + 1) == self.model

    def teardown(self) -> None:
        self.home.close()


class EventLogSuite:
    """The conformance suite of :class:`~toprung.ports.log.EventLog`.

    Attributes:
        transactional: whether the log takes part in a transaction with the store.
    """

    transactional: ClassVar[bool] = True

    @pytest.fixture
    def make_home(self) -> MakeHome:
        """Makes a :class:`LogHome` with empty data of its own."""
        raise NotImplementedError

    @pytest.fixture
    def home(self, make_home: MakeHome) -> Iterator[LogHome]:
        """One home, closed after the test."""
        home = make_home()
        yield home
        home.close()

    @pytest.fixture
    def log(self, home: LogHome) -> EventLog:
        """An empty log."""
        return home.open()

    def test_an_empty_log(self, log: EventLog) -> None:
        assert log.head() == (0, 0)
        assert log.read(0, 10) == []
        assert log.read(7, 10) == []

    def test_the_first_row_is_1_and_each_is_one_more(self, log: EventLog) -> None:
        assert log.append(frames_of([(5, b"a")])) == 1
        assert log.append(frames_of([(5, b"b"), (7, b"c")])) == 2
        assert log.append(frames_of([(7, b"d")])) == 4

        assert log.read(0, 10) == [
            LogRow(1, 5, b"a"),
            LogRow(2, 5, b"b"),
            LogRow(3, 7, b"c"),
            LogRow(4, 7, b"d"),
        ]
        assert log.head() == (4, 7)

    @pytest.mark.parametrize(
        ("after", "limit", "found"), [(0, 2, [1, 2]), (1, 1, [2]), (2, 9, [3])]
    )
    def test_reading_goes_on_after_a_row(
        self, log: EventLog, after: int, limit: int, found: list[int]
    ) -> None:
        log.append(frames_of([(1, b""), (2, b""), (3, b"")]))

        assert [row.seq for row in log.read(after, limit)] == found

    @pytest.mark.parametrize("body", [b"", b"\0", bytes(range(256)), b"x" * 100_000])
    def test_a_body_is_any_bytes(self, home: LogHome, body: bytes) -> None:
        home.open().append(frames_of([(0, body)]))

        assert home.open().read(0, 1) == [LogRow(1, 0, body)]

    def test_texts_are_sought_in_bodies(self, log: EventLog) -> None:
        """In blocks of many rows and in small ones, whatever the number of texts."""
        log.append(frames_of([(1, b"e%d;" % seq) for seq in range(1, 1001)]))
        log.append(frames_of([(2, b"e7;")]))

        for extra in range(12):
            texts = [b"e7;", b"e999;", b"\xff\0", *(b"no%d" % n for n in range(extra))]
            assert [row.seq for row in log.containing(texts, 0, 2000)] == [7, 999, 1001]
        assert [row.seq for row in log.containing([b"e7;"], 7, 1000)] == []

    def test_rows_are_put_in_the_place_of_others(self, home: LogHome) -> None:
        """Also shorter and longer ones, in blocks of many rows; all else stays as it was."""
        log = home.open()
        log.append(frames_of([(seq, b"e%d;" % seq) for seq in range(1, 1001)]))
        other = {7: b"", 999: b"x" * 300}

        with home.transaction():
            changed = log.rewrite([b"e7;", b"e8;", b"e999;"], 1000, lambda row: other.get(row.seq))

        assert changed == [7, 999]
        assert home.open().read(0, 1000) == [
            LogRow(seq, seq, other.get(seq, b"e%d;" % seq)) for seq in range(1, 1001)
        ]

    def test_rows_behind_are_not_touched(self, log: EventLog) -> None:
        log.append(frames_of([(1, b"e"), (1, b"e"), (1, b"e")]))
        log.append(frames_of([(2, b"e")]))

        assert log.rewrite([b"e"], 2, lambda row: b"x") == [1, 2]
        assert [row.body for row in log.read(0, 9)] == [b"x", b"x", b"e", b"e"]

    def test_arrivals_are_exact(self, home: LogHome) -> None:
        home.open().append(frames_of([(at, b"") for at in (0, 1, 2**53 + 1, 2**62)]))

        assert [row.received_at for row in home.open().read(0, 9)] == [0, 1, 2**53 + 1, 2**62]

    def test_many_rows_at_once(self, log: EventLog) -> None:
        rows = [(seq, str(seq).encode()) for seq in range(1, 5001)]

        assert log.append(frames_of(rows)) == 1

        pages = [log.read(after, 700) for after in range(0, 5600, 700)]
        assert [row[1:] for page in pages for row in page] == rows

    def test_a_failed_transaction_leaves_no_row(self, home: LogHome) -> None:
        if not self.transactional:
            pytest.skip("declared: takes part in no transaction")
        log = home.open()
        log.append(frames_of([(1, b"kept")]))

        with suppress(Failure), home.transaction():
            assert log.append(frames_of([(2, b"lost")])) == 2
            raise Failure

        assert log.head() == (1, 1)
        assert log.append(frames_of([(3, b"next")])) == 2
        assert [row.body for row in home.open().read(0, 9)] == [b"kept", b"next"]

    def test_it_behaves_like_a_list(self, make_home: MakeHome) -> None:
        run_state_machine_as_test(
            lambda: _Machine(make_home, self.transactional),  # type: ignore[arg-type]
            settings=machine_settings(),
        )

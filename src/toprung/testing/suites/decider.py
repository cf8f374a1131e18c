"""What every decider must do."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec
import pytest

from toprung.domain.board import Board, BoardState, Column, Numbering, Settings
from toprung.domain.decide import Decision, EntryKey, Seen
from toprung.domain.entries import Entry
from toprung.domain.errors import Trouble
from toprung.domain.instants import DAY, HOUR
from toprung.domain.keeping import BLOCK_LINES, SeenLine, seen_blocks, seen_lines
from toprung.domain.limits import NUMBER
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event, encode_record
from toprung.ports.decider import Decided, Decider
from toprung.ports.moves import Move
from toprung.ports.packed import PackedEntries, unpack_entries
from toprung.ports.pipeline import Arrived
from toprung.ports.store import Changes, ScoreStore
from toprung.testing.agreement import stored_entries

BOARD_ID = 7
NOON = 20_000 * DAY + 12 * HOUR
"""2024-10-04, a Friday."""
ALL = (BOARD_ID, "all", "all")
TODAY = (BOARD_ID, "daily", "2024-10-04")
YESTERDAY = (BOARD_ID, "daily", "2024-10-03")


class DeciderHome(Protocol):
    """A store of its own, and deciders over it."""

    store: ScoreStore

    def open(self) -> Decider:
        """A decider with nothing in it, as after a restart."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


def _state(**rules: object) -> BoardState:
    """A board of one column that adds up, with all time and days."""
    columns = (Column("score", True, 0),)
    settings = Settings(
        "sum", columns, "shared", ("all", "daily"), "UTC", 0, None, None, None, "title"
    )
    settings = msgspec.structs.replace(settings, **rules)
    return BoardState(BOARD_ID, "game", "week", settings, 1, 0, (), None)


EntryLine = tuple[EntryKey, str, Entry]
"""Period, player and entry."""


class _Sent(NamedTuple):
    event_id: str
    player_id: str = "ana"
    points: tuple[int, ...] = (5,)
    at: int = NOON
    at_given: bool = True
    history: bool = False
    revision: int = 1
    board_id: int = BOARD_ID
    received_at: int = NOON
    ranked: bool = False

    def arrived(self) -> Arrived:
        event = Event(
            self.board_id,
            self.revision,
            self.event_id,
            self.player_id,
            self.points,
            self.at,
            self.at_given,
            self.history,
        )
        return Arrived(self.received_at, encode_record(event), None, self.ranked)


class _Desk:
    """A decider at work: numbers what is sent, and keeps what is to be kept."""

    def __init__(self, home: DeciderHome, **rules: object) -> None:
        self.home = home
        self.board: Board | None = Board(_state(**rules))
        self.decider = home.open()
        self.seq = 1

    def send(self, *events: _Sent, told: bool = True) -> Decided:
        first, self.seq = self.seq, self.seq + len(events)
        rows = [event.arrived() for event in events]
        decided = self.decider.decide(first, rows, self._board_of, told=told)
        self.home.store.keep(decided.seen)
        return decided

    def outcomes(self, *events: _Sent) -> list[str]:
        return [decision.outcome.value for decision in self.send(*events).decisions]

    def one(self, event: _Sent) -> Decision:
        (decision,) = self.send(event).decisions
        return decision

    def redo(self, first: int, *events: _Sent, kept: Sequence[SeenLine]) -> Decided:
        rows = [event.arrived() for event in events]
        return self.decider.redo(first, rows, self._board_of, kept)

    def take(self, limit: int = 1000) -> list[EntryLine]:
        return self._lines(self.decider.take(limit))

    def write(self, limit: int = 1000) -> list[EntryLine]:
        taken = self.decider.take(limit)
        self.home.store.write(Changes(self.seq - 1, packed=taken))
        self.decider.written()
        return self._lines(taken)

    def _lines(self, taken: Sequence[PackedEntries]) -> list[EntryLine]:
        """What is in packed entries, of each player by period."""
        names = {self.home.store.period_number(key): key for key in (ALL, TODAY, YESTERDAY)}
        lines = [
            (names[number], player, entry)
            for part in taken
            for player, entries in unpack_entries(part.body).items()
            for number, entry in sorted(entries.items(), key=lambda each: names[each[0]])
        ]
        assert sum(part.size for part in taken) == len(lines)
        return lines

    def players(self, limit: int) -> list[tuple[EntryKey, str]]:
        """Whose entries are taken."""
        return [line[:2] for line in self.take(limit)]

    def restart(self) -> None:
        self.decider = self.home.open()

    def _board_of(self, board_id: int) -> Board | None:
        return self.board if board_id == BOARD_ID else None


def _lines(decided: Decided) -> list[SeenLine]:
    return [line for block in decided.seen for line in seen_lines(block.body)]


def _seen(seq: int, outcome: str, *, late: tuple[str, ...] = ()) -> SeenLine:
    seen = Seen(seq, outcome, "ana", (5,), 1, NOON, True, NOON, None, None, late)
    return BOARD_ID, f"e{seq}", seen


class DeciderSuite:
    """Subclass it and give ``make_home``."""

    @pytest.fixture
    def make_home(self) -> Callable[[], DeciderHome]:
        """Makes homes with empty data."""
        raise NotImplementedError

    @pytest.fixture
    def home(self, make_home: Callable[[], DeciderHome]) -> Iterator[DeciderHome]:
        """A home for one test."""
        home = make_home()
        yield home
        home.close()

    def test_what_waits_can_be_asked_for_by_its_players(self, home: DeciderHome) -> None:
        desk = _Desk(home, windows=("all", "daily"))
        desk.send(_Sent("e1", player_id="a", points=(5,)), _Sent("e2", player_id="b", points=(7,)))

        held = desk.decider.held({ALL: ["a", "nobody"], TODAY: ["b"], YESTERDAY: ["a"]})

        assert {key: list(players) for key, players in held.items() if players} == {
            ALL: ["a"],
            TODAY: ["b"],
        }
        assert (held[ALL]["a"].columns, held[TODAY]["b"].columns) == ((5,), (7,))

    def test_a_day_of_a_rolling_window_takes_its_share(self, home: DeciderHome) -> None:
        """Whatever days come together, their total can be held (R6)."""
        most = NUMBER.maximum // 7
        desk = _Desk(home, windows=("all", "rolling:7d"))
        assert desk.outcomes(
            _Sent("e1", points=(most,)),
            _Sent("e2", points=(1,)),
            _Sent("e3", points=(-1,)),
            _Sent("e4", points=(1,)),
            _Sent("e5", player_id="b", points=(-most - 1,)),
        ) == ["counted", "overflow", "counted", "counted", "overflow"]

    def test_an_event_counts_in_every_window(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        decided = desk.send(_Sent("e1", at=NOON - 1), _Sent("e2", points=(-2,)))

        first, second = decided.decisions
        entry = Entry((5,), NOON - 1, 1, True, "", 1)
        total = Entry((3,), NOON, 2, True, "", 2)
        assert (first.outcome, second.outcome) == (Outcome.COUNTED, Outcome.COUNTED)
        assert [(s.period.window, s.before, s.after) for s in first.steps] == [
            ("all", None, entry),
            ("daily", None, entry),
        ]
        assert [(s.before, s.after) for s in second.steps] == [(entry, total), (entry, total)]
        assert decided.latest_at == {BOARD_ID: NOON}
        assert desk.decider.waiting() == {ALL: {"ana": total}, TODAY: {"ana": total}}

    def test_what_is_not_told_happens_all_the_same(self, home: DeciderHome) -> None:
        decided = _Desk(home).send(_Sent("e1"), told=False)
        assert list(decided.decisions) == []
        assert len(_lines(decided)) == 1
        assert list(decided.moved) == [2]

    def test_what_is_kept_says_what_became_of_it(self, home: DeciderHome) -> None:
        desk = _Desk(home, grace=0)
        desk.send(_Sent("e1"))
        decided = desk.send(
            _Sent("e2", at=NOON - DAY, points=(1,)), _Sent("e3", at=NOON, points=(0,))
        )
        late = Seen(2, "counted", "ana", (1,), 1, NOON - DAY, True, NOON, (6,), (5,), ("daily",))
        unchanged = Seen(3, "unchanged", "ana", (0,), 1, NOON, True, NOON, (6,), (6,), ())
        assert _lines(decided) == [(BOARD_ID, "e2", late), (BOARD_ID, "e3", unchanged)]

    def test_blocks_are_those_of_the_rules(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        events = [
            _Sent(f"e{i}" * (1 + i % 90), f"p{i % 40}", (i << i % 50,), NOON - (i << i % 40))
            for i in range(BLOCK_LINES + 44)
        ]
        decided = desk.send(*events)
        assert list(decided.seen) == seen_blocks(_lines(decided))
        assert [(block.first, block.last) for block in decided.seen] == [
            (1, BLOCK_LINES),
            (BLOCK_LINES + 1, BLOCK_LINES + 44),
        ]

    def test_an_id_counts_once(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        event = _Sent("e1")
        assert desk.outcomes(event, event) == ["counted", "duplicate"]
        again = desk.one(event)
        assert again.outcome is Outcome.DUPLICATE
        assert again.first == Seen(1, "counted", "ana", (5,), 1, NOON, True, NOON, (5,), None)
        desk.write()
        desk.restart()
        assert desk.outcomes(event, _Sent("e1", "bob"), _Sent("e2")) == [
            "duplicate",
            "conflict",
            "counted",
        ]
        assert desk.decider.waiting()[ALL]["ana"].columns == (10,)

    def test_a_conflict_names_the_first_field(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        desk.send(_Sent("e1"))
        others = [
            _Sent("e1", "bob", (6,), NOON - 1),
            _Sent("e1", points=(6,), at=NOON - 1),
            _Sent("e1", at=NOON - 1),
            _Sent("e1", at=NOON - 1, at_given=False),
        ]
        found = desk.send(*others)
        assert [decision.field for decision in found.decisions] == [
            "player_id",
            "points",
            "at",
            None,
        ]
        assert [d.outcome for d in found.decisions][-1] is Outcome.DUPLICATE
        assert _lines(found) == []
        # In one run with the first one it is the same.
        run = desk.send(_Sent("e2"), *[other._replace(event_id="e2") for other in others])
        assert [decision.field for decision in run.decisions[1:]] == [
            "player_id",
            "points",
            "at",
            None,
        ]

    def test_ids_are_of_a_board(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        found = desk.send(_Sent("e1", board_id=8), _Sent("e1"), _Sent("e1", board_id=8))
        assert [d.outcome.value for d in found.decisions] == [
            "unknown_board",
            "counted",
            "unknown_board",
        ]
        assert found.decisions[0].field == "board"
        assert list(found.moved) == [0, 2, 0]

    def test_a_refused_event_changes_nothing_and_leaves_its_id(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        desk.send(_Sent("e1", points=(NUMBER.maximum,)))
        found = desk.send(
            _Sent("e2", points=(1,), at=NOON - DAY),
            _Sent("e3", points=(-1,)),
            _Sent("e2", points=(1,)),
        )
        # Yesterday would have taken it; all time does not, so nothing does.
        assert [d.outcome.value for d in found.decisions] == ["overflow", "counted", "counted"]
        assert found.decisions[0].field == "points"
        assert [(line[1], line[2].outcome, line[2].seq) for line in _lines(found)] == [
            ("e3", "counted", 3),
            ("e2", "counted", 4),
        ]
        assert YESTERDAY not in desk.decider.waiting()

    def test_the_least_and_the_most_are_in_range(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        assert desk.outcomes(
            _Sent("e1", points=(NUMBER.maximum,)),
            _Sent("e2", points=(NUMBER.minimum,)),
            _Sent("e3", points=(NUMBER.minimum + 1,)),
            _Sent("e4", points=(-1,)),
        ) == ["counted", "counted", "counted", "overflow"]

    def test_a_closed_period_takes_nothing(self, home: DeciderHome) -> None:
        desk = _Desk(home, windows=("daily",), grace=HOUR)
        close = NOON - 12 * HOUR + HOUR
        at = NOON - DAY
        assert desk.outcomes(
            _Sent("e1", at=at, received_at=close - 1),
            _Sent("e2", at=at, received_at=close),
            _Sent("e3", at=at, received_at=close, history=True),
        ) == ["counted", "late", "counted"]

    def test_time_is_checked_first(self, home: DeciderHome) -> None:
        desk = _Desk(home, remember=DAY, max_ahead=HOUR)
        most = _Sent("e0", points=(NUMBER.maximum,))
        more = _Sent("", points=(1,))
        found = desk.send(
            most,
            more._replace(event_id="e1", at=NOON - DAY - 1),
            more._replace(event_id="e2", at=NOON + HOUR + 1),
            more._replace(event_id="e3", at=NOON - DAY),
            more._replace(event_id="e4", at=NOON + HOUR),
            most._replace(at=NOON - 9 * DAY),
        )
        assert [d.outcome.value for d in found.decisions] == [
            "counted",
            "late",
            "early",
            "overflow",
            "overflow",
            "conflict",
        ]
        assert "1d" in str(found.decisions[1].message)
        assert "1h" in str(found.decisions[2].message)

    def test_moves_tell_new_places(self, home: DeciderHome) -> None:
        desk = _Desk(home, mode="best")
        decided = desk.send(
            _Sent("e1"),
            _Sent("e2", points=(4,)),
            _Sent("e3", points=(4,), ranked=True),
            _Sent("e4", "bob", (9,), NOON - DAY, ranked=True),
        )
        ana, bob = ("ana", (5,), NOON), ("bob", (9,), NOON - DAY)
        assert list(decided.moved) == [2, 0, 2, 2]
        assert list(decided.moves) == [
            Move(ALL, *ana, None),
            Move(TODAY, *ana, None),
            Move(ALL, *ana, Numbering.SHARED),
            Move(TODAY, *ana, Numbering.SHARED),
            Move(ALL, *bob, Numbering.SHARED),
            Move(YESTERDAY, *bob, Numbering.SHARED),
        ]

    def test_points_are_read_by_the_present_columns(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        desk.send(_Sent("e1", points=(5,)))
        state = _state(columns=(Column("score", True, 2),))
        past = ((Column("score", True, 0),),)
        desk.board = Board(msgspec.structs.replace(state, revision=2, past_columns=past))
        assert desk.outcomes(
            _Sent("e1", points=(500,), revision=2),
            _Sent("e1", points=(5,)),
            _Sent("e1", points=(5,), revision=2),
            _Sent("e2", points=(1,)),
            _Sent("e3", points=(NUMBER.maximum,)),
        ) == ["duplicate", "duplicate", "conflict", "counted", "invalid"]
        assert desk.decider.waiting()[ALL]["ana"].columns == (105,)

    @pytest.mark.parametrize("width", [1, 2, 3, 5])
    def test_an_entry_comes_back_as_it_was_written(self, home: DeciderHome, width: int) -> None:
        columns = tuple([Column(f"c{i}", i % 2 == 0, 0) for i in range(width)])
        points = tuple([NUMBER.maximum, NUMBER.minimum, 0, -1, 1][:width])
        desk = _Desk(home, mode="last", columns=columns)
        desk.send(_Sent("e1", points=points))
        desk.write()
        desk.restart()
        (step, _) = desk.one(_Sent("e0", points=points)).steps
        assert step.before == Entry(points, NOON, 1, False, "e1", 1)
        assert step.after == Entry(points, NOON, 2, False, "e1", 2)

    def test_entries_wait_until_they_are_written(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        assert (desk.decider.unwritten, desk.decider.oldest, desk.decider.sweep) == (0, None, 0)
        desk.send(_Sent("e1"), _Sent("e2", "cy"))
        desk.send(_Sent("e3", "bob"), _Sent("e4"))
        assert (desk.decider.unwritten, desk.decider.oldest, desk.decider.sweep) == (6, 1, 6)
        ana = Entry((10,), NOON, 2, True, "", 4)
        bob, cy = Entry((5,), NOON, 1, True, "", 3), Entry((5,), NOON, 1, True, "", 2)
        assert desk.write(3) == [
            (ALL, "ana", ana),
            (TODAY, "ana", ana),
            (ALL, "bob", bob),
        ]
        assert (desk.decider.unwritten, desk.decider.oldest, desk.decider.sweep) == (3, 1, 6)
        desk.write()
        assert (desk.decider.unwritten, desk.decider.oldest, desk.decider.sweep) == (0, None, 0)
        for key in (ALL, TODAY):
            assert stored_entries(home.store, key, ["ana", "bob", "cy"]) == {
                "ana": ana,
                "bob": bob,
                "cy": cy,
            }

    def test_what_comes_during_a_sweep_is_for_the_next(self, home: DeciderHome) -> None:
        desk = _Desk(home, windows=("all",))
        desk.send(_Sent("e1", "bob"), _Sent("e2", "cy"))
        assert desk.write(1)[0][1] == "bob"
        desk.send(_Sent("e3", "bob"), _Sent("e4", "cy"))
        desk.send(_Sent("e5", "ana"))
        assert (desk.decider.unwritten, desk.decider.oldest, desk.decider.sweep) == (3, 1, 2)
        assert desk.write(2) == [(ALL, "cy", Entry((10,), NOON, 2, True, "", 4))]
        assert (desk.decider.unwritten, desk.decider.oldest, desk.decider.sweep) == (2, 3, 2)
        assert desk.players(1) == [(ALL, "ana")]
        desk.write(1)
        assert (desk.decider.unwritten, desk.decider.oldest, desk.decider.sweep) == (1, 3, 2)
        desk.write(1)
        assert (desk.decider.unwritten, desk.decider.oldest, desk.decider.sweep) == (0, None, 0)

    def test_who_asks_for_all_gets_all_in_order(self, home: DeciderHome) -> None:
        desk = _Desk(home, windows=("all",))
        desk.send(_Sent("e1", "bob"), _Sent("e2", "cy"))
        desk.write(1)
        desk.send(_Sent("e3", "ana"), _Sent("e4", "dan"), _Sent("e5", "cy"))
        assert desk.players(3) == [(ALL, "ana"), (ALL, "cy"), (ALL, "dan")]
        assert (desk.decider.unwritten, desk.decider.oldest) == (3, 1)

    def test_rows_stand_by_the_bytes_of_players_then_by_period(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        ids = ["p1", "p", "\U0001f600", "\uffff", "q" * 90, "q" * 9, "q" * 90 + "r", "\u00e9", "P"]
        desk.send(
            *[_Sent(f"e{i}", player) for i, player in enumerate(ids)],
            _Sent("y", "p", at=NOON - DAY),
        )
        players = sorted(ids, key=lambda player: player.encode())
        expected = [(key, player) for player in players for key in (ALL, TODAY)]
        expected.insert(expected.index((TODAY, "p")), (YESTERDAY, "p"))
        assert desk.players(1000) == expected

    def test_what_is_taken_and_not_written_is_given_again(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        desk.send(_Sent("e1"), _Sent("e2", "bob"))
        taken = desk.take(3)
        assert (desk.decider.unwritten, desk.decider.oldest) == (4, 1)
        assert desk.take(3) == taken
        assert desk.take(1) == taken[:1]
        desk.decider.written()
        assert (desk.decider.unwritten, desk.decider.oldest) == (3, 1)
        assert desk.take(2) == taken[1:]

    def test_what_changes_after_it_was_given_waits_on(self, home: DeciderHome) -> None:
        desk = _Desk(home, windows=("all",))
        desk.send(_Sent("e1"))
        first = desk.decider.take(1)
        desk.send(_Sent("e2"))
        home.store.write(Changes(1, packed=first))
        desk.decider.written()
        assert (desk.decider.unwritten, desk.decider.oldest) == (1, 2)
        assert desk.write() == [(ALL, "ana", Entry((10,), NOON, 2, True, "", 2))]

    def test_what_changes_after_a_failure_is_given_as_it_is(self, home: DeciderHome) -> None:
        desk = _Desk(home, windows=("all",))
        desk.send(_Sent("e1"))
        desk.take(1)
        desk.send(_Sent("e2"))
        assert desk.take(1) == [(ALL, "ana", Entry((10,), NOON, 2, True, "", 2))]
        desk.decider.written()
        desk.write()
        assert (desk.decider.unwritten, desk.decider.oldest) == (0, None)

    def test_a_forgotten_board_is_read_again(self, home: DeciderHome) -> None:
        desk = _Desk(home, windows=("all",))
        desk.send(_Sent("e1"), _Sent("e2", "bob"))
        desk.write()
        home.store.write(
            Changes(
                desk.seq,
                cleared_windows=[(BOARD_ID, "all")],
                entries={ALL: {"ana": Entry((100,), NOON, 1, True, "", 1)}},
            )
        )
        desk.decider.forget(BOARD_ID)
        desk.send(_Sent("e3"), _Sent("e4", "bob"))
        found = desk.decider.waiting()[ALL]
        assert {player: entry.columns for player, entry in found.items()} == {
            "ana": (105,),
            "bob": (5,),
        }

    def test_a_damaged_record_is_trouble_and_changes_nothing(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        good = [_Sent("e1").arrived(), _Sent("e2").arrived()]
        body = good[1].body
        for damaged in (b"", body[:-1], body + b"\xc0", body.replace(b"ana", b"\xff\xff\xff")):
            rows = [good[0], good[1]._replace(body=damaged)]
            with pytest.raises(Trouble, match="record 2") as trouble:
                desk.decider.decide(1, rows, lambda _: desk.board, told=True)
            assert trouble.value.code == "storage_corrupt"
        assert desk.decider.unwritten == 0
        assert desk.outcomes(_Sent("e1")) == ["counted"]
        assert desk.decider.waiting()[ALL]["ana"].events == 1

    def test_fields_of_a_later_version_are_passed_over(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        fields = msgspec.msgpack.decode(_Sent("e1").arrived().body)
        body = msgspec.msgpack.encode([*fields, {"later": [1.5, None, b"x"]}, "y"])
        decided = desk.decider.decide(
            1, [Arrived(NOON, body, None)], lambda _: desk.board, told=True
        )
        assert [d.outcome for d in decided.decisions] == [Outcome.COUNTED]

    def test_what_was_decided_is_done_again_where_it_lacks(self, home: DeciderHome) -> None:
        desk = _Desk(home, grace=0)
        events = [_Sent(f"e{i}", points=(10**i,)) for i in range(1, 5)]
        desk.send(*events[:2])
        desk.write()
        desk.restart()
        kept = [
            _seen(1, "counted"),
            _seen(2, "counted"),
            _seen(3, "counted", late=("daily",)),
            _seen(4, "overflow"),
        ]
        decided = desk.redo(1, *events, kept=kept)
        total = Entry((1110,), NOON, 3, True, "", 3)
        assert desk.decider.waiting() == {ALL: {"ana": total}}
        assert desk.decider.oldest == 1
        assert list(decided.moves) == [Move(ALL, "ana", (1110,), NOON, None)]
        assert decided.latest_at == {BOARD_ID: NOON}
        assert (list(decided.decisions), list(decided.seen)) == ([], [])

    def test_what_was_not_kept_is_not_done_again(self, home: DeciderHome) -> None:
        desk = _Desk(home)
        desk.redo(1, _Sent("e1"), _Sent("e2"), kept=[_seen(2, "counted")])
        assert desk.decider.waiting()[ALL] == {"ana": Entry((5,), NOON, 1, True, "", 2)}

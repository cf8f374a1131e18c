"""R2, R10 and the order of precedence: what becomes of an event, one outcome after the other."""

import msgspec
import pytest

from toprung.domain.board import Board, BoardState, Column, Settings
from toprung.domain.calendar import Season
from toprung.domain.decide import Working, decide_event
from toprung.domain.outcomes import MEANING, Outcome
from toprung.domain.records import Event

SECOND, HOUR, DAY = 1_000_000, 3_600_000_000, 86_400_000_000
MAX = 2**63 - 1
NOON = 1_000 * DAY + 12 * HOUR
SETTINGS = Settings(
    mode="sum",
    columns=(Column("score", True, 0),),
    ties="earliest",
    windows=("daily",),
    zone="UTC",
    week_start=0,
    grace=HOUR,
    max_ahead=5 * 60 * SECOND,
    remember=2 * DAY,
    title="",
)


class Decider:
    """A board, and events that come to it one after the other."""

    def __init__(self, **settings):
        self.board = Board(
            BoardState(
                1,
                "game",
                "week",
                msgspec.structs.replace(SETTINGS, **settings),
                1,
                0,
                (Season("r1", None, 1_000 * DAY),),
                None,
            )
        )
        self.working = Working()
        self.seq = 1

    def __call__(self, event_id="e", player_id="ann", points=5, at=NOON, came=NOON, **more):
        self.seq += 1
        event = Event(1, 1, event_id, player_id, (points,), at, more.pop("at_given", True), **more)
        slots = [self.working.slot(self.board, p) for p in self.board.parts_at(at)]
        return decide_event(self.working, self.board, event, slots, self.seq, came)


# Each row has all the faults of the rows below it; the outcome is that of the first.
PRECEDENCE = [
    ("duplicate", {"event_id": "e", "at": NOON, "came": NOON + 9 * DAY, "points": MAX}),
    ("conflict", {"event_id": "e", "at": NOON + 1, "came": NOON + 9 * DAY, "points": MAX}),
    ("late", {"event_id": "new", "at": NOON, "came": NOON + 9 * DAY, "points": MAX}),
    ("overflow", {"event_id": "new", "at": NOON, "came": NOON, "points": MAX}),
    ("unchanged", {"event_id": "new", "at": NOON, "came": NOON, "points": 0}),
    ("counted", {"event_id": "new", "at": NOON, "came": NOON, "points": -1}),
]


@pytest.mark.parametrize(("outcome", "event"), PRECEDENCE, ids=lambda value: str(value)[:9])
def test_the_first_fault_is_the_outcome(outcome, event):
    decide = Decider()
    decide("e", points=MAX)

    assert decide(**event).outcome == outcome


def test_early_comes_before_overflow_and_after_duplicate():
    decide = Decider(max_ahead=0)
    decide("e", points=MAX)

    assert decide("new", points=MAX, at=NOON + 1, came=NOON).outcome == "early"
    assert decide("e", points=MAX, at=NOON, came=NOON - 1).outcome == "duplicate"


def test_every_outcome_has_a_meaning_and_they_stand_in_their_order():
    assert list(MEANING) == list(Outcome)
    assert [str(outcome) for outcome in Outcome] == [
        "invalid",
        "unknown_board",
        "forbidden",
        "duplicate",
        "conflict",
        "ineligible",
        "implausible",
        "early",
        "late",
        "overflow",
        "unchanged",
        "counted",
    ]


@pytest.mark.parametrize(
    ("again", "outcome", "field"),
    [
        ({}, "duplicate", None),
        ({"metadata": b'{"a":1}'}, "duplicate", None),
        ({"match_id": "m2"}, "duplicate", None),
        ({"came": NOON + 9 * DAY}, "duplicate", None),
        ({"at": NOON + 1, "at_given": False}, "duplicate", None),
        ({"player_id": "Ann"}, "conflict", "player_id"),
        ({"points": 6}, "conflict", "points"),
        ({"at": NOON + 1}, "conflict", "at"),
        ({"player_id": "bo", "points": 6, "at": NOON + 1}, "conflict", "player_id"),
        ({"points": 6, "at": NOON + 1}, "conflict", "points"),
    ],
)
def test_the_same_id_again(again, outcome, field):
    decide = Decider()
    decide("e", match_id="m1")

    decision = decide("e", **again)

    assert (decision.outcome, decision.field) == (outcome, field)
    assert decision.steps == ()
    assert (decision.first.outcome, decision.first.columns, decision.first.previous) == (
        "counted",
        (5,),
        None,
    )


def test_the_arrival_is_not_compared_where_the_first_had_no_at():
    decide = Decider()
    decide("e", at=NOON, at_given=False)

    assert decide("e", at=NOON + 7, came=NOON + 7).outcome == "duplicate"


def test_a_conflict_does_not_take_the_place_of_the_first():
    decide = Decider()
    decide("e", points=5)
    decide("e", points=6)

    assert decide("e", points=5).outcome == "duplicate"
    assert decide("e", points=6).outcome == "conflict"


@pytest.mark.parametrize(
    ("refused", "outcome"),
    [
        ({"at": NOON + DAY}, "early"),
        ({"at": NOON - DAY}, "late"),
        ({"at": NOON - 3 * DAY}, "late"),
        ({"points": MAX}, "overflow"),
    ],
)
def test_a_refused_event_does_not_use_up_its_id(refused, outcome):
    decide = Decider()
    decide("other", points=1)

    first = decide("e", **refused)
    kept = decide.working.new_seen[1, "e"]

    assert (first.outcome, kept.outcome) == (outcome, outcome)
    assert decide("e", "bo", points=9).outcome == "counted"
    assert decide("e", **refused).outcome == "conflict"


@pytest.mark.parametrize(
    ("at", "came", "outcome"),
    [
        (NOON, 1_001 * DAY + HOUR - 1, "counted"),
        (NOON, 1_001 * DAY + HOUR, "late"),
        (1_001 * DAY - 1, 1_001 * DAY + HOUR - 1, "counted"),
        (1_001 * DAY - 1, 1_001 * DAY + HOUR, "late"),
        (1_001 * DAY, 1_001 * DAY + HOUR, "counted"),
        (NOON + 300 * SECOND, NOON, "counted"),
        (NOON + 300 * SECOND + 1, NOON, "early"),
    ],
)
def test_the_very_instants_of_close_and_max_ahead(at, came, outcome):
    assert Decider()(at=at, came=came).outcome == outcome


@pytest.mark.parametrize(
    ("at", "outcome"), [(NOON - 2 * DAY, "counted"), (NOON - 2 * DAY - 1, "late")]
)
@pytest.mark.parametrize("history", [False, True])
def test_older_than_the_memory_is_refused(at, outcome, history):
    decide = Decider(windows=("all",))

    assert decide(at=at, came=NOON, history=history).outcome == outcome


def test_a_limit_of_none_is_no_limit():
    decide = Decider(grace=None, max_ahead=None, remember=None)

    assert decide("a", at=NOON + 999 * DAY, came=NOON).outcome == "counted"
    assert decide("b", at=NOON - 999 * DAY, came=NOON).outcome == "counted"


def test_late_in_one_window_still_counts_in_the_open_ones():
    decide = Decider(windows=("daily", "all", "season"), remember=None)

    decision = decide(at=NOON - DAY, came=NOON + DAY)

    assert decision.outcome == "counted"
    taken = {step.period.window: step.after is not None for step in decision.steps}
    assert taken == {"daily": False, "all": True, "season": False}
    assert decide.working.new_seen[1, "e"].late == ("daily", "season")
    assert decide("e", at=NOON - DAY).first.late == ("daily", "season")


def test_history_arrived_at_its_own_at():
    decide = Decider(remember=None)

    assert decide("a", at=NOON - 99 * DAY, came=NOON, history=True).outcome == "counted"
    assert decide("b", at=NOON - 99 * DAY, came=NOON).outcome == "late"
    assert decide("c", at=NOON + DAY, came=NOON, history=True).outcome == "early"


def test_overflow_in_one_window_refuses_the_event_in_all():
    decide = Decider(windows=("daily", "all"), grace=None, remember=None)
    decide("a", points=MAX, at=NOON - DAY)

    assert decide("b", points=1, at=NOON).outcome == "overflow"
    assert all(
        player.columns == (MAX,)
        for slot in decide.working.slots.values()
        for player in slot.entries.values()
    )


def test_unchanged_counts_among_the_events_and_spends_the_id():
    decide = Decider(mode="best")
    decide("a", points=9)

    decision = decide("b", points=3)

    assert decision.outcome == "unchanged"
    assert [step.after.events for step in decision.steps] == [2]
    assert decide("b", points=3).first.outcome == "unchanged"


def test_moved_in_any_window_is_counted():
    decide = Decider(mode="best", windows=("all", "daily"), grace=None, remember=None)
    decide("a", points=9, at=NOON - DAY)

    decision = decide("b", points=3, at=NOON)

    assert decision.outcome == "counted"
    assert [step.after.same_standing(step.before) for step in decision.steps] == [True, False]

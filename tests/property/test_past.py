"""R24: a board as it stood is what the oracle says after the facts that had come by then."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.errors import InvalidInput
from toprung.domain.instants import format_instant
from toprung.query import Explained, Moment, Past, Scope
from toprung.rank.reference import ReferenceView
from toprung.testing.agreement import check_scope, periods
from toprung.testing.oracle import (
    Adjust,
    Column,
    Erase,
    Event,
    OracleBoard,
    Put,
    Rules,
    Told,
    World,
    world_after,
)
from toprung.testing.path import PROJECT, Path
from toprung.testing.strategies import (
    carrying_scenes,
    frozen_scenes,
    moderated_scenes,
    rolling_scenes,
    scenes,
    sliced_scenes,
)

SCENES = (
    scenes() | moderated_scenes | frozen_scenes | sliced_scenes | carrying_scenes | rolling_scenes
)

APPLIED = ("counted", "unchanged")
REFUSED = ("late", "early", "overflow")
RULES = Rules("sum", (Column("points", True, 0),), grace=None)


def past_of(path: Path) -> Past:
    return Past(path.log, path.store, path.catalog, path.clock, ReferenceView)


def still_there(then: World, now: World) -> list[str]:
    """The boards that were there and are the same ones today."""
    return [
        name
        for name, board in then.boards.items()
        if name in now.boards and now.boards[name].made_by == board.made_by
    ]


def with_marks_of(then: OracleBoard, now: OracleBoard) -> OracleBoard:
    """The board as it stood, without what is void, hidden or erased today: as if it never had been
    (R9).
    """
    then.voids, then.players = now.voids, now.players
    called = {each.place: each.event.player_id for each in now.counted}
    then.counted = [
        each._replace(event=each.event._replace(player_id=called[each.place]))
        for each in then.counted
    ]
    return then


@given(SCENES, st.data())
def test_as_of_a_seq(real_path, scene, data):
    with real_path() as path:
        facts, stops = [], []
        for group in scene.groups:
            path.send(group)
            facts += group
            stops.append((path.log.head()[0], len(facts)))
        past, now = past_of(path), world_after(facts)
        seq, told = data.draw(st.sampled_from(stops))
        then, full = world_after(facts[:told]), data.draw(st.booleans())
        for name in still_there(then, now):
            board = with_marks_of(then.boards[name], now.boards[name])
            for window, key in periods(board):
                # What is kept back now was not seen then either.
                freezes = {board.freeze_at, now.boards[name].freeze_at} - {None}
                before = None if full else min(freezes, default=None)
                expected = board.shown(window, key, before)
                if not expected.fit():
                    with pytest.raises(InvalidInput, match="64-bit"):
                        past.as_of(PROJECT, name, Moment(seq, 0), window, key, full=full)
                    continue
                query, scope = past.as_of(PROJECT, name, Moment(seq, 0), window, key, full=full)
                assert query.top(scope, 1).seq == seq
                check_scope(query, scope, expected, board.numbering)


@given(SCENES, st.data())
def test_by_the_events_of_an_interval(real_path, scene, data):
    with real_path() as path:
        past, world = past_of(path), World()
        asked: dict[str, tuple[int, int]] = {}
        for group in scene.groups:
            path.send(group)
            for told in group:
                world.tell(told)
            # Asked again and again: what is held goes on with the board.
            for name, board in world.boards.items():
                ats = sorted({each.at for each in board.counted}) or [0]
                if name not in asked:
                    asked[name] = data.draw(st.sampled_from(ats)), data.draw(st.sampled_from(ats))
                start, end = min(asked[name]), max(asked[name]) + data.draw(st.sampled_from([0, 1]))
                full = data.draw(st.booleans())
                freezes = [] if full or board.freeze_at is None else [board.freeze_at]
                expected = board.between(start, min([end, *freezes]))
                if expected.fit():
                    query, scope = past.between(PROJECT, name, start, end, full=full)
                    check_scope(query, scope, expected, board.numbering)
                else:
                    with pytest.raises(InvalidInput, match="64-bit"):
                        past.between(PROJECT, name, start, end, full=full)


@given(SCENES, st.data())
def test_every_event_of_a_player_is_explained(real_path, scene, data):
    with real_path() as path:
        world, facts = World(), []
        for group in scene.groups:
            path.send(group)
            for told in group:
                world.tell(told)
                facts.append(told.fact)
        erased = {
            fact.player_id: index
            for index, fact in enumerate(facts)
            if isinstance(fact, Erase) and world.verdicts[index].outcome == "erased"
        }
        past = past_of(path)
        for name, board in world.boards.items():
            for window, key in periods(board):
                scope = path.query.scope(PROJECT, name, window, key, full=True)
                for line in board.standings(window, key).lines:
                    explained = past.explain(scope, line.player_id)
                    entry = explained.entry
                    assert (entry.columns, entry.reached_at, entry.events) == tuple(line[1:])
                    outcomes = [
                        verdict.outcome
                        for index, (fact, verdict) in enumerate(
                            zip(facts, world.verdicts, strict=True)
                        )
                        if index >= board.made_by
                        and (
                            isinstance(fact, Event)
                            # One that was refused, or told again, is an act and no event.
                            or (isinstance(fact, Adjust) and verdict.outcome in APPLIED)
                        )
                        and fact.board == name
                        and index > erased.get(fact.player_id, -1)
                        and board.players.root(fact.player_id) == line.player_id
                        and verdict.outcome != "invalid"
                    ]
                    told = [cause.outcome for cause in explained.causes]
                    kept = [each for each in told if each != "invalid"]
                    assert len(kept) == len(outcomes)
                    for each, outcome in zip(kept, outcomes, strict=True):
                        # Of a refused event whose id came again in the same group nothing is kept.
                        assert each == outcome or (each is None and outcome in REFUSED)
                    assert sum(cause.counts for cause in explained.causes) == entry.events
                    assert any(cause.decides for cause in explained.causes)
                    assert not any(cause.is_void and cause.counts for cause in explained.causes)
                    _check_public(past, board, scope, line.player_id, explained)


@pytest.mark.parametrize(("mode", "shown"), [("last", 1), ("best", 0)])
def test_an_adjustment_of_another_day_is_no_part_of_what_a_rolling_window_shows(
    real_path, mode, shown
):
    rules = Rules(
        mode, (Column("score", True, 0),), windows=("rolling:3d",), zone="UTC", grace=None
    )
    day = 86_400_000_000
    days = (99 * day, 100 * day)
    scored = [
        Told(Event("alpha", f"e{at}", "ann", {"score": points}, at), days[1])
        for at, points in zip(days, ("50", "7"), strict=True)
    ]
    adjusted = [
        Told(Adjust("alpha", f"a{at}", "ann", {"score": points}, at), days[1])
        for at, points in zip(days, ("1", "2"), strict=True)
    ]
    with real_path() as path:
        for told in [Told(Put("alpha", rules), days[1]), *scored, *adjusted]:
            path.send([told])
        past, key = past_of(path), "1970-04-11"
        explained = past.explain(path.query.scope(PROJECT, "alpha", "rolling:3d", key), "ann")

    assert explained.entry.columns == ((50 + 1, 7 + 2)[shown],)
    assert [cause.counts for cause in explained.causes] == [True] * 4
    assert [cause.decides for cause in explained.causes[2:]] == [shown == 0, shown == 1]


def _check_public(
    past: Past, board: OracleBoard, scope: Scope, player_id: str, full: Explained
) -> None:
    """The public is explained what was before the freeze, and what it sees is made of that."""
    frozen_at = board.freeze_at
    shown = past.explain(scope._replace(frozen_at=frozen_at), player_id)
    events = [cause.event for cause in full.causes]
    if frozen_at is not None:
        events = [event for event in events if event.at < frozen_at]
    assert [cause.event for cause in shown.causes] == events
    lines = board.standings(scope.period.window, scope.period.key, frozen_at).lines
    expected = [tuple(line[1:]) for line in lines if line.player_id == player_id]
    entry = shown.entry
    found = [] if entry is None else [(entry.columns, entry.reached_at, entry.events)]
    assert found == expected


def test_a_player_over_time(real_path):
    with real_path() as path:
        path.send([Told(Put("alpha", RULES), 10)])
        for at, player, points in ((10, "ann", 5), (20, "bo", 7), (30, "ann", 3), (40, "cy", 1)):
            path.send([Told(Event("alpha", f"{at}", player, {"points": f"{points}"}, at), at)])

        points = past_of(path).history(
            path.query.scope(PROJECT, "alpha"), "ann", [5, 10, 19, 20, 35, 50]
        )

    assert [tuple(point) for point in points] == [
        (5, 0, None, None, 0),
        (10, 2, 1, (5,), 1),
        (19, 2, 1, (5,), 1),
        (20, 3, 2, (5,), 2),
        (35, 4, 1, (8,), 2),
        (50, 5, 1, (8,), 3),
    ]


def test_a_moment_is_a_seq_or_the_last_arrival_by_an_instant(real_path):
    arrivals = [10, 20, 20, 30]
    with real_path() as path:
        path.send([Told(Put("alpha", RULES), 10)])
        for at in arrivals:
            path.send([Told(Event("alpha", f"{at}", "ann", {"points": "1"}, at), at)])
        past = past_of(path)

        def seq(instant: int) -> int:
            moment = past.moment(format_instant(instant), "as_of")
            assert moment.instant == instant
            return moment.seq

        # The board is record 1, the events are 2 to 5.
        assert [seq(at) for at in (9, 10, 19, 20, 29, 30)] == [0, 2, 2, 4, 4, 5]
        assert past.moment("4", "as_of") == Moment(4, 20)
        assert past.moment("0", "as_of").seq == 0


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("6", "the last record is 5"),
        ("-1", "must be"),
        ("now", "must be"),
        ("", "must be"),
        ("9" * 40, "must be"),
        ("1970-01-01T00:00:00.000031Z", "has not come yet"),
    ],
)
def test_a_moment_that_is_none(real_path, text, match):
    with real_path() as path:
        path.send([Told(Put("alpha", RULES), 10)])
        for at in (10, 20, 25, 30):
            path.send([Told(Event("alpha", f"{at}", "ann", {"points": "1"}, at), at)])

        with pytest.raises(InvalidInput, match=match) as caught:
            past_of(path).moment(text, "as_of")

        assert caught.value.field == "as_of"


def test_before_a_board_was_made_there_was_none(real_path):
    with real_path() as path:
        path.send([Told(Put("alpha", RULES), 10)])
        path.send([Told(Put("beta", RULES), 20)])

        with pytest.raises(InvalidInput) as caught:
            past_of(path).as_of(PROJECT, "beta", Moment(1, 10))

        assert caught.value.code == "unknown_board"

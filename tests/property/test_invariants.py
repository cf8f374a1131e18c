"""What must not matter does not: grouping, restarts, rebuilds, the order of delivery."""

import importlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toprung.testing.agreement import answer_text, check_state, store_contents
from toprung.testing.oracle import Close, Column, Drop, Event, Put, Reset, Rules, Told, world_after
from toprung.testing.strategies import (
    DAY,
    HOUR,
    carrying_scenes,
    moderated_scenes,
    rolling_scenes,
    rules,
    scenes,
    sliced_scenes,
)
from toprung.updater import verify

updater, runs, verification, counted = (
    importlib.import_module(f"toprung.{name}")
    for name in ("updater.updater", "updater.runs", "updater.verify", "ports.counted")
)

FEWER = settings(max_examples=max(10, settings().max_examples // 3))
"""Each example is run twice, or compared with a replay."""


@pytest.fixture(scope="module", autouse=True)
def _small_pages():
    """What is read page by page in the product is so here too, though scenes are short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "REPLAY_ROWS", 4)
        patch.setattr(updater, "SWEEP_RECORDS", 4)
        patch.setattr(updater, "BEHIND_RECORDS", 2)
        patch.setattr(updater, "HELD_ENTRIES", 5)
        patch.setattr(updater, "PART_ENTRIES", 2)
        patch.setattr(counted, "READ_ROWS", 3)
        patch.setattr(verification, "READ_ROWS", 2)
        yield


def regrouped(scene, alone):
    """The scene with every request alone, or with as many together as can be."""
    groups = [[]]
    for told in scene.facts:
        if isinstance(told.fact, Close):
            groups.append([])  # which period it is, is read by what was told before
        groups[-1].append(told)
        if alone or isinstance(told.fact, Put | Drop):
            groups.append([])
    return [group for group in groups if group]


@FEWER
@given(scenes())
def test_how_requests_are_grouped_does_not_matter(real_path, scene):
    found = []
    for alone in (True, False):
        with real_path() as path:
            answers = [answer for group in regrouped(scene, alone) for answer in path.send(group)]
            found.append(([answer_text(each) for each in answers], store_contents(path.store)))

    assert found[0] == found[1]


@FEWER
@given(scenes() | moderated_scenes | rolling_scenes | sliced_scenes | carrying_scenes)
def test_a_rebuild_gives_the_same_store_and_the_same_answers(real_path, empty_store, scene):
    world = world_after(scene.facts)
    with real_path() as path:
        for group in scene.groups:
            path.send(group)
        before, done = store_contents(path.store), []

        assert list(verify(path.log, path.store, path.view, empty_store(), path.make_decider)) == []
        path.rebuild(lambda rows, all_rows: done.append((rows, all_rows)))

        assert done[-1] == (len_of(path.log), len_of(path.log))
        assert store_contents(path.store) == before
        check_state(world, path)
        assert list(verify(path.log, path.store, path.view, empty_store(), path.make_decider)) == []


def len_of(log):
    return log.head()[0]


@FEWER
@given(
    scenes() | moderated_scenes | rolling_scenes | sliced_scenes | carrying_scenes, st.booleans()
)
def test_a_restart_changes_nothing(real_path, scene, lost):
    """Also when the store is behind the log, by everything there is."""
    world = world_after(scene.facts)
    with real_path() as path:
        for group in scene.groups:
            path.send(group)
        before = store_contents(path.store)
        if lost:
            path.store.wipe()
        again = path.restarted()
        try:
            assert store_contents(again.store) == before
            check_state(world, again)
        finally:
            again.stop()


@st.composite
def deliveries(draw):
    """A board that refuses nothing for its time, and events and resets that do not conflict."""
    board = draw(rules)._replace(grace=None, max_ahead=None, remember=None)
    moments = draw(st.lists(st.integers(0, 40 * DAY), min_size=1, max_size=4))
    facts = [
        Event(
            "alpha",
            f"e{index}",
            draw(st.sampled_from(["a", "b", "\uffee"])),
            {column.name: str(draw(st.integers(-2, 2))) for column in board.columns},
            draw(st.sampled_from(moments)),
        )
        for index in range(draw(st.integers(1, 8)))
    ]
    if "season" in board.windows:
        starts = draw(st.lists(st.sampled_from(moments), max_size=2, unique=True))
        facts += [Reset("alpha", f"r{i}", None, at) for i, at in enumerate(starts)]
    facts += draw(st.lists(st.sampled_from(facts), max_size=3))
    return board, facts, draw(st.permutations(facts))


@given(deliveries(), st.data())
def test_the_order_of_delivery_does_not_matter(real_path, delivery, data):
    board, *orders = delivery
    found = []
    for facts in orders:
        with real_path() as path:
            path.send([Told(Put("alpha", board), 0)])
            for fact in facts:
                path.send([Told(fact, 50 * DAY + data.draw(st.integers(0, HOUR)))])
            board_id = path.query.board("game", "alpha").board_id
            # Where the last event of an entry stands is the one thing that the order decides.
            entries = [
                (key, player, msgspec.structs.replace(entry, seq=0))
                for key, player, entry in path.store.scan()
            ]
            found.append(sorted(entries, key=repr))
            spent = {event_id for owner, event_id, _ in path.store.scan_seen() if owner == board_id}
            assert spent == {fact.event_id for fact in facts if isinstance(fact, Event)}

    assert found[0] == found[1]


def test_a_dropped_board_is_unknown_to_what_comes_with_its_end(real_path):
    """The event was read while the board was there; it is decided after the board was dropped."""
    board = Rules("sum", (Column("score", True, 0),), windows=("all",))
    event = Event("alpha", "e", "ann", {"score": "1"}, None)
    with real_path() as path:
        path.send([Told(Put("alpha", board), 0)])
        *_, last = path.send([Told(Drop("alpha"), 1), Told(event, 2)])
        (created,) = path.send([Told(Put("alpha", board), 3)])
        (counted,) = path.send([Told(event, 4)])

        assert answer_text(last).startswith("unknown_board")
        assert answer_text(created).startswith("created")
        assert answer_text(counted).startswith("counted")
        check_state(world_after([Told(Put("alpha", board), 3), Told(event, 4)]), path)


def test_a_reset_told_late_is_not_refused_for_the_order_of_its_events(real_path):
    """Each season's total fits; added up in the order of the log, one would not on the way."""
    board = Rules("sum", (Column("score", True, 0),), windows=("season",), grace=None)
    most = 2**63 - 1
    points = [(most, 10), (-5, 20), (5, 10), (-5, 10)]
    facts = [Told(Put("alpha", board), 0)]
    facts += [
        Told(Event("alpha", f"e{i}", "ann", {"score": str(value)}, at), 100)
        for i, (value, at) in enumerate(points)
    ]
    with real_path() as path:
        path.send(facts[:1])
        path.send(facts[1:])
        (answer,) = path.send([Told(Reset("alpha", "r1", None, 15), 100)])

        assert answer_text(answer).startswith("created")
        top = path.query.top(path.query.scope("game", "alpha", "season", "0"), 1)
        assert top.rows[0].columns == (most,)

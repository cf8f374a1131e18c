"""Whatever is sent, the real path and the oracle agree on every outcome and every answer."""

from hypothesis import given
from hypothesis import strategies as st

from toprung.testing.agreement import check_answer, check_reads, check_state, periods
from toprung.testing.oracle import Column, Event, Moderate, Put, Rules, Told, World
from toprung.testing.strategies import (
    carrying_scenes,
    frozen_scenes,
    gated_scenes,
    limited_scenes,
    moderated_scenes,
    rolling_scenes,
    scenes,
    sliced_scenes,
)

_moderated = moderated_scenes | frozen_scenes | gated_scenes


@given(
    scenes() | _moderated | sliced_scenes | carrying_scenes | limited_scenes | rolling_scenes,
    st.data(),
)
def test_every_answer_is_the_oracle_s(real_path, scene, data):
    with real_path() as path:
        world = World()
        for group in scene.groups:
            answers = path.send(group)
            for told, answer in zip(group, answers, strict=True):
                verdict = world.tell(told)
                first = None if verdict.first is None else world.verdicts[verdict.first]
                check_answer(verdict, answer, first)
        path.store.purge(2)
        check_state(world, path)
        places = [
            (name, *place) for name, board in world.boards.items() for place in periods(board)
        ]
        if places:
            check_reads(world, path, *data.draw(st.sampled_from(places)))


def test_what_the_public_of_a_board_sees_is_not_taken_for_ranks_of_other_events(real_path):
    """The frozen view moves too, by events that are decided in several parts."""
    rules = Rules("sum", (Column("score", True, 0),), max_ahead=None, freeze_at=9)
    whose = ("alpha", "e1", "ann"), ("beta", "e1", "cy")
    facts = [
        [Put("alpha", rules), Put("beta", rules._replace(freeze_at=None))],
        [Moderate("ann", "merge", None, "bo")],
        [Event(*each, {"score": "1"}, 5) for each in whose],
    ]
    with real_path() as path:
        world = World()
        for group in facts:
            told = [Told(fact, 5) for fact in group]
            for each, answer in zip(told, path.send(told), strict=True):
                check_answer(world.tell(each), answer, None)

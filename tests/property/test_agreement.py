"""Whatever is sent, the real path and the oracle agree on every outcome and every answer."""

from hypothesis import given
from hypothesis import strategies as st

from toprung.testing.agreement import check_answer, check_reads, check_state, periods
from toprung.testing.oracle import World
from toprung.testing.strategies import (
    frozen_scenes,
    gated_scenes,
    moderated_scenes,
    rolling_scenes,
    scenes,
    sliced_scenes,
)

_moderated = moderated_scenes | frozen_scenes | gated_scenes


@given(scenes() | _moderated | sliced_scenes | rolling_scenes, st.data())
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

"""R18: step by step a reveal leads from the frozen list to the full one."""

from hypothesis import given
from hypothesis import strategies as st

from toprung.testing.agreement import NUMBERINGS, periods
from toprung.testing.oracle import Line, Standings, World
from toprung.testing.path import PROJECT
from toprung.testing.strategies import frozen_scenes


@given(frozen_scenes, st.sampled_from(NUMBERINGS))
def test_a_reveal_ends_with_the_full_list(real_path, scene, numbering):
    with real_path() as path:
        world = World()
        for group in scene.groups:
            path.send(group)
            for told in group:
                world.tell(told)
        for name, board in world.boards.items():
            if board.freeze_at is None:
                continue
            larger = [column.larger_is_better for column in board.rules.columns]
            for window, key in periods(board):
                frozen, full = board.public(window, key), board.shown(window, key)
                scope = path.query.scope(PROJECT, name, window, key, numbering)
                found = path.query.reveal(scope).steps
                _check(frozen, full, found, larger, numbering)


def _check(
    frozen: Standings, full: Standings, steps: list, larger: list[bool], numbering: str
) -> None:
    """Play the show by hand: look for the lowest who is not revealed, and sort anew each time."""
    final = {line.player_id: line for line in full.lines}
    waiting = [line.player_id for line in frozen.lines]
    waiting += [line.player_id for line in full.lines if line.player_id not in waiting]
    present: dict[str, Line] = {line.player_id: line for line in frozen.lines}
    for step in steps:
        listed = Standings(list(present.values()), larger)
        lowest = [player for player in waiting if player not in present][-1:]
        lowest += [line.player_id for line in listed.lines if line.player_id in waiting][-1:]
        player = lowest[0]
        waiting.remove(player)
        assert (step.player_id, step.before) == (player, listed.rank(player, numbering))
        present[player] = final[player]
        listed = Standings(list(present.values()), larger)
        assert (step.after, step.total) == (listed.rank(player, numbering), len(listed.lines))
        assert step.columns == final[player].columns
    assert waiting == []
    assert Standings(list(present.values()), larger).lines == full.lines

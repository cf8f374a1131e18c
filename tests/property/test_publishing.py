"""What waits for a review is in no public answer, and everybody else stands where they stand."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.errors import InvalidInput
from toprung.query import Query, Scope
from toprung.testing.agreement import NUMBERINGS, check_answer, segments
from toprung.testing.oracle import Publish, Put, Standings, Told, World
from toprung.testing.oracle.board import OracleBoard
from toprung.testing.oracle.periods import days_of
from toprung.testing.path import PROJECT
from toprung.testing.strategies import DAY, HOUR, carrying_scenes, scenes, sliced_scenes

delays = st.tuples(st.integers(1, 3), st.sampled_from([0, HOUR, DAY]))
waits = st.sampled_from([0, HOUR, DAY, DAY + HOUR])


@given(
    scenes() | sliced_scenes | carrying_scenes,
    delays,
    waits,
    st.sampled_from(NUMBERINGS),
    st.data(),
)
def test_the_public_sees_all_but_what_is_withheld(real_path, scene, delay, wait, numbering, data):
    with real_path() as path:
        world = World()
        for group in scene.groups:
            for told, answer in zip(group, path.send(group), strict=True):
                verdict = world.tell(told)
                first = None if verdict.first is None else world.verdicts[verdict.first]
                check_answer(verdict, answer, first)
        now = scene.facts[-1].arrival
        for name, board in list(world.boards.items()):
            if any(map(days_of, board.rules.windows)):
                continue  # no such board can withhold anything
            put = Put(name, board.rules._replace(publish_delay=delay, freeze_at=None), "change")
            tell(path, world, Told(put, now))
        now += wait
        for name, board in world.boards.items():
            for window, at in data.draw(chosen(places(board))):
                tell(path, world, Told(Publish(name, window, at), now))
        for name, board in world.boards.items():
            for window, at in places(board):
                key = board.span(window, at).key
                scope = path.query.scope(PROJECT, name, window, key, numbering)
                check(path.query, scope, board, at, now)


def chosen(found: list) -> st.SearchStrategy[list]:
    return st.lists(st.sampled_from(found), max_size=2) if found else st.just([])


def tell(path, world, told):
    (answer,) = path.send([told])
    check_answer(world.tell(told), answer, None)


def places(board: OracleBoard) -> list[tuple[str, int]]:
    """Windows, each with an instant of a period that may be asked for."""
    return [
        (window, at)
        for window in board.rules.windows
        if not days_of(window)
        for at in sorted({0, *(each.at for each in board.counted)})
    ]


def check(query: Query, scope: Scope, board: OracleBoard, at: int, now: int) -> None:
    window, key = scope.period.window, scope.period.key
    whole, hidden = board.public(window, key), []
    is_withheld = board.rules.publish_delay is not None and board.is_withheld(window, at, now)
    if is_withheld:
        hidden = first_of(board, whole)
    for segment, part in segments(board, window, key, whole):
        left_out = hidden
        if is_withheld and board.rules.segment_at == "event":
            # Its own first ranks, and everybody down to the last of those who are hidden.
            first = {*hidden, *first_of(board, part)}
            players = [line.player_id for line in part.lines]
            stop = max((players.index(each) + 1 for each in first & {*players}), default=0)
            left_out = players[:stop]
        check_list(query, scope._replace(segment=segment), part, left_out)


def first_of(board: OracleBoard, part: Standings) -> list[str]:
    """Who has the ranks that the board withholds."""
    last, _ = board.rules.publish_delay
    return [line.player_id for _, line in part.ranks(1, last, board.numbering)]


def shown(part: Standings, hidden: list[str], numbering: str) -> Iterator[tuple[int, str]]:
    for rank, line in part.rows(0, 1000, numbering):
        if line.player_id not in hidden:
            yield rank, line.player_id


def check_list(query: Query, scope: Scope, part: Standings, hidden: list[str]) -> None:
    numbering = scope.numbering.value
    expected = list(shown(part, hidden, numbering))
    players = [line.player_id for line in part.lines]
    asked = [*players, "nobody has this id"]
    page = query.top(scope, 1000)
    assert [(row.rank, row.player_id) for row in page.rows] == expected
    assert page.total == len(players)
    found, missing, withheld = query.ranks_of(scope, asked)
    assert [(row.rank, row.player_id) for row in found.rows] == expected
    assert missing == ["nobody has this id"]
    assert withheld == [player for player in players if player in hidden]
    assert [row.standing.player_id for row in query.friends(scope, asked).rows] == [
        player for _, player in expected
    ]
    for player in players:
        if player in hidden:
            with pytest.raises(InvalidInput, match="is withheld"):
                query.rank(scope, player)
        else:
            assert (query.rank(scope, player).standing.rank, player) in expected

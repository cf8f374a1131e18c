"""The events told from the log are those that were sent, each with the oracle's verdict on it."""

from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.board import Board
from toprung.query import Events
from toprung.query import events as module
from toprung.testing.oracle import Adjust, Erase, Event, Told, Verdict, World, world_after
from toprung.testing.path import PROJECT
from toprung.testing.strategies import scenes

TAKEN = {"counted", "unchanged", "duplicate", "conflict"}
Row = tuple[str, str, str | None]
"""Event id, player and outcome."""


def is_listed(told: Told, verdict: Verdict) -> bool:
    """Whether it is an event, or an adjustment that was applied: one that was refused, or told
    again, is an act and no event.
    """
    is_applied = verdict.outcome in ("counted", "unchanged")
    return isinstance(told.fact, Event) or (isinstance(told.fact, Adjust) and is_applied)


def expected(world: World, facts: list[Told], name: str) -> list[Row]:
    """The events of the board that stands now, in order, but for those of players erased since."""
    made_by = world.boards[name].made_by
    erased = {
        told.fact.player_id: place
        for place, (told, verdict) in enumerate(zip(facts, world.verdicts, strict=True))
        if isinstance(told.fact, Erase) and verdict.outcome == "erased"
    }
    return [
        (told.fact.event_id, told.fact.player_id, verdict.outcome)
        for place, (told, verdict) in enumerate(zip(facts, world.verdicts, strict=True))
        if is_listed(told, verdict)
        and told.fact.board == name
        and place > max(made_by, erased.get(told.fact.player_id, -1))
    ]


def taken(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row[2] in TAKEN]


def is_among(rows: list[Row], others: list[Row]) -> bool:
    """Whether ``rows`` are some of ``others``, in the same order."""
    rest = iter(others)
    return all(row in rest for row in rows)


def walked(events: Events, board: Board, limit: int, until: int) -> list[Row]:
    rows, cursor = [], None
    while True:
        page = events.page(board, limit, cursor, until)
        assert len(page.rows) <= limit
        rows += page.rows
        cursor = page.next
        if cursor is None:
            break
    assert [row.seq for row in rows] == sorted({row.seq for row in rows})
    return [(row.event.event_id, row.event.player_id, row.outcome) for row in rows]


@given(scenes(), st.integers(1, 4), st.sampled_from([1, 2, 5, 1000]))
def test_every_event_is_told_once_in_order_with_its_outcome(real_path, scene, limit, looked_at):
    usual = module.LOOKED_AT
    module.LOOKED_AT = looked_at
    try:
        with real_path() as path:
            facts: list[Told] = []
            for group in scene.groups:
                path.send(group)
                facts += group
            world = world_after(facts)
            events, head = Events(path.log, path.store, path.catalog), path.log.head()[0]
            for name in world.boards:
                board = path.query.board(PROJECT, name)

                rows, sent = walked(events, board, limit, head), expected(world, facts, name)

                assert taken(rows) == taken(sent)
                # An item of a wrong shape is not logged; of one that came again at once, why it was
                # refused the first time is not kept.
                assert is_among([row for row in rows if row[2] is not None], sent)
                assert is_among([row[:2] for row in rows], [each[:2] for each in sent])
    finally:
        module.LOOKED_AT = usual

"""What is kept of closed periods is what the oracle keeps, whatever happens around it.

Days close and are corrected by late history, resets, recomputing and moderation, while snapshots
are half written, the process is restarted, or everything is made anew from the log.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.instants import DAY, HOUR
from toprung.domain.snapshots import digest
from toprung.testing.agreement import check_state
from toprung.testing.oracle import (
    Close,
    Column,
    EndSeason,
    Event,
    Moderate,
    Put,
    Reset,
    Rules,
    Told,
    World,
)
from toprung.updater import closing as parts
from toprung.updater import verify

RULES = Rules(
    "sum",
    (Column("score", True, 1),),
    windows=("daily", "season", "all"),
    max_ahead=None,
    grace=HOUR,
)
OTHERS = [
    RULES._replace(mode="best"),
    RULES._replace(columns=(Column("score", False, 1),)),
    RULES._replace(zone="America/New_York"),
    RULES._replace(windows=("daily", "all")),
    RULES._replace(windows=("season", "all")),
    RULES._replace(grace=9 * HOUR),
    RULES,
]


@pytest.fixture(scope="module", autouse=True)
def _small_parts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "BLOCK_ROWS", 2)
        yield


_players = st.sampled_from(["ann", "bo", "cy", 'd\n"\\\u2028\t', "\N{PILE OF POO}"])
_moments = st.integers(0, 3 * 24).map(lambda hours: hours * HOUR)
_events = st.builds(
    lambda player, points, at, history, number: Event(
        "alpha", f"e{number}", player, {"score": points}, at, history
    ),
    _players,
    st.sampled_from(["1", "2", "2.5", "0", "-1"]),
    _moments,
    st.booleans(),
    st.integers(0, 10**6),
)
_closes = st.builds(Close, st.just("alpha"), st.sampled_from(["daily", "season"]), _moments)
_acts = (
    st.builds(Put, st.just("alpha"), st.sampled_from(OTHERS), st.just("recompute"))
    | st.builds(
        Reset,
        st.just("alpha"),
        st.sampled_from(["r1", "r2"]),
        st.just(None),
        _moments,
        st.none() | _moments,
    )
    | st.builds(EndSeason, st.just("alpha"), st.sampled_from(["r1", "r2"]), _moments)
    | st.builds(
        lambda player, action: Moderate(player, action),  # noqa: PLW0108  or all is drawn
        _players,
        st.sampled_from(["hide", "unhide"]),
    )
)
_facts = st.one_of(_events, _events, _events, _events, _closes, _closes, _closes, _acts)
_steps = st.tuples(
    _facts,
    st.sampled_from([0, 0, HOUR, DAY]),
    st.sampled_from(["", "", "", "", "tidy", "tidy", "flush", "restart", "rebuild"]),
)


def between(path, what):
    if what == "tidy":
        path.writer.run_alone(path.updater.tidy).result()
    elif what == "flush":
        path.writer.run_alone(path.updater.flush).result()
    elif what == "rebuild":
        path.rebuild()
    return path.restarted() if what == "restart" else path


@given(st.lists(_steps, min_size=15, max_size=40))
def test_every_version_is_the_oracle_s(real_path, empty_store, steps):
    with real_path() as first:
        path, world, now = first, World(), 0
        try:
            for fact, wait, what in [(Put("alpha", RULES), 0, ""), *steps]:
                now += wait
                (answer,) = path.send([told := Told(fact, now)])
                verdict = world.tell(told)
                if isinstance(fact, Close):
                    closed = getattr(answer, "closed", None)
                    assert bool(closed) == (verdict.outcome == "closed"), (told, answer)
                path = between(path, what)
            check_state(world, path)
            store = path.behind
            assert not [*verify(path.log, store, path.view, empty_store(), path.make_decider)]
            path.rebuild()
            check_state(world, path)
        finally:
            path.stop()


def test_it_says_what_differs_where_a_row_of_a_snapshot_was_changed(real_path, empty_store):
    with real_path() as path:
        path.send([Told(Put("alpha", RULES), 0)])
        path.send([Told(Event("alpha", "e1", "ann", {"score": "1"}, 0), 0)])
        path.send([Told(Close("alpha", "daily", 0), DAY + HOUR)])
        path.tidy_up()
        (snapshot,) = path.behind.snapshots.all()
        lines = b'[1,"ann",["1"],"1970-01-01T00:00:00Z"]\n'
        assert b"".join(path.behind.snapshots.lines(snapshot.seq)) == lines
        assert snapshot.sha256 == digest([lines])

        path.behind.snapshots.add(snapshot.seq, 0, lines.replace(b"1970", b"1971"))
        (found,) = verify(path.log, path.behind, path.view, empty_store(), path.make_decider)
        assert found.what == f"snapshot {snapshot.seq}"


def test_who_is_banned_while_a_snapshot_is_due_is_in_it(real_path):
    """The view shows the player no more, so the tables must have what the view had."""
    scored = [
        Event("alpha", f"e{n}", who, {"score": "1"}, 5) for n, who in enumerate(("ann", "bo"))
    ]
    late = Event("alpha", "e2", "ann", {"score": "1"}, 5, True)
    closed = [Told(fact, 2 * DAY) for fact in (Close("alpha", "daily", 5), Moderate("bo", "ban"))]
    # All at once: with a pause what waits is written.
    group = [*[Told(fact, 0) for fact in scored], *closed, Told(late, 2 * DAY)]
    with real_path() as path:
        world = World()
        for facts in ([Told(Put("alpha", RULES), 0)], group):
            path.send(facts)
            for told in facts:
                world.tell(told)

        check_state(world, path)

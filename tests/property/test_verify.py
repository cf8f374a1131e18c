"""``verify`` reports nothing where all agree (see the invariants), and each thing that does not."""

import msgspec
import pytest

from toprung.domain.entries import Entry
from toprung.domain.keeping import seen_blocks
from toprung.domain.records import Profile
from toprung.ports.moves import Move, moves_of
from toprung.ports.store import Changes, StoredProfile
from toprung.testing.agreement import stored_entries
from toprung.testing.oracle import Column, Event, Put, Rules, Told
from toprung.updater import verify

KEY = (1, "all", "all")
RULES = Rules("sum", (Column("score", True, 0),), windows=("all", "daily"))


@pytest.fixture
def path(real_path):
    """A board with three players, where log, store and view agree."""
    with real_path() as found:
        found.send([Told(Put("alpha", RULES), 0)])
        found.send(
            [
                Told(Event("alpha", f"e{n}", player, {"score": str(n)}, n), n)
                for n, player in enumerate(["ann", "bo", "cy"])
            ]
        )
        yield found


def entry(path, player):
    return stored_entries(path.store, KEY, [player])[player]


def write(path, **changes):
    path.store.write(Changes(path.store.checkpoint(), **changes))


def write_entry(path, key, player, made):
    write(path, entries={key: {player: made}})


def move(path, key, player, score, at):
    path.view.apply(moves_of([Move(key, player, (score,), at, None)]), path.store.checkpoint())


def changed(path, **fields):
    write_entry(path, KEY, "bo", msgspec.structs.replace(entry(path, "bo"), **fields))


def keep(path, event_id, **fields):
    """Another line, as if it had come last."""
    line = msgspec.structs.replace(path.store.seen(1, ["e1"])["e1"], seq=5, **fields)
    path.store.keep(seen_blocks([(1, event_id, line)]))
    path.store.write(Changes(path.behind.checkpoint()))


TAMPERED = {
    "a score": (lambda p: changed(p, columns=(9,)), {"store", "view"}),
    "a time": (lambda p: changed(p, reached_at=9), {"store", "view"}),
    "a count of events": (lambda p: changed(p, events=9), {"store"}),
    "a mark": (lambda p: changed(p, moved=False), {"store"}),
    "an entry too many": (
        lambda p: write_entry(p, KEY, "dan", Entry((1,), 1, 1)),
        {"store", "view"},
    ),
    "a period too many": (
        lambda p: write_entry(p, (1, "daily", "2026-11-30"), "ann", Entry((1,), 1, 1)),
        {"store", "view"},
    ),
    "a window that is missing": (
        lambda p: write(p, cleared_windows=[(1, "daily")]),
        {"store", "view"},
    ),
    "an event id": (lambda p: keep(p, "e1", outcome="unchanged"), {"store"}),
    "an event id too many": (lambda p: keep(p, "e9"), {"store"}),
    "a board's state": (
        lambda p: write(p, boards={1: msgspec.structs.replace(p.store.boards()[0], created_at=7)}),
        {"store"},
    ),
    "a profile": (
        lambda p: write(
            p, profiles={("game", "ann"): StoredProfile(Profile("Ann", None, {}), 1, 1)}
        ),
        {"store"},
    ),
    "a score in the view": (lambda p: move(p, KEY, "bo", 7, 1), {"view"}),
    "a time in the view": (lambda p: move(p, KEY, "bo", 1, 7), {"view"}),
    "a player too many in the view": (lambda p: move(p, KEY, "dan", -9, 1), {"view"}),
    "a period too many in the view": (
        lambda p: move(p, (1, "daily", "2026-11-30"), "ann", 1, 1),
        {"view"},
    ),
    "a board that is missing in the view": (lambda p: p.view.drop_board(1), {"view"}),
    "a board too many in the view": (
        lambda p: (p.view.open_board(7, (True,), 0), move(p, (7, "all", "all"), "ann", 1, 1)),
        {"view"},
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_tampered_with_is_reported(path, empty_store, what):
    assert list(verify(path.log, path.store, path.view, empty_store(), path.make_decider)) == []
    tamper, where = TAMPERED[what]

    tamper(path)

    differences = list(verify(path.log, path.store, path.view, empty_store(), path.make_decider))
    assert {difference.where for difference in differences} == where
    assert all(difference.expected != difference.found for difference in differences)


def test_a_store_behind_the_log_is_no_difference(path, empty_store):
    """What waits to be written is in the log, and would be done again at a start."""
    path.send([Told(Event("alpha", "e4", "ann", {"score": "7"}, 9), 9)])
    assert path.behind.checkpoint() < path.updater.seq

    assert list(verify(path.log, path.behind, None, empty_store(), path.make_decider)) == []

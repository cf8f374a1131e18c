"""Periods are closed once, in order, whatever the clock does; a job that fails is tried again."""

from concurrent.futures import Future
from threading import Event

from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.errors import Trouble
from toprung.domain.moderation import UNTOUCHED, PlayerState
from toprung.jobs import Bans, Jobs, Rollover
from toprung.ports.periods import KnownPeriod, PeriodBook
from toprung.ports.players import Players
from toprung.testing.path import StandingClock


class Closer:
    """Closes periods at once, and notes them."""

    def __init__(self, book):
        self.book = book
        self.closed = []

    def close(self, keys):
        for key in keys:
            known = self.book.get(key)
            self.closed.append((known.closes_at, key))
            self.book.put(key, known._replace(version=known.version + 1, is_changed=False))
        done = Future()
        done.set_result([])
        return done


def rollover_on(*closes_at):
    book, clock = PeriodBook(), StandingClock()
    for number, at in enumerate(closes_at):
        book.put((1, "daily", str(number)), KnownPeriod(at))
    closer = Closer(book)
    return book, clock, closer, Rollover(clock, book, closer.close)


@given(
    st.lists(st.none() | st.integers(0, 20), max_size=8), st.lists(st.integers(0, 25), max_size=8)
)
def test_each_period_is_closed_once_and_in_order_wherever_the_clock_jumps(ends, instants):
    _, clock, closer, rollover = rollover_on(*ends)
    for instant in instants:
        clock.instant = instant
        before = len(closer.closed)
        rollover.look()
        now = closer.closed[before:]
        assert now == sorted(now)
        assert all(at <= instant for at, _ in now)

    latest = max(instants, default=-1)
    assert sorted(at for at, _ in closer.closed) == sorted(
        at for at in ends if at is not None and at <= latest
    )


def test_it_closes_at_the_very_instant():
    _, clock, closer, rollover = rollover_on(10)
    clock.instant = 9
    rollover.look()
    assert closer.closed == []

    clock.instant = 10
    rollover.look()
    assert closer.closed == [(10, (1, "daily", "0"))]


def test_a_correction_waits_until_nothing_moves_any_more():
    book, clock, closer, rollover = rollover_on(10)
    key = (1, "daily", "0")
    clock.instant = 10
    rollover.look()
    book.put(key, book.get(key)._replace(is_changed=True))
    book.touch(key)
    rollover.look()
    assert len(closer.closed) == 1

    rollover.look()
    assert len(closer.closed) == 2


def test_many_are_closed_some_at_a_time():
    _, clock, closer, rollover = rollover_on(*range(1200))
    clock.instant = 2000
    rollover.look()

    assert [at for at, _ in closer.closed] == list(range(1200))


def test_a_job_that_cannot_be_done_keeps_no_other_from_being_done():
    told, done = [], []

    def fails():
        raise Trouble("storage_full", "planted", retryable=True)

    jobs = Jobs([fails, lambda: done.append(1)], told.append, told.append)
    jobs.look()
    jobs.look()

    assert [trouble.code for trouble in told] == ["storage_full"] * 2
    assert done == [1, 1]


def test_the_thread_looks_until_it_is_stopped(monkeypatch):
    monkeypatch.setattr("toprung.jobs.service.LOOK_S", 0.0)
    looked = Event()
    jobs = Jobs([looked.set], lambda trouble: None, lambda error: None)
    jobs.start()

    assert looked.wait(60)
    jobs.stop()
    jobs.stop()


def test_a_bug_of_ours_is_told(monkeypatch):
    monkeypatch.setattr("toprung.jobs.service.LOOK_S", 0.0)
    told, was_told = [], Event()

    def broken():
        raise RuntimeError("planted")

    def note(error):
        told.append(error)
        was_told.set()

    jobs = Jobs([broken], lambda trouble: None, note)
    jobs.start()

    assert was_told.wait(60)
    jobs.stop()
    assert [str(error) for error in told] == ["planted"]


def bans_on(**ends):
    """Bans of players that end, or not; what was ended, in order."""
    players, clock, ended = Players(), StandingClock(), []
    for player, until in ends.items():
        players.put("game", player, PlayerState(banned=True, until=until, seq=1))

    def end(project, player):
        ended.append(player)
        players.put(project, player, UNTOUCHED)
        done = Future()
        done.set_result([])
        return done

    return clock, ended, Bans(clock, players, end)


def test_bans_end_at_their_end_the_earliest_first_and_once():
    clock, ended, bans = bans_on(ann=20, bo=10, cy=30, dee=None)
    for instant in (9, 10, 25, 25):
        clock.instant = instant
        bans.look()

    assert ended == ["bo", "ann"]


def test_after_a_jump_of_the_clock_all_bans_that_are_over_end():
    clock, ended, bans = bans_on(ann=20, bo=10, cy=30)
    clock.instant = 30
    bans.look()

    assert ended == ["bo", "ann", "cy"]

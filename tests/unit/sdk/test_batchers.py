"""Batchers: when they send, when they make the caller wait, and that no failure gets lost.

What sends is a function here that the test holds in its hand, so that "the server is slow" and
"the server fails" happen exactly when they should. Both batchers go through the same tests; the
asyncio one runs in a loop on a thread of its own.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.sdk import AsyncBatcher, Batcher, BatchFailed, ScoreEvent, ToprungError, Unavailable
from toprung.sdk._events import PartialBatch
from toprung.sdk._outbox import KEPT_FAILURES, Ledger, Limits, Outbox, Slot
from toprung.wire.scores import BatchReply, ScoreResult

NEVER = 3600.0
WAIT = 30.0
"""Seconds after which a test that waits for a signal has failed."""


def reply_to(events: list[ScoreEvent], outcome: str = "counted") -> BatchReply:
    results = tuple(ScoreResult(outcome=outcome, event_id=event.event_id) for event in events)
    return BatchReply(results, {outcome: len(results)}, "1")


class Server:
    """Takes batches; while ``gate`` is shut, a batch stays on its way."""

    def __init__(self, answer: Callable[[list[ScoreEvent]], BatchReply] = reply_to) -> None:
        self.answer = answer
        self.batches: list[list[str]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.reached = threading.Semaphore(0)

    def __call__(self, events: list[ScoreEvent]) -> BatchReply:
        self.batches.append([event.player_id for event in events])
        self.reached.release()
        assert self.gate.wait(WAIT)
        return self.answer(events)

    async def send(self, events: list[ScoreEvent]) -> BatchReply:
        return await asyncio.to_thread(self, events)


def options(max_events: int, max_wait: float, max_pending: int, on_result=None) -> tuple:
    ids = iter(range(10**9))
    more = {"on_result": on_result, "new_event_id": lambda: str(next(ids))}
    return Limits(max_events, max_wait, max_pending), more


class Blocking:
    """A ``Batcher``, each of whose calls may also be left running."""

    def __init__(self, server: Server, limits: Limits, more: dict) -> None:
        self._pool = ThreadPoolExecutor(4)
        self.batcher = Batcher(server, limits, monotonic=lambda: 0.0, **more)

    def begin_add(self, player: str, points=1) -> Future:
        return self._pool.submit(self.batcher.add, "b", player, points)

    def begin_close(self) -> Future:
        return self._pool.submit(self.batcher.close)

    def result(self, receipt) -> ScoreResult:
        return receipt.result(WAIT)

    def shut(self) -> None:
        self._pool.shutdown()


class OnLoop:
    """An ``AsyncBatcher`` in an event loop on another thread, used like ``Blocking``."""

    def __init__(self, server: Server, limits: Limits, more: dict) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.batcher = AsyncBatcher(server.send, limits, monotonic=lambda: 0.0, **more)

    def begin(self, coroutine) -> Future:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def begin_add(self, player: str, points=1) -> Future:
        return self.begin(self.batcher.add("b", player, points))

    def begin_close(self) -> Future:
        return self.begin(self.batcher.close())

    def result(self, receipt) -> ScoreResult:
        return self.begin(receipt.result()).result(WAIT)

    def shut(self) -> None:
        self.begin(self._loop.shutdown_default_executor()).result(WAIT)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(params=[Blocking, OnLoop])
def make(request):
    """Makes a batcher of either kind; the clock stands still, so only size or close sends."""
    made = []

    def make_one(server: Server, max_events=2, max_wait=NEVER, max_pending=4, on_result=None):
        driver = request.param(server, *options(max_events, max_wait, max_pending, on_result))
        made.append(driver)
        return driver

    yield make_one
    for driver in made:
        driver.shut()


def add(driver, *players: str) -> list:
    return [driver.begin_add(player).result(WAIT) for player in players]


def close(driver) -> None:
    driver.begin_close().result(WAIT)


def test_a_full_batch_goes_at_once_and_the_rest_at_close(make):
    server = Server()
    driver = make(server)

    receipts = add(driver, "a", "b", "c")
    assert driver.result(receipts[1]).event_id == receipts[1].event.event_id
    assert server.batches == [["a", "b"]]
    close(driver)

    assert server.batches == [["a", "b"], ["c"]]
    assert driver.batcher.outcomes == {"counted": 3}


def test_an_event_does_not_wait_for_company_longer_than_asked(make):
    server = Server()
    driver = make(server, max_events=100, max_pending=100, max_wait=0)

    (receipt,) = add(driver, "a")

    assert driver.result(receipt).outcome == "counted"
    close(driver)


def test_adding_waits_while_too_many_are_pending(make):
    server = Server()
    server.gate.clear()
    driver = make(server, max_events=2, max_pending=4)
    add(driver, "a", "b", "c", "d")
    assert server.reached.acquire(timeout=WAIT)

    blocked = driver.begin_add("e")
    # Nothing can free a place before the gate opens, so the call cannot have come back.
    assert not blocked.done()
    server.gate.set()

    blocked.result(WAIT)
    close(driver)
    assert server.batches == [["a", "b"], ["c", "d"], ["e"]]


def test_events_gather_while_a_batch_is_on_its_way(make):
    server = Server()
    server.gate.clear()
    driver = make(server, max_events=3, max_wait=0, max_pending=9)
    add(driver, "a")
    assert server.reached.acquire(timeout=WAIT)

    add(driver, "b", "c", "d", "e")
    server.gate.set()
    close(driver)

    assert server.batches == [["a"], ["b", "c", "d"], ["e"]]


def test_closing_twice_is_fine_and_adding_after_it_is_not(make):
    driver = make(Server())
    add(driver, "a")

    close(driver)
    close(driver)

    with pytest.raises(RuntimeError, match="closed"):
        add(driver, "b")


def test_closing_an_unused_batcher_is_fine(make):
    server = Server()
    driver = make(server)

    close(driver)

    assert server.batches == []


def test_an_adder_that_waits_learns_of_the_close(make):
    server = Server()
    server.gate.clear()
    driver = make(server, max_events=2, max_pending=2)
    add(driver, "a", "b")
    assert server.reached.acquire(timeout=WAIT)

    blocked = driver.begin_add("c")
    closing = driver.begin_close()
    with pytest.raises(RuntimeError, match="closed"):
        blocked.result(WAIT)
    server.gate.set()
    closing.result(WAIT)

    assert server.batches == [["a", "b"]]


def test_what_cannot_be_an_event_is_refused_when_added(make):
    driver = make(Server())

    with pytest.raises(TypeError, match="float"):
        driver.begin_add("a", points=1.5).result(WAIT)

    close(driver)
    assert driver.batcher.outcomes == {}


def fail(error: Exception) -> Callable[[list[ScoreEvent]], BatchReply]:
    def answer(_: list[ScoreEvent]) -> BatchReply:
        raise error

    return answer


def test_a_failure_is_raised_at_close(make):
    driver = make(Server(fail(Unavailable("no_reply", "gone"))))
    receipts = add(driver, "a", "b")

    with pytest.raises(BatchFailed, match="2 events did not count; the first: no_reply") as raised:
        close(driver)

    assert raised.value.count == 2
    assert [event for event, _ in raised.value.failures] == [slot.event for slot in receipts]
    assert isinstance(raised.value.__cause__, Unavailable)
    assert driver.batcher.outcomes == {"unanswered": 2}
    close(driver)  # it was told once


def test_a_failure_that_is_no_error_of_ours_is_not_swallowed_either(make):
    driver = make(Server(fail(RuntimeError("the client is closed"))))
    (receipt, _) = add(driver, "a", "b")

    with pytest.raises(RuntimeError, match="the client is closed"):
        driver.result(receipt)
    with pytest.raises(BatchFailed, match="1 events"):
        close(driver)


def test_a_refusal_nobody_saw_is_raised_at_close(make):
    driver = make(Server(lambda events: reply_to(events, "late")))
    add(driver, "a")

    with pytest.raises(BatchFailed, match="late") as raised:
        close(driver)

    assert [outcome.outcome for _, outcome in raised.value.failures] == ["late"]


def test_a_failure_somebody_saw_is_not_told_again(make):
    driver = make(Server(lambda events: reply_to(events, "late")))
    receipts = add(driver, "a", "b")

    assert [driver.result(receipt).outcome for receipt in receipts] == ["late", "late"]

    close(driver)


@pytest.mark.parametrize("outcome", ["counted", "unchanged", "duplicate"])
def test_what_is_in_the_log_is_no_failure(make, outcome):
    driver = make(Server(lambda events: reply_to(events, outcome)))
    add(driver, "a")

    close(driver)

    assert driver.batcher.outcomes == {outcome: 1}


def test_a_batch_that_failed_midway_gives_each_event_its_own_outcome(make):
    def answer(events: list[ScoreEvent]) -> BatchReply:
        error = Unavailable("no_reply", "gone")
        error.partial = PartialBatch(reply_to(events[:1]).results, tuple(events[1:]))
        raise error

    driver = make(Server(answer))
    first, second = add(driver, "a", "b")

    assert driver.result(first).outcome == "counted"
    with pytest.raises(Unavailable):
        driver.result(second)
    close(driver)


def test_the_callback_hears_of_every_event_in_order(make):
    heard = []
    driver = make(
        Server(lambda events: reply_to(events, "late")),
        on_result=lambda event, outcome: heard.append((event.player_id, outcome.outcome)),
    )

    add(driver, "a", "b", "c")
    close(driver)  # it was all told to the callback

    assert heard == [("a", "late"), ("b", "late"), ("c", "late")]


def test_a_callback_that_breaks_stops_no_event_and_is_raised_at_close(make):
    def broken(event, outcome):
        raise KeyError(event.player_id)

    server = Server()
    driver = make(server, on_result=broken)
    add(driver, "a", "b", "c")

    with pytest.raises(KeyError, match="a"):
        close(driver)

    assert server.batches == [["a", "b"], ["c"]]


def test_leaving_the_block_drains_and_raises():
    server = Server(fail(Unavailable("no_reply", "gone")))
    limits, more = options(2, NEVER, 4)

    with (
        pytest.raises(BatchFailed),
        Batcher(server, limits, monotonic=lambda: 0.0, **more) as batch,
    ):
        batch.add("b", "a", 1)

    assert server.batches == [["a"]]


def test_an_error_in_the_block_is_not_hidden_by_one_at_close():
    server = Server(fail(Unavailable("no_reply", "gone")))
    limits, more = options(2, NEVER, 4)

    def block() -> None:
        with Batcher(server, limits, monotonic=lambda: 0.0, **more) as batch:
            batch.add("b", "a", 1)
            raise LookupError("the game's own")

    async def async_block() -> None:
        async with AsyncBatcher(server.send, limits, monotonic=lambda: 0.0, **more) as batch:
            await batch.add("b", "a", 1)
            raise LookupError("the game's own")

    with pytest.raises(LookupError) as raised:
        block()
    with pytest.raises(LookupError) as raised_async:
        asyncio.run(async_block())

    for error in (raised.value, raised_async.value):
        assert "batch_failed" in error.__notes__[0]


def test_cancelling_the_close_gives_the_news_to_who_waits():
    limits, more = options(2, NEVER, 4)

    async def run() -> None:
        on_its_way = asyncio.Event()

        async def stuck(events: list[ScoreEvent]) -> BatchReply:
            on_its_way.set()
            await asyncio.Event().wait()
            return reply_to(events)

        batch = AsyncBatcher(stuck, limits, monotonic=lambda: 0.0, **more)
        receipts = [await batch.add("b", player, 1) for player in "abc"]
        await on_its_way.wait()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):  # cancels the close as soon as it waits
                await batch.close()
        for receipt in receipts:
            with pytest.raises(ToprungError, match="abandoned"):
                await receipt

    asyncio.run(run())


def test_a_receipt_without_an_outcome_in_time_says_so():
    server = Server()
    limits, more = options(2, NEVER, 4)
    batch = Batcher(server, limits, monotonic=lambda: 0.0, **more)
    receipt = batch.add("b", "a", 1)

    with pytest.raises(TimeoutError):
        receipt.result(timeout=0)

    batch.close()
    assert receipt.result(timeout=0).outcome == "counted"


@pytest.mark.parametrize(
    ("values", "message"),
    [((0, 1, 1), "max_events"), ((1, -1, 1), "max_wait"), ((5, 1, 4), "max_pending")],
)
def test_limits_that_make_no_sense_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        Limits(*values)


def test_more_failures_than_are_kept_are_still_counted():
    ledger = Ledger(None)
    for n in range(KEPT_FAILURES + 5):
        ledger.enter(Slot(ScoreEvent("b", str(n), 1)), ScoreResult(outcome="late"))

    error = ledger.settle()

    assert error.count == KEPT_FAILURES + 5
    assert len(error.failures) == KEPT_FAILURES
    assert ledger.settle() is None


@given(st.lists(st.floats(0, 100), max_size=20), st.floats(0, 10), st.integers(1, 5))
def test_an_outbox_says_exactly_when_its_oldest_event_is_due(steps, max_wait, max_events):
    outbox: Outbox[Slot] = Outbox(Limits(max_events, max_wait, 100))
    now, added = 0.0, []

    for step in steps:
        now += step
        before = outbox.pause(now)
        changed = outbox.put(Slot(ScoreEvent("b", "a", 1)), now)
        added.append(now)
        pause = outbox.pause(now)
        assert changed or pause == before
        full = len(added) >= max_events
        assert pause == (0.0 if full else max(0.0, added[0] + max_wait - now))
        if pause == 0.0:
            assert len(outbox.take()) == min(len(added), max_events)
            outbox.done(min(len(added), max_events))
            del added[:max_events]

    assert (outbox.pause(now) is None) == (not added)

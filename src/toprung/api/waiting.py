"""Waiting in the event loop for what the writer's thread does."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

from toprung.domain.errors import Trouble
from toprung.domain.limits import SLOW_REQUESTS
from toprung.intake.intake import act_result
from toprung.ports.pipeline import ActResult, Applied

Result = TypeVar("Result")


class _Inbox:
    """What the writer's thread finished and a loop was not told of yet.

    A group of requests ends at one moment; to wake the loop for each would cost more than the
    telling. So the loop is woken when nothing lay here before.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._finished: deque[asyncio.Future[None]] = deque()
        self._is_woken = False

    def put(self, told: "asyncio.Future[None]") -> None:
        """Have ``told`` done by the loop; called from any thread."""
        self._finished.append(told)
        if not self._is_woken:
            self._is_woken = True
            # A loop that was closed has nobody left who waits.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        # First: what is put after the last look below must find that it has to wake the loop.
        self._is_woken = False
        while self._finished:
            told = self._finished.popleft()
            if not told.done():
                told.set_result(None)


# A process has one loop; tests have one after the other.
_inbox_of = lru_cache(maxsize=1)(_Inbox)


async def settled(future: "Future[Result]") -> Result:
    """The result of ``future``, or what it failed with.

    Who stops waiting leaves the future alone, unlike with :func:`asyncio.wrap_future`: the writer's
    thread must never find the future it completes cancelled.
    """
    if not future.done():
        loop = asyncio.get_running_loop()
        told: asyncio.Future[None] = loop.create_future()
        inbox = _inbox_of(loop)
        future.add_done_callback(lambda _: inbox.put(told))
        await told
    return future.result()


class Slowly:
    """One thread for what would keep all other requests waiting."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "toprung-slowly")
        self._waiting = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        """Have ``work`` done after what was asked before; what it gives.

        Raises:
            Trouble: ``overloaded``, too many wait already.
        """
        if self._waiting >= SLOW_REQUESTS.maximum:
            raise Trouble(
                "overloaded",
                "too many questions about the past wait to be answered",
                retryable=True,
                hint="ask again after the time in Retry-After",
            )
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._waiting -= 1


async def others_first() -> None:
    """Let the event loop do what waits, before this goes on with long work."""
    loop = asyncio.get_running_loop()
    turn: asyncio.Future[None] = loop.create_future()
    loop.call_soon(turn.set_result, None)
    await turn


async def acted(written: "Future[Sequence[Applied]]") -> ActResult:
    """What an act did.

    Raises:
        InvalidInput: it was impossible.
        Refused: the state did not allow it.
        Trouble: nothing was written.
    """
    results = await settled(written)
    return act_result(results)

"""Waiting in the event loop for what the writer's thread does."""

import asyncio
import contextlib
from concurrent.futures import Future
from typing import TypeVar

from toprung.intake.intake import act_result
from toprung.ports.pipeline import ActResult, Applied

Result = TypeVar("Result")


async def settled(future: "Future[Result]") -> Result:
    """The result of ``future``, or what it failed with.

    Who stops waiting leaves the future alone, unlike with :func:`asyncio.wrap_future`: the writer's
    thread must never find the future it completes cancelled.
    """
    loop = asyncio.get_running_loop()
    told: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not told.done():
            told.set_result(None)

    def done(_: "Future[Result]") -> None:
        # A loop that was closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(tell)

    future.add_done_callback(done)
    await told
    return future.result()


async def acted(written: "Future[list[Applied]]") -> ActResult:
    """What an act did.

    Raises:
        InvalidInput: it was impossible.
        Refused: the state did not allow it.
        Trouble: nothing was written.
    """
    results = await settled(written)
    return act_result(results)

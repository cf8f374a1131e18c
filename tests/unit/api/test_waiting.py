"""Waiting for the writer's thread, whoever goes away first."""

import asyncio
from concurrent.futures import Future
from threading import Thread

import pytest

from toprung.api.waiting import settled

pytestmark = pytest.mark.anyio


async def test_the_result_comes_from_another_thread():
    future = Future()
    waiting = asyncio.create_task(settled(future))

    Thread(target=future.set_result, args=("done",)).start()

    assert await waiting == "done"


async def test_a_result_that_is_there_already_is_given():
    future = Future()
    future.set_result("done")

    assert await settled(future) == "done"


async def test_a_failure_is_raised():
    future = Future()
    future.set_exception(KeyError("x"))

    with pytest.raises(KeyError):
        await settled(future)


async def test_who_stops_waiting_leaves_the_future_alone():
    future = Future()
    waiting = asyncio.create_task(settled(future))
    await asyncio.wait([waiting], timeout=0)

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    future.set_result("done")

    assert future.result() == "done"


def test_a_loop_that_is_closed_is_not_told():
    future = Future()
    loop = asyncio.new_event_loop()
    waiting = loop.create_task(settled(future))
    loop.run_until_complete(asyncio.wait([waiting], timeout=0))
    waiting.cancel()
    loop.run_until_complete(asyncio.wait([waiting]))
    loop.close()

    future.set_result("done")

    assert future.result() == "done"


async def test_a_group_that_ends_at_once_wakes_the_loop_once(monkeypatch):
    loop = asyncio.get_running_loop()
    futures = [Future() for _ in range(64)]
    waiting = [asyncio.create_task(settled(future)) for future in futures]
    await asyncio.wait(waiting, timeout=0)
    woken = []
    wake = loop.call_soon_threadsafe
    monkeypatch.setattr(
        loop, "call_soon_threadsafe", lambda call, *args: (woken.append(call), wake(call, *args))
    )

    def finish():
        for number, future in enumerate(futures):
            future.set_result(number)

    # The loop stands still until all are done.
    thread = Thread(target=finish)
    thread.start()
    thread.join()

    assert await asyncio.gather(*waiting) == list(range(64))
    assert len(woken) == 1


async def test_nobody_is_forgotten_while_the_loop_is_telling_others():
    for _ in range(50):
        futures = [Future() for _ in range(200)]
        waiting = [asyncio.create_task(settled(future)) for future in futures]
        await asyncio.wait(waiting, timeout=0)
        halves = [futures[::2], futures[1::2]]
        threads = [
            Thread(target=lambda half=half: [future.set_result(1) for future in half])
            for half in halves
        ]
        for thread in threads:
            thread.start()

        assert sum(await asyncio.wait_for(asyncio.gather(*waiting), 60)) == 200

        for thread in threads:
            thread.join()

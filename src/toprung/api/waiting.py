"""Waiting in the event loop for what the writer's thread does."""

import asyncio
from concurrent.futures import Future

from toprung.ports.pipeline import Applied


async def applied(written: "Future[list[Applied]]") -> list[Applied]:
    """The results, once they are durable.

    Raises:
        Trouble: nothing was written.
    """
    return await asyncio.wrap_future(written)

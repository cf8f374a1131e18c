"""What the SDK takes from outside: the environment, the time, chance and waiting.

Everything else gets these as arguments, so that a test can hand in its own.
"""
# ruff: noqa: TID251 - the one place of the SDK that may ask for them

import asyncio
import os
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from toprung.sdk._ids import EventIds


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


# One for the whole process: two clients must not interleave ids that are out of order.
_event_ids = EventIds(now_ms=_now_ms, randbits=secrets.randbits)


@dataclass(frozen=True, kw_only=True, slots=True)
class System:
    """Where a client gets time, chance, waiting and new event ids from."""

    new_event_id: Callable[[], str] = _event_ids
    chance: Callable[[], float] = random.random
    """Evenly spread in [0, 1); spreads the pauses of clients that failed together."""
    monotonic: Callable[[], float] = time.monotonic
    """Seconds; how long an event has waited in a batcher."""
    sleep: Callable[[float], None] = time.sleep
    async_sleep: Callable[[float], Awaitable[None]] = field(default=asyncio.sleep)


def setting(given: str | None, name: str) -> str:
    """What the caller gave, else the environment variable ``name``.

    Raises ``ValueError`` when there is neither.
    """
    value = os.environ.get(name) if given is None else given
    if not value:
        raise ValueError(f"give it to the client, or set {name}")
    return value

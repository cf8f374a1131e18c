"""Reading ahead: what comes next is made while what came before is worked on."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

AHEAD = 2
"""Items that are made before they are asked for."""

_Item = TypeVar("_Item")


def ahead(items: Iterator[_Item]) -> Iterator[_Item]:
    """The same items, made by a thread of their own. What fails there is raised here.

    Worth it where both sides work without the interpreter's lock for the most part.
    """
    with ThreadPoolExecutor(1, "toprung-ahead") as thread:
        made: deque[Future[_Item | None]] = deque(
            thread.submit(next, items, None) for _ in range(AHEAD)
        )
        while (item := made.popleft().result()) is not None:
            made.append(thread.submit(next, items, None))
            yield item

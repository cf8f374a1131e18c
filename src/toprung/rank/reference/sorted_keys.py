"""A sorted collection of distinct byte strings that knows the index of each.

The strings stand in blocks of moderate length, so that an insertion moves few of them; how many
stand before each block is summed up when it is next asked for.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from itertools import accumulate

BLOCK = 1024
"""A block is cut in two when it holds twice as many (of 256 to 4096, the fastest at 1M keys)."""


class SortedKeys:
    """Distinct byte strings in order; indexes count from 0."""

    def __init__(self, keys: Iterable[bytes] = ()) -> None:
        ordered = sorted(keys)
        self._blocks = [ordered[i : i + BLOCK] for i in range(0, len(ordered), BLOCK)]
        self._lasts = [block[-1] for block in self._blocks]
        self._before: list[int] = []
        self._length = len(ordered)

    def __len__(self) -> int:
        return self._length

    def add(self, key: bytes) -> None:
        """Add a key that is not there."""
        self._length += 1
        self._before = []
        if not self._blocks:
            self._blocks.append([key])
            self._lasts.append(key)
            return
        at = min(bisect_left(self._lasts, key), len(self._blocks) - 1)
        block = self._blocks[at]
        insort(block, key)
        self._lasts[at] = block[-1]
        if len(block) >= 2 * BLOCK:
            self._blocks[at : at + 1] = [block[:BLOCK], block[BLOCK:]]
            self._lasts[at : at + 1] = [block[BLOCK - 1], block[-1]]

    def remove(self, key: bytes) -> None:
        """Remove a key that is there."""
        at = bisect_left(self._lasts, key)
        block = self._blocks[at]
        del block[bisect_left(block, key)]
        self._length -= 1
        self._before = []
        if block:
            self._lasts[at] = block[-1]
        else:
            del self._blocks[at], self._lasts[at]

    def index(self, key: bytes) -> int:
        """How many keys are smaller than ``key``, which need not be there."""
        at = bisect_left(self._lasts, key)
        if at == len(self._blocks):
            return self._length
        return self._starts()[at] + bisect_left(self._blocks[at], key)

    def slice(self, start: int, stop: int) -> list[bytes]:
        """The keys with indexes in ``[start, stop)``, clipped to what there is."""
        start, stop = max(start, 0), min(stop, self._length)
        if start >= stop:
            return []
        starts = self._starts()
        at = bisect_right(starts, start) - 1
        offset = start - starts[at]
        found: list[bytes] = []
        while len(found) < stop - start:
            found += self._blocks[at][offset : offset + stop - start - len(found)]
            at, offset = at + 1, 0
        return found

    def _starts(self) -> list[int]:
        if not self._before:
            self._before = [0, *accumulate(map(len, self._blocks))]
        return self._before[: len(self._blocks)]

    def validate(self) -> None:
        """Check order, lengths and block ends.

        Raises:
            AssertionError: the structure is broken.
        """
        keys = [key for block in self._blocks for key in block]
        if keys != sorted(set(keys)) or len(keys) != self._length:
            raise AssertionError("keys are out of order, doubled or miscounted")
        if self._lasts != [block[-1] for block in self._blocks]:
            raise AssertionError("a block's end is out of date")
        if self._before and self._before != [0, *accumulate(map(len, self._blocks))]:
            raise AssertionError("the sums before the blocks are out of date")

"""The boundaries that come: where one period ends and the next begins (R5)."""

from typing import NamedTuple

from toprung.domain.calendar import Period, Window
from toprung.domain.instants import INSTANT_MAX


class Boundary(NamedTuple):
    """An instant between two periods."""

    at: int
    """The first instant of ``begins``, in microseconds."""
    ends: Period
    begins: Period


def boundaries(window: Window, after: int, count: int) -> list[Boundary]:
    """The first ``count`` boundaries after an instant; fewer where fewer are known.

    A window without end has none, and a season's end is known only once the next one is told.
    """
    found: list[Boundary] = []
    ends = window.period_at(after)
    while len(found) < count and ends.end is not None and ends.end <= INSTANT_MAX:
        begins = window.period_at(ends.end)
        found.append(Boundary(ends.end, ends, begins))
        ends = begins
    return found

"""A public view that stands still (R18): beside each window of a frozen board stands another one,
which has only the events strictly before the freeze.

It is kept as any other window is, so that whatever holds for the standings of a board holds for
what the public sees of it. It takes what its window takes, and nobody is told of it by its name.
"""

import msgspec

from toprung.domain.calendar import Period, Window

_PREFIX = "frozen:"


def frozen(window: str) -> str:
    """The name under which the frozen standings of a window are kept."""
    return f"{_PREFIX}{window}"


def is_frozen(window: str) -> bool:
    """Whether the name is that of frozen standings."""
    return window.startswith(_PREFIX)


def thawed(window: str) -> str:
    """The window that a name, perhaps that of frozen standings, belongs to."""
    return window.removeprefix(_PREFIX)


class Frozen:
    """The periods of a window, or their parts, as they are kept for a frozen view: by names of
    their own.
    """

    def __init__(self, window: Window) -> None:
        self.window = frozen(window.window)
        self._counted = window
        self._recent: tuple[Period | None, Period | None] = (None, None)

    def part_at(self, at: int) -> Period:
        """The period, or the part of one, whose entries an event at ``at`` moves."""
        counted = self._counted.part_at(at)
        known, found = self._recent
        if known is not counted or found is None:
            found = msgspec.structs.replace(counted, window=self.window)
            self._recent = (counted, found)
        return found

"""Prizes are not shown before review: the first ranks of a period that has ended are withheld from
public answers for a while, or until the period is published.
"""

from collections.abc import Iterable

import msgspec

from toprung.domain.calendar import rolling_days
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import DAY, format_duration, parse_length
from toprung.domain.limits import PUBLISH_DAYS, PUBLISH_TOP


class PublishDelay(msgspec.Struct, frozen=True, array_like=True):
    """Which ranks are withheld, and for how many microseconds after the close of their period."""

    top: int
    wait: int


class Published(msgspec.Struct, frozen=True, array_like=True):
    """A period that an act has published before its time."""

    window: str
    key: str


def read_publish_delay(top: int, wait: str) -> PublishDelay:
    """What a board withholds as it was asked for.

    Raises:
        InvalidInput: naming ``publish_delay.for``, which is no duration.
    """
    return PublishDelay(top, parse_length(wait, "publish_delay.for"))


def written_publish_delay(delay: PublishDelay) -> tuple[int, str]:
    """The last rank that is withheld, and how long, as they are told."""
    return delay.top, format_duration(delay.wait, unlimited="")


def check_publish_delay(delay: PublishDelay | None, windows: Iterable[str]) -> None:
    """Do nothing when ``delay`` is possible on a board with these windows.

    A rolling window is no period that ends, and would show the same scores that are withheld.

    Raises:
        InvalidInput: naming the field.
    """
    if delay is None:
        return
    PUBLISH_TOP.check(delay.top, "publish_delay.top")
    if not 0 <= delay.wait <= PUBLISH_DAYS.maximum * DAY:
        raise InvalidInput(
            f"publish_delay.for must be at most {PUBLISH_DAYS.maximum}d", field="publish_delay.for"
        )
    if any(map(rolling_days, windows)):
        raise InvalidInput("publish_delay goes with no rolling window", field="publish_delay")

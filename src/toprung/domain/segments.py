"""Segments: slices of a board by an attribute of its players, each ranked by itself (R17)."""

from collections.abc import Sequence
from typing import NamedTuple

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import ATTRIBUTE_CHARS

_SEPARATOR = "?"
"""Stands in no period's key, so that a segment's key is that of nothing else."""

PLAYER, EVENT = SEGMENT_AT = ("player", "event")
"""By what a segment is made: by who has the value, or by which events carry it."""

Carried = tuple[tuple[str, str], ...]
"""What an event carries of segments: names and values."""

_Key = tuple[int, str, str]


class Segment(NamedTuple):
    """The players with one value of an attribute."""

    name: str
    """Of the attribute."""
    value: str

    def __str__(self) -> str:
        return f"{self.name}:{self.value}"


def segment_key(key: _Key, segment: Segment) -> _Key:
    """What names the segment of a period in a view, beside the period's own key."""
    return key[0], key[1], period_part(key[2], segment)


def period_part(key: str, segment: Segment) -> str:
    """What stands in the place of a period's key for a segment of it."""
    return f"{key}{_SEPARATOR}{segment}"


def period_in(key: str) -> str:
    """The period's own key, of what may stand in its place for a segment of it."""
    return key.partition(_SEPARATOR)[0]


def segment_in(key: str) -> Segment | None:
    """The segment that is meant by what stands in the place of a period's key, if one is."""
    _, separator, text = key.partition(_SEPARATOR)
    if not separator:
        return None
    name, _, value = text.partition(":")
    return Segment(name, value)


def read_segment(names: Sequence[str], text: str) -> Segment:
    """The segment of a board that a text means: its name, a colon and the value.

    Args:
        names: of the board's segments.

    Raises:
        InvalidInput: naming ``segment``.
    """
    name, colon, value = text.partition(":")
    if name not in names:
        raise InvalidInput(
            f"this board has no segment {name!r}",
            field="segment",
            hint=f"it has {', '.join(names)}" if names else "it has none",
        )
    if not colon:
        raise InvalidInput(f"segment must be {name}:VALUE", field="segment")
    ATTRIBUTE_CHARS.check(len(value), "segment")
    return Segment(name, value)

"""Segments: slices of a board by an attribute of its players, each ranked by itself (R17)."""

from collections.abc import Sequence
from typing import NamedTuple

from toprung.domain.decide import EntryKey
from toprung.domain.errors import InvalidInput
from toprung.domain.limits import ATTRIBUTE_CHARS

_SEPARATOR = "?"
"""Stands in no period's key, so that a segment's key is that of nothing else."""


class Segment(NamedTuple):
    """The players with one value of an attribute."""

    name: str
    """Of the attribute."""
    value: str

    def __str__(self) -> str:
        return f"{self.name}:{self.value}"


def segment_key(key: EntryKey, segment: Segment) -> EntryKey:
    """What names the segment of a period in a view, beside the period's own key."""
    return key[0], key[1], f"{key[2]}{_SEPARATOR}{segment}"


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

"""Whom a board admits, by the attributes of players (R23)."""

from collections.abc import Mapping, Sequence

import msgspec

from toprung.domain.limits import ADMIT_VALUES, ATTRIBUTE_CHARS, ATTRIBUTES
from toprung.domain.names import check_name, check_text


class Admit(msgspec.Struct, frozen=True, array_like=True):
    """A board admits players for whom ``attribute`` has one of some values, and no others."""

    attribute: str
    values: tuple[str, ...]


def admit_of(wanted: Mapping[str, Sequence[str]]) -> tuple[Admit, ...]:
    """What is asked for, in one order, so that asking in another one is asking for the same."""
    return tuple(
        Admit(attribute, tuple(sorted(set(values)))) for attribute, values in sorted(wanted.items())
    )


def check_admit(admit: Sequence[Admit]) -> None:
    """Do nothing when players may be admitted so.

    Raises:
        InvalidInput: naming the attribute.
    """
    ATTRIBUTES.check(len(admit), "admit")
    for each in admit:
        field = f"admit.{each.attribute}"
        check_name(each.attribute, field)
        ADMIT_VALUES.check(len(each.values), field)
        for value in each.values:
            check_text(value, ATTRIBUTE_CHARS, field)


def refused_by(admit: Sequence[Admit], attributes: Mapping[str, str]) -> str | None:
    """The attribute for which a player is not admitted; ``None``: the player is."""
    for each in admit:
        if attributes.get(each.attribute) not in each.values:
            return each.attribute
    return None

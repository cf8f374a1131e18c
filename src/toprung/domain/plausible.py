"""What a board takes for plausible: limits on events, beyond which something is wrong with them.

What a player gains in an hour, and how often, is counted by clock hours and minutes of the arrival:
the log alone says what they are, and at any moment only the present ones matter.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import EVENTS_PER_MINUTE, NUMBER
from toprung.domain.numbers import format_number, parse_number


class ColumnLike(Protocol):
    """What is to be known of a column here."""

    @property
    def name(self) -> str: ...
    @property
    def decimals(self) -> int: ...


class Range(msgspec.Struct, frozen=True, array_like=True):
    """What an event may say of one column, scaled; ``None``: anything on that side."""

    column: str
    least: int | None
    most: int | None


class Limits(msgspec.Struct, frozen=True, array_like=True):
    """The limits of a board; ``None``: there is none.

    Attributes:
        ranges: for an event by itself.
        points_per_hour: what a player may gain by the first column in a clock hour, scaled.
        events_per_minute: the most events that are taken of a player in a clock minute.
        on_breach: ``refuse``, or ``quarantine``: what breaks a limit waits for somebody to look.
    """

    ranges: tuple[Range, ...] = ()
    points_per_hour: int | None = None
    events_per_minute: int | None = None
    on_breach: str = "refuse"

    @property
    def count(self) -> bool:
        """Whether it hangs on what came before."""
        return self.points_per_hour is not None or self.events_per_minute is not None


ON_BREACH = ("refuse", "quarantine")
NO_LIMITS = Limits()


class Tally(NamedTuple):
    """What was taken of a player in the present hour and minute."""

    points: int = 0
    events: int = 0


class Breach(NamedTuple):
    """Which limit an event breaks."""

    field: str
    """The part of the event that is at fault."""
    message: str
    """Names the limit."""


def gained(points: Sequence[int]) -> int:
    """What an event adds to the points of an hour: what it takes away gives no room for more."""
    return max(0, points[0])


def breach_alone(
    limits: Limits, columns: Sequence[ColumnLike], points: Sequence[int]
) -> Breach | None:
    """The limit that an event breaks by itself."""
    for place, column in enumerate(columns):
        for each in limits.ranges:
            if each.column == column.name:
                found = _out_of(each, points[place], column)
                if found is not None:
                    field = "points" if len(columns) == 1 else f"points.{column.name}"
                    return Breach(field, found)
    return None


def breach_by_tally(
    limits: Limits, columns: Sequence[ColumnLike], points: Sequence[int], tally: Tally
) -> Breach | None:
    """The limit that an event breaks with what came before."""
    most = limits.events_per_minute
    if most is not None and tally.events + 1 > most:
        return Breach("player_id", f"events_per_minute: the player had {tally.events} in this one")
    most, new = limits.points_per_hour, gained(points)
    if most is None or not new or tally.points + new <= most:
        return None
    total = format_number(tally.points + new, columns[0].decimals)
    limit = format_number(most, columns[0].decimals)
    field = "points" if len(columns) == 1 else f"points.{columns[0].name}"
    return Breach(field, f"points_per_hour: with it {total} in this hour, more than {limit}")


def _out_of(each: Range, value: int, column: ColumnLike) -> str | None:
    told = format_number(value, column.decimals)
    if each.least is not None and value < each.least:
        least = format_number(each.least, column.decimals)
        return f"points.{column.name}.min: {told} is less than {least}"
    if each.most is not None and value > each.most:
        most = format_number(each.most, column.decimals)
        return f"points.{column.name}.max: {told} is more than {most}"
    return None


def check_limits(limits: Limits, columns: Sequence[ColumnLike]) -> None:
    """Do nothing when a board with these columns may have such limits.

    Raises:
        InvalidInput: naming the limit.
    """
    names = [column.name for column in columns]
    for each in limits.ranges:
        field = f"limits.points.{each.column}"
        if each.column not in names:
            raise InvalidInput(f"this board has no column {each.column!r}", field=field)
        if each.least is not None and each.most is not None and each.most < each.least:
            raise InvalidInput(f"{field}.max is less than min", field=f"{field}.max")
    if limits.points_per_hour is not None and not 0 < limits.points_per_hour <= NUMBER.maximum:
        field = "limits.points_per_hour"
        raise InvalidInput(f"{field} must be more than 0", field=field)
    if limits.on_breach not in ON_BREACH:
        raise InvalidInput(
            f"limits.on_breach must be one of {', '.join(ON_BREACH)}", field="limits.on_breach"
        )
    if limits.events_per_minute is not None:
        EVENTS_PER_MINUTE.check(limits.events_per_minute, "limits.events_per_minute")


def read_limits(
    columns: Sequence[ColumnLike],
    ranges: Mapping[str, tuple[int | str | None, int | str | None]],
    points_per_hour: int | str | None,
    events_per_minute: int | None,
    on_breach: str = "refuse",
) -> Limits:
    """Limits as they were asked for, by the columns of their board.

    Args:
        ranges: by column the least and the most.

    Raises:
        InvalidInput: naming the limit.
    """
    decimals = {column.name: column.decimals for column in columns}
    found = []
    for name, (least, most) in sorted(ranges.items()):
        field = f"limits.points.{name}"
        if name not in decimals:
            raise InvalidInput(f"this board has no column {name!r}", field=field)
        found.append(
            Range(
                name,
                _read(least, decimals[name], f"{field}.min"),
                _read(most, decimals[name], f"{field}.max"),
            )
        )
    per_hour = _read(
        points_per_hour, columns[0].decimals if columns else 0, "limits.points_per_hour"
    )
    return Limits(tuple(found), per_hour, events_per_minute, on_breach)


def _read(number: int | str | None, decimals: int, field: str) -> int | None:
    return None if number is None else parse_number(str(number), decimals, field)


class Written(NamedTuple):
    """Limits with their numbers as text."""

    ranges: dict[str, tuple[str | None, str | None]]
    """By column the least and the most."""
    points_per_hour: str | None
    events_per_minute: int | None
    on_breach: str


def written_limits(columns: Sequence[ColumnLike], limits: Limits) -> Written:
    """The limits of a board with these columns, as they are told."""
    decimals = {column.name: column.decimals for column in columns}

    def told(value: int | None, column: str) -> str | None:
        return None if value is None else format_number(value, decimals[column])

    ranges = {
        each.column: (told(each.least, each.column), told(each.most, each.column))
        for each in limits.ranges
    }
    per_hour = told(limits.points_per_hour, columns[0].name)
    return Written(ranges, per_hour, limits.events_per_minute, limits.on_breach)

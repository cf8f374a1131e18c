"""Periods by walking through time, second by second where it matters (R5)."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

_SECOND = 1_000_000
_MINUTE = 60
_HOUR = 3600
_DAY = timedelta(days=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONDAY = 0


class Span(NamedTuple):
    """A period: its key, and ``[start, end)`` in microseconds, ``None`` where it is open."""

    key: str
    start: int | None
    end: int | None


def span_of(window: str, zone: str, week_start: int, at: int) -> Span:
    """The period of a calendar window, or of ``all``, that holds the instant ``at``; of a rolling
    window the one whose last day does.
    """
    if window == "all":
        return Span("all", None, None)
    if days_of(window):
        return last_days(window, zone, day_at(zone, at))
    key, start, end = _seconds(window, zone, week_start, at // _SECOND)
    return Span(key, start * _SECOND, end * _SECOND)


def season_of(resets: list[tuple[int, str | None, int | None]], at: int) -> Span:
    """The season that holds ``at``; ``resets`` are instants with the names they give, and with an
    end where one is told. What follows on an end is a season without a name.
    """
    begins = {begin for begin, _, _ in resets}
    marks: list[tuple[int, str | None]] = [(begin, name) for begin, name, _ in resets]
    for begin, _, end in resets:
        if end is not None and not any(begin < other <= end for other in begins):
            marks.append((end, None))
    starts: list[tuple[int | None, str | None]] = [(None, None), *sorted(marks, key=lambda m: m[0])]
    index = max(i for i, (start, _) in enumerate(starts) if start is None or start <= at)
    start, name = starts[index]
    end = starts[index + 1][0] if index + 1 < len(starts) else None
    return Span(name or str(index), start, end)


def days_of(window: str) -> int:
    """How many days a rolling window has; 0: it is none."""
    return int(window[8:-1]) if window.startswith("rolling:") else 0


def last_days(window: str, zone: str, last: date) -> Span:
    """The period of a rolling window that ends with the day ``last``."""
    first = last - (days_of(window) - 1) * _DAY
    return Span(last.isoformat(), day_starts(zone, first), day_starts(zone, last + _DAY))


def day_at(zone: str, at: int) -> date:
    """The local day that holds ``at``."""
    return _day_of(zone, at // _SECOND)


def day_starts(zone: str, day: date) -> int:
    """The first instant of a local day, in microseconds."""
    return day_begins(zone, day) * _SECOND


@lru_cache(maxsize=200_000)
def _seconds(window: str, zone: str, week_start: int, second: int) -> tuple[str, int, int]:
    if window == "hourly":
        return _hour(zone, second)
    begins = _BEGINS[window]
    first = _day_of(zone, second)
    while not begins(first, week_start):
        first -= _DAY
    following = first + _DAY
    while not begins(following, week_start):
        following += _DAY
    return _key(window, first, week_start), day_begins(zone, first), day_begins(zone, following)


_BEGINS: dict[str, Callable[[date, int], bool]] = {
    "daily": lambda day, week_start: True,
    "weekly": lambda day, week_start: day.weekday() == week_start,
    "monthly": lambda day, week_start: day.day == 1,
    "yearly": lambda day, week_start: (day.month, day.day) == (1, 1),
}


def _key(window: str, first: date, week_start: int) -> str:
    year, month, day = f"{first.year:04}", f"{first.month:02}", f"{first.day:02}"
    if window == "yearly":
        return year
    if window == "monthly":
        return f"{year}-{month}"
    if window == "daily":
        return f"{year}-{month}-{day}"
    if week_start != _MONDAY:
        return f"wk{year}-{month}-{day}"
    # ISO 8601: a week belongs to the year that its Thursday is in.
    thursday = first + 3 * _DAY
    week = (thursday - date(thursday.year, 1, 1)).days // 7 + 1
    return f"{thursday.year:04}-W{week:02}"


def _local(zone: str, second: int) -> datetime:
    return (_EPOCH + timedelta(seconds=second)).astimezone(ZoneInfo(zone))


@lru_cache(maxsize=200_000)
def day_begins(zone: str, day: date) -> int:
    """The first second at which it is ``day`` there; for a day that was skipped, a later one."""
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    # No zone was ever further than 16 hours from UTC.
    second = (noon - _EPOCH) // timedelta(seconds=1) - 28 * _HOUR
    while _local(zone, second).date() < day:
        second += _MINUTE
    while _local(zone, second - 1).date() >= day:
        second -= 1
    return second


def _day_of(zone: str, second: int) -> date:
    """The day whose period holds ``second``: where the clock is set back over midnight, the evening
    that comes twice belongs to the new day the second time, for that has begun.
    """
    day = _local(zone, second).date()
    (found,) = [
        near
        for near in (day - _DAY, day, day + _DAY)
        if day_begins(zone, near) <= second < day_begins(zone, near + _DAY)
    ]
    return found


def _hour(zone: str, second: int) -> tuple[str, int, int]:
    """The seconds around that show the same hour of the same day under the same offset."""

    def label(at: int) -> tuple[date, int, timedelta | None]:
        local = _local(zone, at)
        return local.date(), local.hour, local.utcoffset()

    day, hour, offset = here = label(second)
    start, end = second, second
    for step in (_MINUTE, 1):
        while label(start - step) == here:
            start -= step
        while label(end + step) == here:
            end += step
    key = f"{day.year:04}-{day.month:02}-{day.day:02}T{hour:02}"
    return key + _offset_text(offset or timedelta()), start, end + 1


def _offset_text(offset: timedelta) -> str:
    """Hours and minutes; an old mean time also has seconds."""
    sign, left = ("-", -offset) if offset < timedelta() else ("+", offset)
    hours, minutes, seconds = left.seconds // _HOUR, left.seconds // _MINUTE % 60, left.seconds % 60
    return f"{sign}{hours:02}:{minutes:02}" + (f":{seconds:02}" if seconds else "")

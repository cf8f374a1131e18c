"""Windows and their periods (R5): by local calendar, half-open, in an IANA zone."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from itertools import zip_longest
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from toprung.domain.errors import InvalidInput, invariant
from toprung.domain.instants import HOUR, SECOND, from_datetime, to_datetime
from toprung.domain.limits import ROLLING_DAYS
from toprung.domain.names import is_name

WINDOWS = ("all", "hourly", "daily", "weekly", "monthly", "yearly", "season")
"""Beside these there are rolling windows of so many days; see :func:`rolling_days`."""
ROLLING_PATTERN = "rolling:([2-9]|[1-8][0-9]|90)d"
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ONE_DAY = timedelta(days=1)
# A year more on each side than instants have: local days and the periods around them reach over.
_FIRST_DATE, _LAST_DATE = date(999, 1, 1), date(9000, 12, 31)


class Period(msgspec.Struct, frozen=True, gc=False):
    """One instance of a window: ``[start, end)`` in microseconds, ``None`` where it is open."""

    window: str
    key: str
    start: int | None
    end: int | None

    def holds(self, at: int) -> bool:
        """Whether ``at`` lies inside."""
        return (self.start is None or self.start <= at) and (self.end is None or at < self.end)


class Season(msgspec.Struct, frozen=True, array_like=True):
    """A reset: a season begins at ``at``. It ends with the next one, or at ``ends_at``."""

    id: str
    name: str | None
    at: int
    ends_at: int | None = None


class SeasonSchedule(msgspec.Struct, frozen=True, array_like=True):
    """Seasons begin whenever a CRON expression fires in a zone, from ``since`` on."""

    cron: str
    zone: str
    since: int


SCHEDULED = "cron-"
"""How the ids of resets begin that a schedule made."""


ALL_TIME = Period("all", "all", None, None)


def load_zone(name: str, field: str) -> tzinfo:
    """The time zone of an IANA name.

    Raises:
        InvalidInput: there is no such zone, or no zone data; never UTC in silence.
    """
    if name == "UTC":
        return UTC
    try:
        return _zone(name)
    # The look-up imports a package of the name's folders: a name of a folder that is none of them
    # fails as an import does.
    except (ZoneInfoNotFoundError, ValueError, OSError, ImportError, TypeError):
        raise InvalidInput(
            f"{field}: no time zone {name!r} is known here",
            field=field,
            hint="use an IANA name such as Europe/Oslo; the tzdata package holds them",
        ) from None


@lru_cache(maxsize=1024)
def _zone(name: str) -> ZoneInfo:
    if _ZONE_NAME.fullmatch(name) is None:
        raise ZoneInfoNotFoundError(name)
    return ZoneInfo(name)


_ZONE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(/[A-Za-z][A-Za-z0-9_+-]{0,31}){0,2}")


class Calendar:
    """The periods of one calendar window in one zone.

    ``period_at`` and ``parse`` are inverse: the key of the period that holds an instant, parsed,
    gives that period again.
    """

    def __init__(self, window: str, zone: tzinfo, week_start: int) -> None:
        self.window = window
        self._zone = zone
        self._week_start = week_start
        self._recent = Period(window, "", 0, 0)  # holds nothing
        self._find: Callable[[int], Period] = {
            "hourly": self._hour_at,
            "daily": self._by_day,
            "weekly": self._by_day,
            "monthly": self._by_day,
            "yearly": self._by_day,
        }[window]

    def period_at(self, at: int) -> Period:
        """The period that holds the instant ``at``."""
        recent = self._recent
        start, end = recent.start, recent.end
        if start is not None and end is not None and start <= at < end:
            return recent
        self._recent = found = self._find(at)
        return found

    def part_at(self, at: int) -> Period:
        """What an event at ``at`` moves entries of; see :class:`Rolling`."""
        return self.period_at(at)

    def parse(self, key: str) -> Period:
        """The period of a key.

        Raises:
            InvalidInput: the key is not one of this window.
        """
        period = self._parse_hour(key) if self.window == "hourly" else self._parse_day(key)
        if period is None or period.key != key:
            raise InvalidInput(
                f"period {key!r} is no key of the window {self.window!r}",
                field="period",
                hint=f"the present one is written {self._example()!r}",
            )
        return period

    def _example(self) -> str:
        return self.period_at(from_datetime(datetime(2026, 11, 30, 12, tzinfo=UTC))).key

    # Days and what is made of days.

    def _by_day(self, at: int) -> Period:
        return self._period_of(local_day(self._zone, at))

    def _period_of(self, day: date) -> Period:
        first, following, key = self._span(day)
        return Period(
            self.window, key, day_start(self._zone, first), day_start(self._zone, following)
        )

    def _span(self, day: date) -> tuple[date, date, str]:
        """First day, the day after the last, and key of the period that holds ``day``."""
        if self.window == "daily":
            return day, day + _ONE_DAY, day.isoformat()
        if self.window == "weekly":
            first = day - timedelta(days=(day.weekday() - self._week_start) % 7)
            return first, first + timedelta(days=7), self._week_key(first)
        if self.window == "monthly":
            first = day.replace(day=1)
            following = (first + timedelta(days=31)).replace(day=1)
            return first, following, f"{day.year:04}-{day.month:02}"
        first = day.replace(month=1, day=1)
        return first, first.replace(year=day.year + 1), f"{day.year:04}"

    def _week_key(self, first: date) -> str:
        if self._week_start != 0:
            return f"wk{first.isoformat()}"
        year, week, _ = first.isocalendar()
        return f"{year:04}-W{week:02}"

    def _parse_day(self, key: str) -> Period | None:
        try:
            day = self._first_day(key)
        except (ValueError, OverflowError):
            return None
        if not _FIRST_DATE <= day <= _LAST_DATE:
            return None
        return self._period_of(day)

    def _first_day(self, key: str) -> date:
        if self.window == "yearly":
            return date(int(key), 1, 1)
        if self.window == "monthly":
            return date.fromisoformat(f"{key}-01")
        return date.fromisoformat(key.removeprefix("wk") if self.window == "weekly" else key)

    # Hours.

    def _hour_at(self, at: int) -> Period:
        local = to_datetime(at).astimezone(self._zone)
        offset = local.utcoffset() or timedelta()
        floor = local.replace(minute=0, second=0, microsecond=0, tzinfo=None)
        start = from_datetime((floor - offset).replace(tzinfo=UTC))
        end = start + HOUR
        # A clock that is set inside the hour cuts it: what has the other offset is another hour.
        if _offset(self._zone, start) != offset:
            start = _change(self._zone, start, at)
        if _offset(self._zone, end - 1) != offset:
            end = _change(self._zone, at, end - 1)
        return Period(self.window, floor.isoformat(timespec="hours") + _sign(offset), start, end)

    def _parse_hour(self, key: str) -> Period | None:
        match = _HOUR_KEY.fullmatch(key)
        if match is None:
            return None
        try:
            start = datetime.fromisoformat(f"{match[1]}:00:00{match[2]}")
            if not _FIRST_DATE <= start.date() <= _LAST_DATE:
                return None
            first = from_datetime(start)
        except (ValueError, OverflowError):
            return None
        # The hour may begin late, where a clock was set inside it: its last moment is as good.
        for at in (first, first + HOUR - 1):
            period = self._hour_at(at)
            if period.key == key:
                return period
        return None


_HOUR_KEY = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2})([+-][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
)


class Seasons:
    """The seasons of one board: from reset to reset; before the first one lies season 0.

    Where a season ends before the next one begins, the time between is an unnamed season, too.

    Attributes:
        periods: all of them in order.
        ids: for each of them the reset that began it; ``None``: none did.
    """

    window = "season"

    def __init__(self, seasons: Sequence[Season]) -> None:
        begun: list[tuple[int, str | None, str | None]] = []
        for season, following in zip_longest(seasons, seasons[1:]):
            begun.append((season.at, season.name, season.id))
            end = season.ends_at
            if end is not None and (following is None or end < following.at):
                begun.append((end, None, None))
        self._starts = [at for at, _, _ in begun]
        self.ids = [None, *(season_id for _, _, season_id in begun)]
        ends = [*self._starts, None]
        names = [None, *(name for _, name, _ in begun)]
        starts = [None, *self._starts]
        self.periods = [
            Period("season", name or str(index), start, end)
            for index, (name, start, end) in enumerate(zip(names, starts, ends, strict=True))
        ]
        self._by_key = {period.key: period for period in self.periods}
        self._by_index = {str(index): period for index, period in enumerate(self.periods)}

    def period_at(self, at: int) -> Period:
        """The season that holds the instant ``at``."""
        return self.periods[bisect_right(self._starts, at)]

    def part_at(self, at: int) -> Period:
        """What an event at ``at`` moves entries of; see :class:`Rolling`."""
        return self.period_at(at)

    def parse(self, key: str) -> Period:
        """The season of a name or a number; one that never was is empty and has no bounds (R7).

        Raises:
            InvalidInput: the key can be no season's.
        """
        found = self._by_key.get(key) or self._by_index.get(key)
        if found is not None:
            return found
        if not is_name(key):
            raise InvalidInput(f"period {key!r} is no season's name or number", field="period")
        return Period("season", key, None, None)


class AllTime:
    """The window that never ends."""

    window = "all"

    def period_at(self, at: int) -> Period:
        """The one period there is."""
        return ALL_TIME

    def part_at(self, at: int) -> Period:
        """What an event at ``at`` moves entries of; see :class:`Rolling`."""
        return self.period_at(at)

    def parse(self, key: str) -> Period:
        """The one period there is.

        Raises:
            InvalidInput: the key is not ``all``.
        """
        if key != "all":
            raise InvalidInput("the window 'all' has one period, 'all'", field="period")
        return ALL_TIME


class Rolling:
    """The last so many local days, today included (R5).

    Points are kept day by day: an event moves an entry of its own day, a part of the window, and
    what readers see is a player's parts put together. A period is named by its last day, as a part
    is by its only one.
    """

    def __init__(self, window: str, zone: tzinfo) -> None:
        self.window = window
        self.days = rolling_days(window) or 0
        self._zone = zone
        self._parts = Calendar("daily", zone, 0)

    def period_at(self, at: int) -> Period:
        """The period whose last day holds the instant ``at``."""
        return self._ending(local_day(self._zone, at))

    def part_at(self, at: int) -> Period:
        """The day that holds the instant ``at``, as the part of the window that it is."""
        day = self._parts.period_at(at)
        return Period(self.window, day.key, day.start, day.end)

    def parse(self, key: str) -> Period:
        """The period that ends with the day of that key.

        Raises:
            InvalidInput: the key is no day.
        """
        self._parts.parse(key)
        return self._ending(date.fromisoformat(key))

    def _ending(self, day: date) -> Period:
        first = day - timedelta(days=self.days - 1)
        start, end = day_start(self._zone, first), day_start(self._zone, day + _ONE_DAY)
        return Period(self.window, day.isoformat(), start, end)

    def part_keys(self, key: str) -> list[str]:
        """The keys of the parts of the period of that key, the first day first."""
        day = date.fromisoformat(key)
        return [(day - timedelta(days=back)).isoformat() for back in reversed(range(self.days))]

    def leaves_at(self, key: str) -> int:
        """The first instant at which the part of that key is in no period any more."""
        return day_start(self._zone, date.fromisoformat(key) + timedelta(days=self.days))


def rolling_days(window: str) -> int | None:
    """Of how many days a rolling window is; ``None``: it is none."""
    match = _ROLLING.fullmatch(window)
    return None if match is None else int(match[1])


_ROLLING = re.compile(ROLLING_PATTERN, re.ASCII)
invariant(
    rolling_days(f"rolling:{ROLLING_DAYS.maximum}d") == ROLLING_DAYS.maximum
    and rolling_days(f"rolling:{ROLLING_DAYS.maximum + 1}d") is None
    and rolling_days(f"rolling:{ROLLING_DAYS.minimum}d") == ROLLING_DAYS.minimum,
    "the pattern of rolling windows says what the limit does",
)

Window = Calendar | Seasons | AllTime | Rolling


def local_day(zone: tzinfo, at: int) -> date:
    """The local calendar day whose period holds ``at``.

    A day runs from its first instant to the first instant of the next, so where a clock is set back
    over midnight, the hour that comes twice belongs to the new day the second time.
    """
    day = to_datetime(at).astimezone(zone).date()
    return day + _ONE_DAY if at >= day_start(zone, day + _ONE_DAY) else day


@lru_cache(maxsize=16_384)
def day_start(zone: tzinfo, day: date) -> int:
    """The first instant of a local calendar day, which need not be a midnight."""
    midnight = datetime.combine(day, time())
    before = midnight.replace(tzinfo=zone).utcoffset() or timedelta()
    candidate = from_datetime((midnight - before).replace(tzinfo=UTC))
    if _offset(zone, candidate) == before:
        return candidate
    # Midnight was skipped: the day begins when the clock was set forward.
    after = _offset(zone, candidate)
    low = from_datetime((midnight - after).replace(tzinfo=UTC)) - SECOND
    return _change(zone, low, candidate)


def _offset(zone: tzinfo, at: int) -> timedelta:
    return to_datetime(at).astimezone(zone).utcoffset() or timedelta()


def _change(zone: tzinfo, low: int, high: int) -> int:
    """The first whole second in ``(low, high]`` whose offset is that of ``high``."""
    wanted = _offset(zone, high)
    low_second, high_second = low // SECOND, high // SECOND
    while high_second - low_second > 1:
        middle = (low_second + high_second) // 2
        if _offset(zone, middle * SECOND) == wanted:
            high_second = middle
        else:
            low_second = middle
    return high_second * SECOND


def _sign(offset: timedelta) -> str:
    total = int(offset.total_seconds())
    sign, total = ("-", -total) if total < 0 else ("+", total)
    text = f"{sign}{total // 3600:02}:{total // 60 % 60:02}"
    # Only old local mean times have seconds; without them two hours could share a key.
    return f"{text}:{total % 60:02}" if total % 60 else text

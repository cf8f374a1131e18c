"""A board: its settings (R3-R6, R16), its seasons and the rules they make together."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property

import msgspec

from toprung.domain.calendar import (
    WEEKDAYS,
    WINDOWS,
    AllTime,
    Calendar,
    Period,
    Rolling,
    Season,
    Seasons,
    SeasonSchedule,
    Window,
    load_zone,
    local_day,
    rolling_days,
)
from toprung.domain.eligibility import Admit, check_admit
from toprung.domain.errors import InvalidInput
from toprung.domain.freezing import Frozen, frozen
from toprung.domain.instants import INSTANT_MAX, INSTANT_MIN
from toprung.domain.limits import (
    COLUMNS,
    DECIMALS,
    FROZEN_WINDOWS,
    NUMBER,
    ROLLING_DAYS,
    SEGMENT_VALUES,
    SEGMENTS,
    TITLE_CHARS,
)
from toprung.domain.limits import WINDOWS as WINDOWS_LIMIT
from toprung.domain.names import check_name, check_no_controls
from toprung.domain.numbers import fits, format_number, parse_number, rescale
from toprung.domain.order import OrderKeys
from toprung.domain.plausible import NO_LIMITS, Limits, check_limits
from toprung.domain.publishing import PublishDelay, Published, check_publish_delay
from toprung.domain.segments import EVENT, PLAYER, SEGMENT_AT, Carried, Segment, period_part

MODES = ("sum", "best", "last")
TIES = ("earliest", "shared", "dense")


class Numbering(StrEnum):
    """How ranks are numbered; a view of the one order of entries (R4)."""

    ORDINAL = "ordinal"
    SHARED = "shared"
    DENSE = "dense"


class Column(msgspec.Struct, frozen=True, array_like=True):
    """One number of a score."""

    name: str
    descending: bool
    decimals: int


class Settings(msgspec.Struct, frozen=True, array_like=True):
    """The rules of a board. Durations are microseconds; ``None`` means without end."""

    mode: str
    columns: tuple[Column, ...]
    ties: str
    windows: tuple[str, ...]
    zone: str
    week_start: int
    grace: int | None
    max_ahead: int | None
    remember: int | None
    title: str
    freeze_at: int | None = None
    """From when on the public view stands still (R18)."""
    admit: tuple[Admit, ...] = ()
    segments: tuple[str, ...] = ()
    """Attributes of players by whose values the board is sliced (R17)."""
    limits: Limits = NO_LIMITS
    segment_at: str = PLAYER
    """Whether the value that a player has says which segment counts, or that of each event."""
    publish_delay: PublishDelay | None = None
    """Which ranks of a period that has ended are withheld, and how long; ``None``: none are."""

    @property
    def is_sliced_by_events(self) -> bool:
        """Whether each event counts in the segments that it carries."""
        return self.segment_at == EVENT and bool(self.segments)


FIXED_SETTINGS = ("mode", "columns", "zone", "week_start", "segment_at")
"""What cannot change once a board has events, except by recomputing it (R16)."""


def fixed_settings(*, by_events: bool) -> tuple[str, ...]:
    """What cannot change so, as ``FIXED_SETTINGS`` says; ``by_events``: events count, or are to
    count, in the segments they carry, and these are fixed, too.
    """
    return (*FIXED_SETTINGS, "segments") if by_events else FIXED_SETTINGS


def check_settings(settings: Settings) -> Settings:
    """Return ``settings`` when they are possible.

    Raises:
        InvalidInput: naming the field.
    """
    _check_choice(settings.mode, MODES, "mode")
    _check_choice(settings.ties, TIES, "ties")
    COLUMNS.check(len(settings.columns), "columns")
    for index, column in enumerate(settings.columns):
        check_name(column.name, f"columns[{index}].name")
        DECIMALS.check(column.decimals, f"columns[{index}].decimals")
    _check_unique([column.name for column in settings.columns], "columns")
    WINDOWS_LIMIT.check(len(settings.windows), "windows")
    for index, window in enumerate(settings.windows):
        _check_window(window, f"windows[{index}]")
    _check_unique(settings.windows, "windows")
    if settings.freeze_at is not None:
        FROZEN_WINDOWS.check(len(settings.windows), "windows")
    if not 0 <= settings.week_start < len(WEEKDAYS):
        raise InvalidInput("week_start must be a weekday", field="week_start")
    load_zone(settings.zone, "zone")
    TITLE_CHARS.check(len(settings.title), "title")
    check_no_controls(settings.title, "title")
    check_admit(settings.admit)
    _check_segments(settings.segments)
    check_limits(settings.limits, settings.columns)
    _check_segment_at(settings)
    check_publish_delay(settings.publish_delay, settings.windows)
    return settings


def _check_segment_at(settings: Settings) -> None:
    _check_choice(settings.segment_at, SEGMENT_AT, "segment_at")
    if not settings.is_sliced_by_events:
        return
    if any(map(rolling_days, settings.windows)):
        raise InvalidInput("segment_at: event goes with no rolling window", field="segment_at")
    if settings.freeze_at is not None:
        raise InvalidInput("segment_at: event goes with no freeze_at", field="segment_at")
    # An event moves an entry in each window, and in each segment of it.
    moved, most = len(settings.windows) * (1 + len(settings.segments)), WINDOWS_LIMIT.maximum
    if moved > most:
        raise InvalidInput(
            f"segment_at: event takes at most {most} windows, each counted once for itself and "
            f"once for each segment; these are {moved}",
            field="segment_at",
        )


def _check_segments(names: Sequence[str]) -> None:
    SEGMENTS.check(len(names), "segments")
    for index, name in enumerate(names):
        field = f"segments[{index}]"
        check_name(name, field)
        if ":" in name:
            raise InvalidInput(
                f"{field} must not hold a colon, which ends it in segment=name:value", field=field
            )
    _check_unique(names, "segments")


def _check_choice(value: str, choices: Sequence[str], field: str) -> None:
    if value not in choices:
        raise InvalidInput(f"{field} must be one of {', '.join(choices)}", field=field)


def _check_window(window: str, field: str) -> None:
    if window not in WINDOWS and rolling_days(window) is None:
        raise InvalidInput(
            f"{field} must be one of {', '.join(WINDOWS)}, or rolling:<n>d of "
            f"{ROLLING_DAYS.minimum} to {ROLLING_DAYS.maximum} days",
            field=field,
        )


def _check_unique(values: Sequence[str], field: str) -> None:
    if len(set(values)) != len(values):
        raise InvalidInput(f"{field} names one twice", field=field)


def differences(old: Settings, new: Settings) -> tuple[str, ...]:
    """The names of the settings in which ``old`` and ``new`` differ, in the order of the class."""
    return tuple(
        name for name in Settings.__struct_fields__ if getattr(old, name) != getattr(new, name)
    )


class Filled(msgspec.Struct, frozen=True, array_like=True):
    """A window that was filled from the log: which act asked for it, and the grace it went by."""

    window: str
    seq: int
    grace: int | None


class Sliced(msgspec.Struct, frozen=True, array_like=True):
    """A segment of a board, and the act that gave it to the board."""

    segment: str
    seq: int


class BoardState(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a board.

    ``board_id`` is the log's ``seq`` of the record that made it, so a board made again under an old
    name is another one (R19). ``revision`` counts the changes of what events are read by.
    ``past_columns`` holds the columns of the earlier revisions, the first one first. ``generation``
    is the ``seq`` of the act that last filled windows anew: entries of a generation are read by the
    settings of that generation only.
    ``latest_at`` is the latest ``at`` of a counted event, ``None`` while there is none. ``filled``
    says of each window that was filled from the log when that was last: it tells which of the
    earlier events the window holds. ``schedule`` says when seasons begin by themselves.
    ``unfrozen`` is the ``freeze_at`` that does not hold any more: an act has opened the board.
    ``sliced`` says since when the board has each of its segments.
    ``day`` is the last day of its rolling windows as readers see them, ``None``: it has none, and
    ``rolled`` the ``seq`` of the record that made it so, if one did since they are there.
    ``published`` holds the periods that were published before their time; one is forgotten when its
    time has come.
    """

    board_id: int
    project: str
    name: str
    settings: Settings
    revision: int
    created_at: int
    seasons: tuple[Season, ...]
    latest_at: int | None
    past_columns: tuple[tuple[Column, ...], ...] = ()
    generation: int = 0
    filled: tuple[Filled, ...] = ()
    schedule: SeasonSchedule | None = None
    unfrozen: int | None = None
    sliced: tuple[Sliced, ...] = ()
    day: str | None = None
    rolled: int = 0
    published: tuple[Published, ...] = ()

    @property
    def freeze_at(self) -> int | None:
        """From when on the public view stands still; ``None``: it does not, or not any more."""
        at = self.settings.freeze_at
        return None if at == self.unfrozen else at

    @property
    def kept_windows(self) -> tuple[str, ...]:
        """The windows whose standings are kept: the board's own, then the frozen ones."""
        windows = self.settings.windows
        return windows if self.freeze_at is None else (*windows, *map(frozen, windows))

    @property
    def shown_by(self) -> int:
        """The ``seq`` of the act that last put anything in the place of what readers see."""
        return max(self.generation, self.rolled)


def day_shown(settings: Settings, instant: int) -> str | None:
    """The last day of a board's rolling windows at an instant; ``None``: it has none."""
    if not any(map(rolling_days, settings.windows)):
        return None
    return local_day(load_zone(settings.zone, "zone"), instant).isoformat()


class ShownDays:
    """The present period of a rolling window, and its parts.

    Attributes:
        keys: of the parts, the first day first.
        first: the first of them.
        last: the last, which is the key of the period, too.
    """

    def __init__(self, period: Period, keys: Sequence[str]) -> None:
        self.period = period
        self.keys = keys
        self.first, self.last = keys[0], keys[-1]


class Board:
    """A board with its rules ready for use: calendars, order keys, numbers."""

    def __init__(self, state: BoardState, carried: Carried = ()) -> None:
        self.state = state
        self._carried = carried
        self._carrying: dict[Carried, Board] = {}
        self.board_id = state.board_id
        self.settings = settings = state.settings
        self.mode = settings.mode
        self.revision = state.revision
        self.descending = tuple(column.descending for column in settings.columns)
        self.is_plain = len(settings.columns) == 1 and settings.columns[0].decimals == 0
        """Whether a score is one whole number."""
        self.has_gate = (
            bool(settings.admit) or settings.limits != NO_LIMITS or settings.is_sliced_by_events
        )
        """Whether its events are looked at one by one before they are decided."""
        self.orders = OrderKeys(self.descending)
        self.numbering = {
            "earliest": Numbering.ORDINAL,
            "shared": Numbering.SHARED,
            "dense": Numbering.DENSE,
        }[settings.ties]
        self.sliced = {sliced.segment: sliced.seq for sliced in state.sliced}
        self.filled = {filled.window: filled for filled in state.filled}
        self.windows: dict[str, Window] = {
            window: self._window(window) for window in settings.windows
        }
        self.freeze_at = state.freeze_at
        self._frozen = (
            [] if self.freeze_at is None else [Frozen(window) for window in self.windows.values()]
        )
        self.rolling = {
            name: window
            for window in self.windows.values()
            if isinstance(window, Rolling)
            for name in (window.window, frozen(window.window))
        }
        """The windows that are rolling, also by the names of the frozen ones beside them."""

    def _window(self, window: str) -> Window:
        if window == "all":
            return AllTime()
        if window == "season":
            return Seasons(self.state.seasons)
        zone = load_zone(self.settings.zone, "zone")
        if rolling_days(window) is not None:
            return Rolling(window, zone)
        return Calendar(window, zone, self.settings.week_start)

    @property
    def keeps_back(self) -> bool:
        """Whether the public is shown less than there is (R18)."""
        latest_at = self.state.latest_at
        return self.freeze_at is not None and latest_at is not None and latest_at >= self.freeze_at

    def window(self, name: str | None) -> Window:
        """The window of that name, or the board's first.

        Raises:
            InvalidInput: the board has no such window.
        """
        if name is None:
            return self.windows[self.settings.windows[0]]
        found = self.windows.get(name)
        if found is None:
            raise InvalidInput(
                f"this board has no window {name!r}",
                field="window",
                hint=f"it has {', '.join(self.windows)}",
            )
        return found

    @property
    def parts(self) -> list[str]:
        """For each of the parts that an event may move its window: see :meth:`parts_at`."""
        return list(self.state.kept_windows) * (1 + len(self._segments(self._carried)))

    def carrying(self, carried: Carried) -> "Board":
        """The same board as it takes events that carry these segments."""
        found = self._carrying.get(carried)
        if found is None:
            if len(self._carrying) >= SEGMENT_VALUES.maximum:
                self._carrying.clear()
            found = self._carrying[carried] = Board(self.state, carried)
        return found

    def _segments(self, carried: Carried) -> list[Segment]:
        """Those of the segments that an event carries in which it counts, in the board's order."""
        if not carried or not self.settings.is_sliced_by_events:
            return []
        values = dict(carried)
        return [Segment(name, values[name]) for name in self.settings.segments if name in values]

    def parts_at(self, at: int, carried: Carried = ()) -> list[Period]:
        """For each window the period, or the part of one, whose entries an event at ``at`` moves
        (R5); then, for one before the freeze, those of the frozen windows; or, where events count
        in the segments they carry, those of the segments.
        """
        found = [window.part_at(at) for window in self.windows.values()]
        whole = tuple(found)
        for segment in self._segments(carried or self._carried):
            found += [
                msgspec.structs.replace(period, key=period_part(period.key, segment))
                for period in whole
            ]
        if self.freeze_at is not None and at < self.freeze_at:
            found += [window.part_at(at) for window in self._frozen]
        return found

    def stretch_of(self, at: int, periods: Sequence[Period]) -> tuple[int, int]:
        """``[low, high)``: the instants that fall into the same ``periods`` as ``at``."""
        low = max([INSTANT_MIN if period.start is None else period.start for period in periods])
        high = min([INSTANT_MAX + 1 if period.end is None else period.end for period in periods])
        if self.freeze_at is None:
            return low, high
        if at < self.freeze_at:
            return low, min(high, self.freeze_at)
        return max(low, self.freeze_at), high

    def period_now(self, window: str, now: int) -> Period:
        """The present period of a window.

        Of a rolling one it is that of the day which was told by a record: until then readers see
        what they saw, however late it has become.
        """
        shown = self.shown_days.get(window)
        return self.windows[window].period_at(now) if shown is None else shown.period

    @cached_property
    def shown_days(self) -> dict[str, "ShownDays"]:
        """What readers see of each rolling window."""
        day = self.state.day
        if day is None:
            return {}
        return {
            name: ShownDays(window.parse(day), window.part_keys(day))
            for name, window in self.rolling.items()
        }

    def is_over(self, window: str, key: str) -> bool:
        """Whether a key is of a part of a rolling window that readers see no more."""
        shown = self.shown_days.get(window)
        return shown is not None and key < shown.first

    def holds(self, window: str, columns: Sequence[int]) -> bool:
        """Whether an entry of a window may have these numbers (R6).

        A day of a rolling window may have its share of what can be held, so that whichever days
        come together, their total can be.
        """
        days = self.rolling_days(window)
        if self.mode != "sum" or not days:
            return all(map(fits, columns))
        return all(abs(column) <= NUMBER.maximum // days for column in columns)

    def rolling_days(self, window: str) -> int:
        """Of how many days a window is, where it is rolling, else 0."""
        rolling = self.rolling.get(window)
        return 0 if rolling is None else rolling.days

    def closes_at(self, period: Period) -> int | None:
        """The first arrival that ``period`` no longer takes (R10); ``None``: it never closes.

        A day of a rolling window takes events for as long as a period of it may begin with it, by
        their true arrival: one that nobody will see again takes no history either.
        """
        rolling = self.rolling.get(period.window)
        if rolling is not None:
            return rolling.leaves_at(period.key)
        grace = self.settings.grace
        return None if grace is None or period.end is None else period.end + grace

    def _published_at(self, period: Period) -> int | None:
        """When the first ranks of a period are shown, if no act publishes it; ``None``: they are
        not withheld.

        A period that never closes is waited for from its end on.
        """
        delay = self.settings.publish_delay
        if delay is None or period.end is None:
            return None
        closes_at = self.closes_at(period)
        return (period.end if closes_at is None else closes_at) + delay.wait

    def withheld_until(self, period: Period, now: int) -> int | None:
        """Until when the first ranks of a period are withheld from the public; ``None``: they are
        shown.

        They are withheld as soon as the period has ended: what comes late may move them, and
        nobody shall see the last list before.
        """
        until = self._published_at(period)
        if until is None or period.end is None or not period.end <= now < until:
            return None
        known = Published(period.window, period.key)
        return None if known in self.state.published else until

    def withheld_between(self, start: int | None, end: int | None, now: int) -> int | None:
        """Until when a period is withheld that has an instant of ``[start, end)``; ``None``: none
        is. A list of these events alone would help to tell what is withheld.
        """
        if self.settings.publish_delay is None:
            return None
        last = now if end is None else min(now, end - 1)
        found = [
            until
            for window in self.windows.values()
            for period in self._waiting(window, start, last, now)
            for until in [self.withheld_until(period, now)]
            if until is not None
        ]
        return max(found, default=None)

    def _waiting(self, window: Window, start: int | None, last: int, now: int) -> Iterator[Period]:
        """The periods from ``last`` back to ``start`` whose time has not come."""
        while start is None or last >= start:
            period = window.period_at(last)
            until = self._published_at(period)
            if until is not None and until <= now:
                return
            yield period
            if period.start is None:
                return
            last = period.start - 1

    def parse_points(self, texts: Sequence[str], field: str) -> tuple[int, ...]:
        """The scaled columns of ``texts``, one for each column in order.

        Raises:
            InvalidInput: naming the column.
        """
        columns = self.settings.columns
        if len(columns) == 1:
            return (parse_number(texts[0], columns[0].decimals, field),)
        return tuple(
            parse_number(text, column.decimals, f"{field}.{column.name}")
            for text, column in zip(texts, columns, strict=True)
        )

    def points_now(self, points: tuple[int, ...], revision: int) -> tuple[int, ...] | None:
        """Points that were read by the columns of ``revision``, by the present ones (R16).

        They go through every change of columns there was since. A column is found by its name; one
        that was only renamed, by its place. ``None`` where they cannot be said exactly: a column
        that is new, or fewer decimals than needed.
        """
        known: tuple[int, ...] | None = points
        for step in range(revision, self.revision):
            if known is not None:
                known = _reread(known, self.columns_of(step), self.columns_of(step + 1))
        return known

    def columns_of(self, revision: int) -> tuple[Column, ...]:
        """The columns that events of ``revision`` were read by."""
        if revision == self.revision:
            return self.settings.columns
        return self.state.past_columns[revision - 1]

    def format_columns(
        self, columns: Sequence[int], revision: int | None = None
    ) -> tuple[str, ...]:
        """The columns as text without trailing zeros (R6).

        Args:
            revision: by which they were read; the present one unless given.
        """
        read_by = self.columns_of(self.revision if revision is None else revision)
        return tuple(
            [
                format_number(value, column.decimals)
                for value, column in zip(columns, read_by, strict=True)
            ]
        )

    def format_score(self, columns: Sequence[int]) -> str:
        """The first column as text."""
        return format_number(columns[0], self.settings.columns[0].decimals)


def _reread(
    points: tuple[int, ...], past: Sequence[Column], present: Sequence[Column]
) -> tuple[int, ...] | None:
    """Points read by the ``past`` columns, by the ``present`` ones that came next."""
    places = _places(past, present)
    if places is None:
        return None
    scaled = [
        rescale(points[place], past[place].decimals, column.decimals)
        for place, column in zip(places, present, strict=True)
    ]
    return None if None in scaled else tuple([value for value in scaled if value is not None])


def _places(past: Sequence[Column], present: Sequence[Column]) -> list[int] | None:
    """Where each of the ``present`` columns stood among the ``past`` ones."""
    old, new = [column.name for column in past], [column.name for column in present]
    if all(name in old for name in new):
        return [old.index(name) for name in new]
    renamed = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    if len(old) != len(new) or any(a in new or b in old for a, b in renamed):
        return None
    return list(range(len(new)))

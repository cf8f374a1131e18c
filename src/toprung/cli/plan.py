"""Boards as a file: what it says, and how that differs from what a server has."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from toprung.cli.errors import Failed
from toprung.cli.shape import told_shape
from toprung.domain import board as rules
from toprung.domain.board import fixed_settings
from toprung.domain.calendar import WEEKDAYS
from toprung.domain.eligibility import admit_of
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import format_duration, format_instant, parse_duration, parse_instant
from toprung.domain.limits import COLUMNS
from toprung.domain.names import check_name
from toprung.domain.plausible import Limits, read_limits, written_limits
from toprung.domain.publishing import PublishDelay as Delay
from toprung.domain.publishing import read_publish_delay, written_publish_delay
from toprung.domain.segments import EVENT
from toprung.wire.boards import (
    Board,
    BoardLimits,
    BoardSettings,
    Column,
    PointsRange,
    PublishDelay,
)

Action = Literal["create", "change", "drop", "none"]
SETTINGS = BoardSettings.__struct_fields__
_UNLIMITED = {"grace": "none", "max_ahead": "none", "remember": "forever"}
_PATH = re.compile(r" - at `\$(.*)`$")


class Change(msgspec.Struct, frozen=True):
    """One setting that differs."""

    setting: str
    old: str
    new: str
    fixed: bool
    """It cannot change once the board has events, except by recomputing the board."""


class Step(msgspec.Struct, frozen=True):
    """What is to be done about one board."""

    board: str
    action: Action
    changes: tuple[Change, ...] = ()

    @property
    def fixed(self) -> bool:
        """Whether it may need the board to be recomputed."""
        return self.action == "change" and any(change.fixed for change in self.changes)


def read_boards(path: Path) -> dict[str, BoardSettings]:
    """The boards in a TOML file, by name.

    Raises:
        OSError: it cannot be read.
        Failed: it is no TOML, or says something that no board can be; the place is named.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Failed("bad_toml", f"{path}: {error}") from error
    tables = content.pop("boards", None)
    if content or not isinstance(tables, dict):
        stranger = f" and no {next(iter(content))!r}" if content else ""
        raise Failed(
            "bad_boards",
            f"{path}: the file must have a table [boards.NAME] for each board{stranger}",
        )
    return {name: _settings(path, name, table) for name, table in tables.items()}


def _settings(path: Path, name: str, table: object) -> BoardSettings:
    try:
        check_name(name, "its name")
        return _normal(_checked(msgspec.convert(table, BoardSettings)))
    except InvalidInput as error:
        raise Failed("bad_boards", f"{path}: board {name!r}: {error}") from error
    except msgspec.ValidationError as error:
        place = _PATH.search(str(error))
        where = place[1].removeprefix(".") if place else ""
        message = told_shape(_PATH.sub("", str(error)), BoardSettings, where)
        message = f"{where}: {message}" if where else message
        raise Failed("bad_boards", f"{path}: board {name!r}: {message}") from error


def _checked(settings: BoardSettings) -> BoardSettings:
    """``settings`` when a server would take them; only it knows which zones it has."""
    columns = tuple(
        rules.Column(column.name, column.order == "desc", column.decimals)
        for column in settings.columns
    )
    COLUMNS.check(len(columns), "columns")
    rules.check_settings(
        rules.Settings(
            mode=settings.mode,
            columns=columns,
            ties=settings.ties,
            windows=settings.windows,
            zone="UTC",
            week_start=WEEKDAYS.index(settings.week_start),
            grace=None,
            max_ahead=None,
            remember=None,
            title=settings.title,
            admit=admit_of(settings.admit),
            segments=settings.segments,
            freeze_at=_instant(settings.freeze_at),
            limits=_limits(settings),
            segment_at=settings.segment_at,
            publish_delay=_publish_delay(settings.publish_delay),
        )
    )
    return settings


def _instant(text: str | None) -> int | None:
    return None if text is None else parse_instant(text, "freeze_at")


def _publish_delay(asked: PublishDelay | None) -> Delay | None:
    return None if asked is None else read_publish_delay(asked.top, asked.wait)


def _limits(settings: BoardSettings) -> Limits:
    asked = settings.limits
    ranges = {name: (each.min, each.max) for name, each in asked.points.items()}
    return read_limits(
        settings.columns,
        ranges,
        asked.points_per_hour,
        asked.events_per_minute,
        asked.on_breach,
    )


def _normal(settings: BoardSettings) -> BoardSettings:
    """``settings`` as a server writes them: 60m is 1h."""
    durations = {
        name: format_duration(
            parse_duration(getattr(settings, name), name, unlimited=word), unlimited=word
        )
        for name, word in _UNLIMITED.items()
    }
    admit = {each.attribute: each.values for each in admit_of(settings.admit)}
    freeze_at = _instant(settings.freeze_at)
    told = None if freeze_at is None else format_instant(freeze_at)
    ranges, per_hour, per_minute, on_breach = written_limits(settings.columns, _limits(settings))
    points = {name: PointsRange(*bounds) for name, bounds in ranges.items()}
    limits = BoardLimits(points, per_hour, per_minute, on_breach)  # type: ignore[arg-type]
    delay = _publish_delay(settings.publish_delay)
    publish_delay = None if delay is None else PublishDelay(*written_publish_delay(delay))
    return msgspec.structs.replace(
        settings,
        **durations,
        admit=admit,
        freeze_at=told,
        limits=limits,
        publish_delay=publish_delay,
    )


def settings_of(board: Board) -> BoardSettings:
    """The settings of a board that is there."""
    values = {name: getattr(board, name) for name in SETTINGS if name != "windows"}
    return BoardSettings(windows=tuple(each.window for each in board.windows), **values)


def make_plan(
    wanted: Mapping[str, BoardSettings], there: Iterable[Board], *, prune: bool
) -> list[Step]:
    """One step for each board of the file, in its order, then those that are to be dropped.

    Args:
        prune: drop boards that the file does not name.
    """
    known = {board.board: settings_of(board) for board in there}
    steps = [_step(name, settings, known.get(name)) for name, settings in wanted.items()]
    if prune:
        steps += [Step(name, "drop") for name in known if name not in wanted]
    return steps


def _step(name: str, wanted: BoardSettings, there: BoardSettings | None) -> Step:
    if there is None:
        return Step(name, "create", _changes(BoardSettings(), wanted, fixed=()))
    by_events = any(each.segment_at == EVENT and each.segments for each in (there, wanted))
    changes = _changes(there, wanted, fixed=fixed_settings(by_events=by_events))
    return Step(name, "change" if changes else "none", changes)


def _changes(old: BoardSettings, new: BoardSettings, *, fixed: Iterable[str]) -> tuple[Change, ...]:
    return tuple(
        Change(name, show_setting(was), show_setting(becomes), name in fixed)
        for name in SETTINGS
        if (was := getattr(old, name)) != (becomes := getattr(new, name))
    )


def show_setting(value: Any) -> str:
    """A setting for a person."""
    if isinstance(value, tuple):
        return ", ".join(show_setting(item) for item in value)
    if isinstance(value, Column):
        decimals = f" .{value.decimals}" if value.decimals else ""
        return f"{value.name} {value.order}{decimals}"
    if isinstance(value, dict):
        parts = [f"{name} {show_setting(items)}" for name, items in value.items()]
        return "; ".join(parts) or "anybody"
    if value is None:
        return "none"
    if isinstance(value, PointsRange):
        return f"{_or_any(value.min)} to {_or_any(value.max)}"
    if isinstance(value, BoardLimits):
        return _show_limits(value)
    if isinstance(value, PublishDelay):
        return f"the first {value.top} for {value.wait}"
    return str(value) if value != "" else '""'


def _show_limits(limits: BoardLimits) -> str:
    parts = [f"{name} {show_setting(each)}" for name, each in limits.points.items()]
    if limits.points_per_hour is not None:
        parts.append(f"{limits.points_per_hour} points an hour")
    if limits.events_per_minute is not None:
        parts.append(f"{limits.events_per_minute} events a minute")
    if limits.on_breach != "refuse":
        parts.append(limits.on_breach)
    return ", ".join(parts) or "none"


def _or_any(bound: int | str | None) -> str:
    return "any" if bound is None else str(bound)


def plan_lines(steps: Iterable[Step], *, recompute: bool) -> list[str]:
    """A plan for a person: + create, ~ change, - drop, ! needs the board to be recomputed."""
    lines: list[str] = []
    for step in steps:
        if step.action == "none":
            continue
        sign = {"create": "+", "change": "~", "drop": "-"}[step.action]
        lines.append(f"{sign} {step.board}")
        lines += [_change_line(step, change, recompute=recompute) for change in step.changes]
    return lines


def _change_line(step: Step, change: Change, *, recompute: bool) -> str:
    if step.action == "create":
        return f"    {change.setting} = {change.new}"
    sign = "!" if change.fixed else "~"
    note = "  (once the board has events, only with --recompute)"
    return (
        f"  {sign} {change.setting}: {change.old} -> {change.new}"
        f"{note if change.fixed and not recompute else ''}"
    )

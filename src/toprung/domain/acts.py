"""What acts do to a board: make, change, drop, begin a season (R5, R16, R19, R20)."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from toprung.domain.board import (
    Board,
    BoardState,
    Filled,
    Settings,
    Sliced,
    check_settings,
    day_shown,
    differences,
    fixed_settings,
)
from toprung.domain.calendar import SCHEDULED, Period, Season, Seasons, SeasonSchedule
from toprung.domain.errors import InvalidInput
from toprung.domain.freezing import frozen
from toprung.domain.instants import format_instant, looks_like_instant
from toprung.domain.limits import SEASONS
from toprung.domain.names import check_name
from toprung.domain.publishing import Published
from toprung.domain.records import (
    BoardUnfrozen,
    PeriodPublished,
    SeasonAct,
    SeasonBegun,
    SeasonEnded,
)

Result = Literal["created", "unchanged", "changed", "recomputed", "dropped"]


class Refused(Exception):
    """An act that the state does not allow. Nothing was changed; the code names why."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


class BoardChange(msgspec.Struct, frozen=True):
    """The board after an act, and which of its windows must be filled anew from the log."""

    result: Result
    state: BoardState
    changed: tuple[str, ...] = ()
    refill: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """Windows that the board no longer has."""


def put_board(
    old: BoardState | None,
    project: str,
    name: str,
    settings: Settings,
    if_exists: str,
    seq: int,
    received_at: int,
) -> BoardChange:
    """Make a board, or change one as ``if_exists`` allows (R16).

    Raises:
        InvalidInput: the settings are impossible.
        Refused: ``settings_differ`` or ``settings_fixed``, with the differences; ``frozen``, when
            another freeze would show what the present one keeps back.
    """
    check_name(project, "project")
    check_name(name, "board")
    check_settings(settings)
    if old is None:
        state = BoardState(seq, project, name, settings, 1, received_at, (), None)
        state = msgspec.structs.replace(
            state, sliced=_sliced((), settings, seq), day=day_shown(settings, received_at)
        )
        return BoardChange("created", state)
    changed = differences(old.settings, settings)
    if not changed:
        return BoardChange("unchanged", old)
    if if_exists == "refuse":
        raise Refused(
            "settings_differ",
            f"board {name!r} exists with other settings: {_told(old.settings, settings, changed)}",
            changed[0],
        )
    by_events = old.settings.is_sliced_by_events or settings.is_sliced_by_events
    fixed = [field for field in changed if field in fixed_settings(by_events=by_events)]
    if fixed and old.latest_at is not None and if_exists != "recompute":
        raise Refused(
            "settings_fixed",
            f"board {name!r} has events, so this cannot change: "
            f"{_told(old.settings, settings, fixed)}",
            fixed[0],
        )
    if "freeze_at" in changed:
        _check_hides_nothing(old)
    state = _with_settings(old, settings, changed, seq)
    state = msgspec.structs.replace(state, day=_day(old, settings, received_at))
    removed = tuple(w for w in old.kept_windows if w not in state.kept_windows)
    anew = state.kept_windows if fixed else _to_fill(old, state)
    if anew or removed:
        state = msgspec.structs.replace(
            state, generation=seq, filled=_filled(old, settings, anew, seq)
        )
    result: Result = "recomputed" if fixed and old.latest_at is not None else "changed"
    return BoardChange(result, state, changed, anew, removed)


def _to_fill(old: BoardState, new: BoardState) -> tuple[str, ...]:
    """The windows that are new; where the freeze is another one, all that are frozen."""
    kept = old.kept_windows if old.freeze_at == new.freeze_at else old.settings.windows
    return tuple(window for window in new.kept_windows if window not in kept)


def _check_hides_nothing(board: BoardState) -> None:
    at = board.freeze_at
    if at is not None and board.latest_at is not None and board.latest_at >= at:
        raise Refused(
            "frozen",
            f"board {board.name!r} is frozen since {format_instant(at)}, and events after that are "
            "kept back: unfreeze it before",
            "freeze_at",
        )


def unfreeze(old: BoardState, seq: int) -> BoardChange:
    """Show the public what a freeze keeps back (R18). A board that is not frozen stays as it is."""
    if old.freeze_at is None:
        return BoardChange("unchanged", old)
    state = msgspec.structs.replace(old, unfrozen=old.freeze_at, generation=seq)
    removed = tuple(window for window in old.kept_windows if window not in state.kept_windows)
    return BoardChange("changed", state, ("freeze_at",), removed=removed)


def publish(old: BoardState, window: str, key: str, received_at: int) -> BoardChange:
    """Show the public all ranks of a period; one that is not withheld stays as it is.

    Raises:
        InvalidInput: the board has no such window, or the window no such period.
        Refused: ``period_open``, the period has not ended.
    """
    board = Board(old)
    period = board.window(window).parse(key)
    if period.end is None or received_at < period.end:
        raise Refused("period_open", f"the period {key!r} has not ended", "period")
    if board.withheld_until(period, received_at) is None:
        return BoardChange("unchanged", old)
    kept = [each for each in old.published if _is_waited_for(board, each, received_at)]
    published = (*kept, Published(window, key))
    return BoardChange("changed", msgspec.structs.replace(old, published=published), ("published",))


def _is_waited_for(board: Board, published: Published, now: int) -> bool:
    """Whether a period that was published would be withheld else."""
    state = msgspec.structs.replace(board.state, published=())
    try:
        period = board.window(published.window).parse(published.key)
    except InvalidInput:
        return False  # of a window or a calendar that the board has no more
    return Board(state).withheld_until(period, now) is not None


def _with_settings(
    old: BoardState, settings: Settings, changed: Sequence[str], seq: int
) -> BoardState:
    # Who sets another freeze, or none, may set this one again later.
    unfrozen = old.unfrozen if settings.freeze_at == old.unfrozen else None
    state = msgspec.structs.replace(old, settings=settings, unfrozen=unfrozen)
    if "columns" in changed:
        past = (*old.past_columns, old.settings.columns)
        state = msgspec.structs.replace(state, past_columns=past, revision=old.revision + 1)
    if "segments" in changed:
        sliced = _sliced(old.sliced, settings, seq)
        state = msgspec.structs.replace(state, generation=seq, sliced=sliced)
    return state


def _day(old: BoardState, settings: Settings, received_at: int) -> str | None:
    """The last day of the rolling windows of a board that is changed; those that are there stay as
    they are until a record says that the day is over.
    """
    day = day_shown(settings, received_at)
    stays = old.settings.zone == settings.zone and day is not None and old.day is not None
    return old.day if stays else day


def roll_day(old: BoardState, seq: int, received_at: int) -> BoardChange:
    """The board after a record that its rolling windows go on to the day of its arrival (R5).

    One record may pass over many days; one that comes again, or where the clock went back, changes
    nothing.
    """
    day = day_shown(old.settings, received_at)
    if day is None or old.day is None or day <= old.day:
        return BoardChange("unchanged", old)
    return BoardChange("changed", msgspec.structs.replace(old, day=day, rolled=seq), ("day",))


def _filled(
    old: BoardState, settings: Settings, anew: Iterable[str], seq: int
) -> tuple[Filled, ...]:
    """Which windows are filled from the log, and by what, when those of ``anew`` are now."""
    known = {filled.window: filled for filled in old.filled}
    known |= {window: Filled(window, seq, settings.grace) for window in anew}
    return tuple(known[window] for window in settings.windows if window in known)


def _sliced(before: Iterable[Sliced], settings: Settings, seq: int) -> tuple[Sliced, ...]:
    """Since when the board has each segment, when an act gives it those it lacks."""
    known = {sliced.segment: sliced for sliced in before}
    return tuple(known.get(name) or Sliced(name, seq) for name in settings.segments)


def _told(old: Settings, new: Settings, fields: Iterable[str]) -> str:
    return "; ".join(
        f"{name} is {_plain(getattr(old, name))}, asked for {_plain(getattr(new, name))}"
        for name in fields
    )


def _plain(value: object) -> str:
    return msgspec.json.encode(value).decode()


def change_board(
    old: BoardState, act: SeasonAct | BoardUnfrozen | PeriodPublished, seq: int, received_at: int
) -> BoardChange:
    """The board after an act on it; see the functions around.

    Raises:
        InvalidInput: it is impossible.
        Refused: the state does not allow it.
    """
    if isinstance(act, BoardUnfrozen):
        return unfreeze(old, seq)
    if isinstance(act, PeriodPublished):
        return publish(old, act.window, act.key, received_at)
    if isinstance(act, SeasonBegun):
        return begin_season(old, act.season_id, act.season_name, act.at, seq, act.ends_at)
    if isinstance(act, SeasonEnded):
        return end_season(old, act.season_id, act.at, seq)
    schedule = None if act.cron is None else SeasonSchedule(act.cron, act.zone, received_at)
    return schedule_seasons(old, schedule, seq, received_at)


def begin_season(
    old: BoardState,
    season_id: str,
    season_name: str | None,
    at: int,
    seq: int,
    ends_at: int | None = None,
) -> BoardChange:
    """A reset (R5): happens once per id; seasons divide events by their own ``at``.

    Args:
        ends_at: when the season ends, if that is planned; else it runs until the next reset.

    Raises:
        InvalidInput: the id or the name cannot be one, or it would end before it begins.
        Refused: ``conflict``, when the id, the name or the time is taken by another reset, or
            ``no_season_window``.
    """
    check_season_names(season_id, season_name)
    check_season_bounds(at, ends_at)
    _check_has_seasons(old)
    season = Season(season_id, season_name, at, ends_at)
    if any(_is_told_again(season, other) for other in old.seasons):
        return BoardChange("unchanged", old)
    for other in old.seasons:
        _check_no_clash(season, other)
    SEASONS.check(len(old.seasons) + 1, "seasons")
    return _with_seasons(old, "created", (*old.seasons, season), at, seq)


def end_season(old: BoardState, season_id: str, at: int, seq: int) -> BoardChange:
    """End a season at ``at``, before its planned end or the next reset; one that has ended by then
    stays as it is.

    Raises:
        InvalidInput: it would end before it begins.
        Refused: ``unknown_season``, or ``no_season_window``.
    """
    _check_has_seasons(old)
    found = next((season for season in old.seasons if season.id == season_id), None)
    if found is None:
        raise Refused("unknown_season", f"there is no season with the id {season_id!r}", "id")
    check_season_bounds(found.at, at, "at")
    (period,) = [
        period
        for period, begun_by in zip(*_periods(old.seasons), strict=True)
        if begun_by == season_id
    ]
    if period.end is not None and period.end <= at:
        return BoardChange("unchanged", old)
    ended = msgspec.structs.replace(found, ends_at=at)
    seasons = tuple(ended if season is found else season for season in old.seasons)
    return _with_seasons(old, "changed", seasons, at, seq)


def schedule_seasons(
    old: BoardState, schedule: SeasonSchedule | None, seq: int, received_at: int
) -> BoardChange:
    """Have seasons begin by a schedule, or by none any more (R5).

    What an older schedule planned and has not begun is planned no more.

    Raises:
        Refused: ``no_season_window``.
    """
    _check_has_seasons(old)
    before, now = old.schedule, schedule
    if (before and (before.cron, before.zone)) == (now and (now.cron, now.zone)):
        return BoardChange("unchanged", old)
    gone = [
        season
        for season in old.seasons
        if season.id.startswith(SCHEDULED) and season.at > received_at
    ]
    state = msgspec.structs.replace(old, schedule=schedule)
    if not gone:
        return BoardChange("changed", state, ("schedule",))
    kept = [season for season in old.seasons if season not in gone]
    return _with_seasons(state, "changed", kept, gone[0].at, seq)


def _check_has_seasons(board: BoardState) -> None:
    if "season" not in board.settings.windows:
        raise Refused("no_season_window", f"board {board.name!r} has no season window", "windows")


def _periods(seasons: Sequence[Season]) -> tuple[list[Period], list[str | None]]:
    found = Seasons(seasons)
    return found.periods, found.ids


def _with_seasons(
    old: BoardState, result: Result, seasons: Iterable[Season], since: int, seq: int
) -> BoardChange:
    """The board with these seasons, which are other ones from the instant ``since`` on."""
    ordered = tuple(sorted(seasons, key=lambda each: each.at))
    state = msgspec.structs.replace(old, seasons=ordered)
    # What lies before it is where it was, and what no event is in need not be filled.
    if old.latest_at is None or old.latest_at < since:
        return BoardChange(result, state, ("seasons",))
    state = msgspec.structs.replace(state, generation=seq)
    windows = ("season",) if old.freeze_at is None else ("season", frozen("season"))
    return BoardChange(result, state, ("seasons",), windows)


def check_season_bounds(at: int, ends_at: int | None, field: str = "ends_at") -> None:
    """Do nothing when a season may have these bounds.

    Raises:
        InvalidInput: naming the field of the end.
    """
    if ends_at is not None and ends_at <= at:
        raise InvalidInput(f"{field}: a season must end after it begins", field=field)


def check_season_names(season_id: str, season_name: str | None) -> None:
    """Do nothing when a reset may have this id and this name.

    Raises:
        InvalidInput: naming ``id`` or ``name``.
    """
    check_name(season_id, "id")
    if season_name is None:
        return
    check_name(season_name, "name")
    if season_name.isdigit():
        raise InvalidInput(
            "name must not be a number: numbers are the keys of unnamed seasons", field="name"
        )
    if looks_like_instant(season_name):
        raise InvalidInput(
            "name must not be an instant: a period may be asked for by an instant", field="name"
        )


def _is_told_again(season: Season, other: Season) -> bool:
    """Whether a reset was told before; one that was told without an end may have got one since."""
    same = (season.id, season.name, season.at) == (other.id, other.name, other.at)
    return same and season.ends_at in (None, other.ends_at)


def _check_no_clash(season: Season, other: Season) -> None:
    if season.id == other.id:
        field = next(
            field
            for field in ("at", "name", "ends_at")
            if getattr(season, field) != getattr(other, field)
        )
        raise Refused(
            "conflict", f"the reset {season.id!r} was told before with another {field}", field
        )
    if season.at == other.at:
        raise Refused("conflict", f"the season {other.id!r} begins at this instant", "at")
    if season.name is not None and season.name == other.name:
        raise Refused("conflict", f"a season named {season.name!r} exists", "name")
    _check_no_overlap(season, other)


def _check_no_overlap(season: Season, other: Season) -> None:
    if other.ends_at is not None and other.at < season.at < other.ends_at:
        raise Refused("conflict", f"it overlaps the season {other.id!r}, which runs then", "at")
    if season.ends_at is not None and season.at < other.at < season.ends_at:
        raise Refused(
            "conflict",
            f"it overlaps the season {other.id!r}, which begins earlier",
            "ends_at",
        )

"""Boards and seasons."""

from itertools import islice
from typing import Any

from toprung.api.operation import Answer, Call
from toprung.api.services import Services
from toprung.api.waiting import acted
from toprung.domain import board as rules
from toprung.domain.acts import BoardChange
from toprung.domain.calendar import WEEKDAYS, Period, Seasons
from toprung.domain.cron import occurrences
from toprung.domain.eligibility import admit_of
from toprung.domain.errors import Broken
from toprung.domain.instants import (
    format_duration,
    format_instant,
    parse_duration,
    parse_instant,
)
from toprung.domain.limits import COLUMNS
from toprung.domain.plausible import read_limits, written_limits
from toprung.domain.publishing import PublishDelay, read_publish_delay, written_publish_delay
from toprung.intake import By
from toprung.ports.pipeline import ActResult
from toprung.wire import boards as wire

COMING = 3
"""Instants of a schedule that are told."""


async def put_board(services: Services, call: Call) -> Any:
    """Make a board, or change one."""
    settings = to_settings(call.body)
    written = services.intake.put_board(
        call.project, call.path[0], settings, call.params.if_exists, by(call)
    )
    result = await acted(written)
    change = _change(result)
    board = to_board(services, rules.Board(change.state), result.seq)
    reply = wire.BoardPutReply(change.result, change.changed, board)  # type: ignore[arg-type]
    return Answer(201 if change.result == "created" else 200, reply)


def by(call: Call) -> By:
    """Who asks for an act, and why."""
    return By(call.key_id, call.params.reason)


def get_board(services: Services, call: Call) -> wire.Board:
    """One board."""
    board = services.query.board(call.project, call.path[0])
    return to_board(services, board, services.seq())


def list_boards(services: Services, call: Call) -> wire.BoardsReply:
    """All boards of the project."""
    seq = services.seq()
    boards = services.query.boards(call.project)
    return wire.BoardsReply(tuple(to_board(services, board, seq) for board in boards))


async def drop_board(services: Services, call: Call) -> wire.BoardDropped:
    """Drop a board."""
    name = call.path[0]
    written = services.intake.drop_board(call.project, name, by(call))
    result = await acted(written)
    return wire.BoardDropped(name, True, str(result.seq))


async def begin_season(services: Services, call: Call) -> Any:
    """Begin a season."""
    name, body = call.path[0], call.body
    at = _season_at(services.query.board(call.project, name), body)
    ends_at = None if body.ends_at is None else parse_instant(body.ends_at, "ends_at")
    written = services.intake.begin_season(
        call.project, name, body.id, body.name, at, ends_at, by(call)
    )
    result = await acted(written)
    change = _change(result)
    season = next(each for each in to_seasons(rules.Board(change.state)) if each.id == body.id)
    reply = wire.SeasonReply(name, change.result, season, str(result.seq))  # type: ignore[arg-type]
    return Answer(201 if change.result == "created" else 200, reply)


async def end_season(services: Services, call: Call) -> wire.SeasonReply:
    """End a season."""
    name, body = call.path[0], call.body
    at = None if body.at is None else parse_instant(body.at, "at")
    written = services.intake.end_season(call.project, name, body.id, at, by(call))
    result = await acted(written)
    change = _change(result)
    season = next(each for each in to_seasons(rules.Board(change.state)) if each.id == body.id)
    return wire.SeasonReply(name, change.result, season, str(result.seq))  # type: ignore[arg-type]


async def schedule_seasons(services: Services, call: Call) -> wire.SeasonScheduleReply:
    """Have seasons begin by a schedule."""
    body = call.body
    written = services.intake.schedule_seasons(
        call.project, call.path[0], body.cron, body.zone, by(call)
    )
    result = await acted(written)
    return _schedule(services, _change(result).state, result.seq)


def season_schedule(services: Services, call: Call) -> wire.SeasonScheduleReply:
    """The schedule of a board's seasons."""
    state = services.query.board(call.project, call.path[0]).state
    return _schedule(services, state, services.seq())


def _schedule(services: Services, state: rules.BoardState, seq: int) -> wire.SeasonScheduleReply:
    schedule = state.schedule
    if schedule is None:
        return wire.SeasonScheduleReply(state.name, None, None, (), str(seq))
    coming = islice(occurrences(schedule.cron, schedule.zone, services.clock.now()), COMING)
    told = tuple(format_instant(at) for at in coming)
    return wire.SeasonScheduleReply(state.name, schedule.cron, schedule.zone, told, str(seq))


def _season_at(board: rules.Board, body: wire.SeasonRequest) -> int | None:
    """The instant asked for. Without one, a reset that was told before keeps its own, so that a
    retry means the same.
    """
    if body.at is not None:
        return parse_instant(body.at, "at")
    known = (season.at for season in board.state.seasons if season.id == body.id)
    return next(known, None)


def list_seasons(services: Services, call: Call) -> wire.SeasonsReply:
    """All seasons of a board."""
    board = services.query.board(call.project, call.path[0])
    return wire.SeasonsReply(call.path[0], tuple(to_seasons(board)))


def _change(result: ActResult) -> BoardChange:
    if result.change is None:
        raise Broken("an act on a board was applied, and what it changed is not known")
    return result.change


def to_settings(body: wire.BoardSettings) -> rules.Settings:
    """The settings as the rules read them.

    Raises:
        InvalidInput: a duration is none.
    """
    columns = tuple(
        rules.Column(column.name, column.order == "desc", column.decimals)
        for column in body.columns
    )
    COLUMNS.check(len(columns), "columns")
    return rules.Settings(
        mode=body.mode,
        columns=columns,
        ties=body.ties,
        windows=body.windows,
        zone=body.zone,
        week_start=WEEKDAYS.index(body.week_start),
        grace=parse_duration(body.grace, "grace", unlimited="none"),
        max_ahead=parse_duration(body.max_ahead, "max_ahead", unlimited="none"),
        remember=parse_duration(body.remember, "remember", unlimited="forever"),
        title=body.title,
        admit=admit_of(body.admit),
        segments=body.segments,
        freeze_at=None if body.freeze_at is None else parse_instant(body.freeze_at, "freeze_at"),
        limits=read_limits(
            columns,
            {name: (each.min, each.max) for name, each in body.limits.points.items()},
            body.limits.points_per_hour,
            body.limits.events_per_minute,
            body.limits.on_breach,
        ),
        segment_at=body.segment_at,
        publish_delay=_to_publish_delay(body.publish_delay),
    )


def _to_publish_delay(asked: wire.PublishDelay | None) -> PublishDelay | None:
    """What a board withholds, as the rules read it."""
    return None if asked is None else read_publish_delay(asked.top, asked.wait)


def to_limits(settings: rules.Settings) -> wire.BoardLimits:
    """The limits of a board."""
    ranges, per_hour, per_minute, on_breach = written_limits(settings.columns, settings.limits)
    points = {name: wire.PointsRange(*bounds) for name, bounds in ranges.items()}
    return wire.BoardLimits(points, per_hour, per_minute, on_breach)  # type: ignore[arg-type]


def to_board(services: Services, board: rules.Board, seq: int) -> wire.Board:
    """A board with the present periods of its windows."""
    settings = board.settings
    columns = [
        wire.Column(column.name, "desc" if column.descending else "asc", column.decimals)
        for column in settings.columns
    ]
    return wire.Board(
        board=board.state.name,
        title=settings.title,
        mode=settings.mode,  # type: ignore[arg-type]
        columns=tuple(columns),
        ties=settings.ties,  # type: ignore[arg-type]
        windows=tuple(_period_now(period) for period in services.query.present(board)),
        zone=settings.zone,
        week_start=WEEKDAYS[settings.week_start],  # type: ignore[arg-type]
        grace=format_duration(settings.grace, unlimited="none"),
        max_ahead=format_duration(settings.max_ahead, unlimited="none"),
        remember=format_duration(settings.remember, unlimited="forever"),
        admit={each.attribute: each.values for each in settings.admit},
        limits=to_limits(settings),
        created_at=format_instant(board.state.created_at),
        seq=str(seq),
        segments=settings.segments,
        freeze_at=instant(settings.freeze_at),
        frozen_at=instant(board.freeze_at) if _is_frozen(services, board) else None,
        segment_at=settings.segment_at,  # type: ignore[arg-type]
        publish_delay=_publish_delay_told(settings.publish_delay),
    )


def _publish_delay_told(delay: PublishDelay | None) -> wire.PublishDelay | None:
    return None if delay is None else wire.PublishDelay(*written_publish_delay(delay))


def _is_frozen(services: Services, board: rules.Board) -> bool:
    return board.freeze_at is not None and services.clock.now() >= board.freeze_at


def _period_now(period: Period) -> wire.PeriodNow:
    start, end = instant(period.start), instant(period.end)
    return wire.PeriodNow(period.window, period.key, start, end, end)


def to_seasons(board: rules.Board) -> list[wire.Season]:
    """The seasons of a board; the first one has no reset that began it."""
    seasons = Seasons(board.state.seasons)
    return [
        wire.Season(period.key, index, season_id, instant(period.start), instant(period.end))
        for index, (period, season_id) in enumerate(zip(seasons.periods, seasons.ids, strict=True))
    ]


def instant(at: int | None) -> str | None:
    """An instant as text; an open bound stays null."""
    return None if at is None else format_instant(at)

"""The operations on periods of a board."""

from toprung.api import boards, examples, periods
from toprung.api.operation import Body, Operation
from toprung.api.parameters import (
    ActParams,
    PeriodParams,
    PeriodsParams,
    PublishParams,
    ScheduleParams,
)
from toprung.domain.access import Role
from toprung.wire import boards as wire_boards
from toprung.wire import periods as wire

PERIODS = (
    Operation(
        "scheduleSeasons",
        "PUT",
        "/v1/boards/{board}/seasons/schedule",
        Role.ADMIN,
        "Have seasons begin by a schedule",
        boards.schedule_seasons,
        {200: wire_boards.SeasonScheduleReply},
        examples.SEASON_SCHEDULE,
        ("unknown_board", "no_season_window", "overflow"),
        ActParams,
        body=Body(wire_boards.SeasonScheduleIn, examples.SEASON_SCHEDULE_IN),
        tag="periods",
        description="A season begins whenever the expression fires; the next one is told ahead, "
        "as a reset whose id begins with `cron-`. Another schedule takes the place of this one.",
        writes=True,
    ),
    Operation(
        "seasonSchedule",
        "GET",
        "/v1/boards/{board}/seasons/schedule",
        Role.CLIENT,
        "The schedule of a board's seasons",
        boards.season_schedule,
        {200: wire_boards.SeasonScheduleReply},
        examples.SEASON_SCHEDULE,
        ("unknown_board",),
        tag="periods",
    ),
    Operation(
        "endSeason",
        "POST",
        "/v1/boards/{board}/seasons/end",
        Role.ADMIN,
        "End a season",
        boards.end_season,
        {200: wire_boards.SeasonReply},
        examples.SEASON_ENDED,
        ("unknown_board", "unknown_season", "no_season_window", "overflow"),
        ActParams,
        body=Body(wire_boards.SeasonEnd, examples.SEASON_END_IN),
        tag="periods",
        description="Before its planned end, or before the next one begins. One that has ended by "
        "then stays as it is, so a request may be sent again.",
        writes=True,
    ),
    Operation(
        "periods",
        "GET",
        "/v1/boards/{board}/periods",
        Role.CLIENT,
        "The periods of a window",
        periods.all_,
        {200: wire.PeriodsReply},
        examples.PERIODS,
        ("unknown_board",),
        PeriodsParams,
        tag="periods",
        description="The latest first: the present one, and all that somebody was on.",
    ),
    Operation(
        "period",
        "GET",
        "/v1/boards/{board}/periods/{period}",
        Role.CLIENT,
        "A period and its final standings",
        periods.one,
        {200: wire.PeriodReply},
        examples.PERIOD,
        ("invalid", "unknown_board"),
        PeriodParams,
        tag="periods",
        description="When it closed, and the versions of its final standings with their digests. "
        "The rows themselves are read as those of any period.",
    ),
    Operation(
        "publish",
        "POST",
        "/v1/boards/{board}/periods/{period}/publish",
        Role.ADMIN,
        "Show what is withheld of a period",
        periods.publish,
        {200: wire.PublishReply},
        examples.PUBLISHED,
        ("invalid", "unknown_board", "period_open"),
        PublishParams,
        tag="periods",
        description="The first ranks of a period that has ended are withheld where the board has "
        "a `publish_delay`; from then on every public answer has them. One of which nothing is "
        "withheld stays as it is, so a request may be sent again.",
        writes=True,
    ),
    Operation(
        "schedule",
        "GET",
        "/v1/boards/{board}/schedule",
        Role.CLIENT,
        "The coming boundaries of a board's windows",
        periods.schedule,
        {200: wire.ScheduleReply},
        examples.SCHEDULE,
        ("unknown_board",),
        ScheduleParams,
        tag="periods",
        description="Where the present period ends and the next begins, and so on, for every "
        "window, in UTC and by the clock of the board's zone. Days on which clocks are set show by "
        "their length. A window without a known end has none.",
    ),
)

"""The operations on periods of a board."""

from toprung.api import examples, periods
from toprung.api.operation import Operation
from toprung.api.parameters import PeriodParams, PeriodsParams, ScheduleParams
from toprung.domain.access import Role
from toprung.wire import periods as wire

PERIODS = (
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

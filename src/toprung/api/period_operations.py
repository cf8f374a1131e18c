"""The operations on periods of a board."""

from toprung.api import examples, periods
from toprung.api.operation import Operation
from toprung.api.parameters import ScheduleParams
from toprung.domain.access import Role
from toprung.wire import periods as wire

PERIODS = (
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
        tag="boards",
        description="Where the present period ends and the next begins, and so on, for every "
        "window, in UTC and by the clock of the board's zone. Days on which clocks are set show by "
        "their length. A window without a known end has none.",
    ),
)

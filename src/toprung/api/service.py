"""How the server is, what it counts, and what a test may do to it."""

import msgspec

from toprung.api.content import Content
from toprung.api.operation import Answer, Call, Later
from toprung.api.services import Controls, Services
from toprung.api.waiting import settled
from toprung.domain.errors import Broken
from toprung.domain.instants import format_instant, parse_instant
from toprung.wire.reads import Health

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def healthz(services: Services, call: Call) -> Health:
    """Whether the process runs."""
    return Health("ok", services.version, str(services.seq()))


def readyz(services: Services, call: Call) -> Health | Answer:
    """Whether it can serve."""
    missing = services.faults()
    if not missing:
        return Health("ok", services.version, str(services.seq()))
    return Answer(503, Health("failing", services.version, str(services.seq()), missing))


def metrics(services: Services, call: Call) -> Content:
    """Everything that is counted, for Prometheus."""
    return Content(services.exposition(), METRICS_TYPE.encode())


class ClockSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a controlled clock shall stand, or stands."""

    at: str


class Rebuilt(msgspec.Struct, frozen=True):
    """What store and view reflect after a rebuild."""

    seq: str


def set_clock(services: Services, call: Call) -> Later:
    """Move the controlled clock. What is due then is done beside the other requests, as it is where
    the clock moves by itself.
    """
    control, instant = _control(services), parse_instant(call.body.at, "at")
    return Later(lambda: control.set_clock(instant), lambda moved: ClockSet(format_instant(moved)))


async def rebuild(services: Services, call: Call) -> Rebuilt:
    """Make store and view anew from the log."""
    seq = await settled(services.rebuilds.start())
    return Rebuilt(str(seq))


def _control(services: Services) -> Controls:
    if services.control is None:
        raise Broken("a control route exists without a controlled clock")
    return services.control

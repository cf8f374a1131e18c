"""CRON expressions: when they fire, by the clock of a zone (R5)."""

from collections.abc import Iterator

from cronsim import CronSim, CronSimError

from toprung.domain.calendar import load_zone
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import INSTANT_MAX, from_datetime, to_datetime
from toprung.domain.limits import CRON_CHARS

_FIELDS = 5


def check_cron(expression: str, zone: str, now: int) -> str:
    """Return ``expression`` when it fires some time after ``now``.

    Raises:
        InvalidInput: naming ``cron`` or ``zone``.
    """
    CRON_CHARS.check(len(expression), "cron")
    load_zone(zone, "zone")
    if len(expression.split()) != _FIELDS:
        raise InvalidInput(
            "cron must have five fields: minute, hour, day of month, month, day of week",
            field="cron",
            hint="such as 0 0 * * MON",
        )
    if next(occurrences(expression, zone, now), None) is None:
        raise InvalidInput("cron never fires", field="cron")
    return expression


def occurrences(expression: str, zone: str, after: int) -> Iterator[int]:
    """The instants after ``after`` at which an expression fires, in order.

    Where a clock is set, what names an hour fires once.

    Raises:
        InvalidInput: it is no expression.
    """
    start = to_datetime(after).astimezone(load_zone(zone, "zone"))
    try:
        for fires in CronSim(expression, start):
            at = from_datetime(fires)
            if at > INSTANT_MAX:
                return
            yield at
    except CronSimError as error:
        raise InvalidInput(f"cron never fires, or cannot be read: {error}", field="cron") from None

"""Instants and durations: whole microseconds, since 1970-01-01T00:00:00Z for an instant (R1)."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import AT_YEAR, DURATION_DAYS

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TWO_DIGITS = [f"{number:02}" for number in range(60)]
_SECONDS = {f":{number:02}": number * SECOND for number in range(60)}
_FRACTION = 6
"""Digits of a second, at most."""
_MICROSECOND = timedelta(microseconds=1)
# RFC 3339, section 5.6, with at most six digits of a second.
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_DURATION = re.compile(r"(0|[1-9][0-9]{0,8})([smhd])")
_UNITS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}

INSTANT_MIN = (datetime(AT_YEAR.minimum, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
INSTANT_MAX = (datetime(AT_YEAR.maximum + 1, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND - 1


def from_datetime(value: datetime) -> int:
    """The instant of an aware ``value``."""
    return (value - _EPOCH) // _MICROSECOND


def to_datetime(instant: int) -> datetime:
    """``instant`` as an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=instant)


def looks_like_instant(text: str) -> bool:
    """Whether ``text`` has the shape of an RFC 3339 instant."""
    return _INSTANT.fullmatch(text) is not None


def parse_instant(text: str, field: str) -> int:
    """The instant that ``text`` names, in RFC 3339 with ``Z`` or an offset.

    Raises:
        InvalidInput: not of that shape, no such date or time, or outside the years that exist here.
    """
    usual = _parse_usual(text)
    if usual is not None:
        return usual
    if _INSTANT.fullmatch(text) is None:
        raise InvalidInput(
            f"{field} must be an RFC 3339 instant with Z or an offset and at most six digits of a "
            f"second, such as 2026-11-30T12:00:00Z",
            field=field,
            hint="in a URL, write + as %2B" if " " in text else None,
        )
    try:
        _check_clock(text)
        delta = datetime.fromisoformat(text.upper()) - _EPOCH
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{field} names no instant: {error}", field=field) from None
    instant = (delta.days * 86_400 + delta.seconds) * SECOND + delta.microseconds
    if not INSTANT_MIN <= instant <= INSTANT_MAX:
        raise InvalidInput(
            f"{field} must lie in the years {AT_YEAR.minimum} to {AT_YEAR.maximum}", field=field
        )
    return instant


def _parse_usual(text: str) -> int | None:
    """The instant in the notation that most senders use; ``None``: it has to be looked at closely.

    What stands before the seconds is the same for many in a row, so it is remembered.
    """
    second = _SECONDS.get(text[16:19])
    if second is None or text[-1] != "Z":
        return None
    fraction = text[19:-1]
    if fraction:
        digits = fraction[1:]
        if fraction[0] != "." or len(digits) > _FRACTION or not _is_digits(digits):
            return None
        second += int(digits.ljust(_FRACTION, "0"))
    minute = _minute(text[:16])
    return None if minute is None else minute + second


def _is_digits(text: str) -> bool:
    return text.isdigit() and text.isascii()


@lru_cache(maxsize=4096)
def _minute(text: str) -> int | None:
    """The instant of ``YYYY-MM-DDThh:mm`` in UTC; ``None``: there is none."""
    try:
        return parse_instant(f"{text}:00+00:00", "at")
    except InvalidInput:
        return None


def _check_clock(text: str) -> None:
    """Refuse what RFC 3339 does not know and Python reads: the hour 24, in some versions of it."""
    if text[11:13] > "23":
        raise ValueError("hour must be in 0..23")
    if text[-3] == ":" and text[-2:] > "59":
        raise ValueError("minutes of the offset must be in 0..59")


def format_instant(instant: int) -> str:
    """``instant`` in RFC 3339, UTC, with as many digits of a second as it needs."""
    seconds, microseconds = divmod(instant, SECOND)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    text = f"{_date(days)}T{_TWO_DIGITS[hour]}:{_TWO_DIGITS[minute]}:{_TWO_DIGITS[second]}"
    return f"{text}.{microseconds:06}".rstrip("0") + "Z" if microseconds else text + "Z"


@lru_cache(maxsize=4096)
def _date(days: int) -> str:
    return (_EPOCH + timedelta(days=days)).date().isoformat()


def parse_duration(text: str, field: str, *, unlimited: str) -> int | None:
    """A duration such as ``90s``, ``10m``, ``1h`` or ``400d``; ``None`` for the word ``unlimited``.

    Raises:
        InvalidInput: not of that shape, or too long.
    """
    if text == unlimited:
        return None
    return parse_length(text, field, f", or '{unlimited}'")


def parse_length(text: str, field: str, otherwise: str = "") -> int:
    """A duration that has an end.

    Args:
        otherwise: what it may be instead, for the error.

    Raises:
        InvalidInput: not of that shape, or too long.
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise InvalidInput(
            f"{field} must be a whole number with s, m, h or d, such as 90s{otherwise}",
            field=field,
        )
    duration = int(match.group(1)) * _UNITS[match.group(2)]
    if duration > DURATION_DAYS.maximum * DAY:
        raise InvalidInput(f"{field} must be at most {DURATION_DAYS.maximum}d", field=field)
    return duration


def format_duration(duration: int | None, *, unlimited: str) -> str:
    """``duration`` in the largest unit that holds it exactly."""
    if duration is None:
        return unlimited
    for unit in ("d", "h", "m"):
        if duration and duration % _UNITS[unit] == 0:
            return f"{duration // _UNITS[unit]}{unit}"
    return f"{duration // SECOND}s"

"""Numbers of scores: exact whole numbers of 64 bits with fixed decimals (R6)."""

import re

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import NUMBER, NUMBER_TEXT

NUMBER_PATTERN = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"
_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?", re.ASCII)
_SHORT_DIGITS = 18  # any 18 digits fit 64 bits, so the range needs no check


def parse_number(text: str, decimals: int, field: str) -> int:
    """The scaled value of ``text``: with ``decimals`` 3, ``12.345`` is 12345.

    Raises:
        InvalidInput: not of the grammar, more decimals than declared, or out of the 64-bit range.
    """
    plain = decimals == 0 and len(text) <= _SHORT_DIGITS and text.isascii() and text.isdigit()
    if plain and (text[0] != "0" or text == "0"):
        return int(text)
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise InvalidInput(
            f"{field} must be a decimal number such as 12 or -3.5, without exponent or spaces",
            field=field,
        )
    # The length is checked before the digits are read: converting ten thousand of them is work.
    if len(text) > NUMBER_TEXT.maximum:
        raise _out_of_range(field)
    sign, whole, fraction = match.group(1), match.group(2), match.group(3) or ""
    if len(fraction) > decimals:
        allowed = f"at most {decimals} decimals" if decimals else "no decimals"
        raise InvalidInput(f"{field} may have {allowed} on this board", field=field)
    value = int(sign + whole + fraction.ljust(decimals, "0"))
    if not fits(value):
        raise _out_of_range(field)
    return value


def format_number(value: int, decimals: int) -> str:
    """``value`` as text without trailing zeros: with ``decimals`` 3, 12300 is ``12.3``."""
    if decimals == 0:
        return str(value)
    digits = str(abs(value)).rjust(decimals + 1, "0")
    fraction = digits[-decimals:].rstrip("0")
    text = digits[:-decimals] + (f".{fraction}" if fraction else "")
    return f"-{text}" if value < 0 else text


def fits(value: int) -> bool:
    """Whether ``value`` can be held in 64 bits, signed."""
    return NUMBER.minimum <= value <= NUMBER.maximum


def rescale(value: int, old: int, new: int) -> int | None:
    """``value`` with ``old`` decimals as one with ``new``; ``None`` where that is not exact."""
    if new >= old:
        scaled = value * 10 ** (new - old)
        return scaled if fits(scaled) else None
    quotient, rest = divmod(value, 10 ** (old - new))
    return quotient if rest == 0 else None


def _out_of_range(field: str) -> InvalidInput:
    return InvalidInput(
        f"{field} is out of range: with the decimals of its column it must lie between "
        f"{NUMBER.minimum} and {NUMBER.maximum}",
        field=field,
    )

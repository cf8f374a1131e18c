"""Ids and names: what may be one (R1, R20)."""

import re
import unicodedata

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import ID_BYTES, Limit

NAME_PATTERN = r"[a-z0-9][a-z0-9_.:-]{0,63}"
RESERVED_NAMES = frozenset({"previous", "current"})
_NAME = re.compile(NAME_PATTERN)
_ALLOWED_CONTROLS = "\t\n\r"


def is_name(text: str) -> bool:
    """Whether ``text`` can be the name of a project, a board or a season (R20)."""
    return _NAME.fullmatch(text) is not None and text not in RESERVED_NAMES


def check_name(text: str, field: str) -> str:
    """Return ``text`` when it is a name (R20).

    Raises:
        InvalidInput: naming ``field``.
    """
    if is_name(text):
        return text
    raise InvalidInput(
        f"{field} must be 1 to 64 of a-z 0-9 _ . : - beginning with a letter or digit, "
        f"and not 'previous' or 'current'",
        field=field,
    )


def check_id(text: str, field: str, limit: Limit = ID_BYTES) -> str:
    """Return ``text`` when it can be an event or player id (R1).

    Raises:
        InvalidInput: empty, too long, not encodable, or with control characters.
    """
    # The common case costs no more than two calls in C: printable ASCII of moderate length.
    if text.isascii() and text.isprintable() and 0 < len(text) <= limit.maximum:
        return text
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise InvalidInput(f"{field} holds a lone surrogate", field=field) from None
    if size == 0:
        raise InvalidInput(f"{field} must not be empty", field=field)
    limit.check(size, field)
    check_no_controls(text, field)
    return text


def check_no_controls(text: str, field: str) -> str:
    """Return ``text`` when it has no control characters (Unicode Cc) but tab, line feed and return.

    Raises:
        InvalidInput: naming ``field`` and the character's code.
    """
    for char in text:
        if unicodedata.category(char) == "Cc" and char not in _ALLOWED_CONTROLS:
            raise InvalidInput(
                f"{field} holds the control character U+{ord(char):04X}", field=field
            )
    return text


def check_text(text: str, limit: Limit, field: str) -> str:
    """Return a text for people when it can be kept.

    Raises:
        InvalidInput: its length, in characters, or a character; naming ``field``.
    """
    limit.check(len(text), field)
    check_no_controls(text, field)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{field} holds a lone surrogate", field=field) from None
    return text

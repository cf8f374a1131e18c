"""From JSON to structs, and what is said where that fails."""

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from toprung.api.errors import ApiError
from toprung.domain.errors import InvalidInput

Struct = TypeVar("Struct")
NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError)
_NAMED_FIELD = re.compile(r"(?:missing required|unknown) field `(.*)`")


def decode_json(decode: Callable[[bytes], Struct], content: bytes) -> Struct:
    """``content`` as a struct.

    Raises:
        ApiError: ``bad_json``.
        InvalidInput: it is JSON of another shape; the field is named.
    """
    try:
        return decode(content)
    except msgspec.ValidationError as error:
        raise shape_error(error) from None
    except NOT_JSON as error:
        raise ApiError("bad_json", f"the body is no JSON: {error}") from None
    except RecursionError:
        raise ApiError("bad_json", "the body is nested too deep") from None


def shape_error(error: msgspec.ValidationError) -> InvalidInput:
    """What msgspec found, with the path as we write it: ``columns[0].decimals``."""
    message, _, path = str(error).partition(" - at `$")
    parts = [path.rstrip("`").replace("[...]", "").lstrip(".")]
    named = _NAMED_FIELD.search(message)
    if named is not None:
        parts.append(named[1])
    field = ".".join(part for part in parts if part)
    return InvalidInput(message[:1].lower() + message[1:], field=field or None)

"""What a file may say, told where it says what its struct cannot hold."""

import re
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

_STEP = re.compile(r"[^.\[\]]+")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")


def told_shape(message: str, kind: type[msgspec.Struct], place: str) -> str:
    """What msgspec found, and what may stand there: ``Invalid enum value 'bst': one of ...``.

    Args:
        message: msgspec's, without the place.
        kind: what the file is read as.
        place: where in it the fault is, such as ``columns[0].order``; empty: at the top.
    """
    unknown = _UNKNOWN.fullmatch(message)
    said = message if unknown is None else f"unknown field {unknown[1]!r}"
    allowed = _allowed(kind, place)
    return f"{said}: one of {', '.join(allowed)}" if allowed else said


def _allowed(kind: Any, place: str) -> tuple[str, ...]:
    for step in _STEP.findall(place):
        kind = get_args(kind)[0] if get_origin(kind) is tuple else get_type_hints(kind)[step]
    if get_origin(kind) is Literal:
        return get_args(kind)
    is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return kind.__struct_fields__ if is_struct else ()

"""From a method and a path as it came to what answers it.

The path is split before it is decoded: an id in it is one segment, whatever it holds, also ``/``.
"""

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from toprung.api.errors import ApiError
from toprung.api.parameters import decode_text

Target = TypeVar("Target")


class _Table(NamedTuple, Generic[Target]):
    """Routes of one length whose fixed segments stand in the same places."""

    fixed: Callable[[list[bytes]], Any]
    arguments: tuple[int, ...]
    methods: dict[Any, dict[str, Target]]


class Routes(Generic[Target]):
    """Finds a route with one look-up for each table of its length; there are two at most."""

    def __init__(self, routes: Iterable[tuple[str, str, Target]]) -> None:
        self._tables: dict[int, list[_Table[Target]]] = {}
        for method, path, target in routes:
            segments = path.encode().split(b"/")
            table = self._table(segments)
            table.methods.setdefault(table.fixed(segments), {})[method] = target

    def _table(self, segments: list[bytes]) -> _Table[Target]:
        arguments = tuple(at for at, each in enumerate(segments) if each.startswith(b"{"))
        tables = self._tables.setdefault(len(segments), [])
        for table in tables:
            if table.arguments == arguments:
                return table
        fixed = [at for at in range(1, len(segments)) if at not in arguments]
        tables.append(_Table(itemgetter(*fixed), arguments, {}))
        return tables[-1]

    def find(self, method: str, raw_path: bytes) -> tuple[Target, list[str]]:
        """What answers a request, and the arguments in its path.

        Raises:
            ApiError: ``not_found``, ``method_not_allowed``, or ``bad_encoding``.
        """
        segments = raw_path.split(b"/")
        for fixed, arguments, table in self._tables.get(len(segments), ()):
            methods = table.get(fixed(segments))
            if methods is None:
                continue
            target = methods.get(method)
            if target is None:
                # A HEAD is a GET whose body the server leaves out.
                target = methods.get("GET") if method == "HEAD" else None
                if target is None:
                    raise _not_allowed(methods)
            return target, [_argument(segments[at]) for at in arguments]
        raise _not_found()


def _argument(segment: bytes) -> str:
    if not segment:
        raise _not_found()
    return decode_text(segment)


def _not_found() -> ApiError:
    return ApiError("not_found", "there is no such route", hint="see /openapi.json")


def _not_allowed(methods: Iterable[str]) -> ApiError:
    allowed = sorted({*methods, *(("HEAD",) if "GET" in methods else ())})
    return ApiError(
        "method_not_allowed",
        f"this route has {', '.join(allowed)}",
        headers=((b"allow", ", ".join(allowed).encode()),),
    )

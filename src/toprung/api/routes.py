"""From a method and a path as it came to an operation.

The path is split before it is decoded: an id in it is one segment, whatever it holds, also ``/``.
"""

from collections.abc import Iterable
from typing import NamedTuple

from toprung.api.errors import ApiError
from toprung.api.operation import Operation
from toprung.api.parameters import decode_text


class _Node:
    __slots__ = ("argument", "children", "operations")

    def __init__(self) -> None:
        self.children: dict[bytes, _Node] = {}
        self.argument: _Node | None = None
        self.operations: dict[str, int] = {}


class Match(NamedTuple):
    """An operation's number, and the arguments in the path."""

    number: int
    arguments: list[str]


class Routes:
    """A tree of path segments; finding a route costs one look-up a segment."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._root = _Node()
        for number, operation in enumerate(operations):
            node = self._root
            for segment in operation.path.encode().split(b"/")[1:]:
                if segment.startswith(b"{"):
                    node.argument = node.argument or _Node()
                    node = node.argument
                else:
                    node = node.children.setdefault(segment, _Node())
            node.operations[operation.method] = number

    def find(self, method: str, raw_path: bytes) -> Match:
        """The operation of a request.

        Raises:
            ApiError: ``not_found``, ``method_not_allowed``, or ``bad_encoding``.
        """
        node: _Node | None = self._root
        arguments: list[bytes] = []
        for segment in raw_path.split(b"/")[1:]:
            child = node.children.get(segment)  # type: ignore[union-attr]
            if child is None:
                child = node.argument  # type: ignore[union-attr]
                if child is None or not segment:
                    raise _not_found()
                arguments.append(segment)
            node = child
        operations = node.operations  # type: ignore[union-attr]
        number = operations.get(method)
        if number is None:
            if not operations:
                raise _not_found()
            # A HEAD is a GET whose body the server leaves out.
            number = operations.get("GET") if method == "HEAD" else None
            if number is None:
                raise _not_allowed(operations)
        return Match(number, [decode_text(argument) for argument in arguments])


def _not_found() -> ApiError:
    return ApiError("not_found", "there is no such route", hint="see /openapi.json")


def _not_allowed(operations: Iterable[str]) -> ApiError:
    allowed = sorted({*operations, *(("HEAD",) if "GET" in operations else ())})
    return ApiError(
        "method_not_allowed",
        f"this route has {', '.join(allowed)}",
        headers=((b"allow", ", ".join(allowed).encode()),),
    )

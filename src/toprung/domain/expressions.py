"""Expressions of rules: a small part of Python's, with exact numbers, bounded in every way.

An expression has no loops, no powers and no functions but ``min``, ``max`` and ``abs``, and its
text is short: so its work is bounded by its length. Numbers are decimals, and an operation whose
result is not exact fails instead of rounding.
"""

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping
from decimal import (
    Context,
    Decimal,
    DecimalException,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    Overflow,
    Subnormal,
)
from typing import Any

import simpleeval  # type: ignore[import-untyped]

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import EXPRESSION_CHARS, EXPRESSION_DEPTH, EXPRESSION_PARTS

NUMBER_DIGITS = 50
"""Digits that a number may have, leading and trailing zeros not counted."""
NUMBER_EXPONENT = 40
"""A number other than 0 lies between ``10 ** -40`` and ``10 ** 40``, whatever its sign."""

_EXACT = Context(
    prec=NUMBER_DIGITS,
    Emin=-NUMBER_EXPONENT,
    Emax=NUMBER_EXPONENT - 1,
    clamp=0,
    traps=[DivisionByZero, Inexact, InvalidOperation, Overflow, Subnormal],
)
_UNHELD = (
    f"has no exact value of at most {NUMBER_DIGITS} digits between 10^-{NUMBER_EXPONENT} and "
    f"10^{NUMBER_EXPONENT}"
)
ROOT = "properties"
KINDS: dict[str, tuple[type, str]] = {
    "number": (Decimal, "a number"),
    "boolean": (bool, "true or false"),
    "text": (str, "text"),
}


class Failure(Exception):
    """An expression has no value for an event.

    Attributes:
        message: why, for a person.
        property: the property at fault, as ``properties.team``, or ``None``.
    """

    def __init__(self, message: str, at_fault: str | None) -> None:
        super().__init__(message)
        self.message = message
        self.property = at_fault


class _WrongValue(Exception):
    """An operation cannot take its operands; where it stands is added further up."""


class Properties:
    """What an event tells of itself, or an object within it."""

    def __init__(self, values: Mapping[str, Any], path: str = ROOT) -> None:
        self._values = values
        self._path = path

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def member(self, name: str) -> "Value":
        """The property of that name.

        Raises:
            Failure: there is none, or it is nothing that expressions read.
        """
        path = f"{self._path}.{name}"
        try:
            value = self._values[name]
        except KeyError:
            raise Failure(f"{path} is missing", path) from None
        if isinstance(value, dict):
            return Properties(value, path)
        if isinstance(value, list):
            raise Failure(f"{path} is a list, which rules do not read", path)
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            return _exact_number(value, path)
        return value  # type: ignore[no-any-return]  # text, true, false or null


Value = Decimal | str | bool | Properties | None


def _exact_number(value: int | Decimal, path: str) -> Decimal:
    try:
        return _EXACT.create_decimal(value)
    except DecimalException:
        raise Failure(f"{path} {_UNHELD}", path) from None


def _number(value: Value) -> Decimal:
    if isinstance(value, Decimal):
        return value
    raise _WrongValue(f"needs numbers, and one is {_told(value)}")


def _boolean(value: Value) -> bool:
    if isinstance(value, bool):
        return value
    raise _WrongValue(f"needs true or false, and one is {_told(value)}")


def _told(value: Value) -> str:
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return "a number"
    return "null" if value is None else "an object"


def added(left: Decimal, right: Decimal) -> Decimal:
    """The exact sum.

    Raises:
        Failure: it has too many digits.
    """
    try:
        return _EXACT.add(left, right)
    except DecimalException:
        raise Failure(
            f"the points of several rules together: {left} + {right} {_UNHELD}", None
        ) from None


def plain_text(number: Decimal) -> str:
    """A number as R6 writes it, without exponent and trailing zeros."""
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _on_numbers(work: Callable[[Decimal, Decimal], Any]) -> Callable[[Value, Value], Any]:
    return lambda left, right: work(_number(left), _number(right))


def _not_zero(divisor: Decimal) -> Decimal:
    if not divisor:
        raise _WrongValue("divides by zero")
    return divisor


def _divided(left: Decimal, right: Decimal) -> Decimal:
    return _EXACT.divide(left, _not_zero(right))


def _floor_divided(left: Decimal, right: Decimal) -> Decimal:
    """The largest whole number that is not above the quotient, as in Python."""
    quotient = _EXACT.divide_int(left, _not_zero(right))
    rest = _EXACT.remainder(left, right)
    return _EXACT.subtract(quotient, 1) if rest and (rest < 0) != (right < 0) else quotient


def _remainder(left: Decimal, right: Decimal) -> Decimal:
    """What a floor division leaves; it has the sign of the divisor."""
    rest = _EXACT.remainder(left, _not_zero(right))
    return _EXACT.add(rest, right) if rest and (rest < 0) != (right < 0) else rest


def _equal(left: Value, right: Value) -> bool:
    if left is None or right is None:
        return left is right
    if isinstance(left, Properties) or type(left) is not type(right):
        raise _WrongValue(f"compares {_told(left)} with {_told(right)}")
    return left == right


def _has(name: Value, properties: Value) -> bool:
    if isinstance(name, str) and isinstance(properties, Properties):
        return name in properties
    raise _WrongValue('asks for a property: write "team" in properties')


_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: _on_numbers(_EXACT.add),
    ast.Sub: _on_numbers(_EXACT.subtract),
    ast.Mult: _on_numbers(_EXACT.multiply),
    ast.Div: _on_numbers(_divided),
    ast.FloorDiv: _on_numbers(_floor_divided),
    ast.Mod: _on_numbers(_remainder),
    ast.USub: lambda value: _EXACT.minus(_number(value)),
    ast.Not: lambda value: not _boolean(value),
    ast.Eq: _equal,
    ast.NotEq: lambda left, right: not _equal(left, right),
    ast.Lt: _on_numbers(lambda left, right: left < right),
    ast.LtE: _on_numbers(lambda left, right: left <= right),
    ast.Gt: _on_numbers(lambda left, right: left > right),
    ast.GtE: _on_numbers(lambda left, right: left >= right),
    ast.In: _has,
    ast.NotIn: lambda left, right: not _has(left, right),
}
_FUNCTIONS: dict[str, Callable[..., Decimal]] = {
    "abs": lambda value: _EXACT.abs(_number(value)),
    "max": lambda *values: max(map(_number, values)),
    "min": lambda *values: min(map(_number, values)),
}
_CONSTANTS: dict[str, Value] = {"true": True, "false": False, "null": None}
NAMES = (ROOT, "player_id")
"""What an event gives to an expression."""
# What is evaluated, and what only says how.
_PARTS = (
    ast.Attribute,
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.IfExp,
    ast.Name,
    ast.Subscript,
    ast.UnaryOp,
)
_WORDS: tuple[type[ast.AST], ...] = (ast.boolop, ast.expr_context, *_OPERATORS)
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)


class _Evaluator(simpleeval.SimpleEval):  # type: ignore[misc]  # it has no types
    """simpleeval with values of ours alone: it never looks at an object's attributes."""

    def __init__(self) -> None:
        super().__init__(operators=_OPERATORS, functions=_FUNCTIONS, names={})
        self.nodes: dict[type, Any] = {kind: self.nodes[kind] for kind in _PARTS}

    def _eval(self, node: ast.AST) -> Any:
        try:
            return super()._eval(node)
        except _WrongValue as error:
            raise Failure(f"{self._text(node)} {error}", _property_in(node)) from None
        except DecimalException:
            raise Failure(f"{self._text(node)} {_UNHELD}", _property_in(node)) from None

    def _text(self, node: ast.AST) -> str:
        return _segment(self.expr, node)

    def _eval_attribute(self, node: ast.Attribute) -> Value:
        return _member(self._eval(node.value), node.attr)

    def _eval_subscript(self, node: ast.Subscript) -> Value:
        return _member(self._eval(node.value), self._eval(node.slice))

    def _eval_boolop(self, node: ast.BoolOp) -> bool:
        ends = isinstance(node.op, ast.Or)
        return ends if any(_boolean(self._eval(v)) is ends for v in node.values) else not ends

    def _eval_ifexp(self, node: ast.IfExp) -> Any:
        return self._eval(node.body if _boolean(self._eval(node.test)) else node.orelse)


def _member(value: Value, name: Value) -> Value:
    if isinstance(value, Properties) and isinstance(name, str):
        return value.member(name)
    raise _WrongValue(f"looks for a property in {_told(value)}")


def _property_in(node: ast.AST) -> str | None:
    """The first property that is read within ``node``, as it would be written with dots."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute | ast.Subscript):
            text = ast.unparse(part)
            if text.startswith(ROOT):
                return text
    return None


class Expression:
    """An expression, checked and ready. One thread at a time may evaluate it.

    Args:
        kind: of what kind its value must be: ``number``, ``boolean`` or ``text``.
        field: what an error calls it.

    Raises:
        InvalidInput: it is no expression, is too large, or cannot have a value, whatever the event.
    """

    def __init__(self, source: str, kind: str, field: str) -> None:
        self.source = source.strip()
        self._kind = kind
        EXPRESSION_CHARS.check(len(self.source), field)
        try:
            self._tree = _parsed(self.source)
            self._evaluator = _Evaluator()
            self._try_constants()
        except Failure as error:
            raise InvalidInput(error.message, field=field) from None

    def evaluate(self, names: Mapping[str, Value]) -> Any:
        """Its value for an event: a ``Decimal``, ``bool`` or ``str``, as its kind says.

        Args:
            names: a value for each of :data:`NAMES`.

        Raises:
            Failure: there is none.
        """
        value = self._value_of(self._tree, names)
        kind, told = KINDS[self._kind]
        if isinstance(value, kind):
            return value
        raise Failure(
            f"{self.source} must be {told}, and is {_told(value)}", _property_in(self._tree)
        )

    def _value_of(self, tree: ast.expr, names: Mapping[str, Value]) -> Any:
        self._evaluator.names = {**_CONSTANTS, **names}
        return self._evaluator.eval(self.source, tree)

    def _try_constants(self) -> None:
        """Evaluate what is the same for every event, so that it fails now or never."""
        for part in ast.walk(self._tree):
            if isinstance(part, ast.BinOp) and isinstance(part.op, _DIVISIONS):
                self._check_divisor(part)
            if isinstance(part, ast.expr) and _is_constant(part):
                self._value_of(part, {})
        if _is_constant(self._tree):
            self.evaluate({})

    def _check_divisor(self, division: ast.BinOp) -> None:
        if _is_constant(division.right) and self._value_of(division.right, {}) == 0:
            text = _segment(self.source, division)
            raise Failure(f"{text} divides by zero", _property_in(division))


def _segment(source: str, node: ast.AST) -> str:
    return ast.get_source_segment(source, node) or source


def _is_constant(node: ast.AST) -> bool:
    return not any(
        isinstance(each, ast.Name) and each.id not in _CONSTANTS for each in _within(node)
    )


def _parsed(source: str) -> ast.expr:
    """The parts of ``source``, none but those allowed, with exact numbers.

    Raises:
        Failure: it is no such expression.
    """
    if "\\" in source:
        raise Failure("a backslash has no meaning in an expression", None)
    try:
        with warnings.catch_warnings(action="error"):
            tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Failure(f"{source!r} is no expression: {_reason(error)}", None) from None
    parts = 0
    for depth, level in enumerate(_levels(tree), 1):
        if depth > EXPRESSION_DEPTH.maximum:
            raise Failure(f"it is nested deeper than {EXPRESSION_DEPTH.maximum} levels", None)
        parts += len(level)
        for part in level:
            _check_part(part, source)
    if parts > EXPRESSION_PARTS.maximum:
        raise Failure(f"it has {parts} parts, more than {EXPRESSION_PARTS.maximum}", None)
    return tree


def _reason(error: BaseException) -> str:
    return error.msg if isinstance(error, SyntaxError) else "it is too deep"


def _levels(tree: ast.AST) -> Iterator[list[ast.AST]]:
    """What is evaluated, from the outside in."""
    level = [tree]
    while level:
        yield level
        level = [child for node in level for child in _children(node)]


def _within(tree: ast.AST) -> Iterator[ast.AST]:
    for level in _levels(tree):
        yield from level


def _children(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Call):
        return list(node.args)  # the function itself is no value
    return [child for child in ast.iter_child_nodes(node) if not isinstance(child, _WORDS)]


def _check_part(part: ast.AST, source: str) -> None:
    if isinstance(part, ast.Constant):
        part.value = _literal(part, source)  # type: ignore[assignment]  # no number of Python's
    elif isinstance(part, ast.Call):
        _check_call(part)
    elif isinstance(part, ast.Name):
        known = (*NAMES, *_CONSTANTS)
        if part.id not in known:
            raise Failure(f"there is no {part.id!r}: it may have {', '.join(known)}", None)
    elif not isinstance(part, _PARTS):
        raise Failure(f"{source!r} holds what no rule may: {type(part).__name__}", None)


def _check_call(call: ast.Call) -> None:
    named = call.func.id if isinstance(call.func, ast.Name) else None
    if named not in _FUNCTIONS or call.keywords or not call.args:
        raise Failure(f"{ast.unparse(call.func)}() is no call of {', '.join(_FUNCTIONS)}", None)
    if named == "abs" and len(call.args) > 1:
        raise Failure("abs takes one number", None)


def _literal(constant: ast.Constant, source: str) -> Value:
    """The value of a literal; a number is read from its text, where it is still exact."""
    value = constant.value
    if value is None or isinstance(value, bool | str):
        return value
    text = ast.get_source_segment(source, constant) or ""
    try:
        return _EXACT.create_decimal(text)
    except DecimalException:
        raise Failure(f"{text!r} {_UNHELD}", None) from None

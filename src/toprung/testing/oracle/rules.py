"""Rules for named events: what an event is worth, worked out with fractions.

Expressions are trees here, and are written down for the product, which reads them its own way.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from toprung.testing.oracle.facts import Event
from toprung.testing.oracle.world import World

_DIGITS, _TENS = 50, 40

Tree = tuple[Any, ...]
"""``("number", text)``, ``("text", text)``, ``("truth", bool)``, ``("property", name)``,
``("has", name)``, ``("not", tree)``, ``("minus", tree)``, ``("if", test, then, else)``,
``("min", trees)``, ``("max", trees)``, ``("abs", tree)``, or an operator with two trees."""


class NamedRule(NamedTuple):
    """A rule. ``points`` is a tree, or one for each column by name."""

    name: str
    event: str
    board: str
    points: Tree | Mapping[str, Tree]
    when: Tree | None = None
    member: Tree | None = None
    least: str | None = None
    most: str | None = None


class Named(NamedTuple):
    """A named event as it was sent; numbers of its properties are decimal text behind ``=``."""

    event_id: str
    player_id: str
    name: str
    properties: Mapping[str, Any]
    at: int | None = None


def written(tree: Tree) -> str:
    """An expression as a rule has it, with every pair of parentheses."""
    kind, *parts = tree
    match kind:
        case "number":
            return str(parts[0])
        case "text":
            return f'"{parts[0]}"'
        case "truth":
            return "true" if parts[0] else "false"
        case "property":
            return f"properties.{parts[0]}"
        case "has":
            return f'("{parts[0]}" in properties)'
        case "not":
            return f"(not {written(parts[0])})"
        case "minus":
            return f"(-{written(parts[0])})"
        case "if":
            test, then, other = map(written, parts)
            return f"({then} if {test} else {other})"
        case "abs" | "min" | "max":
            return f"{kind}({', '.join(map(written, parts))})"
        case operator:
            left, right = map(written, parts)
            return f"({left} {operator} {right})"


def value(tree: Tree, properties: Mapping[str, Any]) -> Any:
    """The value of an expression: a fraction, a truth or a text.

    Raises:
        ValueError: there is none.
    """
    kind, *parts = tree
    match kind:
        case "number":
            return _held(Fraction(parts[0]))
        case "text" | "truth":
            return parts[0]
        case "property":
            return _read(properties, parts[0])
        case "has":
            return parts[0] in properties
        case "if":
            return value(parts[1 if _truth(value(parts[0], properties)) else 2], properties)
        case "and" | "or":
            left = _truth(value(parts[0], properties))
            return _truth(value(parts[1], properties)) if left is (kind == "and") else left
        case _:
            return _worked_out(kind, [value(part, properties) for part in parts])


def _worked_out(kind: str, values: list[Any]) -> Any:
    if kind == "not":
        return not _truth(values[0])
    if kind == "==":
        if None in values:
            return values[0] is values[1]
        if type(values[0]) is not type(values[1]):
            raise ValueError("values of two kinds")
        return values[0] == values[1]
    numbers = _numbers(values)
    match kind:
        case "<":
            return numbers[0] < numbers[1]
        case "<=":
            return numbers[0] <= numbers[1]
        case _:
            return _held(_calculated(kind, numbers))


def _numbers(values: list[Any]) -> list[Fraction]:
    numbers = [each for each in values if isinstance(each, Fraction)]
    if len(numbers) != len(values):
        raise ValueError("no number")
    return numbers


def _calculated(kind: str, values: list[Fraction]) -> Fraction:
    if kind in ("/", "//", "%") and values[1] == 0:
        raise ValueError("division by zero")
    match kind:
        case "+":
            return values[0] + values[1]
        case "-":
            return values[0] - values[1]
        case "*":
            return values[0] * values[1]
        case "/":
            return values[0] / values[1]
        case "//":
            # A whole number has to be written out, too.
            return Fraction(values[0] // values[1])
        case "%":
            _held(Fraction(abs(values[0]) // abs(values[1])))
            return values[0] % values[1]
        case "minus":
            return -values[0]
        case "abs":
            return abs(values[0])
        case "min":
            return min(values)
        case _:
            return max(values)


def _held(number: Fraction) -> Fraction:
    """The number, where it can be written with so many digits and is of such a size."""
    if number == 0:
        return number
    if not Fraction(1, 10**_TENS) <= abs(number) < 10**_TENS:
        raise ValueError("too large or too small")
    shifted = abs(number) * 10 ** (_DIGITS + _TENS)
    if shifted.denominator != 1 or len(str(shifted.numerator).rstrip("0")) > _DIGITS:
        raise ValueError("not exact")
    return number


def _read(properties: Mapping[str, Any], name: str) -> Any:
    if name not in properties:
        raise ValueError(name)
    found = properties[name]
    if isinstance(found, str) and found.startswith("="):
        return _held(Fraction(found[1:]))
    return found


def _truth(found: Any) -> bool:
    if found is True or found is False:
        return bool(found)
    raise ValueError("neither true nor false")


def hopeless(tree: Tree) -> bool:
    """Whether a part has no value whatever the event, so that there can be no such rule."""
    kind, *parts = tree
    inner = [part for part in parts if isinstance(part, tuple)]
    if any(map(hopeless, inner)):
        return True
    if kind in ("/", "//", "%") and is_constant(parts[1]) and value(parts[1], {}) == 0:
        return True
    if not is_constant(tree):
        return False
    try:
        value(tree, {})
    except ValueError:
        return True
    return False


def is_constant(tree: Tree) -> bool:
    """Whether the expression says the same of every event."""
    kind, *parts = tree
    if kind in ("property", "has"):
        return False
    return all(is_constant(part) for part in parts if isinstance(part, tuple))


def events_of(world: World, rules: tuple[NamedRule, ...], named: Named) -> list[Event]:
    """The score events that a named event becomes, one for each board, in the order of the rules.

    Raises:
        ValueError: it becomes none: a rule that applies has no value, or a board cannot take it.
    """
    points: dict[str, dict[str, Fraction]] = {}
    players: dict[str, str] = {}
    for rule in rules:
        if rule.event != named.name:
            continue
        if rule.when is not None and not _truth(value(rule.when, named.properties)):
            continue
        member = named.player_id
        if rule.member is not None:
            member = value(rule.member, named.properties)
            if not isinstance(member, str) or not member:
                raise ValueError("no member")
        players[rule.board] = member
        total = points.setdefault(rule.board, {})
        for column, each in _worth(world, rule, named.properties).items():
            total[column] = _held(total.get(column, Fraction(0)) + each)
    events = [
        Event(board, named.event_id, players[board], _texts(total), named.at)
        for board, total in points.items()
    ]
    for event in events:
        world.boards[event.board].read(event)
    return events


def _worth(world: World, rule: NamedRule, properties: Mapping[str, Any]) -> dict[str, Fraction]:
    trees = rule.points
    if not isinstance(trees, Mapping):
        trees = {world.boards[rule.board].rules.columns[0].name: trees}
    found: dict[str, Fraction] = {}
    for column, tree in trees.items():
        (number,) = _numbers([value(tree, properties)])
        if rule.least is not None:
            number = max(number, Fraction(rule.least))
        if rule.most is not None:
            number = min(number, Fraction(rule.most))
        found[column] = number
    return found


def _texts(points: Mapping[str, Fraction]) -> dict[str, str]:
    return {column: _text(number) for column, number in points.items()}


def _text(number: Fraction) -> str:
    """The number with as many decimals as it needs."""
    whole = abs(number) * 10 ** (_DIGITS + _TENS)
    digits = str(whole.numerator).rjust(_DIGITS + _TENS + 1, "0")
    text = f"{digits[: -_DIGITS - _TENS]}.{digits[-_DIGITS - _TENS :]}".rstrip("0").rstrip(".")
    return f"-{text}" if number < 0 else text

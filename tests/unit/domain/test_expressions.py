"""Expressions of rules: what they may say, what they refuse, and that nothing gets out of them."""

from decimal import Decimal

import pytest

from toprung.domain.errors import InvalidInput
from toprung.domain.expressions import Expression, Failure, plain_text
from toprung.domain.limits import EXPRESSION_CHARS, EXPRESSION_DEPTH, EXPRESSION_PARTS
from toprung.domain.rules import read_properties

PROPERTIES = read_properties(
    b'{"xp": 5, "rate": 0.1, "big": 1e39, "huge": 1e40,'
    b' "long": 1234567890123456789012345678901234567890.1234567890,'
    b' "won": true, "none": null, "team": "reds", "match": {"kind": "ranked"}, "tags": ["a"],'
    b' "odd name": 7, "__class__": 1}'
)
NAMES = {"properties": PROPERTIES, "player_id": "ana"}


def value(source, kind="number"):
    return Expression(source, kind, "points").evaluate(NAMES)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("properties.xp * 2", "10"),
        ("properties.rate * 3", "0.3"),
        ("0.1 + 0.2", "0.3"),
        ("properties.xp / 4", "1.25"),
        ("-7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("7 % -3", "-2"),
        ("properties.xp // 0.3", "16"),
        ("abs(-properties.xp)", "5"),
        ("min(properties.xp, 3, 4)", "3"),
        ("max(properties.xp, 3)", "5"),
        ("properties.xp if properties.won else 0", "5"),
        ('properties.bonus if "bonus" in properties else 0', "0"),
        ('properties["odd name"]', "7"),
        ("properties.__class__", "1"),
        ("1e3", "1000"),
        (" 1000 ", "1000"),
        ("properties.long", "1234567890123456789012345678901234567890.123456789"),
    ],
)
def test_a_number_is_exact(source, expected):
    assert plain_text(value(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("properties.won", True),
        ("properties.won == true", True),
        ("properties.won != True", False),
        ("not properties.won or properties.xp > 3", True),
        ("1 < properties.xp <= 5", True),
        ('properties.team == "reds" and player_id == "ana"', True),
        ('properties.match.kind == "ranked"', True),
        ("properties.none == null", True),
        ("properties.xp != null", True),
        ('"bonus" not in properties', True),
        ('"kind" in properties.match', True),
    ],
)
def test_a_condition_is_true_or_false(source, expected):
    assert value(source, "boolean") is expected


@pytest.mark.parametrize(
    ("source", "at_fault", "why"),
    [
        ("properties.bonus", "properties.bonus", "is missing"),
        ("properties.match.size", "properties.match.size", "is missing"),
        ("properties.tags", "properties.tags", "is a list"),
        ("properties.team * 2", "properties.team", "needs numbers, and one is text"),
        ("properties.xp + properties.won", "properties.xp", "needs numbers, and one is true"),
        ("properties.won", "properties.won", "must be a number, and is true"),
        ("properties.match", "properties.match", "must be a number, and is an object"),
        ("properties.none", "properties.none", "must be a number, and is null"),
        ("properties.huge", "properties.huge", "has no exact value"),
        ("properties.xp / 3", "properties.xp", "has no exact value"),
        ("properties.big * 10", "properties.big", "has no exact value"),
        ("1e-40 / properties.xp", "properties.xp", "has no exact value"),
        ("1 / (properties.xp - 5)", "properties.xp", "divides by zero"),
        ("0 / (properties.xp - 5)", "properties.xp", "divides by zero"),
        ("1 // (properties.xp - 5)", "properties.xp", "divides by zero"),
        ("1 % (properties.xp - 5)", "properties.xp", "divides by zero"),
        ("1 if properties.xp else 2", "properties.xp", "must be|needs true or false"),
        ("1 if properties.team == 1 else 2", "properties.team", "compares text with a number"),
        ('1 if "r" in properties.team else 2', "properties.team", "asks for a property"),
        ("properties.xp.real", "properties.xp.real", "looks for a property in a number"),
        ("properties[player_id]", "properties.ana", "is missing"),
        ("player_id", None, "must be a number, and is text"),
    ],
)
def test_a_failure_names_the_property_and_why(source, at_fault, why):
    with pytest.raises(Failure, match=why) as raised:
        value(source)

    assert raised.value.property == at_fault


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("", "between 1 and"),
        ("1 +", "is no expression"),
        ("1; 2", "is no expression"),
        ("x = 1", "is no expression"),
        ("while true: 1", "is no expression"),
        ("1if true else 2", "is no expression"),
        ("(" * 240 + "1" + ")" * 240, "is no expression"),
        ("[x for x in properties]", "ListComp"),
        ("(lambda: 1)()", "is no call of"),
        ("__import__('os')", "is no call of"),
        ("properties.xp()", "is no call of"),
        ("max(*properties)", "Starred"),
        ("max(a=1)", "is no call of"),
        ("max()", "is no call of"),
        ("abs(1, 2)", "abs takes one number"),
        ("2 ** 3", "Pow"),
        ("1 << 2", "LShift"),
        ("1 | 2", "BitOr"),
        ("1 is 1", "Is"),
        ("properties[1:2]", "Slice"),
        ("f'{1}'", "JoinedStr"),
        (r"'\n' == ''", "backslash"),
        ("min", "there is no 'min'"),
        ("propertis.xp", "there is no 'propertis'"),
        ("'a' * 5", "needs numbers, and one is text"),
        ("'a' + 'b'", "needs numbers, and one is text"),
        ("0x10", "has no exact value"),
        ("1j", "has no exact value"),
        ("b'1'", "has no exact value"),
        ("...", "has no exact value"),
        ("9" * 51, "has no exact value"),
        ("1 / 0", "divides by zero"),
        ("properties.xp / 0", "divides by zero"),
        ("properties.xp % (1 - 1)", "divides by zero"),
        ("1 / 3", "has no exact value"),
        ("true", "must be a number, and is true"),
        ("-" * 300 + "1", "nested deeper"),
        ("+".join("1" * (EXPRESSION_DEPTH.maximum + 1)), "nested deeper"),
        (f"max({','.join('1' * EXPRESSION_PARTS.maximum)})", "more than"),
        ("1" + " " * EXPRESSION_CHARS.maximum + "+1", "between 1 and"),
    ],
)
def test_what_can_never_have_a_value_is_refused_and_named(source, why):
    with pytest.raises(InvalidInput, match=why) as raised:
        Expression(source, "number", "points")

    assert raised.value.field == "points"


def test_what_is_not_evaluated_does_not_fail():
    assert value("true or properties.bonus", "boolean") is True
    assert value("properties.xp if true else properties.bonus") == Decimal(5)


@pytest.mark.parametrize(
    ("number", "text"),
    [("1.500", "1.5"), ("10", "10"), ("1E+3", "1000"), ("-0.0", "0"), ("0.10", "0.1")],
)
def test_a_number_has_one_spelling(number, text):
    assert plain_text(Decimal(number)) == text

"""Whatever an expression is, it has the value that fractions give it, or none."""

from fractions import Fraction

from hypothesis import given

from toprung.domain.errors import InvalidInput
from toprung.domain.expressions import Expression, Failure
from toprung.domain.rules import read_properties
from toprung.testing.oracle.rules import hopeless, value, written
from toprung.testing.rule_strategies import json_of, number_trees, properties, truth_trees


def expected(tree, found, kind):
    """The oracle's value, or ``None``."""
    try:
        result = value(tree, found)
    except ValueError:
        return None
    return result if isinstance(result, kind) else None


def product(tree, found, kind):
    """The product's value, or ``None``."""
    names = {"properties": read_properties(json_of(found)), "player_id": "ana"}
    try:
        return made(tree, kind).evaluate(names)
    except Failure:
        return None


def made(tree, kind):
    return Expression(written(tree), kind, "points")


def accepted(tree, kind):
    """Whether the expression can be made. It is refused when it has no value whatever the event."""
    try:
        made(tree, kind)
    except InvalidInput:
        return False
    return True


@given(number_trees, properties)
def test_a_number_is_the_exact_one_or_none(tree, found):
    if accepted(tree, "number"):
        number = product(tree, found, "number")

        assert (None if number is None else Fraction(number)) == expected(tree, found, Fraction)


@given(truth_trees, properties)
def test_a_condition_holds_when_fractions_say_so(tree, found):
    if accepted(tree, "boolean"):
        assert product(tree, found, "boolean") == expected(tree, found, bool)


@given(truth_trees)
def test_what_has_no_value_for_any_event_is_refused_before_there_is_one(tree):
    assert accepted(tree, "boolean") == (not hopeless(tree))

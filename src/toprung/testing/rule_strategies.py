"""Hypothesis strategies for expressions, rules and named events."""

from typing import Any

from hypothesis import strategies as st

from toprung.testing.oracle import Rules
from toprung.testing.oracle.facts import Column
from toprung.testing.oracle.rules import Named, NamedRule, Tree, hopeless

TEXTS = ("reds", "blues", "=", "")
NUMBERS = ("0", "1", "2", "3", "4", "10", "0.1", "0.125", "2.50", "7", "1000000007", "9" * 50)
NAMES = ("xp", "bonus", "won", "team", "nothing")
"""Names of properties; the last one is never there."""

_number = st.sampled_from(NUMBERS) | st.decimals(
    allow_nan=False, allow_infinity=False, places=3, min_value=0, max_value=10**12
).map(lambda number: format(number, "f"))
_leaf_numbers = _number.map(lambda text: ("number", text)) | st.sampled_from(
    [("property", "xp"), ("property", "xp"), ("property", "bonus")]
)
# Now and then what is no number stands where one should.
_odd = st.sampled_from([("property", "team"), ("property", "nothing"), ("truth", True)])


def _more_numbers(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    pairs = st.tuples(
        st.sampled_from(["+", "-", "*", "*", "/", "//", "%", "min", "max"]), inner, inner
    )
    return (
        pairs
        | st.tuples(st.sampled_from(["minus", "abs"]), inner)
        | st.tuples(st.just("if"), _truths(inner), inner, inner)
    )


def _truths(numbers: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    leaf = st.sampled_from(
        [
            ("property", "won"),
            ("truth", True),
            ("has", "bonus"),
            ("has", "nothing"),
            ("==", ("property", "team"), ("text", "reds")),
            ("==", ("property", "won"), ("truth", True)),
        ]
    ) | st.tuples(st.sampled_from(["<", "<=", "=="]), numbers, numbers)
    pairs = st.tuples(st.sampled_from(["and", "or"]), leaf, leaf)
    return leaf | pairs | st.tuples(st.just("not"), leaf)


number_trees = st.recursive(_leaf_numbers | _leaf_numbers | _odd, _more_numbers, max_leaves=6)
"""Expressions that are to give a number."""
truth_trees = _truths(_leaf_numbers)
"""Expressions that are to say whether a rule applies."""

properties: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "xp": _number.map("={}".format) | _number.map("=-{}".format),
        "bonus": st.sampled_from(["=1", "=0.5", "=1e3", "=1e-41", "=" + "8" * 51]),
        "won": st.booleans() | st.none(),
        "team": st.sampled_from(["reds", "blues", ""]),
    },
)
"""Properties of an event, numbers as decimal text behind ``=``."""


def json_of(found: dict[str, Any]) -> bytes:
    """Properties as they travel, every digit as it is."""
    members = ",".join(f'"{name}":{_json_value(value)}' for name, value in found.items())
    return f"{{{members}}}".encode()


def _json_value(value: Any) -> str:
    if isinstance(value, str):
        return value[1:] if value.startswith("=") else f'"{value}"'
    return {True: "true", False: "false", None: "null"}[value]


RULED_BOARDS = {
    "high": Rules("sum", (Column("score", True, 3),), grace=None, max_ahead=None),
    "teams": Rules("best", (Column("score", False, 0),), grace=None, max_ahead=None),
    "league": Rules(
        "last", (Column("points", True, 0), Column("goals", True, 1)), grace=None, max_ahead=None
    ),
}
"""Boards for rules to name: one for each mode."""
EVENT_NAMES = ("match_finished", "level up")
_bounds = st.sampled_from([(None, None), (None, "100"), ("0", None), ("-1.5", "10.25")])


# Most rules have a value for most events; else nothing would ever count.
_XP: Tree = ("property", "xp")
_likely_numbers: st.SearchStrategy[Tree] = st.sampled_from(
    [
        ("number", "1"),
        ("number", "2.5"),
        _XP,
        ("*", _XP, ("number", "2")),
        ("-", ("number", "10"), _XP),
        ("/", _XP, ("number", "4")),
        ("if", ("has", "bonus"), ("+", _XP, ("property", "bonus")), ("number", "0")),
    ]
)
_odd_numbers = number_trees.filter(lambda tree: not hopeless(tree))
_points = st.sampled_from([_likely_numbers] * 9 + [_odd_numbers]).flatmap(lambda chosen: chosen)
_conditions = st.sampled_from([None, None, ("property", "won"), ("<", _XP, ("number", "3"))])
_likely_properties: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "xp": st.sampled_from(["=0", "=1", "=2", "=4", "=8"]),
        "won": st.booleans(),
        "team": st.sampled_from(["reds", "blues"]),
    },
    optional={"bonus": st.just("=0.5")},
)


def _rule(name: str) -> st.SearchStrategy[NamedRule]:
    return st.tuples(
        st.sampled_from([*EVENT_NAMES[:1] * 3, *EVENT_NAMES]),
        st.sampled_from(sorted(RULED_BOARDS)),
        _conditions | _conditions | _conditions | truth_trees,
        st.tuples(_points, _points),
        _bounds,
    ).map(lambda told: _named_rule(name, *told))


def _named_rule(
    name: str,
    event: str,
    board: str,
    when: Tree | None,
    points: tuple[Tree, Tree],
    bounds: tuple[str | None, str | None],
) -> NamedRule:
    if board == "league":
        by_column = dict(zip(("points", "goals"), points, strict=True))
        return NamedRule(name, event, board, by_column, when)
    member = ("property", "team") if board == "teams" else None
    return NamedRule(name, event, board, points[0], when, member, *bounds)


rule_lists: st.SearchStrategy[tuple[NamedRule, ...]] = st.tuples(
    _rule("r0"), _rule("r1"), st.none() | _rule("r2"), st.none() | _rule("r3")
).map(lambda rules: tuple(rule for rule in rules if rule is not None))
"""Rules of a project, two to four, several of which may name one board."""
named_events = st.builds(
    Named,
    event_id=st.sampled_from(["e1", "e2", "e3", "e4", "e5", "e6"]),
    player_id=st.sampled_from(["ana", "bo"]),
    name=st.sampled_from([*EVENT_NAMES[:1] * 3, *EVENT_NAMES, "another"]),
    properties=_likely_properties | _likely_properties | _likely_properties | properties,
    at=st.none() | st.integers(0, 3).map(lambda hours: hours * 3_600_000_000),
)
"""Events, some of which have one id."""

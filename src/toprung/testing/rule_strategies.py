"""Hypothesis strategies for expressions, rules and named events."""

from typing import Any

from hypothesis import strategies as st

from toprung.testing.oracle.rules import Tree

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

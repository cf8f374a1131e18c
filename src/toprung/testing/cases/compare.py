"""Whether an answer is the expected one."""

from typing import Any

from toprung.testing.cases.reader import ErrorAnswer

# A case says `rejected` where the rules know several ways to refuse, and `counted` also for an
# event that was counted as seen and moved nothing.
_STANDS_FOR = {
    "rejected": {"invalid", "early", "overflow", "implausible"},
    "counted": {"counted", "unchanged"},
}


def matches(op: str, expect: Any, answer: Any) -> bool:
    """Whether ``answer`` to a query ``op`` is what ``expect`` asks for."""
    if isinstance(expect, dict):
        return _matches_form(op, expect, answer)
    if op == "outcomes":
        return len(expect) == len(answer) and all(
            got in _STANDS_FOR.get(wanted, {wanted})
            for wanted, got in zip(expect, answer, strict=True)
        )
    return _equal(expect, answer)


def _matches_form(op: str, expect: dict[str, Any], answer: Any) -> bool:
    match expect:
        case {"any_of": choices}:
            return any(matches(op, choice, answer) for choice in choices)
        case {"error": True}:
            return isinstance(answer, ErrorAnswer)
        case {"between": [low, high]}:
            return isinstance(answer, int | float) and low <= answer <= high
        case {"players": players}:
            return isinstance(answer, list) and [row[1] for row in answer] == players
        case _:
            raise ValueError(f"an expectation of an unknown form: {expect}")


def _equal(expect: Any, answer: Any) -> bool:
    """Equal in value and kind: ``1`` is neither ``true`` nor ``"1"``."""
    if isinstance(expect, list) and isinstance(answer, list):
        return len(expect) == len(answer) and all(map(_equal, expect, answer))
    if isinstance(expect, bool) or isinstance(answer, bool):
        return expect is answer
    return bool(expect == answer)

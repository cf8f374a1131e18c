"""Rules as a file: what it says, and how that differs from what a server has."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from toprung.cli.errors import Failed
from toprung.cli.shape import told_shape
from toprung.wire.rules import Rule

FIELDS = Rule.__struct_fields__
_SIGNS = {"create": "+", "change": "~", "drop": "-"}
_PATH = re.compile(r" - at `\$(.*)`$")


class Change(msgspec.Struct, frozen=True):
    """A field of a rule that differs."""

    field: str
    old: str | None
    new: str | None


class Step(msgspec.Struct, frozen=True):
    """What is to be done about one rule."""

    rule: str
    action: Literal["create", "change", "drop", "none"]
    changes: tuple[Change, ...] = ()


def read_rules(path: Path) -> tuple[Rule, ...]:
    """The rules in a TOML file.

    Raises:
        OSError: it cannot be read.
        Failed: it is no TOML, or says something that is no rule; the place is named.
    """
    try:
        # A number is kept as its text: a float would lose digits.
        content = tomllib.loads(path.read_text("utf-8"), parse_float=str)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Failed("bad_toml", f"{path}: {error}") from error
    tables = content.pop("rule", [])
    if content or not isinstance(tables, list):
        stranger = f" and no {next(iter(content))!r}" if content else ""
        raise Failed(
            "bad_rules", f"{path}: the file must have a table [[rule]] for each rule{stranger}"
        )
    return tuple(_rule(path, place, table) for place, table in enumerate(tables, 1))


def _rule(path: Path, place: int, table: object) -> Rule:
    try:
        return _normal(msgspec.convert(table, Rule))
    except msgspec.ValidationError as error:
        found = _PATH.search(str(error))
        where = found[1].removeprefix(".") if found else ""
        # Which kinds ``points`` may be of is no list of words that may stand there.
        message = _PATH.sub("", str(error))
        message = message if where else told_shape(message, Rule, where)
        raise Failed(
            "bad_rules", f"{path}: rule {place}: {where + ': ' if where else ''}{message}"
        ) from error


def _normal(rule: Rule) -> Rule:
    """``rule`` with numbers as text, as a server writes them."""
    points = rule.points
    if isinstance(points, dict):
        return msgspec.structs.replace(
            rule, points={name: str(each) for name, each in points.items()}
        )
    return msgspec.structs.replace(
        rule, points=str(points), min=_text(rule.min), max=_text(rule.max)
    )


def _text(number: str | int | None) -> str | None:
    return None if number is None else str(number)


def make_plan(wanted: Sequence[Rule], there: Iterable[Rule]) -> list[Step]:
    """One step for each rule of the file, in its order, then those that it no longer has."""
    known = {rule.name: rule for rule in there}
    steps = [_step(rule, known.get(rule.name)) for rule in wanted]
    names = {rule.name for rule in wanted}
    return [*steps, *(Step(name, "drop") for name in known if name not in names)]


def _step(wanted: Rule, there: Rule | None) -> Step:
    changes = tuple(
        Change(field, was, becomes)
        for field in FIELDS
        if field != "name" and (was := _shown(there, field)) != (becomes := _shown(wanted, field))
    )
    if there is None:
        return Step(wanted.name, "create", changes)
    return Step(wanted.name, "change" if changes else "none", changes)


def _shown(rule: Rule | None, field: str) -> str | None:
    return None if rule is None else show_field(getattr(rule, field))


def show_field(value: Any) -> str | None:
    """A field of a rule for a person."""
    if isinstance(value, dict):
        return "; ".join(f"{column} = {points}" for column, points in value.items())
    return None if value is None else str(value)


def plan_lines(steps: Iterable[Step]) -> list[str]:
    """A plan for a person: + makes a rule, ~ changes one, - drops one."""
    lines: list[str] = []
    for step in steps:
        if step.action == "none":
            continue
        lines.append(f"{_SIGNS[step.action]} {step.rule}")
        lines += [_change_line(step, change) for change in step.changes]
    return lines


def _change_line(step: Step, change: Change) -> str:
    if step.action == "create":
        return f"    {change.field} = {change.new}"
    return f"  ~ {change.field}: {change.old or 'none'} -> {change.new or 'none'}"

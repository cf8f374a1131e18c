"""Rules for named events: which boards an event counts on, with how many points.

A project's rules are a function of the event alone: no clock, no state. What they make of an event
goes into the log, so a replay needs no rules, and other rules change nothing that was counted.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

import msgspec

from toprung.domain.board import Board
from toprung.domain.errors import InvalidInput
from toprung.domain.expressions import Expression, Failure, Properties, Value, added, plain_text
from toprung.domain.limits import (
    EVENT_NAME_BYTES,
    NUMBER_TEXT,
    PROPERTIES_BYTES,
    RULES,
    RULES_OF_EVENT,
)
from toprung.domain.names import check_id, check_name
from toprung.domain.numbers import NUMBER_PATTERN
from toprung.domain.records import Rule

BoardOf = Callable[[str], Board | None]
"""Finds a board of the project by its name."""

_decode_object = msgspec.json.Decoder(dict, float_hook=Decimal).decode
_NUMBER = re.compile(NUMBER_PATTERN)
_ALONE = ""
"""Stands for the column where a rule names none."""


class Score(NamedTuple):
    """What rules make of an event on one board.

    ``points`` is exact decimal text, or such a text for each column by name. ``rules`` are the
    names of those that gave them.
    """

    board: str
    player_id: str
    points: str | dict[str, str]
    rules: tuple[str, ...]


def read_properties(content: bytes) -> Properties:
    """The properties of an event.

    Args:
        content: a JSON object.

    Raises:
        InvalidInput: it is none, or too large.
    """
    PROPERTIES_BYTES.check(len(content), "properties")
    try:
        return Properties(_decode_object(content))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidInput("properties must be a JSON object", field="properties") from None


class RuleSet:
    """A project's rules, checked and ready. One thread at a time may use it.

    Raises:
        InvalidInput: naming the rule and the field at fault.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        RULES.check(len(rules), "rules")
        self.rules = tuple(rules)
        self._by_event: dict[str, list[_Ready]] = {}
        for index, rule in enumerate(rules):
            with_place = _Place(index, rule)
            if any(rule.name == other.name for other in rules[:index]):
                raise with_place.wrong("name", "another rule has this name")
            ready = _Ready(with_place)
            others = self._by_event.setdefault(rule.event, [])
            _check_beside(with_place, others)
            others.append(ready)

    def check_boards(self, board_of: BoardOf) -> None:
        """Do nothing when every board and column is there.

        Raises:
            InvalidInput: naming the rule; with the code ``unknown_board`` where that is why.
        """
        for index, rule in enumerate(self.rules):
            _check_board(_Place(index, rule), board_of(rule.board))

    def scores(self, name: str, player_id: str, properties: Properties) -> list[Score]:
        """What becomes of an event: one for each board, in the order of the rules.

        What several rules give the player on one board is added up.

        Raises:
            InvalidInput: a rule that applies has no value for it, naming the rule and the property.
        """
        names: dict[str, Value] = {"properties": properties, "player_id": player_id}
        found: dict[str, _Sum] = {}
        for ready in self._by_event.get(name, ()):
            try:
                ready.apply(names, found)
            except Failure as error:
                raise InvalidInput(
                    f"rule {ready.rule.name!r}: {error.message}", field=error.property
                ) from None
        return [
            Score(board, each.player_id, _told(each.points), tuple(each.rules))
            for board, each in found.items()
        ]


class _Place(NamedTuple):
    """A rule and where it stands, for what is said of it."""

    place: int
    rule: Rule

    def field(self, part: str) -> str:
        return f"rules[{self.place}].{part}"

    def wrong(self, part: str, why: str, code: str = "invalid") -> InvalidInput:
        message = f"rule {self.rule.name!r}: {part}: {why}"
        return InvalidInput(message, field=self.field(part), code=code)

    def expression(self, source: str, kind: str, part: str) -> Expression:
        try:
            return Expression(source, kind, part)
        except InvalidInput as error:
            raise self.wrong(part, error.message) from None


class _Sum:
    """What the rules met so far give a player on a board."""

    def __init__(self, player_id: str) -> None:
        self.player_id = player_id
        self.points: dict[str, Decimal] = {}
        self.rules: list[str] = []


class _Ready:
    """One rule with its expressions."""

    def __init__(self, place: _Place) -> None:
        self.rule = rule = place.rule
        check_name(rule.name, place.field("name"))
        check_id(rule.event, place.field("event"), EVENT_NAME_BYTES)
        self._when = None if rule.when is None else place.expression(rule.when, "boolean", "when")
        self._member = (
            None if rule.member is None else place.expression(rule.member, "text", "member")
        )
        self.points = {
            column: place.expression(source, "number", f"points.{column}".rstrip("."))
            for column, source in _by_column(rule).items()
        }
        self._least, self._most = _bound(place, "min"), _bound(place, "max")
        if self._least is not None and self._most is not None and self._least > self._most:
            raise place.wrong("min", "it is larger than max")

    def apply(self, names: Mapping[str, Value], found: dict[str, _Sum]) -> None:
        """Add what the rule gives for an event, if it applies.

        Raises:
            Failure: it has no value.
        """
        if self._when is not None and not self._when.evaluate(names):
            return
        player_id = self._player(names)
        total = found.setdefault(self.rule.board, _Sum(player_id))
        for column, expression in self.points.items():
            points = self._within_bounds(expression.evaluate(names))
            total.points[column] = added(total.points.get(column, Decimal(0)), points)
        total.rules.append(self.rule.name)

    def _player(self, names: Mapping[str, Value]) -> str:
        if self._member is None:
            return str(names["player_id"])
        member: str = self._member.evaluate(names)
        try:
            return check_id(member, self._member.source)
        except InvalidInput as error:
            raise Failure(error.message, self._member.source) from None

    def _within_bounds(self, points: Decimal) -> Decimal:
        if self._least is not None:
            points = max(points, self._least)
        return points if self._most is None else min(points, self._most)


def _by_column(rule: Rule) -> dict[str, str]:
    return {_ALONE: rule.points} if isinstance(rule.points, str) else rule.points


def _bound(place: _Place, part: str) -> Decimal | None:
    text: str | None = getattr(place.rule, part)
    if text is None:
        return None
    if not isinstance(place.rule.points, str):
        raise place.wrong(part, "points by column have no bounds; write min(...) or max(...)")
    if _NUMBER.fullmatch(text) is None or len(text) > NUMBER_TEXT.maximum:
        raise place.wrong(part, "it must be a decimal number such as 12 or -3.5")
    return Decimal(text)


def _check_beside(place: _Place, others: Sequence[_Ready]) -> None:
    """One event has one id on a board: so it must be one event there, of one player."""
    if len(others) >= RULES_OF_EVENT.maximum:
        raise place.wrong("event", f"it has more than {RULES_OF_EVENT.maximum} rules")
    for other in others:
        if other.rule.board != place.rule.board:
            continue
        beside = f"as the rule {other.rule.name!r} for the same event and board"
        if other.rule.member != place.rule.member:
            raise place.wrong("member", f"it must be the same {beside}")
        if other.points.keys() != _by_column(place.rule).keys():
            raise place.wrong("points", f"it must give the same columns {beside}")


def _check_board(place: _Place, board: Board | None) -> None:
    rule = place.rule
    if board is None:
        raise place.wrong("board", f"there is no board {rule.board!r}", "unknown_board")
    columns = [column.name for column in board.settings.columns]
    if isinstance(rule.points, str):
        if len(columns) > 1:
            raise place.wrong("points", f"this board needs one for each of {', '.join(columns)}")
        return
    for column in columns:
        if column not in rule.points:
            raise place.wrong(f"points.{column}", "it is missing")
    for column in rule.points:
        if column not in columns:
            raise place.wrong(f"points.{column}", "this board has no such column")


def _told(points: Mapping[str, Decimal]) -> str | dict[str, str]:
    texts = {column: plain_text(value) for column, value in points.items()}
    return texts.get(_ALONE, texts)

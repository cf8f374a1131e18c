"""Rules for named events, and such events, as they travel."""

from typing import Any, Literal

import msgspec

from toprung.wire.scores import ScoreResult


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an event of some name is worth on a board, and for whom.

    An expression has ``properties``, ``player_id``, numbers, texts, ``true``, ``false``, ``null``,
    ``+ - * / // %``, comparisons, ``and or not``, ``a if b else c``, ``min``, ``max``, ``abs`` and
    ``"name" in properties``. Its numbers are exact.
    """

    name: str
    event: str
    """The name of the events that it is for."""
    board: str
    points: str | int | dict[str, str | int]
    """An expression that gives a number; on boards with several columns an object with one for
    each."""
    when: str | None = None
    """An expression that gives true or false: whether the rule applies. Without it: always."""
    member: str | None = None
    """An expression that gives the id of the player who gets the points, such as
    ``properties.team`` on a board of teams. Without it: the event's player."""
    min: str | int | None = None
    """The least points of one event; what is below becomes it."""
    max: str | int | None = None
    """The most points of one event; what is above becomes it."""


class RulesIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rules of a project; the body of ``PUT /v1/rules``."""

    rules: tuple[Rule, ...]


class RulesReply(msgspec.Struct, frozen=True):
    """The rules of a project."""

    rules: tuple[Rule, ...]
    updated_at: str | None
    """When they were set; null: they never were."""
    seq: str


class RulesPutReply(msgspec.Struct, frozen=True):
    """What ``PUT /v1/rules`` did."""

    result: Literal["created", "changed", "unchanged"]
    rules: tuple[Rule, ...]
    updated_at: str
    seq: str


class NamedEventIn(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """An event that a trusted server names; the project's rules say what it is worth."""

    player_id: str
    name: str
    properties: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """A JSON object of at most 4 KiB."""
    event_id: str | None = None
    """Unique for this fact; the id of its score events on each board. May be left out with an
    ``Idempotency-Key``."""
    at: str | None = None
    """When it happened, RFC 3339 with ``Z`` or an offset; without it: the arrival time."""
    match_id: str | None = None


class NamedResult(msgspec.Struct, omit_defaults=True, gc=False):
    """What became of one named event."""

    outcome: str
    """``applied``: it is a score event on each of ``boards``. ``ignored``: no rule applies.
    Otherwise it was refused for all boards: ``invalid`` or ``unknown_board``."""
    event_id: str | None = None
    player_id: str | None = None
    name: str | None = None
    boards: tuple[ScoreResult, ...] = ()
    """What became of it on each board, by the closed list of outcomes."""
    field: str | None = None
    """What is at fault, where it was refused: a field of the event, or a property."""
    message: str | None = None
    """Why, naming the rule."""


class NamedBatchReply(msgspec.Struct, frozen=True):
    """One result per event, in the order sent."""

    results: tuple[NamedResult, ...]
    outcomes: dict[str, int]
    """How many events were applied, ignored or refused."""
    board_outcomes: dict[str, int]
    """How many score events had each outcome."""
    seq: str | None
    """The last place in the log that this request took; null when nothing was logged."""


class RulesTrial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Events to try rules on; the body of ``POST /v1/rules/test``."""

    events: tuple[msgspec.Raw, ...]
    """Each a ``NamedEventIn``; one that is none is answered ``invalid``."""
    rules: tuple[Rule, ...] | None = None
    """Rules to try; null: those that are in force."""


class TrialScore(msgspec.Struct, frozen=True):
    """A score event that rules would make."""

    board: str
    player_id: str
    points: Any
    """Text, or an object by column name on boards with several columns."""
    rules: tuple[str, ...]
    """The names of the rules that gave the points."""


class TrialResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """What rules would make of one event."""

    outcome: str
    """``applied``, ``ignored``, ``invalid`` or ``unknown_board``."""
    event_id: str | None = None
    player_id: str | None = None
    name: str | None = None
    scores: tuple[TrialScore, ...] = ()
    field: str | None = None
    message: str | None = None


class TrialReply(msgspec.Struct, frozen=True):
    """One result per event, in the order sent. Nothing was written."""

    results: tuple[TrialResult, ...]
    outcomes: dict[str, int]

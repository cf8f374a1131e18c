"""From named events to score events, by a project's rules (R22).

An event is taken for all the boards its rules name, or refused for all of them, so that it can be
sent again under its id. What is decided only in the log's order (late, overflow ...) is told for
each board.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol

import msgspec

from toprung.domain.errors import Broken, InvalidInput
from toprung.domain.instants import parse_instant
from toprung.domain.limits import EVENT_NAME_BYTES, MATCH_ID_BYTES
from toprung.domain.names import check_id
from toprung.domain.outcomes import Outcome
from toprung.domain.records import Event
from toprung.domain.rules import RuleSet, Score, read_properties
from toprung.intake.shape import Refusal, required_id, to_event
from toprung.ports.catalog import Catalog
from toprung.ports.pipeline import Applied, EventResult

Decided = tuple[Event, EventResult]
"""What a named event became on one board."""


class NamedDraft(Protocol):
    """A named event as a sender wrote it; ``properties`` is raw JSON."""

    @property
    def player_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def properties(self) -> msgspec.Raw | msgspec.UnsetType: ...
    @property
    def event_id(self) -> str | None: ...
    @property
    def at(self) -> str | None: ...
    @property
    def match_id(self) -> str | None: ...


class ScoreDraft(msgspec.Struct):
    """What rules make of an event on one board, as a sender would write it."""

    board: str
    player_id: str
    points: msgspec.Raw
    event_id: str
    at: str | None
    match_id: str | None
    metadata: msgspec.Raw | None = None
    update_only: bool = False
    segments: Mapping[str, str] | None = None


class Ruled(NamedTuple):
    """A named event with what the rules make of it; nothing: no rule applies."""

    event_id: str
    player_id: str
    name: str
    scores: Sequence[Score]
    drafts: Sequence[ScoreDraft]


def apply_rules(
    rules: RuleSet, draft: NamedDraft | Refusal, event_id: str | None
) -> Ruled | Refusal:
    """What ``rules`` make of an event, or why nothing can be made of it.

    Args:
        draft: a :class:`Refusal` where the event could not even be read.
        event_id: the id to use where the draft has none.
    """
    if isinstance(draft, Refusal):
        return draft
    try:
        chosen = event_id if draft.event_id is None else draft.event_id
        identity = check_id(required_id(chosen), "event_id")
        player_id = check_id(draft.player_id, "player_id")
        name = check_id(draft.name, "name", EVENT_NAME_BYTES)
        if draft.at is not None:
            parse_instant(draft.at, "at")
        if draft.match_id is not None:
            check_id(draft.match_id, "match_id", MATCH_ID_BYTES)
        given = draft.properties if isinstance(draft.properties, msgspec.Raw) else b"{}"
        scores = rules.scores(name, player_id, read_properties(bytes(given)))
    except InvalidInput as error:
        return Refusal(Outcome.INVALID, error.message, error.field)
    drafts = [
        ScoreDraft(
            score.board,
            score.player_id,
            msgspec.Raw(msgspec.json.encode(score.points)),
            identity,
            draft.at,
            draft.match_id,
        )
        for score in scores
    ]
    return Ruled(identity, player_id, name, scores, drafts)


def shape(
    ruled: Ruled | Refusal, catalog: Catalog, project: str, received_at: int
) -> Sequence[Event] | Refusal:
    """The score events of a named event; a refusal of one of them is one of all."""
    if isinstance(ruled, Refusal):
        return ruled
    events = []
    for score, draft in zip(ruled.scores, ruled.drafts, strict=True):
        event = to_event(
            draft, catalog, project, event_id=None, received_at=received_at, history=False
        )
        if isinstance(event, Refusal):
            rules = ", ".join(score.rules)
            return Refusal(
                event.outcome, f"rules {rules}, board {score.board}: {event.message}", event.field
            )
        events.append(event)
    return events


class AcceptedNamed:
    """A request's named events on their way; ``outcomes`` when the writer is done with them."""

    def __init__(
        self,
        shaped: Sequence[Sequence[Event] | Refusal],
        written: "Future[Sequence[Applied]] | None",
    ) -> None:
        self._shaped = shaped
        self.written = written
        """``None`` when nothing was to be written."""

    def outcomes(self, results: Sequence[Applied]) -> list[list[Decided] | Refusal]:
        """What became of each event; ``results`` is what ``written`` gave."""
        found = iter(results)
        return [
            item if isinstance(item, Refusal) else [_decided(event, next(found)) for event in item]
            for item in self._shaped
        ]


def _decided(event: Event, result: Applied) -> Decided:
    if not isinstance(result, EventResult):
        raise Broken("an event was answered like an act")
    return event, result

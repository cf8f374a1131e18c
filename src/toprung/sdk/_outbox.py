"""What both batchers share: the events that wait, and what became of those that do not.

No time, thread, task or I/O of its own: the batchers bring them.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from toprung.sdk._errors import ToprungError
from toprung.sdk._events import ScoreEvent, encode, identified
from toprung.wire.scores import BatchReply, ScoreResult

Outcome: TypeAlias = ScoreResult | Exception
"""What became of an event: the server's answer, or why there is none."""
OnResult: TypeAlias = Callable[[ScoreEvent, Outcome], None]

TAKEN = frozenset({"counted", "unchanged", "duplicate"})
"""The outcomes of an event that is in the log, now or since before."""
KEPT_FAILURES = 1_000
"""Failures that are kept one by one until ``close``; beyond, they are only counted."""


@dataclass(frozen=True)  # without slots, as the defaults are read from the class
class Limits:
    """When a batcher sends, and when it makes the caller wait."""

    max_events: int = 500
    """Events sent together."""
    max_wait: float = 0.05
    """Seconds an event waits for company."""
    max_pending: int = 10_000
    """Events added and not yet answered; ``add`` waits when there are as many."""

    def __post_init__(self) -> None:
        if self.max_events < 1:
            raise ValueError(f"max_events must be at least 1, not {self.max_events}")
        if self.max_wait < 0:
            raise ValueError(f"max_wait must be at least 0 seconds, not {self.max_wait}")
        if self.max_pending < self.max_events:
            # Else a batch could never fill, and every one would wait out max_wait.
            raise ValueError(
                f"max_pending ({self.max_pending}) must be at least max_events ({self.max_events})"
            )


class Slot:
    """An added event and its outcome, once there is one."""

    def __init__(self, event: ScoreEvent) -> None:
        self.event = event
        """The event as it is sent, with its id."""
        self.outcome: Outcome | None = None
        """None until there is one. ``result`` waits for it."""
        self.seen = False
        """Whether the caller asked for the result."""

    def enter(self, outcome: Outcome) -> None:
        self.outcome = outcome

    @property
    def failed(self) -> bool:
        return not (isinstance(self.outcome, ScoreResult) and self.outcome.outcome in TAKEN)

    def _look(self) -> ScoreResult:
        """The outcome, for the caller; raises what prevented one."""
        self.seen = True
        if isinstance(self.outcome, ScoreResult):
            return self.outcome
        raise self.outcome or RuntimeError("there is no outcome yet")


S = TypeVar("S", bound=Slot)


class Outbox(Generic[S]):
    """Events on their way: first waiting, then in flight, then gone."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._waiting: deque[tuple[S, float]] = deque()
        self._in_flight = 0
        self.closing = False

    @property
    def full(self) -> bool:
        return len(self._waiting) + self._in_flight >= self._limits.max_pending

    def put(self, slot: S, now: float) -> bool:
        """Adds an event; says whether ``pause`` is another now than it was."""
        self._waiting.append((slot, now))
        return len(self._waiting) in {1, self._limits.max_events}

    def pause(self, now: float) -> float | None:
        """Seconds until there is something to send; 0: now; None: not before an event comes."""
        if self.closing or len(self._waiting) >= self._limits.max_events:
            return 0.0
        if not self._waiting:
            return None
        _, since = self._waiting[0]
        return max(0.0, since + self._limits.max_wait - now)

    def take(self) -> list[S]:
        """The next events to send; they are in flight until ``done``."""
        count = min(self._limits.max_events, len(self._waiting))
        self._in_flight += count
        return [self._waiting.popleft()[0] for _ in range(count)]

    def done(self, count: int) -> None:
        self._in_flight -= count

    def clear(self) -> list[S]:
        """The events that wait; they will not be sent."""
        left = [slot for slot, _ in self._waiting]
        self._waiting.clear()
        return left


class Ledger:
    """Writes outcomes into the slots, and remembers what nobody has been told."""

    def __init__(self, on_result: OnResult | None) -> None:
        self._on_result = on_result
        self._failed: list[Slot] = []
        self._more_failed = 0
        self._broken: Exception | None = None
        self.outcomes: dict[str, int] = {}

    def enter(self, slot: Slot, outcome: Outcome) -> None:
        slot.enter(outcome)
        name = outcome.outcome if isinstance(outcome, ScoreResult) else "unanswered"
        self.outcomes[name] = self.outcomes.get(name, 0) + 1
        if self._on_result is not None:
            self._tell(self._on_result, slot.event, outcome)
        elif slot.failed:
            self._keep(slot)

    def _tell(self, on_result: OnResult, event: ScoreEvent, outcome: Outcome) -> None:
        try:
            on_result(event, outcome)
        except Exception as error:  # noqa: BLE001 - not ours: kept for close, the events go on
            self._broken = self._broken or error

    def _keep(self, slot: Slot) -> None:
        if len(self._failed) < KEPT_FAILURES:
            self._failed.append(slot)
        else:
            self._more_failed += 1

    def settle(self) -> Exception | None:
        """The error to raise at close: of the callback, or for failures nobody looked at.

        Told once: a second close has nothing to say.
        """
        broken, self._broken = self._broken, None
        unseen = [slot for slot in self._failed if not slot.seen]
        count = len(unseen) + self._more_failed
        self._failed, self._more_failed = [], 0
        if broken is not None or count == 0:
            return broken
        return BatchFailed([(slot.event, slot.outcome) for slot in unseen], count)


class BatchFailed(ToprungError):
    """Events of a batcher were refused or not answered, and nobody had looked at them."""

    def __init__(self, failures: Sequence[tuple[ScoreEvent, Outcome | None]], count: int) -> None:
        first = failures[0][1] if failures else None
        super().__init__("batch_failed", f"{count} events did not count; the first: {_why(first)}")
        self.count = count
        """How many events failed."""
        self.failures = tuple(failures)
        """The first 1,000 of them, each with its outcome: the server's answer or an exception.
        The events have their ids: sending them again counts none of them twice."""
        if isinstance(first, Exception):
            self.__cause__ = first

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.failures, self.count)


def _why(outcome: Outcome | None) -> str:
    if isinstance(outcome, ScoreResult):
        return f"{outcome.outcome}: {outcome.message or 'refused'}"
    return str(outcome)


def checked(event: ScoreEvent, new_event_id: Callable[[], str]) -> ScoreEvent:
    """The event with an id. Raises what sending it would raise, where the caller can see it."""
    named = identified(event, new_event_id)
    encode(named)
    return named


def outcomes_of(reply: BatchReply | Exception, count: int) -> list[Outcome]:
    """One outcome for each of ``count`` events that were sent together."""
    if isinstance(reply, BatchReply):
        return list(reply.results)
    partial = reply.partial if isinstance(reply, ToprungError) else None
    answered: list[Outcome] = list(partial.results) if partial else []
    return answered + [reply] * (count - len(answered))

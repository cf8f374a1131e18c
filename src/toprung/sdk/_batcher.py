"""Many single events, sent together by a thread."""

import atexit
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeAlias

from toprung.sdk._events import Instant, Points, ScoreEvent
from toprung.sdk._outbox import (
    Ledger,
    Limits,
    OnResult,
    Outbox,
    Outcome,
    Slot,
    checked,
    outcomes_of,
)
from toprung.wire.scores import BatchReply, ScoreResult

Send: TypeAlias = Callable[[Sequence[ScoreEvent]], BatchReply]


class Receipt(Slot):
    """Stands for an event added to a ``Batcher``, and gets its outcome."""

    def __init__(self, event: ScoreEvent) -> None:
        super().__init__(event)
        self._answered = threading.Event()

    def enter(self, outcome: Outcome) -> None:
        super().enter(outcome)
        self._answered.set()

    def result(self, timeout: float | None = None) -> ScoreResult:
        """Waits for the outcome, at most ``timeout`` seconds (``TimeoutError``).

        An event that the server refused has a result as well: see its ``outcome``. Raises
        ``ToprungError`` when the event could not be sent or no answer came.
        """
        if not self._answered.wait(timeout):
            raise TimeoutError(f"no outcome within {timeout} seconds")
        return self._look()


class Batcher:
    """Collects events from any thread and sends them together, in the order added.

    A batch goes when ``max_events`` are together or the first has waited ``max_wait``
    seconds. While ``max_pending`` events are added and not answered, ``add`` waits: a server
    that is slow slows its clients down, instead of filling their memory.

    Each event's outcome is in its ``Receipt`` and goes to ``on_result(event, outcome)``,
    which runs in the sending thread and must not add events; the outcome is a
    ``ScoreResult``, or the exception when no answer came. ``close`` sends what is left.
    Without ``on_result`` it then raises ``BatchFailed`` if there are events that were refused
    or not answered and whose receipt nobody asked; with it, what ``on_result`` itself raised.
    """

    def __init__(
        self,
        send: Send,
        limits: Limits,
        *,
        on_result: OnResult | None,
        new_event_id: Callable[[], str],
        monotonic: Callable[[], float],
    ) -> None:
        self._send = send
        self._new_event_id = new_event_id
        self._monotonic = monotonic
        self._outbox: Outbox[Receipt] = Outbox(limits)
        self._ledger = Ledger(on_result)
        self._changed = threading.Condition()
        # A daemon, so that a batcher left open does not keep the process alive; what it
        # holds is sent at the exit.
        self._thread = threading.Thread(target=self._run, name="toprung-batcher", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    @property
    def outcomes(self) -> dict[str, int]:
        """How many events had each outcome so far; ``unanswered``: no answer came."""
        return dict(self._ledger.outcomes)

    def add(  # noqa: PLR0913 - one parameter for each part of an event
        self,
        board: str,
        player_id: str,
        points: Points,
        *,
        event_id: str | None = None,
        at: Instant | None = None,
        match_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        update_only: bool = False,
        segments: Mapping[str, str] | None = None,
    ) -> Receipt:
        """Adds an event; waits while too many are pending. The arguments are ``submit``'s.

        Raises ``TypeError`` or ``ValueError`` for an event that cannot be sent, and
        ``RuntimeError`` when the batcher is closed.
        """
        given = ScoreEvent(
            board, player_id, points, event_id, at, match_id, metadata, update_only, segments
        )
        receipt = Receipt(checked(given, self._new_event_id))
        with self._changed:
            self._changed.wait_for(lambda: self._outbox.closing or not self._outbox.full)
            if self._outbox.closing:
                raise RuntimeError("the batcher is closed")
            # To wake the thread for every event would cost more than the event itself.
            if self._outbox.put(receipt, self._monotonic()):
                self._changed.notify_all()
        return receipt

    def close(self) -> None:
        """Sends what is left and waits for the answers. Closing twice is fine.

        Raises ``BatchFailed``, once, for failures nobody looked at.
        """
        with self._changed:
            self._outbox.closing = True
            self._changed.notify_all()
        self._thread.join()
        atexit.unregister(self.close)
        error = self._ledger.settle()
        if error is not None:
            raise error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.close()
        except Exception as failure:
            if error is None:
                raise
            error.add_note(f"closing the batcher failed as well: {failure}")

    def _run(self) -> None:
        while batch := self._next():
            for receipt, outcome in zip(batch, self._deliver(batch), strict=True):
                self._ledger.enter(receipt, outcome)
            with self._changed:
                self._outbox.done(len(batch))
                self._changed.notify_all()

    def _next(self) -> list[Receipt]:
        """Waits for the next batch; empty when the batcher is closed and all is sent."""
        with self._changed:
            while (pause := self._outbox.pause(self._monotonic())) != 0:
                self._changed.wait(pause)
            return self._outbox.take()

    def _deliver(self, batch: Sequence[Receipt]) -> list[Outcome]:
        try:
            reply: BatchReply | Exception = self._send([receipt.event for receipt in batch])
        except Exception as error:  # noqa: BLE001 - each receipt raises it
            reply = error
        return outcomes_of(reply, len(batch))

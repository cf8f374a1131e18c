"""Many single events, sent together by a task."""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeAlias

from toprung.sdk._errors import ToprungError
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

Send: TypeAlias = Callable[[Sequence[ScoreEvent]], Awaitable[BatchReply]]


class AsyncReceipt(Slot):
    """Stands for an event added to an ``AsyncBatcher``, and gets its outcome.

    Await it, or its ``result()``: both give the ``ScoreResult``. An event that the server
    refused has one as well: see its ``outcome``. Raises ``ToprungError`` when the event could
    not be sent or no answer came.
    """

    def __init__(self, event: ScoreEvent) -> None:
        super().__init__(event)
        self._answered = asyncio.Event()

    def enter(self, outcome: Outcome) -> None:
        super().enter(outcome)
        self._answered.set()

    async def result(self) -> ScoreResult:
        await self._answered.wait()
        return self._look()

    def __await__(self) -> Generator[Any, None, ScoreResult]:
        return self.result().__await__()


class AsyncBatcher:
    """``Batcher`` for asyncio: ``await batch.add(...)``, ``await batch.close()``.

    ``on_result`` is a plain function that runs in the event loop. When ``close`` is
    cancelled, sending stops, and the events still without an answer fail with ``abandoned``.
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
        self._outbox: Outbox[AsyncReceipt] = Outbox(limits)
        self._ledger = Ledger(on_result)
        self._changed = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    @property
    def outcomes(self) -> dict[str, int]:
        """How many events had each outcome so far; ``unanswered``: no answer came."""
        return dict(self._ledger.outcomes)

    async def add(  # noqa: PLR0913 - one parameter for each part of an event
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
    ) -> AsyncReceipt:
        """Adds an event; waits while too many are pending. The arguments are ``submit``'s.

        Raises ``TypeError`` or ``ValueError`` for an event that cannot be sent, and
        ``RuntimeError`` when the batcher is closed.
        """
        given = ScoreEvent(
            board, player_id, points, event_id, at, match_id, metadata, update_only, segments
        )
        receipt = AsyncReceipt(checked(given, self._new_event_id))
        async with self._changed:
            await self._changed.wait_for(lambda: self._outbox.closing or not self._outbox.full)
            if self._outbox.closing:
                raise RuntimeError("the batcher is closed")
            if self._outbox.put(receipt, self._monotonic()):
                self._changed.notify_all()
        # Begun here and not in the constructor, which may run before there is a loop.
        self._task = self._task or asyncio.create_task(self._run(), name="toprung-batcher")
        return receipt

    async def close(self) -> None:
        """Sends what is left and waits for the answers. Closing twice is fine.

        Raises ``BatchFailed``, once, for failures nobody looked at.
        """
        async with self._changed:
            self._outbox.closing = True
            self._changed.notify_all()
        if self._task is not None:
            await self._task
        error = self._ledger.settle()
        if error is not None:
            raise error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await self.close()
        except Exception as failure:
            if error is None:
                raise
            error.add_note(f"closing the batcher failed as well: {failure}")

    async def _run(self) -> None:
        batch: list[AsyncReceipt] = []
        try:
            while batch := await self._next():
                for receipt, outcome in zip(batch, await self._deliver(batch), strict=True):
                    self._ledger.enter(receipt, outcome)
                async with self._changed:
                    self._outbox.done(len(batch))
                    self._changed.notify_all()
        except asyncio.CancelledError:
            self._abandon(batch)
            raise

    def _abandon(self, batch: Sequence[AsyncReceipt]) -> None:
        """Gives those who wait for an outcome the news that none will come."""
        self._outbox.closing = True
        error = ToprungError("abandoned", "sending was cancelled before an answer came")
        for receipt in [*batch, *self._outbox.clear()]:
            if receipt.outcome is None:
                self._ledger.enter(receipt, error)

    async def _next(self) -> list[AsyncReceipt]:
        """Waits for the next batch; empty when the batcher is closed and all is sent."""
        async with self._changed:
            while (pause := self._outbox.pause(self._monotonic())) != 0:
                await self._woken_within(pause)
            return self._outbox.take()

    async def _woken_within(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return  # the time is what was waited for

    async def _deliver(self, batch: Sequence[AsyncReceipt]) -> list[Outcome]:
        try:
            reply: BatchReply | Exception = await self._send([slot.event for slot in batch])
        except Exception as error:  # noqa: BLE001 - each receipt raises it
            reply = error
        return outcomes_of(reply, len(batch))

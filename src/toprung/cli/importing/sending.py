"""Batches on their way: several in flight, acknowledged in the order of the file."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from toprung.cli.importing.rows import Row

if TYPE_CHECKING:
    from toprung.sdk import BatchReply, ScoreEvent, ScoreResult

Send: TypeAlias = "Callable[[Sequence[ScoreEvent]], BatchReply]"
EventKey: TypeAlias = tuple[str, str | None]


class Batch(NamedTuple):
    """Consecutive rows that are sent together."""

    rows: list[Row]
    position: int
    """How far the input was read when they were complete."""
    mark: str | None = None
    """Where to go on behind them, where counting rows does not tell."""


class Answer(msgspec.Struct, omit_defaults=True):
    """What became of a row; one line of ``--results``."""

    row: int
    line: int
    outcome: str
    event_id: str | None = None
    message: str | None = None


class Acknowledged(NamedTuple):
    """A batch and what became of it."""

    batch: Batch
    answers: list[Answer]
    seq: str | None


def batches(rows: Iterator[Row], size: int, position: Callable[[], int]) -> Iterator[Batch]:
    """Group rows."""
    while group := list(islice(rows, size)):
        yield Batch(group, position())


def send_all(batches: Iterable[Batch], send: Send, in_flight: int) -> Iterator[Acknowledged]:
    """Send ``batches``, up to ``in_flight`` at a time, and give them back in order.

    Two that are in flight together never hold the same event id: which of two rows with one id
    comes first decides which one stands, and that is for the file to say. Apart from that the
    end state does not depend on the order of delivery (R11).

    Raises:
        ToprungError: a batch could not be delivered. Later ones may have been; as every event
            has its id, sending them again counts none twice.
    """
    flying: deque[tuple[Batch, set[EventKey], Future[BatchReply | None]]] = deque()
    for batch in batches:
        keys = {(row.event.board, row.event.event_id) for row in batch.rows if row.event}
        while flying and (
            len(flying) >= in_flight or not all(keys.isdisjoint(other) for _, other, _ in flying)
        ):
            yield _landed(flying)
        flying.append((batch, keys, _start(send, batch)))
    while flying:
        yield _landed(flying)


def _start(send: Send, batch: Batch) -> "Future[BatchReply | None]":
    """Send in a thread of its own; a daemon, so that an interrupted import need not wait."""
    future: Future[BatchReply | None] = Future()
    events = [row.event for row in batch.rows if row.event is not None]

    def run() -> None:
        try:
            future.set_result(send(events) if events else None)
        except Exception as error:  # noqa: BLE001 - raised where the result is taken
            future.set_exception(error)

    Thread(target=run, name="toprung-import", daemon=True).start()
    return future


def _landed(
    flying: "deque[tuple[Batch, set[EventKey], Future[BatchReply | None]]]",
) -> Acknowledged:
    batch, _, future = flying.popleft()
    reply = future.result()
    results = iter(reply.results if reply is not None else ())
    answers = [
        _refusal(row) if row.event is None else _answer(row, next(results)) for row in batch.rows
    ]
    return Acknowledged(batch, answers, reply.seq if reply is not None else None)


def _refusal(row: Row) -> Answer:
    return Answer(row.number, row.line, "invalid", message=row.problem)


def _answer(row: Row, result: "ScoreResult") -> Answer:
    return Answer(row.number, row.line, result.outcome, result.event_id, result.message)

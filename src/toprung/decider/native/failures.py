"""The native decider's failures as the kinds of error that this house knows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from toprung._native import EngineBroken, EngineError
from toprung.domain.errors import Broken, Trouble
from toprung.domain.records import UNREADABLE, decode_event
from toprung.ports.log import damaged_record
from toprung.ports.pipeline import Arrived


@contextmanager
def as_ours(first: int, rows: Sequence[Arrived]) -> Iterator[None]:
    """Raise what a failure of the native decider means.

    Args:
        first: the ``seq`` of the first of ``rows``, which it works on.

    Raises:
        Trouble: ``storage_corrupt``, a record or what was kept of it is damaged; ``decider_full``,
            more is to be held than can be numbered; ``out_of_memory``.
        Broken: it failed inside, or was asked what nobody may ask.
    """
    try:
        yield
    except EngineBroken as failure:
        raise Broken(f"the decider is broken: {failure}") from failure
    except EngineError as failure:
        code, message, *place = failure.args
        if code == "damaged_record":
            raise _damaged(first + place[0], rows[place[0]].body, failure) from failure
        raise _ours(code, message) from failure


def _damaged(seq: int, body: bytes, failure: EngineError) -> Trouble:
    """In the words of the rules, which read the record again."""
    try:
        decode_event(body)
    except UNREADABLE as error:
        return damaged_record(seq, error)
    return damaged_record(seq, failure)


def _ours(code: str, message: str) -> Trouble | Broken:
    if code == "full":
        return Trouble(
            "decider_full",
            message,
            retryable=False,
            hint="the log holds at most 2^40 records, and memory at most 2^32 entries",
        )
    if code == "out_of_memory":
        return Trouble("out_of_memory", message, retryable=True, hint="give the server more memory")
    if code == "overflow":
        return Trouble(
            "storage_corrupt",
            f"what was decided cannot be done again: {message}",
            retryable=False,
            hint="rebuild from the log",
        )
    return Broken(f"the decider refused a call: {message}")

"""The event log: history, append-only, the record that everything else is made from."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from toprung.domain.errors import Trouble
from toprung.domain.records import UNREADABLE, Record, decode_record


class LogRow(NamedTuple):
    """One record as the log holds it."""

    seq: int
    """Where it stands; the first is 1, and each is one more than the one before."""
    received_at: int
    """When it arrived, in microseconds; never earlier than the row before."""
    body: bytes


def record_of(row: LogRow) -> Record:
    """What a row says.

    Raises:
        Trouble: ``storage_corrupt``, it is no record.
    """
    try:
        return decode_record(row.body)
    except UNREADABLE as error:
        raise damaged_record(row.seq, error) from error


def damaged_record(seq: int, error: Exception) -> Trouble:
    """What to raise where a record cannot be read."""
    return Trouble(
        "storage_corrupt",
        f"the log's record {seq} is damaged ({error})",
        retryable=False,
        hint="restore a backup",
    )


class EventLog(Protocol):
    """Where records are kept in order."""

    def append(self, rows: Sequence[tuple[int, bytes]]) -> int:
        """Append ``(received_at, body)`` rows, all or none; durable when it returns, or, inside a
        transaction that the log takes part in, when that commits.

        Returns:
            The ``seq`` of the first row.

        Raises:
            Trouble: the rows could not be written.
        """
        ...

    def read(self, after: int, limit: int) -> list[LogRow]:
        """At most ``limit`` rows with a ``seq`` larger than ``after``, in order."""
        ...

    def head(self) -> tuple[int, int]:
        """``seq`` and ``received_at`` of the last row; zeros for an empty log."""
        ...

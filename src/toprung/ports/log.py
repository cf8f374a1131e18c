"""The event log: history, append-only, the record that everything else is made from."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from toprung.domain.errors import Trouble
from toprung.domain.records import UNREADABLE, Record, decode_record


class LogRow(NamedTuple):
    """One record as the log holds it."""

    seq: int
    """Where it stands; the first is 1, and each is one more than the one before."""
    received_at: int
    """When it arrived, in microseconds; never earlier than the row before."""
    body: bytes


class Frames(NamedTuple):
    """Records on their way into a log, in order, as a buffer that native code makes and reads."""

    body: bytes
    """MessagePack: ``[received_at, body]`` of each record, one after the other."""
    sizes: bytes
    """How long each of them is (u32, in the byte order of this machine)."""


_encode = msgspec.msgpack.Encoder().encode


def frames_of(rows: Sequence[tuple[int, bytes]]) -> Frames:
    """The frames of some records, given as ``(received_at, body)``."""
    frames = [_encode(row) for row in rows]
    return Frames(b"".join(frames), array("I", map(len, frames)).tobytes())


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

    def append(self, frames: Frames) -> int:
        """Append records, all or none; durable when it returns, or, inside a transaction that the
        log takes part in, when that commits.

        Returns:
            The ``seq`` of the first record.

        Raises:
            Trouble: the records could not be written.
        """
        ...

    def read(self, after: int, limit: int) -> list[LogRow]:
        """At most ``limit`` rows with a ``seq`` larger than ``after``, in order."""
        ...

    def containing(self, texts: Sequence[bytes], after: int, until: int) -> Iterator[LogRow]:
        """The rows after ``after``, up to ``until``, whose bodies hold one of ``texts``, in order.

        It is a search in bytes: what else a row is about, who asks must see.
        """
        ...

    def rewrite(
        self, texts: Sequence[bytes], until: int, change: Callable[[LogRow], bytes | None]
    ) -> list[int]:
        """Put other bodies in the place of some records up to ``until``, of those that hold one of
        ``texts``, within the caller's transaction; the ``seq`` of each.

        Args:
            change: gives the other body; ``None``: the record stays.
        """
        ...

    def head(self) -> tuple[int, int]:
        """``seq`` and ``received_at`` of the last row; zeros for an empty log."""
        ...

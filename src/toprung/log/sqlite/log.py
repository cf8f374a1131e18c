"""The event log in a SQLite file: one table, blocks of records appended in order of their ``seq``.

A block is MessagePack: an array of ``[received_at, body]``.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, count, islice

import msgspec

from toprung.domain.records import UNREADABLE
from toprung.ports.log import Frames, LogRow
from toprung.sqlite import Database, load_queries

BLOCK_RECORDS = 256
"""Records of one block: to read one costs reading them all."""

_SQL = load_queries("toprung.log.sqlite")
# A tuple becomes a row as it is: the class itself would take it apart and put it together again.
_as_row = partial(tuple.__new__, LogRow)
_decode = msgspec.msgpack.Decoder(list[tuple[int, bytes]]).decode
_encode = msgspec.msgpack.Encoder().encode
_decode_frame = msgspec.msgpack.Decoder(tuple[int, bytes]).decode


class SqliteEventLog:
    """An :class:`~toprung.ports.log.EventLog` on ``database``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last: int | None = None
        database.after_rollback(self._forget_last)

    def _forget_last(self) -> None:
        self._last = None

    def append(self, frames: Frames) -> int:
        """See the port. Takes part in the database's transaction."""
        with self._database.transaction():
            first = (self.head()[0] if self._last is None else self._last) + 1
            blocks = list(_blocks(first, frames))
            self._database.executemany(_SQL["append"], blocks)
            self._last = blocks[-1][1] if blocks else first - 1
        return first

    def read(self, after: int, limit: int) -> list[LogRow]:
        """See the port."""
        found: list[LogRow] = []
        for first, last, body in self._database.query(_SQL["read"], (after, after + limit)):
            due = after + 1 if not found else found[-1].seq + 1
            if first > due:
                raise self._database.damaged(f"the log, which lacks record {due},")
            records = zip(*self._records(first, last, body), strict=True)
            skipped = max(0, after + 1 - first)
            found += islice(map(_as_row, zip(count(first), *records)), skipped, None)
        return found[:limit]

    def containing(self, texts: Sequence[bytes], after: int, until: int) -> Iterator[LogRow]:
        """See the port. Most blocks hold none of the texts, and are not read."""
        for first, last, body in self._database.stream(_SQL["between"], (after, until)):
            if not any(text in body for text in texts):
                continue
            for seq, (received_at, record) in enumerate(self._records(first, last, body), first):
                if after < seq <= until and any(text in record for text in texts):
                    yield LogRow(seq, received_at, record)

    def rewrite(
        self, texts: Sequence[bytes], until: int, change: Callable[[LogRow], bytes | None]
    ) -> list[int]:
        """See the port."""
        changed: list[int] = []
        for first, last, body in self._database.query(_SQL["between"], (0, until)):
            if not any(text in body for text in texts):
                continue
            records = self._records(first, last, body)
            for place, (received_at, record) in enumerate(records):
                if first + place <= until and any(text in record for text in texts):
                    other = change(LogRow(first + place, received_at, record))
                    if other is not None:
                        records[place] = received_at, other
                        changed.append(first + place)
            content = _array_head(len(records)) + b"".join(map(_encode, records))
            self._database.execute(_SQL["rewrite"], (first, content))
        return changed

    def _records(self, first: int, last: int, body: bytes) -> list[tuple[int, bytes]]:
        try:
            records = _decode(body)
        except UNREADABLE as error:
            raise self._database.damaged(f"the log at {first}", error) from error
        if not records or len(records) != last - first + 1:
            raise self._database.damaged(f"the log at {first}")
        return records

    def head(self) -> tuple[int, int]:
        """See the port."""
        for seq, received_at in self._database.query(_SQL["head"]):
            return seq, received_at
        return 0, 0


def _blocks(first: int, frames: Frames) -> Iterator[tuple[int, int, int, bytes]]:
    ends = [0, *accumulate(array("I", frames.sizes))]
    count = len(ends) - 1
    for start in range(0, count, BLOCK_RECORDS):
        stop = min(start + BLOCK_RECORDS, count)
        body = _array_head(stop - start) + frames.body[ends[start] : ends[stop]]
        received_at, _ = _decode_frame(frames.body[ends[stop - 1] : ends[stop]])
        yield first + start, first + stop - 1, received_at, body


def _array_head(count: int) -> bytes:
    """How a MessagePack array of ``count`` values begins (the specification is at msgpack.org)."""
    if count < 16:  # so many fit the first byte
        return bytes([0x90 | count])
    return b"\xdc" + count.to_bytes(2, "big")

"""Snapshots of closed periods in a SQLite file."""

import zlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from toprung.domain.decide import EntryKey
from toprung.domain.records import UNREADABLE
from toprung.domain.snapshots import Snapshot, taken_back
from toprung.sqlite import Database, load_queries

_SQL = load_queries("toprung.store.sqlite", "snapshots.sql")
_LEVEL = 1
"""How hard rows are packed: this takes a fifth of the time of zlib's own choice and leaves little
more."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Snapshot).decode


class SqliteSnapshots:
    """A :class:`~toprung.ports.snapshots.SnapshotStore` on ``database``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, snapshot: Snapshot) -> None:
        """See the port."""
        body = _encode(snapshot)
        self._database.execute(_SQL["begin"], (snapshot.seq, *snapshot.period, body))

    def add(self, seq: int, first: int, lines: bytes) -> None:
        """See the port."""
        self._database.execute(_SQL["add"], (seq, first, zlib.compress(lines, _LEVEL)))

    def finish(self, snapshot: Snapshot) -> None:
        """See the port."""
        self._database.execute(_SQL["finish"], (snapshot.seq, _encode(snapshot)))

    def remove(self, seq: int) -> None:
        """See the port."""
        self._database.execute(_SQL["remove_blocks"], (seq,))
        self._database.execute(_SQL["remove"], (seq,))

    def take_back(self, snapshot: Snapshot) -> None:
        """See the port."""
        self._database.execute(_SQL["remove_blocks"], (snapshot.seq,))
        self.finish(taken_back(snapshot))

    def all(self) -> list[Snapshot]:
        """See the port."""
        return [self._read(*row) for row in self._database.query(_SQL["all"])]

    def of_period(self, key: EntryKey) -> list[Snapshot]:
        """See the port."""
        return [self._read(*row) for row in self._database.query(_SQL["of_period"], key)]

    def _read(self, seq: int, body: bytes) -> Snapshot:
        try:
            return _decode(body)
        except UNREADABLE as error:
            raise self._database.damaged(f"the snapshot {seq}", error) from error

    def lines(self, seq: int) -> Iterator[bytes]:
        """See the port."""
        for (body,) in self._database.stream(_SQL["lines"], (seq,)):
            try:
                yield zlib.decompress(body)
            except zlib.error as error:
                raise self._database.damaged(f"a part of the snapshot {seq}", error) from error

    def mark(self, keys: Iterable[EntryKey]) -> None:
        """See the port."""
        self._database.executemany(_SQL["mark"], keys)

    def unmark(self, key: EntryKey) -> None:
        """See the port."""
        self._database.execute(_SQL["unmark"], key)

    def marked(self) -> list[EntryKey]:
        """See the port."""
        return [tuple(row) for row in self._database.query(_SQL["marked"])]

    def forget(self, board_id: int, windows: Sequence[str] | None) -> None:
        """See the port."""
        for seq, window in self._database.query(_SQL["of_board"], (board_id,)):
            if windows is None or window in windows:
                self.remove(seq)
        for name in (None,) if windows is None else windows:
            self._database.execute(_SQL["forget_marks"], (board_id, name))

    def wipe(self) -> None:
        """Remove everything."""
        self._database.execute(_SQL["wipe"])

"""Events in quarantine, in a file."""

from collections.abc import Iterable, Iterator

import msgspec

from toprung.domain.quarantine import Held, HeldLine
from toprung.domain.records import UNREADABLE
from toprung.sqlite import Database, load_queries

_SQL = load_queries("toprung.store.sqlite")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Held).decode


class HeldTable:
    """Those of a file over one connection. What comes in waits to be written with the lines that
    say what became of these events, so that a crash leaves both or neither.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[HeldLine] = []
        self._inserted = 0

    def hold(self, lines: Iterable[HeldLine]) -> None:
        """Let lines wait to be written."""
        self._waiting += lines

    def write(self) -> None:
        """Write what waits, within the transaction that runs."""
        self.put(self._waiting[self._inserted :])
        self._inserted = len(self._waiting)

    def put(self, lines: Iterable[HeldLine]) -> None:
        """Write lines in the place of those before."""
        self._database.executemany(
            _SQL["put_held"], [(*line[:2], _encode(line[2])) for line in lines]
        )

    def remove(self, ids: Iterable[tuple[int, str]]) -> None:
        """Remove lines, by board and event id."""
        self._database.executemany(_SQL["remove_held"], list(ids))

    def drop(self, board_id: int) -> None:
        """Remove those of a board."""
        self._database.execute(_SQL["drop_held"], (board_id,))

    def committed(self) -> None:
        """What was written is there."""
        del self._waiting[: self._inserted]
        self._inserted = 0

    def rolled_back(self) -> None:
        """What was written is not there; it waits on."""
        self._inserted = 0

    def forget(self) -> None:
        """Let nothing wait: all of it is made anew."""
        self._waiting = []
        self._inserted = 0

    def scan(self) -> Iterator[HeldLine]:
        """All lines, written or not."""
        for board_id, event_id, body in self._database.stream(_SQL["scan_held"]):
            try:
                held = _decode(body)
            except UNREADABLE as error:
                raise self._database.damaged(f"the event {event_id!r} in quarantine", error) from (
                    error
                )
            yield board_id, event_id, held
        yield from self._waiting[self._inserted :]

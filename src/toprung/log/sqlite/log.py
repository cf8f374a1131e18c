"""The event log in a SQLite file: one table, rows appended in order of their ``seq``."""

from collections.abc import Sequence

from toprung.ports.log import LogRow
from toprung.sqlite import Database, load_queries

_SQL = load_queries("toprung.log.sqlite")


class SqliteEventLog:
    """An :class:`~toprung.ports.log.EventLog` on ``database``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, rows: Sequence[tuple[int, bytes]]) -> int:
        """See the port. Takes part in the database's transaction."""
        with self._database.transaction():
            first = self.head()[0] + 1
            self._database.executemany(
                _SQL["append"],
                [(seq, received_at, body) for seq, (received_at, body) in enumerate(rows, first)],
            )
        return first

    def read(self, after: int, limit: int) -> list[LogRow]:
        """See the port."""
        return [LogRow(*row) for row in self._database.query(_SQL["read"], (after, limit))]

    def head(self) -> tuple[int, int]:
        """See the port."""
        for seq, received_at in self._database.query(_SQL["head"]):
            return seq, received_at
        return 0, 0

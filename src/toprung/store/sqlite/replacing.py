"""Tables that were made anew in a file of their own take the place of those of a database.

What is kept of events never changes and is the most of it, so it is brought over beforehand, part
by part, into tables of other names; at the end these are renamed. The rest is copied then. SQLite
copies a table into an empty one of the same definition page by page, some million rows in a third
of a second (measured), so for it nothing better is needed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from toprung.sqlite import Database, load_queries

_SQL = load_queries("toprung.store.sqlite", "replacing.sql")
_BROUGHT = ("seen", "seen_places")
"""Tables that are appended to and never changed, in the order of their first column."""


class Part(NamedTuple):
    """Some rows on their way into a table."""

    table: str
    rows: list[Any]

    @property
    def seq(self) -> int:
        """The first column of the last row: the parts of a table go up to there."""
        return int(self.rows[-1][0])


class Replacement:
    """The tables that were made in one file, on their way into another.

    Args:
        database: the one whose tables are replaced. Whoever calls must be the only one to write.
        made: the other one; its files' tables are complete when :meth:`replace` is called.
    """

    def __init__(self, database: Database, made: Database) -> None:
        self._database = database
        self._made = made
        self._brought = dict.fromkeys(_BROUGHT, 0)

    def begin(self) -> None:
        """Make the tables of other names, empty."""
        with self._database.transaction(durable=False):
            self.give_up()
            for table in _BROUGHT:
                ((definition,),) = self._made.query(_SQL["definition"], (table,))
                self._database.execute(definition.replace(table, f"new_{table}", 1))

    def give_up(self) -> None:
        """Remove what was brought over."""
        remove_left_over(self._database)

    def parts(self) -> Iterator[Part]:
        """What is to be brought over as of now, in parts of some megabytes: read from the file
        that was made, each when the one before was brought.
        """
        for table in _BROUGHT:
            while rows := self._made.query(_SQL[table], (self._brought[table],)):
                yield Part(table, rows)

    def bring(self, part: Part) -> None:
        """Write a part."""
        with self._database.transaction(durable=False):
            self._database.executemany(_SQL[f"put_{part.table}"], part.rows)
        self._brought[part.table] = part.seq

    @contextmanager
    def attached(self) -> Iterator[None]:
        """Have the file that was made within reach; not inside a transaction."""
        self._database.execute(_SQL["attach"], (self._made.path,))
        try:
            yield
        finally:
            self._database.execute(_SQL["detach"])

    def replace(self) -> None:
        """Put the tables in their places, within the caller's transaction, while attached. All
        parts must have been brought.
        """
        self._database.execute(_SQL["replace"])


def remove_left_over(database: Database) -> None:
    """Remove what a replacement that came to no end left in the file."""
    with database.transaction(durable=False):
        database.execute(_SQL["drop_left_over"])

"""The event log in a SQLite file."""

from toprung.log.sqlite.log import SqliteEventLog

__all__ = ["SqliteEventLog"]

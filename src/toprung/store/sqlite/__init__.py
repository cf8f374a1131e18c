"""The score store and the keys in a SQLite file."""

from toprung.store.sqlite.facts import get_fact, set_fact
from toprung.store.sqlite.keys import SqliteKeyStore
from toprung.store.sqlite.store import SqliteScoreStore

__all__ = ["SqliteKeyStore", "SqliteScoreStore", "get_fact", "set_fact"]

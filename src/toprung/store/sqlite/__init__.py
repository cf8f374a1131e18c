"""The score store and the keys in a SQLite file."""

from toprung.store.sqlite.blocks import EntryBlocks, PythonBlocks
from toprung.store.sqlite.facts import get_fact, set_fact
from toprung.store.sqlite.keys import SqliteKeyStore
from toprung.store.sqlite.replacing import Replacement, remove_left_over
from toprung.store.sqlite.seen import Waiting
from toprung.store.sqlite.seen_index import DictIndex, SeenIndex
from toprung.store.sqlite.store import SqliteScoreStore

__all__ = [
    "DictIndex",
    "EntryBlocks",
    "PythonBlocks",
    "Replacement",
    "SeenIndex",
    "SqliteKeyStore",
    "SqliteScoreStore",
    "Waiting",
    "get_fact",
    "remove_left_over",
    "set_fact",
]

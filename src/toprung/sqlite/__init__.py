"""One SQLite file: open it, lock it, migrate it, transactions on it, its SQL by name.

Log, store and keys of the embedded product share one file, so that what belongs together is
committed together. This room knows files and transactions; what is in the tables is the adapters'.
"""

from toprung.sqlite.copying import CopyProgress, check_integrity, copy_database
from toprung.sqlite.database import Database, open_database, open_reader
from toprung.sqlite.lock import FileLock
from toprung.sqlite.queries import load_queries

__all__ = [
    "CopyProgress",
    "Database",
    "FileLock",
    "check_integrity",
    "copy_database",
    "load_queries",
    "open_database",
    "open_reader",
]

"""Keys in a SQLite file."""

from toprung.ports.keys import StoredKey
from toprung.sqlite import Database, load_queries

_SQL = load_queries("toprung.store.sqlite")


class SqliteKeyStore:
    """A :class:`~toprung.ports.keys.KeyStore` on ``database``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, key: StoredKey) -> None:
        """See the port."""
        values = [getattr(key, name) for name in StoredKey.__struct_fields__]
        self._database.execute(_SQL["add_key"], values)

    def find(self, key_id: str) -> StoredKey | None:
        """See the port."""
        for row in self._database.query(_SQL["find_key"], (key_id,)):
            return StoredKey(*row)
        return None

    def list(self, project: str | None) -> list[StoredKey]:
        """See the port."""
        return [StoredKey(*row) for row in self._database.query(_SQL["list_keys"], (project,))]

    def revoke(self, key_id: str, at: int) -> bool:
        """See the port."""
        self._database.execute(_SQL["revoke_key"], (key_id, at))
        return self._database.connection.changes() > 0

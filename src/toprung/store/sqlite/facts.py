"""What a file says about itself."""

from toprung.sqlite import Database, load_queries

_SQL = load_queries("toprung.store.sqlite")


def get_fact(database: Database, name: str) -> str | None:
    """The value kept under ``name``, or ``None``."""
    for (value,) in database.query(_SQL["get_fact"], (name,)):
        return str(value)
    return None


def set_fact(database: Database, name: str, value: str) -> None:
    """Keep ``value`` under ``name``."""
    database.execute(_SQL["set_fact"], (name, value))

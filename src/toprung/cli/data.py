"""DuckDB, for columnar files and SQL on them; an extra."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from toprung.cli.errors import Failed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@contextmanager
def connect() -> Iterator["DuckDBPyConnection"]:
    """A database in memory, gone at the end. It loads nothing from a network.

    Raises:
        Failed: ``no_data``, the extra is not installed.
    """
    try:
        import duckdb  # noqa: PLC0415 - an extra, and large
    except ModuleNotFoundError as error:
        raise Failed(
            "no_data",
            "this needs DuckDB, which is not installed",
            hint="pip install 'toprung[data]'",
        ) from error
    with duckdb.connect(
        config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    ) as database:
        database.execute("SET TimeZone = 'UTC'")
        yield database


def quoted_text(text: str) -> str:
    """``text`` as it stands in a statement."""
    return "'" + text.replace("'", "''") + "'"


def quoted_name(name: str) -> str:
    """The name of a column or a view as it stands in a statement."""
    return '"' + name.replace('"', '""') + '"'

"""The command ``toprung query``."""

import csv
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from toprung.cli.data import connect
from toprung.cli.errors import Failed
from toprung.cli.exporting.command import write_all
from toprung.cli.exporting.parquet import parquet_writer
from toprung.cli.exporting.sources import entries, events
from toprung.cli.options import DEFAULT_URL, File, Full, Json, Key, PeriodKey, Project, Url, Window
from toprung.cli.output import print_json, print_table
from toprung.cli.querying.views import add_view, name_views
from toprung.cli.remote import reading
from toprung.domain.instants import format_instant, from_datetime
from toprung.domain.numbers import fits

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ROWS_TOGETHER = 1000


def query(  # noqa: PLR0913 - one parameter for each option
    sql: Annotated[str, typer.Argument(metavar="SQL", help="What to ask, in DuckDB's SQL.")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILES]", help="Exports: .parquet, .csv or .jsonl."),
    ] = None,
    *,
    board: Annotated[
        str | None,
        typer.Option(help="Export this board first: entries, with --events also events."),
    ] = None,
    with_events: Annotated[bool, typer.Option("--events", help="With --board: its log.")] = False,
    window: Window = None,
    period: PeriodKey = None,
    full: Full = False,
    file: File = None,
    project: Project = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
    json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Ask SQL of exported files, or of a board that is exported for it first.

    A file is a table with the name of the file up to its first point: week.csv is week. Scores are
    whole numbers or decimals, instants are in UTC. DuckDB wants the column "at" in quotes. It comes
    with the extra data.

    Examples:
      toprung query "SELECT count(*) FROM week" week.parquet
      toprung query 'SELECT player_id, points FROM entries WHERE points > 100' --board high-scores
    """
    if bool(files) == (board is not None):
        raise typer.BadParameter("give files, or a board with --board")
    if json and as_csv:
        raise typer.BadParameter("say --json or --csv, not both")
    if board is None and (with_events or window or period or full or file or project):
        raise typer.BadParameter(
            "--events, --window, --period, --full, --db and --project go with --board"
        )
    with connect() as database, tempfile.TemporaryDirectory(prefix="toprung-") as folder:
        views = name_views(files or [])
        if board is not None:
            with reading(url, key, file, project) as client:
                tables = {"entries": entries(client, board, window, period, full=full)}
                if with_events:
                    tables["events"] = events(client, board)
                for name, table in tables.items():
                    views[name] = Path(folder) / f"{name}.parquet"
                    with parquet_writer(table, views[name]) as write:
                        write_all(table, write, quiet=json)
        with _told():
            for name, path in views.items():
                add_view(database, name, path)
            _print(database.execute(sql), json=json, as_csv=as_csv)


@contextmanager
def _told() -> Iterator[None]:
    """Tell what DuckDB has against a statement or a file in one line."""
    import duckdb  # noqa: PLC0415 - it is installed, or nothing got here

    try:
        yield
    except duckdb.Error as error:
        raise Failed("sql", str(error).partition("\n")[0]) from error


def _print(answer: "DuckDBPyConnection", *, json: bool, as_csv: bool) -> None:
    names = [column[0] for column in answer.description or ()]
    if json:
        rows = [list(map(_json_value, row)) for row in _rows(answer)]
        print_json({"columns": names, "rows": rows})
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(map(_text, row) for row in _rows(answer))
    else:
        print_table(names, [list(map(_text, row)) for row in _rows(answer)])


def _rows(answer: "DuckDBPyConnection") -> Iterator[Sequence[Any]]:
    while part := answer.fetchmany(ROWS_TOGETHER):
        yield from part


def _text(value: Any) -> str | None:
    found = _json_value(value)
    if found is None or isinstance(found, str):
        return found
    return msgspec.json.encode(found).decode()


def _json_value(value: Any) -> Any:
    """What stands for a value in JSON: numbers of SQL that are decimals are text, as scores are."""
    if isinstance(value, bool | float | str | None):
        return value
    if isinstance(value, int):
        return value if fits(value) else str(value)
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, datetime) and value.tzinfo is not None:
        return format_instant(from_datetime(value.astimezone(UTC)))
    if isinstance(value, dict):
        return {str(key): _json_value(each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [_json_value(each) for each in value]
    return value.hex() if isinstance(value, bytes) else str(value)

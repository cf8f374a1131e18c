"""The command ``toprung export``."""

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, cast

import typer

from toprung.cli.exporting.parquet import parquet_writer
from toprung.cli.exporting.sources import entries, events, snapshots
from toprung.cli.exporting.tables import Table
from toprung.cli.exporting.writers import Write, csv_writer, jsonl_writer
from toprung.cli.options import (
    DEFAULT_URL,
    BoardName,
    File,
    Full,
    Key,
    PeriodKey,
    Project,
    SegmentChoice,
    Url,
    Window,
)
from toprung.cli.output import say
from toprung.cli.progress import show_progress
from toprung.cli.remote import reading

if TYPE_CHECKING:
    from toprung.sdk import Client


class Format(StrEnum):
    """What an export can write."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


class What(StrEnum):
    """What can be exported."""

    ENTRIES = "entries"
    SNAPSHOTS = "snapshots"
    EVENTS = "events"


WhatChoice = Annotated[
    What,
    typer.Option(
        "--what",
        help="entries: the standings of a period; snapshots: the final ones of closed periods;"
        " events: the log (admin).",
    ),
]
FormatChoice = Annotated[
    Format | None,
    typer.Option("--format", help="Default: by the file's name, else csv.", show_default=False),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Default: standard output. CSV and JSON lines may end in .gz.",
        show_default=False,
    ),
]
Spreadsheet = Annotated[
    bool,
    typer.Option(
        "--spreadsheet",
        help="In CSV: put an apostrophe before texts that a spreadsheet would run as a formula.",
    ),
]


def export(  # noqa: PLR0913 - one parameter for each option
    board: BoardName,
    *,
    what: WhatChoice = What.ENTRIES,
    window: Window = None,
    period: PeriodKey = None,
    segment: SegmentChoice = None,
    full: Full = False,
    file_format: FormatChoice = None,
    output: Output = None,
    spreadsheet: Spreadsheet = False,
    file: File = None,
    project: Project = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
) -> None:
    """Write the standings of a period, final ones, or all events of a board to a file.

    Standings have rank, player_id, name, points (or points.NAME for each column) and at, the
    instant when the score was reached. Snapshots have window, period and version before that; they
    are of all closed periods, or of those that --window and --period name. With --segment both have
    the players of that segment alone, with their ranks there. Of a period whose first ranks are
    withheld they are of --full alone. Events have seq, received_at,
    event_id, player_id, points, at, outcome, late (the windows they came too late for), history,
    match_id, metadata, update_only and void. toprung import reads standings and events.
    Numbers are exact in every format: Parquet has whole numbers or decimals, never floats, and
    needs the extra data.

    Examples:
      toprung export high-scores --window weekly --period 2026-W49 -o week.csv
      toprung export high-scores --what events -o events.parquet
    """
    form = file_format or _format_of(output)
    _check_options(what, form, output, window or period or segment or full, spreadsheet=spreadsheet)
    with reading(url, key, file, project) as client:
        table = _table(client, what, board, window, period, segment, full=full)
        with _opened(table, form, output, spreadsheet=spreadsheet) as write:
            count = write_all(table, write, quiet=output is None)
    if output is not None:
        say(f"{count} rows are in {output}")


def _check_options(
    what: What, form: Format, output: Path | None, chosen: str | bool | None, *, spreadsheet: bool
) -> None:
    if what is What.EVENTS and chosen:
        raise typer.BadParameter(
            "events are of the whole board: leave out --window, --period, --segment and --full"
        )
    if form is Format.PARQUET and (output is None or output.suffix == ".gz"):
        raise typer.BadParameter(
            "Parquet is written to a file, and compresses by itself", param_hint="--output"
        )
    if spreadsheet and form is not Format.CSV:
        raise typer.BadParameter("is for CSV alone", param_hint="--spreadsheet")


def _format_of(output: Path | None) -> Format:
    suffixes = set() if output is None else set(output.suffixes)
    if ".parquet" in suffixes:
        return Format.PARQUET
    return Format.JSONL if suffixes & {".jsonl", ".ndjson"} else Format.CSV


def _table(
    client: "Client",
    what: What,
    board: str,
    window: str | None,
    period: str | None,
    segment: str | None,
    *,
    full: bool,
) -> Table:
    if what is What.EVENTS:
        return events(client, board)
    read = snapshots if what is What.SNAPSHOTS else entries
    return read(client, board, window, period, segment, full=full)


def write_all(table: Table, write: Write, *, quiet: bool) -> int:
    """Write every row of a table, page by page; how many there are."""
    count = 0
    with show_progress(None, quiet=quiet) as show:
        for page in table.pages():
            write(page.rows)
            count += len(page.rows)
            show(page.done, page.text, page.total)
    return count


@contextmanager
def _opened(
    table: Table, form: Format, output: Path | None, *, spreadsheet: bool
) -> Iterator[Write]:
    """Where to write. A file is there only when it is complete."""
    if output is None:
        yield _text_writer(table, form, sys.stdout, spreadsheet=spreadsheet)
        return
    part = output.with_name(output.name + ".part")
    try:
        if form is Format.PARQUET:
            with parquet_writer(table, part) as write:
                yield write
        else:
            opener = gzip.open if output.suffix == ".gz" else open
            with cast("IO[str]", opener(part, "wt", encoding="utf-8", newline="")) as text:
                yield _text_writer(table, form, text, spreadsheet=spreadsheet)
        os.replace(part, output)  # noqa: PTH105 - it is a file beside
    finally:
        part.unlink(missing_ok=True)


def _text_writer(table: Table, form: Format, file: IO[str], *, spreadsheet: bool) -> Write:
    if form is Format.JSONL:
        return jsonl_writer(table, file)
    return csv_writer(table, file, spreadsheet=spreadsheet)

"""``toprung export``: the standings of one period as a file that an import can read."""

import csv
import gzip
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated, cast

import msgspec
import typer

from toprung.cli.options import DEFAULT_URL, BoardName, Key, PeriodKey, Url, Window
from toprung.cli.output import say
from toprung.cli.progress import show_progress
from toprung.cli.remote import connect_patiently
from toprung.domain.limits import PAGE_ROWS
from toprung.wire.boards import Board
from toprung.wire.reads import Row


class Format(StrEnum):
    """What an export can write."""

    CSV = "csv"
    JSONL = "jsonl"


def export(
    board: BoardName,
    *,
    window: Window = None,
    period: PeriodKey = None,
    file_format: Annotated[
        Format | None,
        typer.Option("--format", help="Default: by the file's name, else csv.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Default: standard output. May end in .gz.", show_default=False
        ),
    ] = None,
    url: Url = DEFAULT_URL,
    key: Key = "",
) -> None:
    """Write the standings of one period to a file, in board order.

    Each row has rank, player_id, name, points (or points.NAME for each column) and at, the
    instant when the score was reached; toprung import reads it as it is. A player who does not
    move meanwhile is in it once, whatever the others do.

    Example:
      toprung export high-scores --window weekly --period 2026-W49 -o week.csv
    """
    form = file_format or _format_of(output)
    with connect_patiently(url, key) as client, _opened(output) as file:
        settings = client.board(board)
        write = _writer(form, settings, file)
        count = 0
        with show_progress(None, quiet=output is None) as show:
            pages = client.pages(board, page_size=PAGE_ROWS.maximum, window=window, period=period)
            for page in pages:
                write(page.rows)
                count += len(page.rows)
                show(count, "rows", page.total)
    if output is not None:
        say(f"{count} rows are in {output}")


def _format_of(output: Path | None) -> Format:
    suffixes = set() if output is None else set(output.suffixes)
    return Format.JSONL if suffixes & {".jsonl", ".ndjson"} else Format.CSV


@contextmanager
def _opened(output: Path | None) -> Iterator[IO[str]]:
    """Where to write. A file is there only when it is complete."""
    if output is None:
        yield sys.stdout
        return
    part = output.with_name(output.name + ".part")
    opener = gzip.open if output.suffix == ".gz" else open
    try:
        with cast("IO[str]", opener(part, "wt", encoding="utf-8", newline="")) as file:
            yield file
        os.replace(part, output)  # noqa: PTH105 - it is a file beside
    finally:
        part.unlink(missing_ok=True)


def _writer(form: Format, board: Board, file: IO[str]) -> Callable[[Iterable[Row]], None]:
    return _json_writer(file) if form is Format.JSONL else _csv_writer(board, file)


def _csv_writer(board: Board, file: IO[str]) -> Callable[[Iterable[Row]], None]:
    names = [column.name for column in board.columns]
    points = [f"points.{name}" for name in names] if len(names) > 1 else ["points"]
    plain = csv.writer(file, lineterminator="\n")
    # Left to itself the module quotes no bare return, which ends a row for every reader.
    quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    plain.writerow(["rank", "player_id", "name", *points, "at"])

    def write(rows: Iterable[Row]) -> None:
        for row in rows:
            writer = quoted if "\r" in row.player_id or "\r" in (row.name or "") else plain
            writer.writerow(
                [row.rank, row.player_id, row.name, *_points(row, names), row.reached_at]
            )

    return write


def _points(row: Row, names: Iterable[str]) -> Iterable[str]:
    return [row.score] if row.columns is None else [row.columns[name] for name in names]


def _json_writer(file: IO[str]) -> Callable[[Iterable[Row]], None]:
    def write(rows: Iterable[Row]) -> None:
        for row in rows:
            line = {
                "rank": row.rank,
                "player_id": row.player_id,
                "name": row.name,
                "points": row.score if row.columns is None else row.columns,
                "at": row.reached_at,
            }
            file.write(msgspec.json.encode(line).decode() + "\n")

    return write

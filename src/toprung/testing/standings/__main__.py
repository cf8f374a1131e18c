"""The command behind ``scripts/standings``."""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from toprung.testing.api import ProductTrouble, Refused
from toprung.testing.command import CommandFailed
from toprung.testing.server import Server, ServerFailed, create_key
from toprung.testing.standings.adapter import BadAdapter, load
from toprung.testing.standings.comparing import Tally
from toprung.testing.standings.importing import Format, ImportRefused
from toprung.testing.standings.runner import missed, run_set

DESCRIPTION = """\
Imports the real events of each folder and compares the boards with the official tables.

Prints for each set, or for each group of its tables: set, rows, values equal, ranks equal. Folders
without an official table (expected*.csv) are named and skipped.
"""
EPILOG = """\
A server of this installation is started on a database in a temporary folder. How a folder becomes
boards is said by an adapter: a Python file with a function standings(folder) that returns a
toprung.testing.standings.adapter.Standings. For a known set it is found by the folder's name.

Exit status: 0 all figures that the adapters ask for were reached, 1 one was missed or a set could
not be compared, 2 bad arguments.
"""
HEADER = "set, rows, values equal, ranks equal"

_FAILURES = (
    BadAdapter,
    CommandFailed,
    ImportRefused,
    ProductTrouble,
    Refused,
    ServerFailed,
    # What an adapter stumbles over when a folder is not as it expects.
    ArithmeticError,
    KeyError,
    OSError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True)
class DataSet:
    """A folder of data and the file that knows it."""

    folder: Path
    adapter: Path

    @property
    def name(self) -> str:
        return self.folder.name


@dataclass(frozen=True)
class Output:
    """Figures go one way, so that they can be piped; everything else goes the other."""

    figures: TextIO
    remarks: TextIO

    def figure(self, line: str) -> None:
        print(line, file=self.figures, flush=True)

    def remark(self, line: str) -> None:
        print(line, file=self.remarks, flush=True)

    def progress(self, events: int, rows: int) -> None:
        """A line that is written over, where a person looks on."""
        if self.remarks.isatty():
            self.remarks.write(f"\r  {events} events imported, {rows} rows compared \r")
            self.remarks.flush()


def main(
    arguments: Sequence[str] | None = None,
    figures: TextIO = sys.stdout,
    remarks: TextIO = sys.stderr,
) -> int:
    """Run the command; returns its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.folders and not options.adapter:
        parser.error("name at least one folder")
    output = Output(figures, remarks)
    fine = True
    sets = [DataSet(folder.resolve(), adapter) for adapter, folder in options.adapter]
    for folder in options.folders:
        if reason := _why_skipped(folder):
            output.remark(f"{folder.name}: skipped, {reason}")
        else:
            sets.append(DataSet(folder.resolve(), options.sets / f"{folder.resolve().name}.py"))
    if sets:
        output.figure(HEADER)
        with TemporaryDirectory(prefix="toprung-standings-") as place:
            database = Path(place, "standings.db")
            with Server(database) as server:
                for number, data in enumerate(sets, start=1):
                    key = create_key(database, f"set-{number}", "admin")
                    fine &= _run(data, server.url, key, options.format, output)
    return 0 if fine else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/standings",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", metavar="DIR", nargs="*", type=Path, help="a folder of data")
    parser.add_argument(
        "--adapter",
        nargs=2,
        metavar=("FILE.py", "DIR"),
        type=Path,
        action="append",
        default=[],
        help="use this adapter for this folder; may be repeated",
    )
    parser.add_argument(
        "--format", choices=("csv", "jsonl"), default="csv", help="what is imported (default: csv)"
    )
    parser.add_argument(
        "--sets", metavar="DIR", type=Path, default=Path("scripts/sets"), help=argparse.SUPPRESS
    )
    return parser


def _why_skipped(folder: Path) -> str | None:
    if not folder.exists():
        return None
    if not folder.is_dir():
        return "it is no folder"
    return None if any(folder.glob("expected*.csv*")) else "it has no official table"


def _run(data: DataSet, url: str, key: str, file_format: Format, output: Output) -> bool:
    """Compare one set and say how it went; whether all it asks for was reached."""
    output.remark(f"{data.name}: importing and comparing ...")
    started = time.monotonic()
    try:
        standings = load(data.adapter)(data.folder)
        tallies = run_set(standings, url, key, file_format, output.progress)
    except _FAILURES as failure:
        output.remark(f"{data.name}: could not be compared: {_told(failure)}")
        return False
    for line in _lines(data.name, tallies):
        output.figure(line)
    output.remark(f"{data.name}: done in {time.monotonic() - started:.0f} s")
    shortfalls = list(missed(tallies, standings.bars or {}))
    for shortfall in shortfalls:
        output.remark(f"{data.name}: MISSED {shortfall}")
    return not shortfalls


def _told(failure: BaseException) -> str:
    own_words = isinstance(failure, BadAdapter | CommandFailed | ImportRefused)
    return str(failure) if own_words else repr(failure)


def _lines(name: str, tallies: Mapping[str, Tally]) -> Iterator[str]:
    for group, tally in tallies.items():
        shown = f"{name} {group}".strip()
        values = f"{tally.values_equal} ({tally.values_share:.2%})"
        ranks = f"{tally.ranks_equal} ({tally.ranks_share:.2%})" if tally.ranked else "-"
        yield f"{shown}, {tally.rows}, {values}, {ranks}"


if __name__ == "__main__":
    sys.exit(main())

"""The command behind ``scripts/cases``."""

import argparse
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from toprung.testing.cases.model import BadCaseFile, Case, read_cases
from toprung.testing.cases.runner import (
    ALONE,
    Result,
    run_all_on_one,
    run_each_alone,
    start_of,
    summary,
)
from toprung.testing.control import CommandControl, Control, LocalControl
from toprung.testing.prepared import PreparedDatabase

DESCRIPTION = """\
Plays every case of FILE through the public HTTP API and compares the answers.

A case passes when all questions it can ask by itself get the expected answers. Questions for a
person ("manual") are counted and not judged. Cases that need what the product does not do yet are
"pending" and not played.
"""
EPILOG = """\
Without --url a server of this installation is started for each case, with a clock of its own, on a
database in a temporary folder. With --url a server elsewhere plays all cases, and --control names
the command of its keeper. It is called as

  CMD clock TIME          set the server's clock to an RFC 3339 instant; it never goes back
  CMD restart             stop the server and start it again on its data
  CMD crash               kill the server without warning and start it again on its data
  CMD rebuild             have everything that is derived made anew from the log
  CMD key PROJECT ROLE    make a key (role: admin or client) and print it

and has succeeded when it ends with 0. Exit status: 0 all fine, 1 a case failed, 2 bad arguments.
"""


REMARK_S = 5.0
"""How long a reader of a pipe waits for a word on how far the run is, as long as cases end."""


def main(
    arguments: Sequence[str] | None = None,
    out: TextIO = sys.stdout,
    remarks: TextIO = sys.stderr,
) -> int:
    """Run the command; returns its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if (options.url is None) != (options.control is None):
        parser.error("--url and --control go together")
    try:
        cases = _chosen(read_cases(options.file), options.only)
    except BadCaseFile as error:
        parser.error(str(error))
    with ExitStack() as stack:
        if options.url:
            control = CommandControl(options.url, options.control)
            played = run_all_on_one(cases, control, run_id=secrets.token_hex(4))
        else:
            folder = stack.enter_context(TemporaryDirectory(prefix="toprung-cases-"))
            played = run_each_alone(cases, LocalProducts(Path(folder)).open, options.workers)
        progress = Progress(len(cases), remarks)
        total = summary(_reported(played, progress, out))
    out.write(f"{total}\n")
    return 1 if total.failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/cases",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="cases, one JSON object a line")
    parser.add_argument("--url", help="a server that runs already, such as http://127.0.0.1:8080")
    parser.add_argument("--control", metavar="CMD", help="the command that handles that server")
    parser.add_argument(
        "--only", metavar="ID", action="append", help="play only this case; may be repeated"
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=int,
        choices=range(1, 33),
        default=os.cpu_count() or 1,
        help="cases played at the same time (default: one per processor)",
    )
    return parser


def _chosen(cases: list[Case], only: Sequence[str] | None) -> list[Case]:
    if only is None:
        return cases
    if unknown := sorted(set(only) - {case.id for case in cases}):
        raise BadCaseFile(f"there is no case {unknown[0]}")
    return [case for case in cases if case.id in only]


class LocalProducts:
    """Starts a server of this installation for each case, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prepared = PreparedDatabase(folder, ALONE)

    @contextmanager
    def open(self, case: Case) -> Iterator[Control]:
        """A server whose clock stands where the case begins."""
        with TemporaryDirectory(dir=self._folder) as folder:
            control = LocalControl(self._prepared, Path(folder), clock=start_of(case))
            try:
                yield control
            finally:
                control.close()


class Progress:
    """Says how far the run is: a line that is written over where a person looks on, else a line
    at the start and another now and then.
    """

    def __init__(
        self, total: int, remarks: TextIO, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._total = total
        self._remarks = remarks
        self._monotonic = monotonic
        self._said = monotonic()
        if not remarks.isatty():
            print(f"playing {total} cases ...", file=remarks, flush=True)

    def show(self, done: int, case_id: str) -> None:
        """So many cases are done; the last one was this."""
        if self._remarks.isatty():
            self._remarks.write(
                f"\r{done}/{self._total} {case_id:<12}" + "\r" * (done == self._total)
            )
            self._remarks.flush()
        elif self._monotonic() - self._said >= REMARK_S:
            self._said = self._monotonic()
            print(f"{done} of {self._total} cases played", file=self._remarks, flush=True)


def _reported(results: Iterator[Result], progress: Progress, out: TextIO) -> Iterator[Result]:
    """Pass results on, with a line for each failing case."""
    for done, result in enumerate(results, start=1):
        progress.show(done, result.case_id)
        if result.problems:
            first, *more = result.problems
            also = f" (and {len(more)} more)" if more else ""
            out.write(f"FAIL {result.case_id} {first}{also}\n")
            out.flush()
        yield result


if __name__ == "__main__":
    sys.exit(main())

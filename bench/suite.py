"""Many benchmarks, one after the other, and one table of what they found.

Without arguments: all in their short form, in about four minutes on two cores. A change for the
worse shows there at once; the lines are kept in .build/bench.jsonl. With --long and names: the long
forms, whose lines are kept in bench/results for docs/performance.md (then run bench/page.py). They
take from minutes to an hour each; databases that take long to fill are kept in .build.

Example: python bench/suite.py --long engine-1e6 reads
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from table import print_table, read_lines

HERE = Path(__file__).parent
RESULTS = HERE / "results"
BUILD = HERE.parent / ".build"

SHORT = (
    "engine.py --members 2e5 --rounds 3 --items 1e5",
    "ingest.py --rounds 3 --requests 40 --stored 1e5",
    "ingest.py --rounds 3 --requests 40 --stored 1e5 --choice zipf --bursts --midnight",
    "ingest.py --rounds 3 --requests 40 --stored 1e5 --ids random --ranks",
    "ingest.py --rounds 2 --seconds 3 --single",
    "reads.py --rounds 2 --seconds 2",
    "reads.py rank --rounds 2 --seconds 3 --beside 10000",
    "restart.py --entries 3e5 --rounds 1",
)


def _ingest(stored: str) -> tuple[str, ...]:
    """All ways of taking in events, on one database, which grows a little with each."""
    common = f"ingest.py --players 1e6 --stored {stored} --folder .build/bench-{stored}"
    return (
        common,
        f"{common} --ranks",
        f"{common} --ids random",
        f"{common} --choice zipf --bursts --midnight",
        f"{common} --single",
    )


LONG: Mapping[str, Sequence[str]] = {
    "engine-1e5": ("engine.py --members 1e5",),
    "engine-1e6": ("engine.py --members 1e6 --quick --rounds 5 --items 1e5",),
    "engine-1e7": ("engine.py --members 1e7",),
    "large": ("engine.py --members 1e8 --against none",),
    "ingest-5e6": _ingest("5e6"),
    "ingest-5e7": _ingest("5e7"),
    "reads": ("reads.py --members 1e6", "reads.py rank --members 1e6 --beside 10000"),
    "restart": ("restart.py --entries 1e6 --times 10 --rounds 2",),
}


def run_all(commands: Sequence[str], kept: Path) -> list[str]:
    """What the programs print, kept in a file, too; a failure ends it."""
    printed: list[str] = []
    for command in commands:
        program, *arguments = command.split()
        sys.stderr.write(f"bench/{command}\n")
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, str(HERE / program), *arguments],
            cwd=HERE.parent,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"bench/{program} ended with {done.returncode}")
        sys.stderr.write(f"    {time.perf_counter() - started:.0f} s\n")
        printed += done.stdout.splitlines()
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("".join(f"{line}\n" for line in printed), "utf-8")
    return printed


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", nargs="+", choices=LONG, default=(), metavar="NAME")
    arguments = parser.parse_args()
    if not arguments.long:
        lines = run_all(SHORT, BUILD / "bench.jsonl")
    else:
        lines = [
            line
            for name in arguments.long
            for line in run_all(LONG[name], RESULTS / f"{name}.jsonl")
        ]
    print_table(read_lines(lines))


if __name__ == "__main__":
    main()

"""All benchmarks in their short form, one after the other, and one table of what they found.

It takes about four minutes on two cores. The figures show a change for the worse at once; those of
docs/performance.md come from the long forms. The lines of JSON are kept in .build/bench.jsonl.
"""

import subprocess
import sys
import time
from pathlib import Path

from table import print_table, read_lines

HERE = Path(__file__).parent
KEPT = HERE.parent / ".build" / "bench.jsonl"

RUNS = (
    "engine.py --against both --members 2e5 --rounds 3 --items 1e5",
    "ingest.py --rounds 3 --requests 40 --stored 1e5",
    "ingest.py --rounds 3 --requests 40 --stored 1e5 --choice zipf --bursts --midnight",
    "ingest.py --rounds 3 --requests 40 --stored 1e5 --ids random --ranks",
    "ingest.py --rounds 2 --seconds 3 --single",
    "reads.py rank top around --rounds 2 --seconds 2",
    "reads.py rank --rounds 2 --seconds 3 --beside 10000",
    "restart.py --entries 3e5 --rounds 1",
)


def main() -> None:
    """Run them all; a failure ends it."""
    lines: list[str] = []
    for run in RUNS:
        program, *arguments = run.split()
        sys.stderr.write(f"bench/{run}\n")
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, str(HERE / program), *arguments],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"bench/{program} ended with {done.returncode}")
        sys.stderr.write(f"    {time.perf_counter() - started:.0f} s\n")
        lines += done.stdout.splitlines()
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text("\n".join(lines) + "\n")
    print_table(read_lines(lines))


if __name__ == "__main__":
    main()

"""Instructions of the engine's hot operations, counted by Callgrind and kept in counts.json.

A count does not depend on how busy the machine is, so that a regression cannot hide in noise. It
does depend on the compiler: counts of another one are not compared. What ``counted`` does before an
operation is counted alone, as ``setup``, and subtracted.

Example: python bench/counts.py --check
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
KEPT = HERE / "counts.json"
CRATE = HERE.parent / "crates" / "toprung-rank"
COUNTED = CRATE / "target" / "release" / "examples" / "counted"
TOLERANCE = 0.03
"""By how much a count may differ, more or fewer: an improvement that is not kept would leave room
for a regression."""
SETUP = "setup"


class Counts(NamedTuple):
    """What was counted, and by which compiler for which machine it was built."""

    compiler: str
    operations: Mapping[str, int]


def compiler() -> str:
    """The compiler's version and its target."""
    told = _run("rustc", "--version", "--verbose").splitlines()
    host = next(line.partition(": ")[2] for line in told if line.startswith("host: "))
    return f"{told[0]} {host}"


def count_all() -> Counts:
    """Build the program and count each of its operations, which takes most of a minute."""
    _run("cargo", "build", "--quiet", "--locked", "--release", "--example", "counted", cwd=CRATE)
    names = _run(str(COUNTED)).split()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        totals = dict(zip(names, pool.map(_count, names), strict=True))
    setup = totals.pop(SETUP)
    return Counts(compiler(), {name: total - setup for name, total in totals.items()})


def _count(operation: str) -> int:
    """Instructions of a whole run."""
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    said = subprocess.run(
        [*callgrind, str(COUNTED), operation], capture_output=True, text=True, check=True
    ).stderr
    found = re.search(r"Collected : (\d+)", said)
    if found is None:
        raise SystemExit(f"callgrind counted nothing: {said[-500:]}")
    return int(found[1])


def differences(kept: Mapping[str, int], found: Mapping[str, int]) -> list[str]:
    """A line for each operation whose count is not what it was."""
    lines = []
    for name in sorted(kept.keys() | found.keys()):
        if name not in kept:
            lines.append(f"{name}: is new, {found[name]:,} instructions")
        elif name not in found:
            lines.append(f"{name}: is no longer counted")
        elif abs(found[name] / kept[name] - 1) > TOLERANCE:
            change = 100 * (found[name] / kept[name] - 1)
            lines.append(
                f"{name}: {kept[name]:,} -> {found[name]:,} instructions ({change:+.1f} %)"
            )
    return lines


def read_kept() -> Counts:
    """What was counted when it was last kept."""
    kept = json.loads(KEPT.read_text("utf-8"))
    return Counts(kept["compiler"], kept["operations"])


def another_compiler(kept: Counts) -> str | None:
    """Why counts of this machine cannot be compared with the kept ones; ``None``: they can."""
    here = compiler()
    if kept.compiler == here:
        return None
    return (
        f"the kept counts are of {kept.compiler}, this is {here}: take that one, or keep the "
        "counts of this one with `python bench/counts.py --update` in a commit of its own"
    )


def _run(*command: str, cwd: Path | None = None) -> str:
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True, check=True).stdout


def main() -> None:
    """Count, and compare or keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--check", action="store_true", help="compare with what is kept")
    asked.add_argument("--update", action="store_true", help="keep what is counted now")
    arguments = parser.parse_args()
    if arguments.update:
        found = count_all()
        KEPT.write_text(json.dumps(found._asdict(), indent=2) + "\n", "utf-8")
        return
    kept = read_kept()
    problem = another_compiler(kept)
    lines = [problem] if problem else differences(kept.operations, count_all().operations)
    for line in lines:
        sys.stdout.write(f"{line}\n")
    if lines:
        raise SystemExit("after a change that is meant: python bench/counts.py --update")


if __name__ == "__main__":
    main()

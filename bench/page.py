"""Puts kept results into docs/performance.md: the tables, how each was made, and the figure.

A table stands between ``<!-- results: NAME -->`` and ``<!-- end -->`` and comes from
``bench/results/NAME.jsonl``, which is what the benchmarks printed. With --check nothing is written,
and a page that does not show its results is an error.

Example: python bench/page.py
"""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from common import Line
from figure import drawing
from table import markdown, read_lines

HERE = Path(__file__).parent
RESULTS = HERE / "results"
PAGE = HERE.parent / "docs" / "performance.md"
FIGURE = PAGE.with_suffix(".svg")
BLOCK = re.compile(r"(<!-- results: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def read_results(path: Path) -> list[Line]:
    """The results that a file keeps."""
    return read_lines(path.read_text("utf-8").splitlines())


def filled(page: str, results: Path) -> str:
    """The page with the tables of the results."""

    def block(found: re.Match[str]) -> str:
        path = results / f"{found[2]}.jsonl"
        if not path.exists():
            return f"{found[1]}\nNot measured yet.\n\n{found[3]}"
        lines = read_results(path)
        return f"{found[1]}\n{markdown(lines)}\n{_sentence(lines)}\n\n{found[3]}"

    return BLOCK.sub(block, page)


def _sentence(lines: Sequence[Line]) -> str:
    """How these results were made."""
    commands = " · ".join(dict.fromkeys(f"`{line['command']}`" for line in lines))
    first = lines[0]
    versions = dict.fromkeys(str(line["version"]) for line in lines if "version" in line)
    made = [f"{first[name]}" for name in ("date", "machine", "system")]
    software = [f"CPython {first['python']}", *versions]
    return f"{commands}: {', '.join([*made, *software])}; commit {first['commit']}."


def figure(results: Path) -> str:
    """Everyone's speed by the number of members."""
    return drawing(
        [line for path in sorted(results.glob("engine-*.jsonl")) for line in read_results(path)]
    )


def main() -> None:
    """Write page and figure, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail on a difference")
    arguments = parser.parse_args()
    wanted = {PAGE: filled(PAGE.read_text("utf-8"), RESULTS), FIGURE: figure(RESULTS)}
    for path, text in wanted.items():
        if not arguments.check:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            raise SystemExit(f"{path.name} does not show the results: python bench/page.py")


if __name__ == "__main__":
    main()

"""The results of a run as one table, with the bars that they are to reach beside them.

Example: python bench/table.py .build/bench.jsonl
"""

import json
import operator
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from common import Line

OURS = "toprung"
WHO = (OURS, "redis", "valkey")
_FIGURES = frozenset(
    ["bench", "what", "unit", "median", "min", "max", "rounds", "who", "version"]
) | frozenset(["command", "date", "commit", "machine", "system", "python", "versions"])
"""Fields of a line that do not say what it was measured with."""


class Bar(NamedTuple):
    """What a result is to reach; where ``of_redis``, its ratio to Redis in the same run."""

    sign: str
    limit: float
    of_redis: bool = False

    def holds(self, value: float) -> bool:
        """Whether the value reaches it."""
        compare = {">=": operator.ge, "<=": operator.le, "<": operator.lt}[self.sign]
        return bool(compare(value, self.limit))

    def __str__(self) -> str:
        return f"{self.sign} {_figure(self.limit)}{' x' if self.of_redis else ''}"


# bench, what, members or entries where the bar depends on them
BARS: Mapping[tuple[str, str, int | None], Bar] = {
    ("engine", "rank", 1_000_000): Bar(">=", 15, of_redis=True),
    ("engine", "rank", 10_000_000): Bar(">=", 25, of_redis=True),
    ("engine", "update", 1_000_000): Bar(">=", 8, of_redis=True),
    ("engine", "update", 10_000_000): Bar(">=", 12, of_redis=True),
    ("engine", "bytes a member", None): Bar("<=", 0.4, of_redis=True),
    ("engine", "leaf fill after churn", None): Bar(">=", 0.88),
    ("engine", "bytes a member of a further board", None): Bar("<=", 27),
    ("engine", "bytes an entry of small boards", None): Bar("<=", 200),
    ("engine", "highest resident GiB", 100_000_000): Bar("<=", 20),
    ("engine", "single rank p99", 100_000_000): Bar("<", 10),
    ("engine", "single update p99", 100_000_000): Bar("<", 10),
    ("engine", "batched rank p99", 100_000_000): Bar("<", 10),
    ("engine", "batched update p99", 100_000_000): Bar("<", 10),
    ("ingest", "events in batches", None): Bar(">=", 50_000),
    ("ingest", "single events", None): Bar(">=", 8_000),
    ("ingest", "single events p99", None): Bar("<", 20),
    ("reads", "rank", None): Bar(">=", 20_000),
    ("reads", "rank p99", None): Bar("<", 50),
    ("reads", "rank beside events", None): Bar(">=", 10_000),
    ("reads", "rank beside events p99", None): Bar("<", 50),
    ("restart", "start from an image", 10_000_000): Bar("<", 10),
    ("restart", "rebuild", None): Bar(">=", 300_000),
}


def bar_of(line: Line) -> Bar | None:
    """The bar for a result, or ``None``."""
    bench, what = str(line["bench"]), str(line["what"])
    members = line.get("members", line.get("entries"))
    found = BARS.get((bench, what, members if isinstance(members, int) else None))
    return found or BARS.get((bench, what, None))


def rows(lines: Sequence[Line]) -> list[list[str]]:
    """A row for each thing that was measured: what, with what, everyone's median, ratio, bar."""
    groups: dict[str, dict[str, Line]] = {}
    for line in lines:
        key = json.dumps([line["bench"], line["what"], _settings(line)])
        groups.setdefault(key, {})[str(line.get("who", OURS))] = line
    return [_row(measured) for measured in groups.values()]


def _row(measured: Mapping[str, Line]) -> list[str]:
    first = next(iter(measured.values()))
    ours, redis = measured.get(OURS), measured.get("redis")
    ratio = None if ours is None or redis is None else ratio_to(ours, redis)
    bar = bar_of(first)
    value = None if ours is None or bar is None else _value(ours, ratio, bar)
    return [
        f"{first['bench']}: {first['what']}",
        _settings(first),
        *(_spread(measured.get(who)) for who in WHO),
        "" if ratio is None else f"{ratio:.3g}",
        "" if bar is None else str(bar),
        "" if value is None or bar is None else ("yes" if bar.holds(value) else "no"),
    ]


def _value(ours: Line, ratio: float | None, bar: Bar) -> float | None:
    return ratio if bar.of_redis else _number(ours, "median")


def ratio_to(ours: Line, theirs: Line) -> float:
    """How many times faster we are; for sizes: how much of theirs ours is."""
    mine, other = _number(ours, "median"), _number(theirs, "median")
    return mine / other if ours["unit"] == "B" else other / mine


def _number(line: Line, name: str) -> float:
    value = line[name]
    if not isinstance(value, int | float):
        raise TypeError(f"{name} is no number: {value!r}")
    return float(value)


def _settings(line: Line) -> str:
    """What it was measured with, in words."""
    fields = ((name, value) for name, value in line.items() if name not in _FIGURES)
    return ", ".join(_setting(name, value) for name, value in fields if value is not False)


def _setting(name: str, value: object) -> str:
    if value is True:
        return name
    return f"{_figure(value)} {name}" if isinstance(value, int | float) else str(value)


def _spread(line: Line | None) -> str:
    if line is None:
        return ""
    median, least, most = (_figure(_number(line, name)) for name in ("median", "min", "max"))
    spread = "" if line["rounds"] == 1 else f" ({least} to {most})"
    return f"{median} {line['unit']}{spread}"


def _figure(value: float) -> str:
    """Three digits, thousands apart."""
    return f"{float(f'{value:.3g}'):,.10g}"


HEAD = ("what", "with", *WHO, "to redis", "bar", "met")


def markdown(lines: Sequence[Line]) -> str:
    """The results as a Markdown table, without the columns that would be empty."""
    found = rows(lines)
    columns = [i for i in range(len(HEAD)) if any(row[i] for row in found)]
    table = [[row[i] for i in columns] for row in (list(HEAD), *found)]
    widths = [max(len(row[i]) for row in table) for i in range(len(columns))]
    table.insert(1, ["-" * width for width in widths])
    padded = (map(str.ljust, row, widths) for row in table)
    return "".join(f"| {' | '.join(row)} |\n" for row in padded)


def print_table(lines: Sequence[Line]) -> None:
    """Print the results as a table."""
    sys.stdout.write(markdown(lines))


def read_lines(texts: Iterable[str]) -> list[Line]:
    """The results among lines of text."""
    return [json.loads(text) for text in texts if text.startswith("{")]


if __name__ == "__main__":
    print_table(read_lines(Path(sys.argv[1]).read_text().splitlines()))

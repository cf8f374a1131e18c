"""What commands print: JSON for programs, tables for people, tab-separated lines for pipes."""

import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

RIGHT = frozenset({"rank", "score", "events", "rows", "decimals", "total"})
"""Columns that hold numbers."""


def print_json(value: Any) -> None:
    """One value as one line of JSON."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def printable(text: str) -> str:
    """``text`` as it can be shown: what would steer the terminal becomes a visible escape."""
    if text.isprintable():
        return text
    return "".join(char if _harmless(char) else _escape(char) for char in text)


def _harmless(char: str) -> bool:
    # Cf also turns the direction of writing and hides text; spaces of other scripts are fine.
    return not unicodedata.category(char).startswith("C") and char not in "\u2028\u2029"


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode()


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Rows under a header; ``None`` shows as nothing."""
    shown = [["" if cell is None else printable(str(cell)) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        sys.stdout.writelines("\t".join(row) + "\n" for row in [header, *shown])
        return
    _draw_table(header, shown)


def _draw_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - loaded only where a person looks
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for name in header:
        table.add_column(name, justify="right" if name in RIGHT else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def say(text: str) -> None:
    """A line for a person, beside what the command answers."""
    print(text, file=sys.stderr)

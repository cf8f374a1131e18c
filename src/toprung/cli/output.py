"""What commands print: JSON for programs, tables for people, tab-separated lines for pipes."""

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    from rich.console import Console

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_INSTANT = re.compile(r"([0-9-]{10}T[0-9:]{8})\.[0-9]+Z")
_SHOWN_INSTANT = re.compile(r"[0-9-]{10}T[0-9:]{8}Z")
_FOLDED_WIDTH = 8
"""How narrow a column of text may become before the rows are shown one under the other."""


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


def percent(value: float) -> str:
    """A percentage for a person. Only what is 100 reads 100, and nothing on a board reads 0."""
    if 0 < value < 0.01:
        return "<0.01"
    return f"{value if value == 100 else min(value, 99.99):.2f}"


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Rows under a header; ``None`` shows as nothing."""
    shown = [["" if cell is None else printable(str(cell)) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        sys.stdout.writelines("\t".join(row) + "\n" for row in [header, *shown])
        return
    _draw_table(header, shown)


def _draw_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - loaded only where a person looks
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console()
    # Parts of a second would cost a person's screen more than they tell.
    rows = [[_INSTANT.sub(r"\1Z", cell) for cell in row] for row in rows]
    columns = list(zip(*rows, strict=True)) or [()] * len(header)
    if rows and _least_width(header, columns) > console.width:
        _draw_records(console, header, rows)
        return
    table = Table(
        box=SIMPLE_HEAD,
        header_style="bold",
        pad_edge=False,
        collapse_padding=True,
        show_edge=False,
    )
    for name, cells in zip(header, columns, strict=True):
        table.add_column(name, justify=_side(cells), overflow="fold", no_wrap=_is_whole(cells))
    for row in rows:
        table.add_row(*map(Text, row))
    console.print()
    console.print(table)


def _least_width(header: Sequence[str], columns: Sequence[Sequence[str]]) -> int:
    """How wide a table must be at least: text may be folded, instants and numbers may not."""
    widths = []
    for name, cells in zip(header, columns, strict=True):
        widest = max(map(len, cells))
        widths.append(max(len(name), widest if _is_whole(cells) else min(widest, _FOLDED_WIDTH)))
    return sum(widths) + 2 * (len(widths) - 1)


def _is_whole(cells: Sequence[str]) -> bool:
    return any(map(_SHOWN_INSTANT.fullmatch, cells)) or _side(cells) == "right"


def _draw_records(console: "Console", header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Each row as lines of name and value, where the screen is too narrow for a table."""
    from rich.table import Table  # noqa: PLC0415 - loaded only where a person looks
    from rich.text import Text  # noqa: PLC0415

    for row in rows:
        record = Table.grid(padding=(0, 2))
        for name, cell in zip(header, row, strict=True):
            record.add_row(Text(name, style="bold"), Text(cell, overflow="fold"))
        console.print()
        console.print(record)


def _side(cells: Sequence[str]) -> Literal["left", "right"]:
    """Numbers stand on the right, so that their digits are under each other."""
    filled = [cell for cell in cells if cell]
    return "right" if filled and all(map(_NUMBER.fullmatch, filled)) else "left"


def say(text: str) -> None:
    """A line for a person, beside what the command answers."""
    print(text, file=sys.stderr)

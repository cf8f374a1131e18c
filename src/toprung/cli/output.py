"""What commands print: JSON for programs, tables for people, tab-separated lines for pipes."""

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_INSTANT = re.compile(r"([0-9-]{10}T[0-9:]{8})\.[0-9]+Z")


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


def _draw_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - loaded only where a person looks
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    columns = list(zip(*rows, strict=True)) or [()] * len(header)
    for name, cells in zip(header, columns, strict=True):
        table.add_column(name, justify=_side(cells), overflow="fold")
    for row in rows:
        # Parts of a second would cost a person's screen more than they tell.
        table.add_row(*(Text(_INSTANT.sub(r"\1Z", cell)) for cell in row))
    Console().print(table)


def _side(cells: Sequence[str]) -> Literal["left", "right"]:
    """Numbers stand on the right, so that their digits are under each other."""
    filled = [cell for cell in cells if cell]
    return "right" if filled and all(map(_NUMBER.fullmatch, filled)) else "left"


def say(text: str) -> None:
    """A line for a person, beside what the command answers."""
    print(text, file=sys.stderr)

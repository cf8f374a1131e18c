"""What an adapter says about a set of data, and how one is loaded.

An adapter is a Python file with a function ``standings(folder: Path) -> Standings``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple


class BadAdapter(Exception):
    """A file is no adapter, or fails with the folder it was given."""


@dataclass(frozen=True)
class Season:
    """A reset of a board with ``season`` windows, known before the events are imported."""

    id: str
    at: str
    name: str


@dataclass(frozen=True)
class Board:
    """A board that the set needs. ``settings`` are those of ``PUT /v1/boards/{board}``."""

    name: str
    settings: Mapping[str, Any]
    seasons: tuple[Season, ...] = ()


class Event(NamedTuple):
    """One event to import; ``points`` has one number per column."""

    board: str
    event_id: str
    player_id: str
    points: tuple[str, ...]
    at: str


class Line(NamedTuple):
    """One row of an official table."""

    player_id: str
    values: Mapping[str, str]
    """By column, those that the table states."""
    rank: int | None = None
    """None: the table has no rank to compare with."""


@dataclass(frozen=True)
class Table:
    """An official table and the board that must agree with it."""

    board: str
    lines: tuple[Line, ...]
    window: str = "all"
    period: str | None = None
    _: KW_ONLY
    interval: tuple[str, str] | None = None
    """From and to: by the events of that time alone, in the place of a window."""
    per: str | None = None
    """A board by whose scores those of this one are divided, to one decimal, half to even; who is
    not on it has 0."""
    group: str = ""
    """Tables of one group are counted together; empty: the set's only group."""


@dataclass(frozen=True)
class Step:
    """Events to import, and the tables that hold right after them."""

    events: Iterable[Event]
    tables: tuple[Table, ...]


class Bar(NamedTuple):
    """The shares of a group's rows that have to be equal, from 0 to 1."""

    values: float = 0.0
    ranks: float = 0.0


@dataclass(frozen=True)
class Standings:
    """Everything about a set: its boards, what happens on them, and what must come out."""

    boards: tuple[Board, ...]
    steps: Iterable[Step]
    columns: tuple[str, ...] = ("score",)
    """The columns' names, the same on every board of the set."""
    bars: Mapping[str, Bar] | None = None
    """By group; None: nothing is asked for, only counted."""


Adapter = Callable[[Path], Standings]


def load(path: Path) -> Adapter:
    """The adapter in a file.

    Raises:
        BadAdapter: there is none.
    """
    spec = spec_from_file_location(f"toprung_adapter_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise BadAdapter(f"{path}: no Python file")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadAdapter(f"{path}: {error!r}") from error
    adapter: Adapter | None = getattr(module, "standings", None)
    if not callable(adapter):
        raise BadAdapter(f"{path}: has no function standings(folder)")
    return adapter


def shared_ranks(totals: Mapping[str, Decimal]) -> dict[str, int]:
    """Ranks 1, 2, 2, 4 by total, the largest first; for tables that state totals and no ranks."""
    rank_of: dict[Decimal, int] = {}
    better = 0
    for total, holders in sorted(Counter(totals.values()).items(), reverse=True):
        rank_of[total] = better + 1
        better += holders
    return {player: rank_of[total] for player, total in totals.items()}

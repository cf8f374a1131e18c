"""Holds a board against an official table, row by row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from toprung.testing.api import Api, segment
from toprung.testing.standings.adapter import Line, Table

PAGE_ROWS_MAX = 1000


@dataclass
class Tally:
    """How many rows of a group of tables were compared, and how many were equal."""

    rows: int = 0
    values_equal: int = 0
    ranked: int = 0
    """Rows that have an official rank."""
    ranks_equal: int = 0

    def add(self, line: Line, row: Mapping[str, Any] | None) -> None:
        """Count one official row and the board's row of that player, if it has one."""
        self.rows += 1
        self.values_equal += row is not None and _values_equal(line, row)
        if line.rank is not None:
            self.ranked += 1
            self.ranks_equal += row is not None and row["rank"] == line.rank

    @property
    def values_share(self) -> float:
        return self.values_equal / self.rows if self.rows else 0.0

    @property
    def ranks_share(self) -> float:
        return self.ranks_equal / self.ranked if self.ranked else 0.0


def compare(api: Api, table: Table, tally: Tally) -> None:
    """Read the board that ``table`` is about and count what is equal."""
    rows = {row["player_id"]: row for row in _read(api, table, table.board)}
    if table.per is not None:
        counts = {row["player_id"]: row["score"] for row in _read(api, table, table.per)}
        rows = {line.player_id: _share(line.player_id, rows, counts) for line in table.lines}
    for line in table.lines:
        tally.add(line, rows.get(line.player_id))


def _share(
    player_id: str, rows: Mapping[str, Mapping[str, Any]], counts: Mapping[str, str]
) -> dict[str, str]:
    """A row with a score for each of those that the player has on another board."""
    if player_id not in counts:
        return {"score": "0"}
    share = Decimal(rows[player_id]["score"]) / Decimal(counts[player_id])
    return {"score": str(share.quantize(Decimal("0.1"), ROUND_HALF_EVEN))}


def _values_equal(line: Line, row: Mapping[str, Any]) -> bool:
    # A board of one column gives it as the score; the name of the column is the set's affair.
    columns = row.get("columns")
    return all(
        Decimal(columns[column] if columns else row["score"]) == Decimal(official)
        for column, official in line.values.items()
    )


def _read(api: Api, table: Table, board: str) -> Iterator[Any]:
    path = f"/v1/boards/{segment(board)}/top"
    asked: dict[str, str | int] = {"k": PAGE_ROWS_MAX}
    if table.interval is not None:
        asked["from"], asked["to"] = table.interval
    else:
        asked["window"] = table.window
    if table.period is not None:
        asked["period"] = table.period
    page = api.get(path, asked)
    yield from page["rows"]
    # A cursor says itself which period it is about, unless it is none that the board keeps.
    more = {"k": PAGE_ROWS_MAX} if table.interval is None else asked
    while page["next"] is not None:
        page = api.get(path, {**more, "cursor": page["next"]})
        yield from page["rows"]

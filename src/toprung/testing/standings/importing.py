"""Sends events in through the product's own import, as a file of the kind its users have."""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from toprung.testing.command import toprung
from toprung.testing.standings.adapter import Event

Format = Literal["csv", "jsonl"]
BATCH_EVENTS = 5000
ACCEPTED = frozenset({"counted", "unchanged"})

_FIELDS = ("board", "event_id", "player_id", "at")


class ImportRefused(Exception):
    """The product's import did not take every event."""


@dataclass
class Importer:
    """Imports into one project."""

    url: str
    key: str
    folder: Path
    columns: Sequence[str]
    format: Format = "csv"
    rows: int = 0
    """How many events were imported so far."""
    _files: int = field(default=0, init=False)

    def send(self, events: Iterable[Event]) -> None:
        """Import ``events`` as history: each counts as arrived when it happened.

        Raises:
            ImportRefused: an event was not counted.
        """
        self._files += 1
        path = self.folder / f"events-{self._files}.{self.format}"
        sent = self._write(path, events)
        if sent:
            self._check(sent, self._import(path))
        self.rows += sent
        path.unlink()

    def _write(self, path: Path, events: Iterable[Event]) -> int:
        header = (*_FIELDS, *self.columns)
        count = 0
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            if self.format == "csv":
                writer.writerow(header)
            for event in events:
                row = (event.board, event.event_id, event.player_id, event.at, *event.points)
                if len(row) != len(header):
                    raise ImportRefused(f"{event}: has not {len(self.columns)} columns")
                if self.format == "csv":
                    writer.writerow(row)
                else:
                    line = msgspec.json.encode(dict(zip(header, row, strict=True)))
                    file.write(line.decode() + "\n")
                count += 1
        return count

    def _import(self, path: Path) -> Counter[str]:
        printed = toprung(
            *("import", str(path), "--history", "--json", "--batch", str(BATCH_EVENTS)),
            *(f"--map={field}={field}" for field in _FIELDS),
            *(f"--map={self._target(column)}={column}" for column in self.columns),
            *("--url", self.url, "--key", self.key),
        )
        return Counter(msgspec.json.decode(printed)["outcomes"])

    def _target(self, column: str) -> str:
        return "points" if len(self.columns) == 1 else f"points.{column}"

    @staticmethod
    def _check(sent: int, outcomes: Counter[str]) -> None:
        accepted = sum(outcomes[outcome] for outcome in ACCEPTED)
        if accepted != sent:
            raise ImportRefused(f"of {sent} events {accepted} were counted: {dict(outcomes)}")

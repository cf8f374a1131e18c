"""What the user of an import asked for."""

from dataclasses import dataclass
from pathlib import Path

from toprung.cli.importing.mapping import Explicit
from toprung.cli.importing.presets import Preset
from toprung.cli.importing.source import Format


@dataclass(frozen=True)
class Order:
    """What the user asked for."""

    file: str
    mapping: Explicit
    board: str | None = None
    format: Format | None = None
    delimiter: str | None = None
    batch: int = 5000
    in_flight: int = 3
    history: bool = False
    results: Path | None = None
    state: Path | None = None
    restart: bool = False
    preset: Preset | None = None
    at: str | None = None
    names: bool = False
    """Whether display names are set."""

"""Sample events to try rules on: JSON lines, every digit as it is written."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from toprung.cli.errors import Failed

if TYPE_CHECKING:
    from toprung.sdk import NamedEvent


class _Sample(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the file."""

    player_id: str
    name: str
    properties: dict[str, Any] = {}
    event_id: str | None = None
    at: str | None = None
    match_id: str | None = None


_decode = msgspec.json.Decoder(_Sample, float_hook=Decimal).decode


def read_samples(path: Path) -> "list[NamedEvent]":
    """The events in a file, one a line; an event without an id is called by its line.

    Raises:
        OSError: it cannot be read.
        Failed: a line is no event, or there is none.
    """
    samples = list(_samples(path))
    if not samples:
        raise Failed("bad_events", f"{path}: there are no events in it")
    return samples


def _samples(path: Path) -> "Iterator[NamedEvent]":
    from toprung.sdk import NamedEvent  # noqa: PLC0415 - only commands that speak HTTP load it

    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            sample = _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Failed("bad_events", f"{path}: line {number}: {error}") from error
        yield NamedEvent(
            f"line-{number}" if sample.event_id is None else sample.event_id,
            sample.player_id,
            sample.name,
            sample.properties,
            sample.at,
            sample.match_id,
        )

"""Batches of plain events, from a request's body to records and from decisions to a reply, with no
object for each event.

A batch is plain if nothing in it needs a second look. What is not goes event by event, and that way
is the oracle: where both can do it, each byte is the same. One event by itself is a batch, too.
"""

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from toprung.domain.board import Board
from toprung.ports.pipeline import Packed
from toprung.ports.results import EventResults

Form = Literal["object", "lines", "single"]
"""How events stand in a body: ``{"events": [...]}``, NDJSON, or one event by itself."""
BoardByName = Callable[[str], Board | None]


class Batches(Protocol):
    """Reads and answers batches of plain events. Any thread may use it."""

    def read(
        self,
        content: bytes,
        board_of: BoardByName,
        received_at: int,
        *,
        form: Form,
        ranked: bool,
        history: bool,
    ) -> Packed | None:
        """The events of a request's body; ``None``: it is not of that form, or not plain.

        Args:
            received_at: the arrival, in microseconds.
            ranked: whether results shall tell ranks.
            history: each event counts as arrived at its own ``at`` (R10).
        """
        ...

    def write(
        self, rows: Packed, results: EventResults, others: Mapping[int, bytes], *, ranked: bool
    ) -> bytes:
        """What became of a plain batch, as JSON: the results one after the other, with commas.

        Args:
            rows: what ``read`` gave.
            others: by their place the results of the events that did not spend their id.
            ranked: whether ranks are told.
        """
        ...

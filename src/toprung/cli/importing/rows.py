"""What an import makes of one row."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toprung.sdk import ScoreEvent


class Unusable(Exception):
    """A row cannot be read as an event; it becomes an ``invalid`` item and costs nothing else."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the input."""

    number: int
    """Counts the rows of data from 1; a header and blank lines are none."""
    line: int
    """The line of the file where it begins, from 1; 0: there are no lines."""
    event: "ScoreEvent | None"
    problem: str | None = None
    """Why there is no event."""
    name: str | None = None
    """The display name of the player."""

"""What intake hands to the updater, and what comes back."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

from toprung.domain.acts import BoardChange, Refused
from toprung.domain.board import Board
from toprung.domain.decide import Decision
from toprung.domain.errors import InvalidInput
from toprung.domain.moderation import PlayerChange
from toprung.domain.records import Record
from toprung.ports.store import StoredProfile, StoredRules


class Arrived(NamedTuple):
    """A record on its way into the log, or read from it again."""

    received_at: int
    """When it arrived, in microseconds."""
    body: bytes
    """The record as the log keeps it."""
    record: Record | None
    """``None``: an event that nobody has read yet."""
    ranked: bool = False
    """Whether the result shall tell ranks."""


class EventResult(msgspec.Struct, gc=False):
    """What became of an event: the decision, the board, and the ranks of its steps if asked for."""

    seq: int
    decision: Decision
    board: Board | None
    ranks: Sequence[tuple[int, int]] = ()
    """Before and after, one pair for each step that was not late, in order; 0: none, or not asked
    for. Filled in when the change is published."""


class RulesChange(msgspec.Struct, frozen=True):
    """A project's rules after an act."""

    result: Literal["created", "changed", "unchanged"]
    stored: StoredRules


class ActResult(msgspec.Struct, frozen=True):
    """What became of an act: a change, or why it was refused."""

    seq: int
    change: BoardChange | None = None
    refused: Refused | InvalidInput | None = None
    profile: StoredProfile | None = None
    player: PlayerChange | None = None
    rules: RulesChange | None = None


Applied = EventResult | ActResult


class Pipeline(Protocol):
    """What comes after the log."""

    def ready(self) -> None:
        """Make up for records that could not be applied, before more are logged.

        Raises:
            Trouble: they still cannot be.
        """
        ...

    def write_behind(self, records: int) -> None:
        """Write a part of what earlier records changed, within the caller's transaction; the more,
        the more ``records`` are coming.

        Raises:
            Trouble: nothing was written.
        """
        ...

    def written(self) -> None:
        """That transaction was committed."""
        ...

    def apply(self, first: int, rows: Sequence[Arrived]) -> list[Applied]:
        """Decide ``rows``, which the log has from ``first`` on, and show readers what they change.

        Raises:
            Trouble: they are in the log, and :meth:`ready` will apply them.
        """
        ...

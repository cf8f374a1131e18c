"""What intake hands to the updater, and what comes back."""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import accumulate, chain
from typing import Literal, NamedTuple, Protocol, overload

import msgspec

from toprung.domain.acts import BoardChange, Refused
from toprung.domain.adjusting import AdjustChange
from toprung.domain.board import Board
from toprung.domain.decide import Decision
from toprung.domain.erasing import ErasedChange, Erasure
from toprung.domain.errors import InvalidInput
from toprung.domain.moderation import PlayerChange, VoidChange
from toprung.domain.quarantine import JudgeChange
from toprung.domain.records import Record
from toprung.ports.log import Frames, frames_of
from toprung.ports.store import StoredFriends, StoredProfile, StoredRules


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


_SIZE_BYTES = array("I").itemsize
_decode_frame = msgspec.msgpack.Decoder(tuple[int, bytes]).decode


class Packed(Sequence[Arrived]):
    """Events of one request in one buffer: each is taken out when it is looked at.

    Args:
        boards: the ids of the boards that they are on.
    """

    def __init__(self, frames: Frames, boards: AbstractSet[int], *, ranked: bool) -> None:
        self.frames = frames
        self.boards = boards
        self.ranked = ranked

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(array("I", self.frames.sizes)))

    def __len__(self) -> int:
        return len(self.frames.sizes) // _SIZE_BYTES

    @overload
    def __getitem__(self, place: int) -> Arrived: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Arrived]: ...
    def __getitem__(self, place: int | slice) -> Arrived | Sequence[Arrived]:
        found = range(len(self))[place]
        if isinstance(found, range):
            return [self[one] for one in found]
        start = self._ends[found - 1] if found else 0
        received_at, body = _decode_frame(self.frames.body[start : self._ends[found]])
        return Arrived(received_at, body, None, self.ranked)


class Joined(Sequence[Arrived]):
    """The records of some requests, one after the other. Who can takes the parts as they are."""

    def __init__(self, parts: Sequence[Sequence[Arrived]]) -> None:
        self.parts = parts
        self._ends = list(accumulate(map(len, parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, place: int) -> Arrived: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Arrived]: ...
    def __getitem__(self, place: int | slice) -> Arrived | Sequence[Arrived]:
        found = range(len(self))[place]
        if isinstance(found, range):
            return [self[one] for one in found]
        part = bisect_right(self._ends, found)
        return self.parts[part][found - (self._ends[part - 1] if part else 0)]

    def __iter__(self) -> Iterator[Arrived]:
        return chain.from_iterable(self.parts)


def framed(parts: Iterable[Sequence[Arrived]]) -> Frames:
    """The records of some requests as a log takes them."""
    found = [
        rows.frames
        if type(rows) is Packed
        else frames_of([(row.received_at, row.body) for row in rows])
        for rows in parts
    ]
    if len(found) == 1:
        return found[0]
    bodies, sizes = zip(*found, strict=True)
    return Frames(b"".join(bodies), b"".join(sizes))


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
    void: VoidChange | None = None
    adjusted: AdjustChange | None = None
    erased: ErasedChange | None = None
    judged: JudgeChange | None = None
    rules: RulesChange | None = None
    friends: StoredFriends | None = None
    closed: bool | None = None
    """Whether a period that was to be closed takes no more events."""


def outcome_of(result: ActResult) -> tuple[str, str | None]:
    """What an act did, in a word, and why it was refused if it was."""
    if result.refused is not None:
        return "refused", result.refused.code
    changes = (result.change, result.player, result.void, result.adjusted, result.judged)
    told = (*changes, result.rules)
    return next((change.result for change in told if change is not None), "changed"), None


Applied = EventResult | ActResult


class Pipeline(Protocol):
    """What comes after the log."""

    def erase(
        self,
        erasure: Erasure,
        received_at: int,
        transaction: Callable[[], AbstractContextManager[None]],
    ) -> ActResult:
        """Erase a player, from the log too, and log that; all of it in one transaction.

        Raises:
            Refused: ``overflow``. Nothing was changed.
            Trouble: nothing was written.
        """
        ...

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

    def apply(
        self, first: int, requests: Sequence[Sequence[Arrived]]
    ) -> Sequence[Sequence[Applied]]:
        """Decide what the log has from ``first`` on, and show readers what it changes.

        Args:
            requests: the records of each request: all of them events, or all of them acts.

        Returns:
            For each request what became of its records.

        Raises:
            Trouble: they are in the log, and :meth:`ready` will apply them.
        """
        ...

"""Erasing a player (R9): who it was goes, what it did to others' ranks in the past stays explained.

In the log a stand-in takes the player's place, an id that nobody can have. So every record before
the erasing act says what it said, for somebody without a name, and a replay decides all of it
alike; the act then takes the stand-in off every board.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import msgspec

from toprung.domain.decide import EntryKey
from toprung.domain.errors import InvalidInput
from toprung.domain.records import Adjusted, Event, Judged, Profile, ProfilePut, Record

_MARK = "\x01"
"""No id that comes from outside holds it (R1)."""


class Erasure(NamedTuple):
    """Who is to be erased, and who asks for it."""

    project: str
    player_id: str
    receipt: str
    """By this the act is known from then on; it must not tell of the player."""
    actor: str
    reason: str | None

    @property
    def stand_in(self) -> str:
        """Who takes the player's place."""
        return stand_in(self.receipt)


class ErasedChange(msgspec.Struct, frozen=True):
    """What was erased.

    Attributes:
        events: of the player, on all boards of the project, whatever had become of them.
        entries: in all periods.
        snapshots: versions of final standings that were taken back.
        sha256: of the numbers of the log's records that were changed, in decimal, one a line.
    """

    receipt: str
    events: int = 0
    entries: int = 0
    snapshots: int = 0
    sha256: str = ""
    erased_at: int = 0
    touched: tuple[EntryKey, ...] = ()
    """The periods that hold other entries than before."""


def stand_in(receipt: str) -> str:
    """Who takes the place of a player who was erased."""
    return _MARK + receipt


def is_stand_in(player_id: str) -> bool:
    """Whether an id stands for somebody who was erased."""
    return player_id.startswith(_MARK)


def check_tells_nothing(reason: str | None, player_id: str) -> None:
    """Do nothing when the reason of an erasure does not name the player.

    Raises:
        InvalidInput: naming ``reason``.
    """
    if reason is not None and player_id in reason.split():
        raise InvalidInput("reason names the player, and would be kept", field="reason")


def anonymous(record: Record, who: str, gone: str, attributes: Collection[str]) -> Record | None:
    """A record with a stand-in for a player, without what else tells of the player; ``None``: it
    does not name the player.

    Args:
        attributes: of a profile, those that boards go by; the others are left out.
    """
    changes: dict[str, Any] = {}
    for field in ("player_id", "into"):
        if getattr(record, field, None) == who:
            changes[field] = gone
    friends = getattr(record, "friends", ())
    if who in friends:
        changes["friends"] = tuple(gone if friend == who else friend for friend in friends)
    if not changes:
        return None
    if isinstance(record, Event) and not isinstance(record, Adjusted):
        changes["metadata"] = None
        if isinstance(record, Judged):
            changes["reason"] = None
    elif isinstance(record, ProfilePut) and "player_id" in changes:
        changes["profile"] = _anonymous(record.profile, attributes)
    elif "reason" in record.__struct_fields__:
        changes["reason"] = None
    return msgspec.structs.replace(record, **changes)


def _anonymous(profile: Profile, attributes: Collection[str]) -> Profile:
    kept = {name: value for name, value in profile.attributes.items() if name in attributes}
    return Profile(None, None, kept)

"""Players who are taken out of public answers, and come back (R9)."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from toprung.domain.decide import EntryKey
from toprung.domain.errors import InvalidInput
from toprung.domain.limits import REASON_CHARS
from toprung.domain.names import check_id, check_no_controls
from toprung.domain.records import PlayerModerated


class PlayerState(msgspec.Struct, frozen=True, array_like=True):
    """What acts made of a player, on all boards of a project.

    Attributes:
        hidden: until it is undone.
        banned: until it is undone, or until the end of the ban.
        until: when the ban ends; ``None``: it has no end.
        seq: the act that changed it last.
        into: the player for whom this one's events count; ``None``: for this one.
        erased: it stands for somebody who was erased: its events count for nobody.
    """

    hidden: bool = False
    banned: bool = False
    until: int | None = None
    seq: int = 0
    into: str | None = None
    erased: bool = False

    @property
    def is_masked(self) -> bool:
        """Whether the player is out of every public answer."""
        return self.hidden or self.banned


UNTOUCHED = PlayerState()
"""A player whom no act has met."""


class PlayerChange(msgspec.Struct, frozen=True):
    """A player after an act."""

    result: Literal["changed", "unchanged"]
    player_id: str
    state: PlayerState
    touched: Sequence[EntryKey] = ()
    """The periods that hold other entries than before, of all boards."""


class VoidChange(msgspec.Struct, frozen=True):
    """What became of a mark on an event or a match."""

    result: Literal["changed", "unchanged"]
    is_void: bool
    touched: Sequence[EntryKey] = ()
    """The periods that hold other entries than before, of all boards."""


def moderate(old: PlayerState, act: PlayerModerated, seq: int, received_at: int) -> PlayerChange:
    """What an act makes of a player. Done twice it is done once, and it may come before the
    player's first event.

    Raises:
        InvalidInput: ``until`` is not after the arrival.
    """
    check_until(act.until, received_at)
    hidden, banned, until, into = old.hidden, old.banned, old.until, old.into
    if act.action in ("hide", "unhide"):
        hidden = act.action == "hide"
    elif act.action == "ban":
        banned, until = True, act.until
    elif act.action == "unban" or (act.action == "ban_ended" and _is_over(old, received_at)):
        banned, until = False, None
    elif act.action in ("merge", "unmerge"):
        into = act.into
    state = PlayerState(hidden, banned, until, old.seq, into)
    if state == old:
        return PlayerChange("unchanged", act.player_id, old)
    state = msgspec.structs.replace(state, seq=seq)
    return PlayerChange("changed", act.player_id, state)


def _is_over(state: PlayerState, now: int) -> bool:
    """Whether a ban's end has come: the ban may be another one than when somebody looked."""
    return state.banned and state.until is not None and state.until <= now


def check_until(until: int | None, now: int) -> None:
    """Do nothing when a ban may end at ``until``.

    Raises:
        InvalidInput: naming ``until``.
    """
    if until is not None and until <= now:
        raise InvalidInput("until must lie in the future", field="until")


def check_into(player_id: str, into: str) -> None:
    """Do nothing when one id is not the other one.

    Raises:
        InvalidInput: naming ``into``.
    """
    if into == player_id:
        raise InvalidInput("a player cannot be merged into oneself", field="into")


def check_merge(player_id: str, into: str, present: str | None, root: str) -> None:
    """Do nothing when a player may be merged into another one (R21).

    Args:
        present: into whom the player is merged already.
        root: the player for whom ``into`` counts.

    Raises:
        InvalidInput: naming ``into``.
    """
    check_into(player_id, into)
    if present not in (None, into):
        raise InvalidInput(f"the player is merged into {present!r}: unmerge first", field="into")
    if root == player_id:
        raise InvalidInput(f"{into!r} counts for {player_id!r} already", field="into")


def check_player(player_id: str) -> str:
    """Return the id of a player whom an act is about (R1).

    Raises:
        InvalidInput: naming ``player``.
    """
    return check_id(player_id, "player")


def check_reason(reason: str | None) -> str | None:
    """Return a reason that may be kept.

    Raises:
        InvalidInput: naming ``reason``.
    """
    if reason is None:
        return None
    REASON_CHARS.check(len(reason), "reason")
    check_no_controls(reason, "reason")
    try:
        reason.encode()
    except UnicodeEncodeError:
        raise InvalidInput("reason holds a lone surrogate", field="reason") from None
    return reason

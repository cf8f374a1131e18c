"""The lines of the log: events, and acts that change what a board is (design, invariant 4).

A record is written as a tagged MessagePack array, so that a later version can add kinds and, at the
end of a kind, fields, and still read what an older one wrote.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from toprung.domain.board import Settings
from toprung.domain.segments import Carried


class Event(msgspec.Struct, frozen=True, array_like=True, tag="e", gc=False):
    """One fact that a trusted server sent (R1), with its numbers read by the board's columns.

    ``revision`` says by which settings the points were scaled. ``at`` is the arrival where the
    sender gave none; ``at_given`` tells. With ``history`` the event counts as arrived at ``at``.
    With ``update_only`` it counts only for a player who is on the board already (R23).
    ``segments`` says in which segments it counts, on a board where that hangs on the event (R17).
    """

    board_id: int
    revision: int
    event_id: str
    player_id: str
    points: tuple[int, ...]
    at: int
    at_given: bool
    history: bool = False
    match_id: str | None = None
    metadata: bytes | None = None
    update_only: bool = False
    segments: Carried = ()


class Adjusted(Event, frozen=True, gc=False):
    """A correction of a player's score by an admin (R9): an event of the log that counts as its
    difference, also where a period is closed.

    ``points`` is the difference; with ``is_target`` the score to be reached in ``window``
    (``None``: the board's first), and the difference is what it comes to when it is applied.
    """

    project: str = ""
    is_target: bool = False
    window: str | None = None
    actor: str = ""
    reason: str | None = None


class _StoredAdjusted(msgspec.Struct, frozen=True, array_like=True, tag="adjusted"):
    """How it is written: both may get further fields."""

    event: Event
    project: str
    is_target: bool
    window: str | None
    actor: str
    reason: str | None


class Judged(Event, frozen=True, gc=False):
    """Somebody looked at an event in quarantine: it counts from here on, as it would have when it
    arrived at ``arrived_at``, or never.
    """

    project: str = ""
    is_approved: bool = False
    arrived_at: int = 0
    actor: str = ""
    reason: str | None = None


def judged(
    event: Event,
    project: str,
    arrived_at: int,
    actor: str,
    reason: str | None,
    *,
    is_approved: bool,
) -> Judged:
    """The record of somebody who looked at an event."""
    fields: dict[str, Any] = {name: getattr(event, name) for name in Event.__struct_fields__}
    return Judged(
        **fields,
        project=project,
        is_approved=is_approved,
        arrived_at=arrived_at,
        actor=actor,
        reason=reason,
    )


class _StoredJudged(msgspec.Struct, frozen=True, array_like=True, tag="judged"):
    """How it is written: both may get further fields."""

    event: Event
    project: str
    is_approved: bool
    arrived_at: int
    actor: str
    reason: str | None


class BoardPut(msgspec.Struct, frozen=True, array_like=True, tag="board_put"):
    """Make a board, or change one as ``if_exists`` says: refuse, change or recompute."""

    project: str
    name: str
    settings: Settings
    if_exists: str
    actor: str = ""
    reason: str | None = None


class BoardDropped(msgspec.Struct, frozen=True, array_like=True, tag="board_dropped"):
    """Drop a board with all it holds (R19)."""

    project: str
    name: str
    actor: str = ""
    reason: str | None = None


class SeasonBegun(msgspec.Struct, frozen=True, array_like=True, tag="season_begun"):
    """A reset: a season begins at ``at`` (R5)."""

    project: str
    name: str
    season_id: str
    season_name: str | None
    at: int
    ends_at: int | None = None
    actor: str = ""
    reason: str | None = None


class SeasonEnded(msgspec.Struct, frozen=True, array_like=True, tag="season_ended"):
    """A season ends at ``at``, before its planned end or the next reset."""

    project: str
    name: str
    season_id: str
    at: int
    actor: str = ""
    reason: str | None = None


class Profile(msgspec.Struct, frozen=True, array_like=True):
    """What a player shows: display name, avatar, attributes."""

    name: str | None
    avatar_url: str | None
    attributes: dict[str, str]


class ProfilePut(msgspec.Struct, frozen=True, array_like=True, tag="profile_put"):
    """Set a player's profile; replaces the one before."""

    project: str
    player_id: str
    profile: Profile


class FriendsPut(msgspec.Struct, frozen=True, array_like=True, tag="friends_put"):
    """Set a player's list of friends; replaces the one before."""

    project: str
    player_id: str
    friends: tuple[str, ...]


class PlayerModerated(msgspec.Struct, frozen=True, array_like=True, tag="player_moderated"):
    """Take a player out of every public answer, or bring one back (R9).

    ``action`` is ``hide``, ``unhide``, ``ban``, ``unban`` or, where a ban's end has come,
    ``ban_ended``; or ``merge`` and ``unmerge`` (R21). ``until`` is the end of a ban, ``None``: it
    has none. ``actor`` is the key that asked for it. ``into`` is for whom a merged player's events
    count.
    """

    project: str
    player_id: str
    action: str
    until: int | None
    actor: str
    reason: str | None
    into: str | None = None


class Rule(msgspec.Struct, frozen=True, array_like=True):
    """What an event of some name is worth on a board, and for whom.

    ``points`` is an expression, or one for each column by name; ``when`` says whether the rule
    applies; ``member`` names the player in the event's player's place, such as a team (R22).
    ``min`` and ``max`` are decimal numbers that bound the points of one event.
    """

    name: str
    event: str
    board: str
    points: str | dict[str, str]
    when: str | None = None
    member: str | None = None
    min: str | None = None
    max: str | None = None


class RulesPut(msgspec.Struct, frozen=True, array_like=True, tag="rules_put"):
    """Set a project's rules for named events; replaces all there were."""

    project: str
    rules: tuple[Rule, ...]
    actor: str = ""
    reason: str | None = None


class SeasonsScheduled(msgspec.Struct, frozen=True, array_like=True, tag="seasons_scheduled"):
    """Seasons begin whenever ``cron`` fires in ``zone``; ``None``: by themselves no more."""

    project: str
    name: str
    cron: str | None
    zone: str
    actor: str = ""
    reason: str | None = None


SeasonAct = SeasonBegun | SeasonEnded | SeasonsScheduled


class PeriodClosed(msgspec.Struct, frozen=True, array_like=True, tag="period_closed"):
    """A period takes nothing more: its final standings are those of this record (R10)."""

    board_id: int
    window: str
    key: str


class BoardUnfrozen(msgspec.Struct, frozen=True, array_like=True, tag="board_unfrozen"):
    """Show the public what the freeze of a board keeps back (R18)."""

    project: str
    name: str
    actor: str


class PeriodPublished(msgspec.Struct, frozen=True, array_like=True, tag="period_published"):
    """Show the public all ranks of a period that has ended."""

    project: str
    name: str
    window: str
    key: str
    actor: str
    reason: str | None


class DayRolled(msgspec.Struct, frozen=True, array_like=True, tag="day_rolled"):
    """The rolling windows of a board go on to the local day on which this arrived (R5)."""

    board_id: int


class PlayerErased(msgspec.Struct, frozen=True, array_like=True, tag="player_erased"):
    """A player is no more (R9). Who it was is told nowhere; ``receipt`` names the stand-in that the
    log has in the player's place.
    """

    project: str
    receipt: str
    actor: str
    reason: str | None


class EventVoided(msgspec.Struct, frozen=True, array_like=True, tag="event_voided"):
    """Mark an event id of a board as void, or take the mark off (R9)."""

    project: str
    board: str
    event_id: str
    is_void: bool
    actor: str
    reason: str | None


class MatchVoided(msgspec.Struct, frozen=True, array_like=True, tag="match_voided"):
    """Mark a match as void, on all boards of its project, or take the mark off (R9)."""

    project: str
    match_id: str
    is_void: bool
    actor: str
    reason: str | None


_StoredAct = (
    BoardPut
    | BoardDropped
    | SeasonBegun
    | SeasonEnded
    | SeasonsScheduled
    | PeriodClosed
    | BoardUnfrozen
    | PeriodPublished
    | DayRolled
    | ProfilePut
    | FriendsPut
    | PlayerModerated
    | EventVoided
    | PlayerErased
    | MatchVoided
    | RulesPut
)
Act = _StoredAct | Adjusted | Judged
Record = Event | Act

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, TypeError)
"""What reading raises where bytes that were kept are no longer what was written."""

_encoder = msgspec.msgpack.Encoder()
_event_decoder: msgspec.msgpack.Decoder[Event] = msgspec.msgpack.Decoder(Event)
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(
    Event | _StoredAct | _StoredAdjusted | _StoredJudged
)


def encode_record(record: Record) -> bytes:
    """The bytes of a record, as the log keeps them."""
    if isinstance(record, Adjusted | Judged):
        event = Event(*[getattr(record, name) for name in Event.__struct_fields__])
        stored = _StoredAdjusted if isinstance(record, Adjusted) else _StoredJudged
        own: list[Any] = [getattr(record, name) for name in stored.__struct_fields__[1:]]
        return _encoder.encode(stored(event, *own))
    return _encoder.encode(record)


_EVENT_TAG = encode_record(Event(0, 0, "", "", (), 0, False))[1:3]


def is_event(body: bytes) -> bool:
    """Whether a record is an event, told from its first bytes."""
    return body[1:3] == _EVENT_TAG


def are_events(bodies: Sequence[bytes]) -> list[bool]:
    """The same of many records."""
    return [body[1:3] == _EVENT_TAG for body in bodies]


_TRUE = 0xC3
_UPDATE_ONLY = encode_record(Event(0, 0, "", "", (), 0, False, update_only=True))
_BEGIN, _END = _UPDATE_ONLY[0], _UPDATE_ONLY[-2:]
"""How an event begins that has all fields, and ends that counts only for who is on the board."""
_BEGIN_WITHOUT_SEGMENTS = _BEGIN - 1
"""How one begins that was read natively, or by the version before: ``update_only`` comes last."""


def is_update_only(body: bytes) -> bool:
    """Whether an event counts only for who is on the board, told from the ends of its record.

    An event that carries segments may be taken for one, or not: it is looked at in any case.
    """
    if body[0] == _BEGIN:
        return body[-2:] == _END
    return body[0] == _BEGIN_WITHOUT_SEGMENTS and body[-1] == _TRUE


def may_be_update_only(bodies: Iterable[bytes]) -> bool:
    """Whether one of many events may be so; quicker than to look closely at each."""
    return any(end == _END or end[-1] == _TRUE for end in {body[-2:] for body in bodies})


def board_mark(board_id: int) -> bytes:
    """What every event of a board has in its record, from the second byte on, and no other has."""
    return _EVENT_TAG + _encoder.encode(board_id)


def decode_event(body: bytes) -> Event:
    """The event of ``body``.

    Raises:
        msgspec.DecodeError: the bytes are no event.
    """
    event: Event = _event_decoder.decode(body)
    return event


def decode_record(body: bytes) -> Record:
    """The record of ``body``.

    Raises:
        msgspec.DecodeError: the bytes are no record that this version knows.
    """
    record: Record | _StoredAdjusted | _StoredJudged = _decoder.decode(body)
    if isinstance(record, _StoredAdjusted | _StoredJudged):
        event, *own = msgspec.structs.astuple(record)
        kind = Adjusted if isinstance(record, _StoredAdjusted) else Judged
        return kind(*msgspec.structs.astuple(event), *own)
    return record

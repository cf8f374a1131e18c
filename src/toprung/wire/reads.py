"""Standings and ranks, as they travel. Scores are text, so that no client loses digits."""

from typing import Literal

import msgspec

Numbering = Literal["ordinal", "shared", "dense"]


class Period(msgspec.Struct, frozen=True):
    """The period a reply is about."""

    key: str
    start: str | None
    end: str | None


class Withheld(msgspec.Struct, frozen=True):
    """What is not shown yet of a period that has ended: its first ranks wait for a review. Who has
    one of them is left out; the others keep their ranks, and the total is that of all.
    """

    top: int
    """The last rank that is withheld, as the board numbers them."""
    until: str
    """When they are shown (UTC), if no admin publishes the period before."""
    players: tuple[str, ...] = ()
    """Of the players asked about, those who are left out for it."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A standing: an entry with its rank."""

    rank: int
    player_id: str
    score: str
    """The first column."""
    reached_at: str
    columns: dict[str, str] | None = None
    """All columns by name, on boards with more than one."""
    name: str | None = None
    avatar_url: str | None = None
    rank_delta: int | None = None
    """With ``since``: by how many ranks it is better now."""


class StandingsReply(msgspec.Struct, frozen=True):
    """Rows in board order. ``next`` and ``prev`` are cursors; null: no more rows there."""

    board: str
    window: str
    period: Period
    numbering: Numbering
    total: int
    seq: str
    rows: tuple[Row, ...]
    next: str | None = None
    prev: str | None = None
    fallback: bool = False
    """Whether nobody is on the period asked for, and this is the one before it."""
    segment: str | None = None
    """The segment asked about; null: the whole board."""
    frozen_at: str | None = None
    """Since when it stands still: only events before this are shown; null: it does not."""
    withheld: Withheld | None = None
    """What is left out until it was reviewed; null: nothing."""


class RankReply(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One player's rank."""

    board: str
    window: str
    period: Period
    numbering: Numbering
    player_id: str
    rank: int
    score: str
    percentile: float
    """100 * (total - shared rank + 1) / total; the first has 100."""
    top_percent: float
    """100 * shared rank / total."""
    total: int
    reached_at: str
    seq: str
    columns: dict[str, str] | None = None
    name: str | None = None
    avatar_url: str | None = None
    rank_delta: int | None = None
    """With ``since``: by how many ranks it is better now."""
    segment: str | None = None
    """The segment asked about; null: the whole board."""
    frozen_at: str | None = None
    """Since when it stands still: only events before this are shown; null: it does not."""
    score_now: str | None = None
    """While it stands still, to keys that may write: the score with everything counted."""
    withheld: Withheld | None = None
    """What is left out of the list until it was reviewed; null: nothing."""


class RanksRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Many players at once."""

    players: tuple[str, ...]


class RanksReply(msgspec.Struct, frozen=True):
    """Rows in the order asked; players who are not on the board are named in ``missing``."""

    board: str
    window: str
    period: Period
    numbering: Numbering
    total: int
    seq: str
    rows: tuple[Row, ...]
    missing: tuple[str, ...]
    segment: str | None = None
    """The segment asked about; null: the whole board."""
    frozen_at: str | None = None
    """Since when it stands still: only events before this are shown; null: it does not."""
    withheld: Withheld | None = None
    """What is left out until it was reviewed; null: nothing."""


class FriendsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The players to rank among each other. Who is named twice counts once."""

    players: tuple[str, ...]


class FriendRow(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A player inside a subset, with both ranks in the same numbering."""

    rank: int
    """Among the players asked for."""
    board_rank: int
    """On the whole board."""
    player_id: str
    score: str
    """The first column."""
    reached_at: str
    columns: dict[str, str] | None = None
    """All columns by name, on boards with more than one."""
    name: str | None = None
    avatar_url: str | None = None


class FriendsReply(msgspec.Struct, frozen=True):
    """Rows in board order; players who are not on the board are left out."""

    board: str
    window: str
    period: Period
    numbering: Numbering
    total: int
    """Players on the board."""
    seq: str
    rows: tuple[FriendRow, ...]
    segment: str | None = None
    """The segment asked about; null: the whole board."""
    frozen_at: str | None = None
    """Since when it stands still: only events before this are shown; null: it does not."""
    withheld: Withheld | None = None
    """What is left out until it was reviewed; null: nothing."""


class FriendsPage(msgspec.Struct, frozen=True):
    """A player and the player's friends in board order, or some of them; players who are not on
    the board are left out.
    """

    board: str
    window: str
    period: Period
    numbering: Numbering
    player_id: str
    own: FriendRow | None
    """The player's own row; null: not on the board."""
    ranked: int
    """How many of the player and the friends are on the board."""
    total: int
    """Players on the board."""
    seq: str
    rows: tuple[FriendRow, ...]
    next: str | None
    segment: str | None = None
    """The segment asked about; null: the whole board."""
    frozen_at: str | None = None
    """Since when it stands still: only events before this are shown; null: it does not."""
    withheld: Withheld | None = None
    """What is left out until it was reviewed; null: nothing."""


class FriendsIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's list of friends; the body of ``PUT /v1/players/{player}/friends``. Replaces the
    one before. Who is named twice is one.
    """

    players: tuple[str, ...]


class FriendList(msgspec.Struct, frozen=True):
    """A player's list of friends."""

    player_id: str
    players: tuple[str, ...]
    updated_at: str
    seq: str


class Target(msgspec.Struct, frozen=True):
    """A better rank and what is missing to it."""

    rank: int
    points: str
    """How far the first column is away from it, as a distance: never negative."""


class RankOfReply(msgspec.Struct, frozen=True):
    """The rank a score would get if it were reached now."""

    board: str
    window: str
    period: Period
    numbering: Numbering
    score: str
    rank: int
    total: int
    seq: str
    next: Target | None
    """The next better rank; null for who would be first."""
    wanted: Target | None
    """The rank asked for with ``wanted``; null when not asked, or out of reach."""
    segment: str | None = None
    """The segment asked about; null: the whole board."""
    frozen_at: str | None = None
    """Since when it stands still: only events before this are shown; null: it does not."""


class ProfileIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's profile; the body of ``PUT /v1/players/{player}``. Replaces the one before."""

    name: str | None = None
    avatar_url: str | None = None
    attributes: dict[str, str] = {}


class PlayerReply(msgspec.Struct, frozen=True):
    """A player's profile."""

    player_id: str
    name: str | None
    avatar_url: str | None
    attributes: dict[str, str]
    updated_at: str
    seq: str


class Health(msgspec.Struct, frozen=True):
    """Whether the process runs (``/healthz``) and can serve (``/readyz``)."""

    status: Literal["ok", "starting", "failing"]
    version: str
    seq: str
    missing: tuple[str, ...] = ()
    """What is not ready, in words."""

"""Ranks in a player's list of friends (R13)."""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from toprung.domain.decide import EntryKey
from toprung.domain.errors import InvalidInput
from toprung.domain.limits import FRIENDS, PAGE_ROWS
from toprung.ports.clock import Clock
from toprung.query.cursor import Cursor, read_cursor, write_cursor
from toprung.query.friends import Friend, Friends
from toprung.query.query import Query, Scope, StaleScope, check_place, segment_text
from toprung.query.withholding import Withheld

BOARDS_KEPT = 64
"""Lists ranked as boards of their own that are kept; the one not asked for longest goes first."""
WANTED_US = 10 * 60 * 1_000_000
"""So long after it was last asked for a kept board is made anew when ranks move."""


class FriendsPage(NamedTuple):
    """Some of a player's friends, in board order."""

    rows: Sequence[Friend]
    own: Friend | None
    """The player; ``None``: not on the board."""
    ranked: int
    """How many of list and player are on the board; who is withheld, too."""
    total: int
    """Players on the board."""
    seq: int
    next: str | None
    withheld: Sequence[str] = ()
    """Who is left out because the ranks are withheld."""


class _Kept(NamedTuple):
    """A long list, ranked."""

    scope: Scope
    friends: Sequence[str]
    ranked: Friends
    asked_at: int


_Name = tuple[EntryKey, str, str, Withheld | None]
"""Period, numbering, player, and what is kept from who asks."""


class FriendLists:
    """Ranks the lists that players keep: short ones when asked, long ones as boards of their own
    that are made anew while somebody wants them.
    """

    def __init__(self, query: Query, clock: Clock) -> None:
        self._query = query
        self._clock = clock
        self._lock = Lock()
        self._kept: OrderedDict[_Name, _Kept] = OrderedDict()

    def is_ranked(self, scope: Scope, player_id: str, friends: Sequence[str]) -> bool:
        """Whether to give a page of the list is quick: it is short, or kept."""
        return len(friends) < FRIENDS.maximum or self._find(scope, player_id, friends) is not None

    def page(
        self, scope: Scope, player_id: str, friends: Sequence[str], k: int, cursor: str | None
    ) -> FriendsPage:
        """The first ``k`` of a player and the player's friends, or the next ``k`` at a cursor.

        Raises:
            InvalidInput: naming the argument.
            StaleScope: see there.
        """
        PAGE_ROWS.check(k, "k")
        place = None if cursor is None else _place(scope, player_id, cursor)
        found = self._ranked(scope, player_id, friends)
        start = 0 if place is None else _after(scope, found.rows, place)
        rows = found.rows[start : start + k]
        own = next((row for row in found.rows if row.standing.player_id == player_id), None)
        more = start + k < len(found.rows)
        following = _cursor(scope, player_id, rows[-1]) if more else None
        withheld, total, seq = found.withheld, found.total, found.seq
        ranked = len(found.rows) + len(withheld)
        return FriendsPage(rows, own, ranked, total, seq, following, withheld)

    def _ranked(self, scope: Scope, player_id: str, friends: Sequence[str]) -> Friends:
        if len(friends) < FRIENDS.maximum:
            return self._query.among(scope, (*friends, player_id))
        kept = self._find(scope, player_id, friends)
        ranked = self._query.among(scope, (*friends, player_id)) if kept is None else kept.ranked
        name = _name(scope, player_id)
        with self._lock:
            self._kept[name] = _Kept(scope, friends, ranked, self._clock.now())
            self._kept.move_to_end(name)
            if len(self._kept) > BOARDS_KEPT:
                self._kept.popitem(last=False)
        return ranked

    def _find(self, scope: Scope, player_id: str, friends: Sequence[str]) -> _Kept | None:
        with self._lock:
            kept = self._kept.get(_name(scope, player_id))
        if kept is None or kept.friends is not friends:
            return None
        then, now = kept.scope.board.state, scope.board.state
        return kept if then.shown_by == now.shown_by else None

    def refresh(self) -> None:
        """Make the kept boards anew where anything has moved, and drop what nobody asks for."""
        now = self._clock.now()
        with self._lock:
            every = list(self._kept.items())
        for name, kept in every:
            made = None if now - kept.asked_at > WANTED_US else self._again(kept, name[2])
            with self._lock:
                # Whoever asked meanwhile has put another one.
                if self._kept.get(name) is not kept:
                    continue
                if made is None:
                    del self._kept[name]
                else:
                    self._kept[name] = made

    def _again(self, kept: _Kept, player_id: str) -> _Kept | None:
        if self._query.seq() == kept.ranked.seq:
            return kept
        try:
            ranked = self._query.among(kept.scope, (*kept.friends, player_id))
        except StaleScope:
            return None  # the board was dropped or is another one now
        return kept._replace(ranked=ranked)


def _name(scope: Scope, player_id: str) -> _Name:
    return scope.key, scope.numbering.value, player_id, scope.withheld


def _place(scope: Scope, player_id: str, cursor: str) -> Cursor:
    place = read_cursor(cursor)
    if place.among != player_id:
        raise InvalidInput("cursor belongs to another list", field="cursor")
    check_place(scope, place)
    return place


def _after(scope: Scope, rows: Sequence[Friend], place: Cursor) -> int:
    def key(row: Friend) -> bytes:
        standing = row.standing
        return scope.board.orders.key(standing.columns, standing.reached_at, standing.player_id)

    stood = scope.board.orders.key(place.columns, place.reached_at, place.player_id)
    return bisect_right(rows, stood, key=key)


def _cursor(scope: Scope, player_id: str, row: Friend) -> str:
    standing, revision = row.standing, scope.board.revision
    return write_cursor(
        Cursor(
            *scope.period_key,
            revision,
            True,
            standing.columns,
            standing.reached_at,
            standing.player_id,
            among=player_id,
            segment=segment_text(scope),
        )
    )

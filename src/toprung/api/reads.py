"""Standings and ranks."""

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

import msgspec

from toprung.api.boards import instant
from toprung.api.looking_back import Ranks, asked
from toprung.api.operation import Call, Later
from toprung.api.services import Services
from toprung.api.viewing import frozen_since, is_full, withheld_told
from toprung.domain.access import Role
from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.errors import InvalidInput
from toprung.domain.freezing import thawed
from toprung.domain.instants import format_instant
from toprung.domain.numbers import format_number, parse_number
from toprung.query import FriendsPage, Page, PlayerRank, Query, Scope, StaleScope, Standing, Target
from toprung.query.cursor import read_cursor
from toprung.wire import reads as wire

Read = TypeVar("Read", bound=Callable[[Services, Call], Any])

AROUND_ROWS = 5
"""Rows on each side of a player where the caller does not say."""
_RELATIVE = (None, "current", "previous")
"""Periods that mean another one as time goes on."""


def _on_settled_boards(read: Read) -> Read:
    """Have ``read`` answered again when it met a board in the middle of a change."""

    @wraps(read)
    def answer(services: Services, call: Call) -> object:
        while True:
            try:
                return read(services, call)
            except StaleScope:
                services.query.settle()

    return cast(Read, answer)


@_on_settled_boards
def top(services: Services, call: Call) -> Any:
    """The first rows."""
    params = call.params
    if params.fallback is not None and params.cursor is None:
        return _top_or_before(services, call)
    return _rows_asked(
        services,
        call,
        _place(call),
        lambda query, scope: query.top(scope, params.k, params.cursor),
    )


def _top_or_before(services: Services, call: Call) -> wire.StandingsReply:
    """The first rows, or, as long as there are none, those of the period before."""
    params = call.params
    for field, value in (
        ("as_of", params.as_of),
        ("from", params.start),
        ("to", params.stop),
        ("since", params.since),
    ):
        if value is not None:
            raise InvalidInput(f"fallback cannot be said together with {field}", field="fallback")
    scope = scope_of(services, call)
    page = services.query.top(scope, params.k)
    before = None if page.total else services.query.before(scope, full=is_full(call))
    if before is None:
        return _standings(services, call, scope, page)
    reply = _standings(services, call, before, services.query.top(before, params.k))
    return msgspec.structs.replace(reply, fallback=True)


@_on_settled_boards
def ranks(services: Services, call: Call) -> wire.StandingsReply:
    """Rows by shown rank."""
    scope, params = _page_scope(services, call), call.params
    page = services.query.ranks(scope, params.first, params.last, params.limit, params.cursor)
    return _standings(services, call, scope, page)


@_on_settled_boards
def scores(services: Services, call: Call) -> wire.StandingsReply:
    """Rows by score."""
    scope, params = _page_scope(services, call), call.params
    page = services.query.scores(scope, params.low, params.high, params.limit, params.cursor)
    return _standings(services, call, scope, page)


@_on_settled_boards
def around(services: Services, call: Call) -> Any:
    """Rows around a player."""
    n, size = call.params.n, call.params.size
    if n is None and size is None:
        n = AROUND_ROWS
    return _rows_asked(
        services,
        call,
        (call.params.window, call.params.period),
        lambda query, scope: query.around(scope, call.path[1], n, size),
    )


@_on_settled_boards
def rank(services: Services, call: Call) -> Any:
    """One player's rank."""
    player_id = call.path[1]
    return asked(
        services,
        call,
        (call.params.window, call.params.period),
        lambda query, scope: query.rank(scope, player_id),
        lambda found: (player_id,),
        lambda scope, found, then: _rank(services, call, scope, found, then),
    )


def _rank(
    services: Services, call: Call, scope: Scope, found: PlayerRank, then: Ranks
) -> wire.RankReply:
    standing, board = found.standing, scope.board
    profile = services.profiles.one(call.project, standing.player_id)
    return wire.RankReply(
        board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        standing.player_id,
        standing.rank,
        board.format_score(standing.columns),
        found.percentile,
        found.top_percent,
        found.total,
        format_instant(standing.reached_at),
        str(found.seq),
        columns_told(board, standing.columns),
        None if profile is None else profile.name,
        None if profile is None else profile.avatar_url,
        _delta(then, standing),
        segment_told(scope),
        frozen_since(services, scope),
        _score_now(services, call, scope, standing.player_id),
        withheld_told(scope.withheld),
    )


def _score_now(services: Services, call: Call, scope: Scope, player_id: str) -> str | None:
    """A player may see the own score, but not the own new rank (R18): a server can pass it on."""
    params = call.params
    looks_back = params.as_of is not None or params.start is not None or params.stop is not None
    if looks_back or call.role is Role.CLIENT or frozen_since(services, scope) is None:
        return None
    # Who may write is told scores anyway; it is ranks that are withheld.
    counted = scope._replace(frozen_at=None, withheld=None)
    standing = services.query.standing(counted, player_id).standing
    return None if standing is None else scope.board.format_score(standing.columns)


def _delta(then: Ranks, standing: Standing) -> int | None:
    before = then.get(standing.player_id)
    return None if before is None else before - standing.rank


@_on_settled_boards
def ranks_of(services: Services, call: Call) -> wire.RanksReply:
    """Many players at once."""
    scope = scope_of(services, call)
    page, missing, withheld = services.query.ranks_of(scope, call.body.players)
    return wire.RanksReply(
        scope.board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        page.total,
        str(page.seq),
        _rows(services, call.project, scope.board, page.rows),
        tuple(missing),
        segment_told(scope),
        frozen_since(services, scope),
        withheld_told(scope.withheld, withheld),
    )


@_on_settled_boards
def friends(services: Services, call: Call) -> wire.FriendsReply:
    """Players among each other."""
    scope = scope_of(services, call)
    found = services.query.friends(scope, call.body.players)
    rows = _rows(services, call.project, scope.board, [row.standing for row in found.rows])
    return wire.FriendsReply(
        scope.board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        found.total,
        str(found.seq),
        tuple(_friend(friend.rank, row) for friend, row in zip(found.rows, rows, strict=True)),
        segment_told(scope),
        frozen_since(services, scope),
        withheld_told(scope.withheld, found.withheld),
    )


def friends_of(services: Services, call: Call) -> Any:
    """A player among the friends of the player's list."""
    player_id, params, lists = call.path[1], call.params, services.friend_lists
    scope = _page_scope(services, call)
    friends = services.friends.of(call.project, player_id).friends

    def work() -> tuple[Scope, FriendsPage]:
        asked = scope
        while True:
            try:
                return asked, lists.page(asked, player_id, friends, params.k, params.cursor)
            except StaleScope:
                services.query.settle()
                asked = _page_scope(services, call)

    def answer(found: tuple[Scope, FriendsPage]) -> wire.FriendsPage:
        return _friends_page(services, call, player_id, *found)

    if lists.is_ranked(scope, player_id, friends):
        return answer(work())
    return Later(work, answer)


def _friends_page(
    services: Services, call: Call, player_id: str, scope: Scope, page: FriendsPage
) -> wire.FriendsPage:
    shown = [*page.rows] if page.own is None else [page.own, *page.rows]
    rows = _rows(services, call.project, scope.board, [row.standing for row in shown])
    told = [_friend(friend.rank, row) for friend, row in zip(shown, rows, strict=True)]
    return wire.FriendsPage(
        scope.board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        player_id,
        None if page.own is None else told.pop(0),
        page.ranked,
        page.total,
        str(page.seq),
        tuple(told),
        page.next,
        segment_told(scope),
        frozen_since(services, scope),
        withheld_told(scope.withheld, page.withheld),
    )


def _friend(rank: int, row: wire.Row) -> wire.FriendRow:
    return wire.FriendRow(
        rank,
        row.rank,
        row.player_id,
        row.score,
        row.reached_at,
        row.columns,
        row.name,
        row.avatar_url,
    )


@_on_settled_boards
def rank_of(services: Services, call: Call) -> wire.RankOfReply:
    """The rank that a score would get."""
    scope = scope_of(services, call)
    found = services.query.rank_of(scope, call.params.score, call.params.wanted)
    return wire.RankOfReply(
        scope.board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        _plain(scope.board, call.params.score),
        found.rank,
        found.total,
        str(found.seq),
        _target(found.next),
        _target(found.wanted),
        segment_told(scope),
        frozen_since(services, scope),
    )


def scope_of(services: Services, call: Call) -> Scope:
    """What a read is about, by its path and parameters."""
    params = call.params
    return services.query.scope(
        call.project,
        call.path[0],
        params.window,
        params.period,
        params.numbering,
        params.segment,
        full=is_full(call),
    )


def _page_scope(services: Services, call: Call) -> Scope:
    window, period = _place(call)
    params = call.params
    return services.query.scope(
        call.project,
        call.path[0],
        window,
        period,
        params.numbering,
        params.segment,
        full=is_full(call),
    )


def _place(call: Call) -> tuple[str | None, str | None]:
    """Window and period of a page; a cursor keeps those of the page that gave it."""
    params = call.params
    if params.cursor is None:
        return params.window, params.period
    place = read_cursor(params.cursor)
    window = thawed(place.window) if params.window is None else params.window
    return window, place.period if params.period in _RELATIVE else params.period


@lru_cache(maxsize=4096)
def to_period(period: Period) -> wire.Period:
    """A period with its bounds in UTC."""
    return wire.Period(period.key, instant(period.start), instant(period.end))


def segment_told(scope: Scope) -> str | None:
    """The segment that was asked about, as it was asked for."""
    return None if scope.segment is None else str(scope.segment)


def _rows_asked(
    services: Services,
    call: Call,
    place: tuple[str | None, str | None],
    ask: Callable[[Query, Scope], Page],
) -> Any:
    return asked(
        services,
        call,
        place,
        ask,
        lambda page: [row.player_id for row in page.rows],
        lambda scope, page, then: _standings(services, call, scope, page, then),
    )


def _standings(
    services: Services, call: Call, scope: Scope, page: Page, then: Ranks | None = None
) -> wire.StandingsReply:
    return wire.StandingsReply(
        scope.board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        page.total,
        str(page.seq),
        _rows(services, call.project, scope.board, page.rows, then),
        page.next,
        page.prev,
        segment=segment_told(scope),
        frozen_at=frozen_since(services, scope),
        withheld=withheld_told(scope.withheld),
    )


def _rows(
    services: Services,
    project: str,
    board: Board,
    standings: Sequence[Standing],
    then: Ranks | None = None,
) -> tuple[wire.Row, ...]:
    profiles = services.profiles.of(project, [standing.player_id for standing in standings])
    rows = []
    for standing in standings:
        shown, player_id, columns, reached_at = standing
        profile = profiles.get(player_id)
        rows.append(
            wire.Row(
                shown,
                player_id,
                board.format_score(columns),
                format_instant(reached_at),
                columns_told(board, columns),
                None if profile is None else profile.name,
                None if profile is None else profile.avatar_url,
                _delta(then, standing) if then else None,
            )
        )
    return tuple(rows)


def columns_told(board: Board, columns: Sequence[int]) -> dict[str, str] | None:
    """All columns by name, where there is more than the score."""
    if len(columns) == 1:
        return None
    names = [column.name for column in board.settings.columns]
    return dict(zip(names, board.format_columns(columns), strict=True))


def _plain(board: Board, score: str) -> str:
    """A score as it was asked for, written as replies write scores."""
    texts = zip(score.split(","), board.settings.columns, strict=False)
    return ",".join(
        format_number(parse_number(text, column.decimals, "score"), column.decimals)
        for text, column in texts
    )


def _target(target: Target | None) -> wire.Target | None:
    return None if target is None else wire.Target(target.rank, target.points)

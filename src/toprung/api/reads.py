"""Standings and ranks."""

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from toprung.api.boards import instant
from toprung.api.operation import Call
from toprung.api.services import Services
from toprung.domain.board import Board
from toprung.domain.calendar import Period
from toprung.domain.instants import format_instant
from toprung.domain.numbers import format_number, parse_number
from toprung.query import Page, Scope, StaleScope, Standing, Target
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
def top(services: Services, call: Call) -> wire.StandingsReply:
    """The first rows."""
    scope = _page_scope(services, call)
    page = services.query.top(scope, call.params.k, call.params.cursor)
    return _standings(services, call, scope, page)


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
def around(services: Services, call: Call) -> wire.StandingsReply:
    """Rows around a player."""
    scope, n, size = _scope(services, call), call.params.n, call.params.size
    if n is None and size is None:
        n = AROUND_ROWS
    page = services.query.around(scope, call.path[1], n, size)
    return _standings(services, call, scope, page)


@_on_settled_boards
def rank(services: Services, call: Call) -> wire.RankReply:
    """One player's rank."""
    scope = _scope(services, call)
    found = services.query.rank(scope, call.path[1])
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
        _columns(board, standing.columns),
        None if profile is None else profile.name,
        None if profile is None else profile.avatar_url,
    )


@_on_settled_boards
def ranks_of(services: Services, call: Call) -> wire.RanksReply:
    """Many players at once."""
    scope = _scope(services, call)
    page, missing = services.query.ranks_of(scope, call.body.players)
    return wire.RanksReply(
        scope.board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        page.total,
        str(page.seq),
        _rows(services, call.project, scope.board, page.rows),
        tuple(missing),
    )


@_on_settled_boards
def friends(services: Services, call: Call) -> wire.FriendsReply:
    """Players among each other."""
    scope = _scope(services, call)
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
    scope = _scope(services, call)
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
    )


def _scope(services: Services, call: Call) -> Scope:
    params = call.params
    return services.query.scope(
        call.project, call.path[0], params.window, params.period, params.numbering
    )


def _page_scope(services: Services, call: Call) -> Scope:
    """As ``_scope``; a cursor keeps the window and the period of the page that gave it."""
    params = call.params
    if params.cursor is None:
        return _scope(services, call)
    place = read_cursor(params.cursor)
    window = place.window if params.window is None else params.window
    period = place.period if params.period in _RELATIVE else params.period
    return services.query.scope(call.project, call.path[0], window, period, params.numbering)


@lru_cache(maxsize=4096)
def to_period(period: Period) -> wire.Period:
    """A period with its bounds in UTC."""
    return wire.Period(period.key, instant(period.start), instant(period.end))


def _standings(services: Services, call: Call, scope: Scope, page: Page) -> wire.StandingsReply:
    return wire.StandingsReply(
        scope.board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        page.total,
        str(page.seq),
        _rows(services, call.project, scope.board, page.rows),
        page.next,
        page.prev,
    )


def _rows(
    services: Services, project: str, board: Board, standings: Sequence[Standing]
) -> tuple[wire.Row, ...]:
    profiles = services.profiles.of(project, [standing.player_id for standing in standings])
    rows = []
    for shown, player_id, columns, reached_at in standings:
        profile = profiles.get(player_id)
        rows.append(
            wire.Row(
                shown,
                player_id,
                board.format_score(columns),
                format_instant(reached_at),
                _columns(board, columns),
                None if profile is None else profile.name,
                None if profile is None else profile.avatar_url,
            )
        )
    return tuple(rows)


def _columns(board: Board, columns: Sequence[int]) -> dict[str, str] | None:
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

"""How a read looks back: at a moment, at the events of some time alone, and compared with a moment
(R24). What it has to find is found in a thread of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from toprung.api.operation import Call, Later
from toprung.api.services import Services
from toprung.api.viewing import is_full
from toprung.domain.errors import InvalidInput
from toprung.domain.instants import looks_like_instant, parse_instant
from toprung.query import Query, Scope, StaleScope

Found = TypeVar("Found")
Ranks = Mapping[str, int]
"""The ranks of some players at another moment."""


def asked(
    services: Services,
    call: Call,
    place: tuple[str | None, str | None],
    ask: Callable[[Query, Scope], Found],
    players_of: Callable[[Found], Sequence[str]],
    tell: Callable[[Scope, Found, Ranks], Any],
) -> Any:
    """The reply to a read, or what finds it.

    Args:
        place: window and period that are asked about.
        ask: asks a query.
        players_of: the players in what it gives.
        tell: makes the reply.
    """
    params, (window, period) = call.params, place
    if params.as_of is params.start is params.stop is params.since is None:
        query = services.query
        scope = query.scope(
            call.project,
            call.path[0],
            window,
            period,
            params.numbering,
            params.segment,
            full=is_full(call),
        )
        return tell(scope, ask(query, scope), {})

    def work() -> tuple[Scope, Found, Ranks]:
        while True:
            try:
                query, scope = _source(services, call, window, period)
                found = ask(query, scope)
                return scope, found, _ranks_then(services, call, scope, players_of(found))
            except StaleScope:
                services.query.settle()

    return Later(work, lambda found: tell(*found))


def _source(
    services: Services, call: Call, window: str | None, period: str | None
) -> tuple[Query, Scope]:
    """What to ask, and about what."""
    params, project, name, full = call.params, call.project, call.path[0], is_full(call)
    how = params.numbering, params.segment
    if params.start is not None or params.stop is not None:
        _check_alone(call)
        start = None if params.start is None else parse_instant(params.start, "from")
        end = None if params.stop is None else parse_instant(params.stop, "to")
        return services.past.between(project, name, start, end, *how, full=full)
    if params.as_of is not None:
        moment = services.past.moment(params.as_of, "as_of")
        return services.past.as_of(project, name, moment, window, period, *how, full=full)
    query = services.query
    return query, query.scope(project, name, window, period, *how, full=full)


def _check_alone(call: Call) -> None:
    """Refuse what says in another way than ``from`` and ``to`` which events are meant."""
    for field in ("window", "period", "as_of", "since"):
        if getattr(call.params, field) is not None:
            raise InvalidInput(f"{field} cannot be said together with from and to", field=field)


def _ranks_then(services: Services, call: Call, scope: Scope, players: Sequence[str]) -> Ranks:
    """The ranks that the players had at what ``since`` names."""
    params = call.params
    if params.since is None:
        return {}
    project, name, window = call.project, call.path[0], scope.period.window
    numbering = scope.numbering.value
    if looks_like_instant(params.since):
        moment = services.past.moment(params.since, "since")
        try:
            query, then = services.past.as_of(
                project,
                name,
                moment,
                window,
                scope.period.key,
                numbering,
                params.segment,
                full=is_full(call),
            )
        except InvalidInput as error:
            # Who asks how ranks changed since then is told of players who are new; so are all here.
            if error.code == "unknown_board":
                return {}
            raise
    else:
        query, then = _since_period(services, call, scope)
    # Last: what is wrong with the question is said also where nobody is asked about.
    rows = query.ranks_of(then, players).page.rows if players else ()
    return {row.player_id: row.rank for row in rows}


def _since_period(services: Services, call: Call, scope: Scope) -> tuple[Query, Scope]:
    """What answers for the period that ``since`` names."""
    try:
        return _source(services, call, scope.period.window, call.params.since)
    except InvalidInput as error:
        if error.field == "period":
            raise InvalidInput(error.message, field="since", hint=error.hint) from None
        raise

"""The blocking client: carries bytes between the exchanges and the network."""

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar, cast

import httpx2

from toprung.sdk._batcher import Batcher
from toprung.sdk._calls import Calls, Pager
from toprung.sdk._exchange import Answer, Exchange, Request, Retries
from toprung.sdk._methods import TIMEOUT, failure_of, reply_of, settings_of, shown_as
from toprung.sdk._outbox import Limits, OnResult
from toprung.sdk._system import System
from toprung.wire.reads import StandingsReply

P = ParamSpec("P")
T = TypeVar("T")


def _blocking(
    describe: Callable[Concatenate[Calls, P], Exchange[T]],
) -> "Callable[Concatenate[Client, P], T]":
    def method(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._perform(describe(self._calls, *args, **kwargs))

    return shown_as(method, describe)


def _walking(
    describe: Callable[Concatenate[Calls, P], Pager],
) -> "Callable[Concatenate[Client, P], Iterator[StandingsReply]]":
    def method(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> Iterator[StandingsReply]:
        return self._walk(describe(self._calls, *args, **kwargs))

    return shown_as(method, describe, Iterator[StandingsReply])


class Client:
    """A client that waits for each answer. Safe to share between threads.

    ``url`` and ``key`` default to the environment variables ``TOPRUNG_URL`` and
    ``TOPRUNG_KEY``; ``ValueError`` when there is neither. ``timeout`` is in seconds, for each
    step of a try. ``retries`` is how often a request is tried again after the first failure,
    or a ``Retries`` with the pauses as well. Tried again are lost connections and the
    statuses 429 (after the time the server asks for), 502, 503 and 504; a score event keeps
    its id, so it counts once however often it is sent.

    Every method raises ``ToprungError``, or the sub-class of it that fits. Use it in a
    ``with`` block, or call ``close``.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = TIMEOUT,
        retries: int | Retries = Retries(),  # noqa: B008 - it cannot be changed
        transport: httpx2.BaseTransport | None = None,
        system: System = System(),  # noqa: B008 - it cannot be changed
    ) -> None:
        settings = settings_of(url, key, timeout, retries, system)
        self._calls = settings.calls
        self._system = system
        self._http = httpx2.Client(transport=transport, **settings.http_options())

    submit = _blocking(Calls.submit)
    submit_many = _blocking(Calls.submit_many)
    event = _blocking(Calls.event)
    events = _blocking(Calls.events)

    submit_events = _blocking(Calls.submit_events)
    put_rules = _blocking(Calls.put_rules)
    rules = _blocking(Calls.rules)
    test_rules = _blocking(Calls.test_rules)

    top = _blocking(Calls.top)
    rank = _blocking(Calls.rank)
    around = _blocking(Calls.around)
    ranks = _blocking(Calls.ranks)
    scores = _blocking(Calls.scores)
    pages = _walking(Calls.pages)
    rank_of = _blocking(Calls.rank_of)
    ranks_of = _blocking(Calls.ranks_of)
    friends = _blocking(Calls.friends)
    friends_of = _blocking(Calls.friends_of)
    history = _blocking(Calls.history)
    explain = _blocking(Calls.explain)

    put_board = _blocking(Calls.put_board)
    board = _blocking(Calls.board)
    boards = _blocking(Calls.boards)
    drop_board = _blocking(Calls.drop_board)
    unfreeze = _blocking(Calls.unfreeze)
    reveal = _blocking(Calls.reveal)
    begin_season = _blocking(Calls.begin_season)
    seasons = _blocking(Calls.seasons)
    end_season = _blocking(Calls.end_season)
    schedule_seasons = _blocking(Calls.schedule_seasons)
    season_schedule = _blocking(Calls.season_schedule)
    schedule = _blocking(Calls.schedule)
    periods = _blocking(Calls.periods)
    period = _blocking(Calls.period)
    publish = _blocking(Calls.publish)

    put_player = _blocking(Calls.put_player)
    player = _blocking(Calls.player)
    put_friends = _blocking(Calls.put_friends)
    friend_list = _blocking(Calls.friend_list)

    audit = _blocking(Calls.audit)
    quarantine = _blocking(Calls.quarantine)
    approve_event = _blocking(Calls.approve_event)
    reject_event = _blocking(Calls.reject_event)
    judge_events = _blocking(Calls.judge_events)
    hide_player = _blocking(Calls.hide_player)
    unhide_player = _blocking(Calls.unhide_player)
    ban_player = _blocking(Calls.ban_player)
    unban_player = _blocking(Calls.unban_player)
    merge_player = _blocking(Calls.merge_player)
    unmerge_player = _blocking(Calls.unmerge_player)
    erase_player = _blocking(Calls.erase_player)
    adjust_player = _blocking(Calls.adjust_player)
    void_event = _blocking(Calls.void_event)
    unvoid_event = _blocking(Calls.unvoid_event)
    void_match = _blocking(Calls.void_match)
    unvoid_match = _blocking(Calls.unvoid_match)

    health = _blocking(Calls.health)
    start_rebuild = _blocking(Calls.start_rebuild)
    rebuild_status = _blocking(Calls.rebuild_status)

    def batcher(
        self,
        *,
        max_events: int = Limits.max_events,
        max_wait: float = Limits.max_wait,
        max_pending: int = Limits.max_pending,
        on_result: OnResult | None = None,
    ) -> Batcher:
        """Collects events from any thread and sends them together; see ``Batcher``."""
        return Batcher(
            self.submit_many,
            Limits(max_events, max_wait, max_pending),
            on_result=on_result,
            new_event_id=self._system.new_event_id,
            monotonic=self._system.monotonic,
        )

    def close(self) -> None:
        """Closes the connections. Closing twice is fine."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({str(self._http.base_url)!r})"

    def _perform(self, exchange: Exchange[T]) -> T:
        try:
            attempt = next(exchange)
            while True:
                if attempt.pause:
                    self._system.sleep(attempt.pause)
                attempt = exchange.send(self._send(attempt.request))
        except StopIteration as done:
            return cast("T", done.value)

    def _send(self, request: Request) -> Answer:
        try:
            response = self._http.request(
                request.method, request.path, params=request.query, content=request.body
            )
        except httpx2.RequestError as error:
            return failure_of(error)
        return reply_of(response)

    def _walk(self, pager: Pager) -> Iterator[StandingsReply]:
        page = self._perform(pager(None))
        yield page
        while page.next is not None:
            page = self._perform(pager(page.next))
            yield page

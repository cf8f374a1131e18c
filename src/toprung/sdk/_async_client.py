"""The asyncio client: carries bytes between the exchanges and the network."""

from collections.abc import AsyncIterator, Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

import httpx2

from toprung.sdk._async_batcher import AsyncBatcher
from toprung.sdk._calls import Calls, Pager
from toprung.sdk._exchange import Answer, Exchange, Request, Retries
from toprung.sdk._methods import TIMEOUT, failure_of, reply_of, settings_of, shown_as
from toprung.sdk._outbox import Limits, OnResult
from toprung.sdk._system import System
from toprung.wire.reads import StandingsReply

P = ParamSpec("P")
T = TypeVar("T")


def _awaited(
    describe: Callable[Concatenate[Calls, P], Exchange[T]],
) -> "Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]":
    async def method(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._perform(describe(self._calls, *args, **kwargs))

    return shown_as(method, describe)


def _walking(
    describe: Callable[Concatenate[Calls, P], Pager],
) -> "Callable[Concatenate[AsyncClient, P], AsyncIterator[StandingsReply]]":
    def method(
        self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncIterator[StandingsReply]:
        return self._walk(describe(self._calls, *args, **kwargs))

    return shown_as(method, describe, AsyncIterator[StandingsReply])


class AsyncClient:
    """``Client`` for asyncio: the same methods, awaited; ``pages`` is for ``async for``.

    The arguments and the errors are those of ``Client``. Use it in an ``async with`` block,
    or await ``close``. It belongs to the event loop it is first used in.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = TIMEOUT,
        retries: int | Retries = Retries(),  # noqa: B008 - it cannot be changed
        transport: httpx2.AsyncBaseTransport | None = None,
        system: System = System(),  # noqa: B008 - it cannot be changed
    ) -> None:
        settings = settings_of(url, key, timeout, retries, system)
        self._calls = settings.calls
        self._system = system
        self._http = httpx2.AsyncClient(transport=transport, **settings.http_options())

    submit = _awaited(Calls.submit)
    submit_many = _awaited(Calls.submit_many)
    event = _awaited(Calls.event)
    events = _awaited(Calls.events)

    submit_events = _awaited(Calls.submit_events)
    put_rules = _awaited(Calls.put_rules)
    rules = _awaited(Calls.rules)
    test_rules = _awaited(Calls.test_rules)

    top = _awaited(Calls.top)
    rank = _awaited(Calls.rank)
    around = _awaited(Calls.around)
    ranks = _awaited(Calls.ranks)
    scores = _awaited(Calls.scores)
    pages = _walking(Calls.pages)
    rank_of = _awaited(Calls.rank_of)
    ranks_of = _awaited(Calls.ranks_of)
    friends = _awaited(Calls.friends)
    friends_of = _awaited(Calls.friends_of)
    history = _awaited(Calls.history)
    explain = _awaited(Calls.explain)

    put_board = _awaited(Calls.put_board)
    board = _awaited(Calls.board)
    boards = _awaited(Calls.boards)
    drop_board = _awaited(Calls.drop_board)
    unfreeze = _awaited(Calls.unfreeze)
    reveal = _awaited(Calls.reveal)
    begin_season = _awaited(Calls.begin_season)
    seasons = _awaited(Calls.seasons)
    end_season = _awaited(Calls.end_season)
    schedule_seasons = _awaited(Calls.schedule_seasons)
    season_schedule = _awaited(Calls.season_schedule)
    schedule = _awaited(Calls.schedule)
    periods = _awaited(Calls.periods)
    period = _awaited(Calls.period)
    publish = _awaited(Calls.publish)

    put_player = _awaited(Calls.put_player)
    player = _awaited(Calls.player)
    put_friends = _awaited(Calls.put_friends)
    friend_list = _awaited(Calls.friend_list)

    audit = _awaited(Calls.audit)
    quarantine = _awaited(Calls.quarantine)
    approve_event = _awaited(Calls.approve_event)
    reject_event = _awaited(Calls.reject_event)
    judge_events = _awaited(Calls.judge_events)
    hide_player = _awaited(Calls.hide_player)
    unhide_player = _awaited(Calls.unhide_player)
    ban_player = _awaited(Calls.ban_player)
    unban_player = _awaited(Calls.unban_player)
    merge_player = _awaited(Calls.merge_player)
    unmerge_player = _awaited(Calls.unmerge_player)
    erase_player = _awaited(Calls.erase_player)
    adjust_player = _awaited(Calls.adjust_player)
    void_event = _awaited(Calls.void_event)
    unvoid_event = _awaited(Calls.unvoid_event)
    void_match = _awaited(Calls.void_match)
    unvoid_match = _awaited(Calls.unvoid_match)

    health = _awaited(Calls.health)
    start_rebuild = _awaited(Calls.start_rebuild)
    rebuild_status = _awaited(Calls.rebuild_status)

    def batcher(
        self,
        *,
        max_events: int = Limits.max_events,
        max_wait: float = Limits.max_wait,
        max_pending: int = Limits.max_pending,
        on_result: OnResult | None = None,
    ) -> AsyncBatcher:
        """Collects events from any task and sends them together; see ``AsyncBatcher``."""
        return AsyncBatcher(
            self.submit_many,
            Limits(max_events, max_wait, max_pending),
            on_result=on_result,
            new_event_id=self._system.new_event_id,
            monotonic=self._system.monotonic,
        )

    async def close(self) -> None:
        """Closes the connections. Closing twice is fine."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({str(self._http.base_url)!r})"

    async def _perform(self, exchange: Exchange[T]) -> T:
        try:
            attempt = next(exchange)
            while True:
                if attempt.pause:
                    await self._system.async_sleep(attempt.pause)
                attempt = exchange.send(await self._send(attempt.request))
        except StopIteration as done:
            return cast("T", done.value)

    async def _send(self, request: Request) -> Answer:
        try:
            response = await self._http.request(
                request.method, request.path, params=request.query, content=request.body
            )
        except httpx2.RequestError as error:
            return failure_of(error)
        return reply_of(response)

    async def _walk(self, pager: Pager) -> AsyncIterator[StandingsReply]:
        page = await self._perform(pager(None))
        yield page
        while page.next is not None:
            page = await self._perform(pager(page.next))
            yield page

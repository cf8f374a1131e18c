"""Every operation of the API, described once; both clients show these as their methods.

The documentation speaks to the user of a client: what a method here returns is an
exchange, what the client's method of that name returns is its result.
"""
# ruff: noqa: PLR0913 - a read has as many options as its route has parameters

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from toprung.sdk._asking import Query, T, View, path_of, query_of, view_of
from toprung.sdk._audit_calls import AuditCalls
from toprung.sdk._errors import ToprungError, bad_reply
from toprung.sdk._events import (
    Instant,
    Number,
    PartialBatch,
    Points,
    ScoreEvent,
    batch_body,
    encode,
    identified,
    joined,
    number_text,
    split,
)
from toprung.sdk._exchange import Exchange, Request
from toprung.sdk._freeze_calls import FreezeCalls
from toprung.sdk._moderation_calls import ModerationCalls
from toprung.sdk._past_calls import PastCalls, past_of
from toprung.sdk._period_calls import PeriodCalls
from toprung.sdk._quarantine_calls import QuarantineCalls
from toprung.sdk._rule_calls import RuleCalls
from toprung.sdk._upkeep_calls import UpkeepCalls
from toprung.wire.boards import (
    Board,
    BoardDropped,
    BoardPutReply,
    BoardSettings,
    BoardsReply,
    IfExists,
)
from toprung.wire.events import EventsReply
from toprung.wire.reads import (
    FriendList,
    FriendsIn,
    FriendsPage,
    FriendsReply,
    FriendsRequest,
    Numbering,
    PlayerReply,
    ProfileIn,
    RankOfReply,
    RankReply,
    RanksReply,
    RanksRequest,
    StandingsReply,
)
from toprung.wire.scores import BatchReply, EventReply, ScoreResult

Pager: TypeAlias = Callable[[str | None], Exchange[StandingsReply]]
"""Takes a cursor (None: the first page) and gets that page."""


@dataclass(frozen=True, slots=True)
class Calls(
    AuditCalls,
    QuarantineCalls,
    PastCalls,
    PeriodCalls,
    FreezeCalls,
    ModerationCalls,
    RuleCalls,
    UpkeepCalls,
):
    """The operations. ``window``, ``period``, ``numbering``, ``segment`` and ``view`` mean the same
    in every read:

    - ``window``: ``all``, ``daily``, ``weekly`` ...; default: the board's first.
    - ``period``: a key such as ``2026-W49``, ``current``, ``previous``, or an instant.
    - ``numbering``: ``ordinal`` (1,2,3,4), ``shared`` (1,2,2,4) or ``dense`` (1,2,2,3);
      default: as the board says.
    - ``segment``: such as ``country:NO``, on boards that are sliced by that attribute of players:
      ranks, totals and percentiles are those among its players; default: the whole board.
    - ``view``: ``full`` shows admin keys what a freeze keeps from the public.
    """

    # --- writing scores

    def submit(
        self,
        board: str,
        player_id: str,
        points: Points,
        *,
        event_id: str | None = None,
        at: Instant | None = None,
        match_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        update_only: bool = False,
        segments: Mapping[str, str] | None = None,
        ranks: bool = True,
        history: bool = False,
    ) -> Exchange[ScoreResult]:
        """Sends one score event; the result says what it did in each window of the board.

        ``points`` is an ``int``, a ``Decimal`` or decimal text, and on boards with several
        columns a mapping by column name. ``event_id`` makes the event count once; without
        one the client makes it, and keeps it when it tries again. If an answer was lost on
        the way, the outcome is therefore ``duplicate`` and ``first`` says ``counted``.
        ``update_only=True`` counts it only for a player who is on the board already.
        ``segments`` says in which segments it counts, on a board with ``segment_at: event``.
        ``ranks=False`` leaves ranks out of the result, which is cheaper. ``history=True``
        (admin keys) lets the event count as if it had arrived when it happened.

        Raises ``TypeError`` for a float, ``InvalidRequest``, ``NotFound`` (the board),
        ``Conflict`` (the id was used for something else), ``EventRefused`` (``early``,
        ``late``, ``overflow`` ...).
        """
        given = ScoreEvent(
            board, player_id, points, event_id, at, match_id, metadata, update_only, segments
        )
        event = identified(given, self.new_event_id)
        return self._post_scores(encode(event), ScoreResult, ranks=ranks, history=history)

    def submit_many(
        self, events: Iterable[ScoreEvent], *, ranks: bool = True, history: bool = False
    ) -> Exchange[BatchReply]:
        """Sends many events; one result for each, in the order given, whatever the outcomes.

        More than 5,000 go in several requests, one after the other. An event that the
        server refuses harms no other one: look at ``outcomes``, or at each result's
        ``outcome``. For the rest see ``submit``.

        Raises ``TypeError`` or ``ValueError`` for an event that cannot be sent, before any
        is sent. When a request fails, the error's ``partial`` has the results so far and the
        events without one.
        """
        named = [identified(event, self.new_event_id) for event in events]
        replies: list[BatchReply] = []
        for group in split([encode(event) for event in named]):
            try:
                reply = yield from self._submit_group(group, ranks=ranks, history=history)
            except ToprungError as error:
                results = joined(replies).results
                error.partial = PartialBatch(results, tuple(named[len(results) :]))
                raise
            replies.append(reply)
        return joined(replies)

    def _submit_group(
        self, group: Sequence[bytes], *, ranks: bool, history: bool
    ) -> Exchange[BatchReply]:
        reply = yield from self._post_scores(
            batch_body(group), BatchReply, ranks=ranks, history=history
        )
        if len(reply.results) != len(group):
            raise bad_reply(200, f"{len(reply.results)} results for {len(group)} events")
        return reply

    def _post_scores(
        self, body: bytes, shape: type[T], *, ranks: bool, history: bool
    ) -> Exchange[T]:
        # Only what differs from the server's defaults is said.
        query = query_of({"ranks": None if ranks else False, "history": history or None})
        request = Request(method="POST", path="/v1/scores", query=query, body=body)
        return self._call(request, shape)

    def event(self, board: str, event_id: str) -> Exchange[EventReply | None]:
        """What became of one event; None when the board has not seen it.

        Raises ``NotFound`` for an unknown board.
        """
        request = Request(method="GET", path=path_of("boards", board, "events", event_id))
        return self._look_up(request, EventReply, absent="unknown_event")

    def events(
        self, board: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Exchange[EventsReply]:
        """The events that a board was sent, in the order of the log, each with its outcome.

        At most ``limit`` (1 to 1,000; the server's default is 100) come at once: go on with
        the reply's ``next`` as ``cursor`` until it is None; a page may have no rows before
        that. Admin keys only. Raises ``NotFound`` for an unknown board.
        """
        query = {"limit": limit, "cursor": cursor}
        return self._read(EventsReply, query, "boards", board, "events")

    # --- reading standings

    def top(
        self,
        board: str,
        *,
        k: int = 10,
        cursor: str | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
        as_of: Instant | None = None,
        from_: Instant | None = None,
        to: Instant | None = None,
        since: Instant | None = None,
        fallback: Literal["previous"] | None = None,
    ) -> Exchange[StandingsReply]:
        """The first ``k`` players (1 to 1,000), or with ``cursor`` the ``k`` from there.

        With ``fallback="previous"`` the period before is told as long as nobody is on the one
        asked for; the reply's ``fallback`` says so.

        ``as_of`` asks what would have been answered then (an instant, or the ``seq`` of a reply);
        ``from_`` and ``to`` rank by the events of that time alone; with ``since``, an instant or a
        period, each row has a ``rank_delta``. So it is with ``rank`` and ``around``.

        Raises ``NotFound`` for an unknown board.
        """
        query = {"k": k, "cursor": cursor} | view_of(window, period, numbering, segment, view)
        query |= past_of(as_of, from_, to, since) | {"fallback": fallback}
        return self._read(StandingsReply, query, "boards", board, "top")

    def rank(
        self,
        board: str,
        player_id: str,
        *,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
        as_of: Instant | None = None,
        from_: Instant | None = None,
        to: Instant | None = None,
        since: Instant | None = None,
    ) -> Exchange[RankReply | None]:
        """One player's rank, score and percentile; None for somebody not on the board.

        Raises ``NotFound`` for an unknown board.
        """
        request = Request(
            method="GET",
            path=path_of("boards", board, "rank", player_id),
            query=query_of(
                view_of(window, period, numbering, segment, view) | past_of(as_of, from_, to, since)
            ),
        )
        return self._look_up(request, RankReply, absent="unranked_player")

    def around(
        self,
        board: str,
        player_id: str,
        *,
        n: int | None = None,
        size: int | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
        as_of: Instant | None = None,
        from_: Instant | None = None,
        to: Instant | None = None,
        since: Instant | None = None,
    ) -> Exchange[StandingsReply | None]:
        """A player and the neighbours; None for somebody not on the board.

        ``n`` above and ``n`` below (0 to 500; the server's default is 5), fewer at an edge;
        or ``size`` rows in all (1 to 1,000), moved at an edge to stay on the board. Not both.

        Raises ``NotFound`` for an unknown board.
        """
        request = Request(
            method="GET",
            path=path_of("boards", board, "around", player_id),
            query=query_of(
                {"n": n, "size": size}
                | view_of(window, period, numbering, segment, view)
                | past_of(as_of, from_, to, since)
            ),
        )
        return self._look_up(request, StandingsReply, absent="unranked_player")

    def ranks(
        self,
        board: str,
        first: int = 1,
        last: int = 100,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Exchange[StandingsReply]:
        """The rows whose rank is from ``first`` to ``last``, both included.

        At most ``limit`` (1 to 1,000; the server's default is 100) come at once: go on with
        the reply's ``next`` as ``cursor``, or use ``pages``. Raises ``NotFound`` for an
        unknown board.
        """
        query = {"from": first, "to": last, "limit": limit, "cursor": cursor}
        return self._read(
            StandingsReply,
            query | view_of(window, period, numbering, segment, view),
            "boards",
            board,
            "ranks",
        )

    def scores(
        self,
        board: str,
        lowest: Number | None = None,
        highest: Number | None = None,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Exchange[StandingsReply]:
        """The rows whose score is from ``lowest`` to ``highest``, both included; None: open.

        On boards with several columns the first one is the score. For ``limit`` and
        ``cursor`` see ``ranks``. Raises ``NotFound`` for an unknown board.
        """
        query = {
            "min": None if lowest is None else number_text(lowest, "lowest"),
            "max": None if highest is None else number_text(highest, "highest"),
            "limit": limit,
            "cursor": cursor,
        }
        return self._read(
            StandingsReply,
            query | view_of(window, period, numbering, segment, view),
            "boards",
            board,
            "scores",
        )

    def pages(
        self,
        board: str,
        *,
        page_size: int = 100,
        ranks: tuple[int, int] | None = None,
        scores: tuple[Number | None, Number | None] | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Pager:
        """Walks over the whole board, or over a range of ranks or scores, page by page.

        A page has up to ``page_size`` rows (1 to 1,000). A player who does not move
        meanwhile is met once, whatever the others do.

        Raises ``ValueError`` when both ranges are given, ``NotFound`` for an unknown board.
        """
        if ranks is not None and scores is not None:
            raise ValueError("give ranks or scores, not both")
        chosen = {
            "window": window,
            "period": period,
            "numbering": numbering,
            "segment": segment,
            "view": view,
        }
        if ranks is not None:
            walk: Callable[..., Exchange[StandingsReply]] = functools.partial(
                self.ranks, board, *ranks, limit=page_size
            )
        elif scores is not None:
            walk = functools.partial(self.scores, board, *scores, limit=page_size)
        else:
            walk = functools.partial(self.top, board, k=page_size)
        return lambda cursor: walk(cursor=cursor, **chosen)

    def rank_of(
        self,
        board: str,
        score: Number | Sequence[Number],
        *,
        wanted: int | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Exchange[RankOfReply]:
        """The rank a score would get if it were reached now, and what is missing to the next
        better rank and to the rank ``wanted``.

        On boards with several columns ``score`` is a sequence, in the order of the columns.
        Raises ``NotFound`` for an unknown board.
        """
        numbers = [score] if isinstance(score, str) or not isinstance(score, Sequence) else score
        texts = [number_text(number, "score") for number in numbers]
        query: Query = {"score": ",".join(texts), "wanted": wanted}
        return self._read(
            RankOfReply,
            {**query, **view_of(window, period, numbering, segment, view)},
            "boards",
            board,
            "rank-of",
        )

    def ranks_of(
        self,
        board: str,
        players: Iterable[str],
        *,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Exchange[RanksReply]:
        """Many players' rows (1 to 1,000 players), in the order asked, from one state of the
        board; ``missing`` names those who are not on it.

        Raises ``NotFound`` for an unknown board.
        """
        request = Request(
            method="POST",
            path=path_of("boards", board, "ranks"),
            query=query_of(view_of(window, period, numbering, segment, view)),
            body=msgspec.json.encode(RanksRequest(tuple(players))),
        )
        return self._call(request, RanksReply)

    def friends(
        self,
        board: str,
        players: Iterable[str],
        *,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Exchange[FriendsReply]:
        """Players (1 to 5,000) among each other, in board order: each row has the rank among them
        and the rank on the board. Who is not on the board is left out.

        Raises ``NotFound`` for an unknown board.
        """
        request = Request(
            method="POST",
            path=path_of("boards", board, "friends"),
            query=query_of(view_of(window, period, numbering, segment, view)),
            body=msgspec.json.encode(FriendsRequest(tuple(players))),
        )
        return self._call(request, FriendsReply)

    def friends_of(
        self,
        board: str,
        player_id: str,
        *,
        k: int | None = None,
        cursor: str | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Exchange[FriendsPage | None]:
        """A player among the friends of the player's list (see ``put_friends``), in board order;
        None for a player without a list.

        The first ``k`` (1 to 1,000; the server's default is 100) come at once: go on with the
        reply's ``next`` as ``cursor``. Raises ``NotFound`` for an unknown board.
        """
        request = Request(
            method="GET",
            path=path_of("boards", board, "friends", player_id),
            query=query_of(
                {"k": k, "cursor": cursor} | view_of(window, period, numbering, segment, view)
            ),
        )
        return self._look_up(request, FriendsPage, absent="no_friends")

    # --- boards

    def put_board(
        self,
        board: str,
        settings: BoardSettings | None = None,
        *,
        if_exists: IfExists = "refuse",
        reason: str | None = None,
    ) -> Exchange[BoardPutReply]:
        """Makes a board, or sees that it is there with these settings (default: all defaults).

        When it is there with others: ``refuse`` changes nothing, ``change`` changes what can
        change at once, ``recompute`` works the board out anew from its log. Admin keys only.

        Raises ``Conflict`` (``settings_differ`` or ``settings_fixed``, naming the differences).
        """
        request = Request(
            method="PUT",
            path=path_of("boards", board),
            query=query_of({"if_exists": if_exists, "reason": reason}),
            body=msgspec.json.encode(settings or BoardSettings()),
        )
        return self._call(request, BoardPutReply)

    def board(self, board: str) -> Exchange[Board]:
        """A board with its settings and the present periods of its windows.

        Raises ``NotFound`` for an unknown board.
        """
        return self._read(Board, {}, "boards", board)

    def boards(self) -> Exchange[BoardsReply]:
        """All boards of the project, by name."""
        return self._read(BoardsReply, {}, "boards")

    def drop_board(self, board: str, *, reason: str | None = None) -> Exchange[BoardDropped]:
        """Drops a board with all its entries and event ids. Admin keys only.

        When the answer is lost it is not tried again: somebody may have made the board anew.
        Raises ``NotFound`` for an unknown board.
        """
        request = Request(
            method="DELETE",
            path=path_of("boards", board),
            query=query_of({"reason": reason}),
            repeatable=False,
        )
        return self._call(request, BoardDropped)

    # --- players

    def put_player(
        self,
        player_id: str,
        *,
        name: str | None = None,
        avatar_url: str | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> Exchange[PlayerReply]:
        """Sets a player's profile, in place of the one before. Standings show the name."""
        profile = ProfileIn(name=name, avatar_url=avatar_url, attributes=dict(attributes or {}))
        request = Request(
            method="PUT", path=path_of("players", player_id), body=msgspec.json.encode(profile)
        )
        return self._call(request, PlayerReply)

    def player(self, player_id: str) -> Exchange[PlayerReply | None]:
        """A player's profile; None when there is none."""
        request = Request(method="GET", path=path_of("players", player_id))
        return self._look_up(request, PlayerReply, absent="unknown_player")

    def put_friends(self, player_id: str, friends: Iterable[str]) -> Exchange[FriendList]:
        """Sets a player's list of friends (0 to 100,000), in place of the one before."""
        request = Request(
            method="PUT",
            path=path_of("players", player_id, "friends"),
            body=msgspec.json.encode(FriendsIn(tuple(friends))),
        )
        return self._call(request, FriendList)

    def friend_list(self, player_id: str) -> Exchange[FriendList | None]:
        """A player's list of friends; None when there is none. Server keys and above."""
        request = Request(method="GET", path=path_of("players", player_id, "friends"))
        return self._look_up(request, FriendList, absent="no_friends")

"""The operations on periods of a board; see ``Calls``."""

from dataclasses import dataclass

import msgspec

from toprung.sdk._asking import Asking, View, path_of, query_of
from toprung.sdk._events import Instant, instant_text
from toprung.sdk._exchange import Exchange, Request
from toprung.wire.boards import (
    SeasonEnd,
    SeasonReply,
    SeasonRequest,
    SeasonScheduleIn,
    SeasonScheduleReply,
    SeasonsReply,
)
from toprung.wire.periods import PeriodReply, PeriodsReply, PublishReply, ScheduleReply


@dataclass(frozen=True, slots=True)
class PeriodCalls(Asking):
    """What can be asked about the periods of a board."""

    def begin_season(
        self,
        board: str,
        season_id: str,
        *,
        name: str | None = None,
        at: Instant | None = None,
        ends_at: Instant | None = None,
        reason: str | None = None,
    ) -> Exchange[SeasonReply]:
        """Begins a season, once per ``season_id``. Admin keys only.

        ``name`` is its key in reads (default: its number), ``at`` when it begins (default:
        now), ``ends_at`` when it ends (default: when the next one begins). Raises ``NotFound`` for
        an unknown board, ``Conflict`` when the id stands for another season or another season
        runs then, ``InvalidRequest`` for an end before the begin.
        """
        begins, ends = (None if each is None else instant_text(each) for each in (at, ends_at))
        request = Request(
            method="POST",
            path=path_of("boards", board, "seasons"),
            query=query_of({"reason": reason}),
            body=msgspec.json.encode(SeasonRequest(season_id, name, begins, ends)),
        )
        return self._call(request, SeasonReply)

    def seasons(self, board: str) -> Exchange[SeasonsReply]:
        """All seasons of a board, the first one first. Raises ``NotFound`` for an unknown board."""
        return self._read(SeasonsReply, {}, "boards", board, "seasons")

    def end_season(
        self,
        board: str,
        season_id: str,
        *,
        at: Instant | None = None,
        reason: str | None = None,
    ) -> Exchange[SeasonReply]:
        """Ends a season at ``at`` (default: now), before its planned end or the next one begins;
        one that has ended by then stays as it is. Admin keys only.

        Raises ``NotFound`` for an unknown board or season, ``InvalidRequest`` for an end before the
        begin.
        """
        end = SeasonEnd(season_id, None if at is None else instant_text(at))
        request = Request(
            method="POST",
            path=path_of("boards", board, "seasons", "end"),
            query=query_of({"reason": reason}),
            body=msgspec.json.encode(end),
        )
        return self._call(request, SeasonReply)

    def schedule_seasons(
        self, board: str, cron: str | None, *, zone: str = "UTC", reason: str | None = None
    ) -> Exchange[SeasonScheduleReply]:
        """Has seasons begin whenever ``cron`` fires by the clock of ``zone`` (five fields: minute,
        hour, day of month, month, day of week); None: by themselves no more. Admin keys only.

        Raises ``NotFound`` for an unknown board, ``InvalidRequest`` for an expression that never
        fires, or an unknown zone.
        """
        request = Request(
            method="PUT",
            path=path_of("boards", board, "seasons", "schedule"),
            query=query_of({"reason": reason}),
            body=msgspec.json.encode(SeasonScheduleIn(cron, zone)),
        )
        return self._call(request, SeasonScheduleReply)

    def season_schedule(self, board: str) -> Exchange[SeasonScheduleReply]:
        """When seasons begin by themselves. Raises ``NotFound`` for an unknown board."""
        return self._read(SeasonScheduleReply, {}, "boards", board, "seasons", "schedule")

    def periods(
        self,
        board: str,
        *,
        window: str | None = None,
        limit: int = 100,
        before: str | None = None,
        view: View | None = None,
    ) -> Exchange[PeriodsReply]:
        """The periods of a window (default: the board's first), the latest first: the present one,
        and all that somebody was on. At most ``limit`` (1 to 400) come at once: go on with the
        reply's ``next`` as ``before``.

        Raises ``NotFound`` for an unknown board.
        """
        query = {"window": window, "limit": limit, "before": before, "view": view}
        return self._read(PeriodsReply, query, "boards", board, "periods")

    def period(
        self,
        board: str,
        period: Instant = "current",
        *,
        window: str | None = None,
        view: View | None = None,
    ) -> Exchange[PeriodReply]:
        """One period: whether it is open, when it closes, and the versions of its final standings
        with their digests. ``period`` is a key, ``current``, ``previous``, or an instant.

        Raises ``NotFound`` for an unknown board, ``InvalidRequest`` for a key that is none.
        """
        query = {"window": window, "view": view}
        return self._read(PeriodReply, query, "boards", board, "periods", instant_text(period))

    def publish(
        self,
        board: str,
        period: Instant = "previous",
        *,
        window: str | None = None,
        reason: str | None = None,
    ) -> Exchange[PublishReply]:
        """Shows the public the first ranks of a period, which the board's ``publish_delay``
        withholds; one of which nothing is withheld stays as it is. ``period`` is a key,
        ``previous``, or an instant. Admin keys only.

        Raises ``NotFound`` for an unknown board, ``InvalidRequest`` for a key that is none,
        ``Conflict`` (``period_open``) when it has not ended.
        """
        request = Request(
            method="POST",
            path=path_of("boards", board, "periods", instant_text(period), "publish"),
            query=query_of({"window": window, "reason": reason}),
        )
        return self._call(request, PublishReply)

    def schedule(
        self, board: str, *, count: int = 10, window: str | None = None
    ) -> Exchange[ScheduleReply]:
        """The next ``count`` boundaries (1 to 366) of each window of a board, or of one: where a
        period ends and the next begins, in UTC and by the clock of the board's zone.

        Raises ``NotFound`` for an unknown board, ``InvalidRequest`` for a window it does not have.
        """
        query = {"next": count, "window": window}
        return self._read(ScheduleReply, query, "boards", board, "schedule")

"""The operations on how scores and ranks came about; see ``Calls``."""

# ruff: noqa: PLR0913 - a read has as many options as its route has parameters

from dataclasses import dataclass

from toprung.sdk._asking import Asking, View, view_of
from toprung.sdk._events import Instant, instant_text
from toprung.sdk._exchange import Exchange
from toprung.wire.past import ExplainReply, HistoryReply
from toprung.wire.reads import Numbering


def past_of(
    as_of: Instant | None,
    from_: Instant | None,
    to: Instant | None,
    since: Instant | None,
) -> dict[str, str | int | None]:
    """How a read looks back, as parameters."""
    asked = {"as_of": as_of, "from": from_, "to": to, "since": since}
    return {name: None if at is None else instant_text(at) for name, at in asked.items()}


@dataclass(frozen=True, slots=True)
class PastCalls(Asking):
    """What can be asked about the past of a player."""

    def history(
        self,
        board: str,
        player_id: str,
        *,
        from_: Instant | None = None,
        to: Instant | None = None,
        step: str | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Exchange[HistoryReply]:
        """A player's score and rank in a period at moments that are ``step`` apart, such as
        ``"1h"``; by default about a hundred, from where the period begins until now.

        Raises ``NotFound`` for an unknown board, ``InvalidRequest`` for more than 1,000 points.
        """
        query = past_of(None, from_, to, None) | {"step": step}
        return self._read(
            HistoryReply,
            query | view_of(window, period, numbering, segment, view),
            *("boards", board, "history", player_id),
        )

    def explain(
        self,
        board: str,
        player_id: str,
        *,
        limit: int | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
        segment: str | None = None,
        view: View | None = None,
    ) -> Exchange[ExplainReply]:
        """Which events made a player's score in a period, the latest ``limit`` (1 to 1,000; the
        server's default is 100) of all the player's on the board, and how the rank follows.

        Raises ``NotFound`` for an unknown board.
        """
        query = {"limit": limit} | view_of(window, period, numbering, segment, view)
        return self._read(ExplainReply, query, "boards", board, "explain", player_id)

"""The operations that take players and events out, and bring them back; see ``Calls``."""

from dataclasses import dataclass
from typing import Any

import msgspec

from toprung.sdk._asking import Asking, path_of
from toprung.sdk._events import Instant, Points, instant_text, points_json
from toprung.sdk._exchange import Exchange, Request
from toprung.wire.moderation import (
    ActRequest,
    Adjusted,
    AdjustRequest,
    BanRequest,
    EventActed,
    MatchActed,
    MergeRequest,
    PlayerActed,
    PlayerErased,
)


@dataclass(frozen=True, slots=True)
class ModerationCalls(Asking):
    """What can be done about players and events. Admin keys only; ``reason`` is kept for the audit.
    All of it may be sent twice, and undone.
    """

    def hide_player(self, player_id: str, *, reason: str | None = None) -> Exchange[PlayerActed]:
        """Takes a player out of every public answer, on all boards. Admin keys only."""
        return self._act(PlayerActed, ActRequest(reason), "players", player_id, "hide")

    def unhide_player(self, player_id: str, *, reason: str | None = None) -> Exchange[PlayerActed]:
        """Brings a hidden player back, with everything that counted meanwhile. Admin keys only."""
        return self._act(PlayerActed, ActRequest(reason), "players", player_id, "unhide")

    def ban_player(
        self, player_id: str, *, until: Instant | None = None, reason: str | None = None
    ) -> Exchange[PlayerActed]:
        """Takes a player out of every public answer until an instant; None: for good. Admin keys
        only.

        Raises ``InvalidRequest`` when ``until`` is not in the future.
        """
        end = None if until is None else instant_text(until)
        return self._act(PlayerActed, BanRequest(end, reason), "players", player_id, "ban")

    def unban_player(self, player_id: str, *, reason: str | None = None) -> Exchange[PlayerActed]:
        """Brings a banned player back, with everything that counted meanwhile. Admin keys only."""
        return self._act(PlayerActed, ActRequest(reason), "players", player_id, "unban")

    def merge_player(
        self, player_id: str, into: str, *, reason: str | None = None
    ) -> Exchange[PlayerActed]:
        """Has all events of a player, past and to come, count for another one, on all boards. Admin
        keys only.

        Raises ``InvalidRequest`` for a circle, or a player who is merged already, and
        ``EventRefused`` (``overflow``) when a total would leave the 64-bit range.
        """
        return self._act(PlayerActed, MergeRequest(into, reason), "players", player_id, "merge")

    def unmerge_player(self, player_id: str, *, reason: str | None = None) -> Exchange[PlayerActed]:
        """Has a merged player's events count for the player again. Admin keys only."""
        return self._act(PlayerActed, ActRequest(reason), "players", player_id, "unmerge")

    def erase_player(self, player_id: str, *, reason: str | None = None) -> Exchange[PlayerErased]:
        """Erases a player for good, and gives a receipt that does not tell who it was. It cannot be
        undone. Event ids stay spent; the id may come again, as somebody else. Admin keys only.

        When the answer is lost it is not tried again: there would be another receipt, of nothing.
        Raises ``Conflict`` (``rebuilding``) while everything is made anew, and ``EventRefused``
        (``overflow``) when a total of somebody merged with the player would leave the 64-bit range.
        """
        request = Request(
            method="POST",
            path=path_of("players", player_id, "erase"),
            body=msgspec.json.encode(ActRequest(reason)),
            repeatable=False,
        )
        return self._call(request, PlayerErased)

    def adjust_player(
        self,
        board: str,
        player_id: str,
        *,
        by: Points | None = None,
        to: Points | None = None,
        event_id: str | None = None,
        window: str | None = None,
        at: Instant | None = None,
        reason: str | None = None,
    ) -> Exchange[Adjusted]:
        """Corrects a player's score on a board, ``by`` an amount or ``to`` a value; what counts is
        the difference. Admin keys only.

        Every window that holds ``at`` (default: now) takes it, closed ones too. With ``to``,
        ``window`` says whose score is meant (default: the board's first). ``event_id`` makes it
        count once; without one the client makes it. Void it to undo the correction.

        Raises ``NotFound`` for an unknown board (``unknown_board``) or a player who is not on it
        then (``unranked_player``), ``Conflict`` when the id was used for something else, and
        ``EventRefused`` (``overflow``) when a total would leave the 64-bit range.
        """
        request = AdjustRequest(
            self.new_event_id() if event_id is None else event_id,
            msgspec.UNSET if by is None else points_json(by),
            msgspec.UNSET if to is None else points_json(to),
            window,
            None if at is None else instant_text(at),
            reason,
        )
        return self._act(Adjusted, request, "boards", board, "players", player_id, "adjust")

    def void_event(
        self, board: str, event_id: str, *, reason: str | None = None
    ) -> Exchange[EventActed]:
        """Marks an event id as void, also before the event comes: the board behaves as if it never
        was. Admin keys only. Raises ``NotFound`` for an unknown board.
        """
        segments = ("boards", board, "events", event_id, "void")
        return self._act(EventActed, ActRequest(reason), *segments)

    def unvoid_event(
        self, board: str, event_id: str, *, reason: str | None = None
    ) -> Exchange[EventActed]:
        """Takes the mark off an event id: it counts again. Admin keys only.

        Raises ``NotFound`` for an unknown board, ``EventRefused`` (``overflow``) when a total would
        leave the 64-bit range.
        """
        segments = ("boards", board, "events", event_id, "unvoid")
        return self._act(EventActed, ActRequest(reason), *segments)

    def void_match(self, match_id: str, *, reason: str | None = None) -> Exchange[MatchActed]:
        """Marks a match as void: all events with this ``match_id``, past and to come, on all
        boards. Admin keys only.
        """
        return self._act(MatchActed, ActRequest(reason), "matches", match_id, "void")

    def unvoid_match(self, match_id: str, *, reason: str | None = None) -> Exchange[MatchActed]:
        """Takes the mark off a match. Admin keys only.

        Raises ``EventRefused`` (``overflow``) when a total would leave the 64-bit range.
        """
        return self._act(MatchActed, ActRequest(reason), "matches", match_id, "unvoid")

    def _act(self, shape: type[Any], body: msgspec.Struct, *segments: str) -> Exchange[Any]:
        request = Request(method="POST", path=path_of(*segments), body=msgspec.json.encode(body))
        return self._call(request, shape)

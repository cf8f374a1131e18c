"""Events in quarantine; see ``Calls``."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from toprung.sdk._asking import Asking, path_of
from toprung.sdk._exchange import Exchange, Request
from toprung.wire.moderation import ActRequest
from toprung.wire.quarantine import (
    EventRef,
    JudgedEvent,
    JudgeReply,
    JudgeRequest,
    QuarantineReply,
)


@dataclass(frozen=True, slots=True)
class QuarantineCalls(Asking):
    """Events that broke a limit of their board. Admin keys only."""

    def quarantine(
        self,
        board: str | None = None,
        *,
        rejected: bool = False,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Exchange[QuarantineReply]:
        """Events that broke a limit and wait, or were ``rejected``, the last that came first, of
        one board or all. ``cursor`` is ``next`` of the reply before. Admin keys only.
        """
        query = {
            "board": board,
            "state": "rejected" if rejected else "waiting",
            "limit": limit,
            "cursor": cursor,
        }
        return self._read(QuarantineReply, query, "quarantine")

    def approve_event(
        self, board: str, event_id: str, *, reason: str | None = None
    ) -> Exchange[JudgedEvent]:
        """Has an event in quarantine count, in the windows that were open when it arrived. Admin
        keys only. To undo it, ``void_event``.

        Raises ``NotFound`` when it is not in quarantine, ``EventRefused`` (``overflow`` ...).
        """
        path = path_of("quarantine", board, event_id, "approve")
        return self._judge(JudgedEvent, path, ActRequest(reason))

    def reject_event(
        self, board: str, event_id: str, *, reason: str | None = None
    ) -> Exchange[JudgedEvent]:
        """Has an event in quarantine never count; it can still be approved. Admin keys only.

        Raises ``NotFound`` when it is not in quarantine.
        """
        path = path_of("quarantine", board, event_id, "reject")
        return self._judge(JudgedEvent, path, ActRequest(reason))

    def judge_events(
        self, events: Iterable[tuple[str, str]], *, approve: bool, reason: str | None = None
    ) -> Exchange[JudgeReply]:
        """Approves or rejects many events in quarantine, given by board and id; one result for
        each. Admin keys only.
        """
        refs = tuple(EventRef(board, event_id) for board, event_id in events)
        body = JudgeRequest("approve" if approve else "reject", refs, reason)
        return self._judge(JudgeReply, path_of("quarantine"), body)

    def _judge(self, shape: type[Any], path: str, body: msgspec.Struct) -> Exchange[Any]:
        request = Request(method="POST", path=path, body=msgspec.json.encode(body))
        return self._call(request, shape)

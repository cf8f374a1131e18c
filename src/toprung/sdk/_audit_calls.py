"""Who did what, and when; see ``Calls``."""

from dataclasses import dataclass

from toprung.sdk._asking import Asking
from toprung.sdk._events import Instant, instant_text
from toprung.sdk._exchange import Exchange
from toprung.wire.audit import AuditReply


@dataclass(frozen=True, slots=True)
class AuditCalls(Asking):
    """The audit."""

    def audit(
        self,
        *,
        kind: str | None = None,
        board: str | None = None,
        player_id: str | None = None,
        actor: str | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Exchange[AuditReply]:
        """What was done to boards, seasons, rules, players and events, the latest first: ``since``
        an instant, and before ``until``. ``cursor`` is ``next`` of the reply before. Admin keys
        only.
        """
        query = {
            "kind": kind,
            "board": board,
            "player": player_id,
            "actor": actor,
            "from": None if since is None else instant_text(since),
            "to": None if until is None else instant_text(until),
            "limit": limit,
            "cursor": cursor,
        }
        return self._read(AuditReply, query, "audit")

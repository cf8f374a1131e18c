"""The operations on boards whose public view stands still; see ``Calls``."""

from dataclasses import dataclass

from toprung.sdk._asking import Asking, path_of, view_of
from toprung.sdk._events import Instant
from toprung.sdk._exchange import Exchange, Request
from toprung.wire.freezing import RevealReply, UnfreezeReply
from toprung.wire.reads import Numbering


@dataclass(frozen=True, slots=True)
class FreezeCalls(Asking):
    """What can be done with a frozen board."""

    def unfreeze(self, board: str) -> Exchange[UnfreezeReply]:
        """Shows the public what the board's ``freeze_at`` keeps back; a board that is not frozen
        stays as it is. Admin keys only. Raises ``NotFound`` for an unknown board.
        """
        request = Request(method="POST", path=path_of("boards", board, "unfreeze"))
        return self._call(request, UnfreezeReply)

    def reveal(
        self,
        board: str,
        *,
        limit: int | None = None,
        after: int | None = None,
        window: str | None = None,
        period: Instant | None = None,
        numbering: Numbering | None = None,
    ) -> Exchange[RevealReply]:
        """The steps from the list that the public sees to the full one, from the last place up: at
        each the lowest player who does not have it yet gets the full score.

        At most ``limit`` (1 to 1,000; the server's default is 100) come at once: go on with the
        reply's ``next`` as ``after``. Admin keys only. Raises ``NotFound`` for an unknown board,
        ``Conflict`` (``not_frozen``).
        """
        query = {"limit": limit, "after": after} | view_of(window, period, numbering, None)
        return self._read(RevealReply, query, "boards", board, "reveal")

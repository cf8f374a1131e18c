"""The operations on the server itself; see ``Calls``."""

from dataclasses import dataclass

from toprung.sdk._asking import Asking, path_of
from toprung.sdk._exchange import Exchange, Request
from toprung.wire.admin import RebuildReply
from toprung.wire.reads import Health


@dataclass(frozen=True, slots=True)
class UpkeepCalls(Asking):
    """What can be asked of the server."""

    def health(self) -> Exchange[Health]:
        """Whether the server runs, and its version. Raises ``Unavailable`` when it does not."""
        return self._call(Request(method="GET", path="/healthz"), Health)

    def start_rebuild(self) -> Exchange[RebuildReply]:
        """Begins to make everything anew from the log, while others read and write. Admin keys
        only; it concerns all projects of the server.

        When the answer is lost it is not tried again: ask ``rebuild_status``. Raises
        ``Conflict`` (``rebuilding``) when one runs already.
        """
        request = Request(method="POST", path=path_of("admin", "rebuild"), repeatable=False)
        return self._call(request, RebuildReply)

    def rebuild_status(self) -> Exchange[RebuildReply]:
        """How far a rebuild is, or how the last one ended. Admin keys only."""
        return self._read(RebuildReply, {}, "admin", "rebuild")

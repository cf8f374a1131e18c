"""What an operator asks of a running server."""

from toprung.api.errors import as_api_error
from toprung.api.operation import Call
from toprung.api.services import RebuildStatus, Services
from toprung.wire.admin import RebuildReply


def start_rebuild(services: Services, call: Call) -> RebuildReply:
    """Begin to make everything anew from the log."""
    services.rebuilds.start()
    return _reply(services.rebuilds.status())


def get_rebuild(services: Services, call: Call) -> RebuildReply:
    """How far that is."""
    return _reply(services.rebuilds.status())


def _reply(status: RebuildStatus) -> RebuildReply:
    error = None if status.error is None else as_api_error(status.error)
    return RebuildReply(
        state=status.state,  # type: ignore[arg-type]
        stage=status.stage,  # type: ignore[arg-type]
        done=status.done,
        total=status.total,
        seconds=round(status.seconds, 3),
        seq=str(status.seq),
        error=None if error is None else error.reply().error,
    )

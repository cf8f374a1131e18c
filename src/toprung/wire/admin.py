"""What an operator asks of a server, as it travels."""

from typing import Literal

import msgspec

from toprung.wire.errors import ErrorDetail


class RebuildReply(msgspec.Struct, frozen=True):
    """How far a rebuild is, or how the last one ended."""

    state: Literal["none", "running", "done", "failed"]
    stage: Literal["", "replaying", "copying", "ranking", "replacing"]
    """What is being done, or was last; empty: nothing was."""
    done: int
    """Records of the log for which that is done."""
    total: int
    """Records that there are to do; more while others write."""
    seconds: float
    """How long it has taken."""
    seq: str
    """What the boards reflected right after it; `0` before it is done."""
    error: ErrorDetail | None
    """Why it failed."""

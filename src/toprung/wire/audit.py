"""The audit as it travels."""

from typing import Any

import msgspec


class AuditedAct(msgspec.Struct, frozen=True):
    """Something that an admin did, or that the clock did by a rule an admin set."""

    seq: str
    at: str
    """When it arrived."""
    kind: str
    """``board_put``, ``season_begun``, ``hide``, ``ban``, ``void_event``, ``adjusted`` ..."""
    board: str | None
    player_id: str | None
    actor: str | None
    """The id of the key that asked for it; null: the clock did."""
    reason: str | None
    result: str
    """What it did: ``created``, ``changed``, ``unchanged``, ``counted`` ..., or ``refused``."""
    code: str | None
    """Why it was refused."""
    details: dict[str, Any]
    """What else was asked for, by kind."""


class AuditReply(msgspec.Struct, frozen=True):
    """Acts, the latest first."""

    acts: tuple[AuditedAct, ...]
    next: str | None
    """A cursor to earlier ones; null: there are none."""
    seq: str

"""Showing what a freeze kept back, as it travels."""

from typing import Literal

import msgspec

from toprung.wire.reads import Numbering, Period


class UnfreezeReply(msgspec.Struct, frozen=True):
    """What ``POST /v1/boards/{board}/unfreeze`` did."""

    board: str
    result: Literal["changed", "unchanged"]
    """``unchanged``: the board was not frozen."""
    freeze_at: str | None
    """The board's setting, which stays: it holds again after it was set to something else."""
    seq: str


class RevealStep(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A player whose full score is shown."""

    step: int
    """Counted from 1."""
    player_id: str
    rank_before: int | None
    """On the list as it is then; null: not on it yet."""
    score_before: str | None
    rank: int
    """Once the full score is shown."""
    score: str
    total: int
    """Players on the list then."""
    columns: dict[str, str] | None = None
    """All columns by name, on boards with more than one."""
    name: str | None = None


class RevealReply(msgspec.Struct, frozen=True):
    """The steps that lead from the frozen list to the full one, from the last place up."""

    board: str
    window: str
    period: Period
    numbering: Numbering
    frozen_at: str | None
    total: int
    """How many steps there are."""
    steps: tuple[RevealStep, ...]
    next: int | None
    """Give it as ``after`` to go on; null: these are the last."""
    seq: str

"""What must become of a fact."""

from typing import NamedTuple


class Change(NamedTuple):
    """What an event did in one window. ``after`` is ``None`` where it came too late."""

    window: str
    key: str
    before: tuple[int, ...] | None
    after: tuple[int, ...] | None
    rank_before: int | None
    rank_after: int | None


class Verdict(NamedTuple):
    """What must become of a fact. ``fields``: those that an error may name."""

    outcome: str
    fields: frozenset[str] = frozenset()
    changes: tuple[Change, ...] = ()
    first: int | None = None
    """For a duplicate or a conflict: which fact came first."""

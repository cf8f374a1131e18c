"""Scores travel as text, so that no client loses digits; here they become numbers again."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Protocol


class Scored(Protocol):
    """Anything with a score: a row, a rank."""

    @property
    def score(self) -> str: ...


class WithColumns(Protocol):
    """A row or a rank of a board with several columns."""

    @property
    def columns(self) -> Mapping[str, str] | None: ...


def score_of(standing: Scored) -> Decimal:
    """The score as an exact number."""
    return Decimal(standing.score)


def columns_of(standing: WithColumns) -> dict[str, Decimal]:
    """All columns by name as exact numbers; empty on boards with only one."""
    return {name: Decimal(value) for name, value in (standing.columns or {}).items()}

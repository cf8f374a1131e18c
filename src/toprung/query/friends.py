"""Ranks inside a subset of players (R13)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toprung.domain.board import Numbering
from toprung.ports.view import Place
from toprung.query.pages import Standing


class Friend(NamedTuple):
    """A player inside a subset."""

    rank: int
    """Among the others of the subset."""
    standing: Standing
    """On the board."""


class Friends(NamedTuple):
    """A subset in board order; who is not on the board is left out."""

    rows: list[Friend]
    total: int
    """Players on the board, not in the subset."""
    seq: int
    withheld: Sequence[str] = ()
    """Who is left out because the ranks are withheld; the others keep theirs."""


def among(found: Iterable[tuple[Place, Standing]], numbering: Numbering) -> list[Friend]:
    """The players in board order, each with the rank inside the subset, in the same numbering."""
    rows: list[Friend] = []
    for index, (_, standing) in enumerate(sorted(found, key=_rank_index)):
        if rows and numbering is not Numbering.ORDINAL:
            last = rows[-1]
            if standing.columns == last.standing.columns:
                rank = last.rank
            else:
                rank = last.rank + 1 if numbering is Numbering.DENSE else index + 1
        else:
            rank = index + 1
        rows.append(Friend(rank, standing))
    return rows


def _rank_index(found: tuple[Place, Standing]) -> int:
    return found[0].rank_index

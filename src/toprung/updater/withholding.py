"""Keeping present ranks from who sends events, once a freeze keeps events back (R18).

What a server is told soon stands in a player's app, so it is told scores alone then.
"""

from array import array
from collections.abc import Mapping
from itertools import accumulate, pairwise

from toprung.domain.keeping import seen_lines
from toprung.domain.outcomes import Outcome
from toprung.ports.decider import Decided
from toprung.ports.view import RankChanges


def kept_back(decided: Decided, first: int) -> dict[int, int]:
    """By board id the first record of a run from which on the board keeps events back.

    To be asked before the boards know of the run.

    Args:
        first: the ``seq`` of the first event of the run.
    """
    found: dict[int, int] = {}
    for board_id, board in decided.boards.items():
        if board is None or board.freeze_at is None:
            continue
        if board.keeps_back:
            found[board_id] = first
        elif decided.latest_at.get(board_id, board.freeze_at - 1) >= board.freeze_at:
            found[board_id] = _first_after(decided, board_id, board.freeze_at)
    return found


def _first_after(decided: Decided, board_id: int, freeze_at: int) -> int:
    return min(
        seen.seq
        for block in decided.seen
        for board, _, seen in seen_lines(block.body)
        if board == board_id and seen.at >= freeze_at and Outcome(seen.outcome).spends_id
    )


def withheld(
    decided: Decided, first: int, since: Mapping[int, int], ranks: RankChanges
) -> RankChanges:
    """The ranks of a run without those of boards that keep events back.

    Args:
        since: what :func:`kept_back` said.
    """
    if not since or not ranks.before:
        return ranks
    before, after = list(ranks.before), list(ranks.after)
    moves = decided.moves
    periods = array("I", moves.period)
    bounds = pairwise(accumulate(decided.moved, initial=0))
    for seq, (start, stop) in enumerate(bounds, first):
        if start < stop and seq >= since.get(moves.keys[periods[start]][0], seq + 1):
            before[start:stop] = after[start:stop] = [0] * (stop - start)
    return RankChanges(before, after)

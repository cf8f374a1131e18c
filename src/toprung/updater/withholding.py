"""Keeping ranks from who sends events, once a freeze keeps events back (R18), and of periods that
wait for a review.

What a server is told soon stands in a player's app, so it is told scores alone then.
"""

from array import array
from collections.abc import Mapping
from itertools import accumulate, pairwise

from toprung.domain.keeping import seen_lines
from toprung.domain.outcomes import Outcome
from toprung.domain.segments import period_in
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


def waiting(decided: Decided, now: int) -> set[int]:
    """Which periods of a run wait for a review, by their places among the keys of its moves."""
    delaying = {
        board_id: board
        for board_id, board in decided.boards.items()
        if board is not None and board.settings.publish_delay is not None
    }
    if not delaying:
        return set()
    found = set()
    for place, (board_id, window, key) in enumerate(decided.moves.keys):
        board = delaying.get(board_id)
        if board is None or window not in board.windows:
            continue
        if board.withheld_until(board.windows[window].parse(period_in(key)), now) is not None:
            found.add(place)
    return found


def without(decided: Decided, places: set[int], ranks: RankChanges) -> RankChanges:
    """The ranks of a run without those of some periods.

    Args:
        places: of the periods among the keys of the moves.
    """
    if not places or not ranks.before:
        return ranks
    periods = array("I", decided.moves.period)
    before, after = (
        [0 if period in places else rank for period, rank in zip(periods, each, strict=True)]
        for each in ranks
    )
    return RankChanges(before, after)


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

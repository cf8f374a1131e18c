"""Deciding events where some of them are void: these are taken out of the run (R9).

The decider knows nothing of it, so that it is as fast as it can be where there is nothing of it.
"""

from collections.abc import Iterator, Sequence

from toprung.domain.decide import Slot, Working, decide_voided
from toprung.domain.errors import Broken
from toprung.domain.keeping import SeenLine, seen_blocks
from toprung.domain.records import UNREADABLE, Event, decode_event
from toprung.ports.catalog import Catalog
from toprung.ports.decider import Decided, Decider
from toprung.ports.log import damaged_record
from toprung.ports.moves import moves_of
from toprung.ports.pipeline import Arrived
from toprung.ports.store import ScoreStore

_Special = tuple[int, Event]
"""Where an event stands in its run, and what it says."""


def decide(
    decider: Decider,
    store: ScoreStore,
    catalog: Catalog,
    first: int,
    rows: Sequence[Arrived],
    *,
    told: bool,
) -> Decided:
    """Decide consecutive events, and keep what became of them; see
    :meth:`~toprung.ports.decider.Decider.decide`.
    """
    parts: list[Decided] = []
    start = 0
    for place, event in _specials(catalog, first, rows):
        if start < place:
            run = rows[start:place]
            parts.append(decider.decide(first + start, run, catalog.by_id, told=told))
            store.keep(parts[-1].seen)
        parts.append(_voided(store, catalog, first + place, rows[place], event))
        store.keep(parts[-1].seen)
        start = place + 1
    if start < len(rows):
        parts.append(decider.decide(first + start, rows[start:], catalog.by_id, told=told))
        store.keep(parts[-1].seen)
    return parts[0] if len(parts) == 1 else _joined(parts, told=told)


def redo(
    decider: Decider,
    catalog: Catalog,
    first: int,
    rows: Sequence[Arrived],
    kept: Sequence[SeenLine],
) -> Decided:
    """Do again what was decided; see :meth:`~toprung.ports.decider.Decider.redo`.

    What is void now was void then: an act that changes it has everything before it written.
    """
    void = {first + place for place, _ in _specials(catalog, first, rows)}
    if void:
        kept = [line for line in kept if line[2].seq not in void]
    return decider.redo(first, rows, catalog.by_id, kept)


def _specials(catalog: Catalog, first: int, rows: Sequence[Arrived]) -> Iterator[_Special]:
    """The events that are not for the decider."""
    if not catalog.voids.are_there:
        return
    for place, row in enumerate(rows):
        event = _event(first + place, row)
        board = catalog.by_id(event.board_id)
        if board is not None and catalog.counts_for(board, event) is None:
            yield place, event


def _event(seq: int, row: Arrived) -> Event:
    if isinstance(row.record, Event):
        return row.record
    try:
        return decode_event(row.body)
    except UNREADABLE as error:
        raise damaged_record(seq, error) from error


def _voided(store: ScoreStore, catalog: Catalog, seq: int, row: Arrived, event: Event) -> Decided:
    board = catalog.by_id(event.board_id)
    if board is None:
        raise Broken("an event of no board is void")
    working = Working()
    for event_id, seen in store.seen(board.board_id, [event.event_id]).items():
        working.seen[board.board_id, event_id] = seen
    slots = [Slot(board, period) for period in board.periods_at(event.at)]
    decision = decide_voided(working, board, event, slots, seq, row.received_at)
    lines = [(*identity, seen) for identity, seen in working.new_seen.items()]
    latest_at, boards = working.latest_at, {board.board_id: board}
    return Decided([decision], seen_blocks(lines), moves_of(()), (0,), latest_at, boards)


def _joined(parts: Sequence[Decided], *, told: bool) -> Decided:
    """What became of all events of a run."""
    latest_at: dict[int, int] = {}
    for part in parts:
        for board_id, at in part.latest_at.items():
            latest_at[board_id] = max(at, latest_at.get(board_id, at))
    return Decided(
        [decision for part in parts for decision in part.decisions] if told else (),
        [block for part in parts for block in part.seen],
        moves_of(move for part in parts for move in part.moves),
        [moved for part in parts for moved in part.moved],
        latest_at,
        {board_id: board for part in parts for board_id, board in part.boards.items()},
    )

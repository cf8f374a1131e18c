"""Deciding events where some of them do not count as they were sent: they are void (R9), or count
for another player (R21). These are taken out of the run.

The decider knows nothing of it, so that it is as fast as it can be where there is nothing of it.
"""

from collections.abc import Iterator, Sequence

import msgspec

from toprung.domain.decide import Slot, Working, decide_voided, repeated
from toprung.domain.errors import Broken
from toprung.domain.keeping import SeenLine, seen_blocks, seen_lines
from toprung.domain.outcomes import Outcome
from toprung.domain.records import UNREADABLE, Event, decode_event, encode_record
from toprung.ports.catalog import Catalog
from toprung.ports.decider import Decided, Decider
from toprung.ports.log import damaged_record
from toprung.ports.moves import moves_of
from toprung.ports.pipeline import Arrived, Joined, Packed
from toprung.ports.store import ScoreStore

SOUGHT_IN_BYTES = 32
"""Ids that are sought in the bytes of records before any is read; of more, each event is read."""

_Special = tuple[int, Event, str | None]
"""Where an event stands in its run, what it says, and for whom it counts; ``None``: it is void."""


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
    for place, event, player in _specials(catalog, first, rows):
        if start < place:
            run = rows[start:place]
            parts.append(decider.decide(first + start, run, catalog.by_id, told=told))
            store.keep(parts[-1].seen)
        if player is None:
            parts.append(_voided(store, catalog, first + place, rows[place], event))
        else:
            parts.append(
                _for_another(
                    decider, store, catalog, first + place, rows[place], event, player, told
                )
            )
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

    What is void now was void then, and who counts for whom did then: an act that changes it has
    everything before it written.
    """
    void = dict[int, Event]()
    changed = dict[int, Arrived]()
    for place, event, player in _specials(catalog, first, rows):
        if player is None:
            void[first + place] = event
        else:
            changed[place] = _as_if_sent_for(rows[place], event, player)
    if changed:
        rows = [changed.get(place, row) for place, row in enumerate(rows)]
    counted = [line for line in kept if line[2].seq not in void]
    decided = decider.redo(first, rows, catalog.by_id, counted)
    working = Working()
    for board_id, at in decided.latest_at.items():
        working.note_latest(board_id, at)
    # It moved no entry, but was taken: the board has one more event.
    for board_id, _, seen in kept:
        if seen.seq in void and Outcome(seen.outcome).spends_id:
            working.note_latest(board_id, void[seen.seq].at)
    return decided._replace(latest_at=working.latest_at)


def _specials(catalog: Catalog, first: int, rows: Sequence[Arrived]) -> Iterator[_Special]:
    """The events that are not for the decider."""
    if not catalog.has_exceptions or not _may_have_exceptions(catalog, rows):
        return
    for place, row in enumerate(rows):
        event = _event(first + place, row)
        board = catalog.by_id(event.board_id)
        player = event.player_id if board is None else catalog.counts_for(board, event)
        if player != event.player_id:
            yield place, event, player


def _may_have_exceptions(catalog: Catalog, rows: Sequence[Arrived]) -> bool:
    """Whether one of the events may be one: while there are few, their bytes tell."""
    texts = catalog.exceptions(SOUGHT_IN_BYTES)
    return texts is None or any(text in body for body in _bodies(rows) for text in texts)


def _bodies(rows: Sequence[Arrived]) -> Iterator[bytes]:
    """The records' bytes, of many at once where they lie together."""
    if isinstance(rows, Packed):
        yield rows.frames.body
    elif isinstance(rows, Joined):
        for part in rows.parts:
            yield from _bodies(part)
    else:
        for row in rows:
            yield row.body


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


def _for_another(
    decider: Decider,
    store: ScoreStore,
    catalog: Catalog,
    seq: int,
    row: Arrived,
    event: Event,
    player: str,
    told: bool,
) -> Decided:
    """Decide an event that counts for another player than the one it names, who is kept (R2)."""
    board = catalog.by_id(event.board_id)
    if board is None:
        raise Broken("an event of no board counts for somebody")
    first = store.seen(board.board_id, [event.event_id]).get(event.event_id)
    if first is not None and Outcome(first.outcome).spends_id:
        decision = repeated(board, first, event)
        return Decided([decision], (), moves_of(()), (0,), {}, {board.board_id: board})
    sent = _as_if_sent_for(row, event, player)
    decided = decider.decide(seq, [sent], catalog.by_id, told=told)
    lines = [
        (board_id, event_id, msgspec.structs.replace(seen, player_id=event.player_id))
        for block in decided.seen
        for board_id, event_id, seen in seen_lines(block.body)
    ]
    return decided._replace(seen=seen_blocks(lines), effects=None)


def _as_if_sent_for(row: Arrived, event: Event, player: str) -> Arrived:
    changed = msgspec.structs.replace(event, player_id=player)
    return row._replace(body=encode_record(changed), record=changed)


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

"""Deciding events where some of them do not count as they were sent: they are void (R9), count for
another player (R21), or are stopped at the board's gate. These are taken out of the run.

The decider knows nothing of it, so that it is as fast as it can be where there is nothing of it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from toprung.domain.board import Board
from toprung.domain.decide import Slot, Working, decide_voided, repeated
from toprung.domain.errors import Broken
from toprung.domain.keeping import SeenLine, seen_blocks, seen_lines
from toprung.domain.outcomes import Outcome
from toprung.domain.records import (
    Event,
    board_mark,
    encode_record,
    is_update_only,
    may_be_update_only,
)
from toprung.ports.catalog import Catalog
from toprung.ports.decider import BoardOf, Decided, Decider
from toprung.ports.moves import moves_of
from toprung.ports.pipeline import Arrived, Joined, Packed
from toprung.ports.store import ScoreStore
from toprung.updater.gate import Gate
from toprung.updater.parts import Parts, event_of, joined
from toprung.updater.tallies import Tallies

SOUGHT_IN_BYTES = 32
"""Ids that are sought in the bytes of records before any is read; of more, each event is read."""


class Beside(NamedTuple):
    """What else it takes to decide."""

    settle: Callable[[Sequence[Decided]], None]
    """Has everything written that was decided, also the parts of a run that it is given."""
    tallies: Tallies


_Special = tuple[int, Event, str | None]
"""Where an event stands in its run, what it says, and for whom it counts; ``None``: it is void."""


def decide(
    decider: Decider,
    store: ScoreStore,
    catalog: Catalog,
    beside: Beside,
    first: int,
    rows: Sequence[Arrived],
    *,
    told: bool,
) -> Decided:
    """Decide consecutive events, and keep what became of them; see
    :meth:`~toprung.ports.decider.Decider.decide`.

    """
    parts = Parts(decider, store, catalog, beside.settle, first, rows, told=told)
    gated = list(_gated(catalog, first, rows))
    gate = Gate(parts, store, catalog, beside.tallies, [event for _, event in gated])
    at_the_gate = dict(gated)
    for place, event in _looked_at(catalog, first, rows, at_the_gate):
        board = _there(catalog.by_id(event.board_id))
        if place in at_the_gate and not gate.passes(place, board, event):
            continue
        player = catalog.counts_for(board, event)
        if player == event.player_id and not _is_sliced(board, event):
            continue
        parts.decide_to(place)
        seq, row = first + place, rows[place]
        parts.take(
            _voided(store, catalog, seq, row, event)
            if player is None
            else _as_it_counts(decider, store, catalog, seq, row, event, player, told)
        )
    gate.settle(len(rows))
    return parts.end()


def redo(
    decider: Decider,
    catalog: Catalog,
    first: int,
    rows: Sequence[Arrived],
    kept: Sequence[SeenLine],
) -> Decided:
    """Do again what was decided; see :meth:`~toprung.ports.decider.Decider.redo`.

    What is void now was void then, and who counts for whom did then: an act that changes it has
    everything before it written. What was refused at the gate says so itself.
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
    decided = _redo_parts(decider, catalog, first, rows, counted)
    working = Working()
    for board_id, at in decided.latest_at.items():
        working.note_latest(board_id, at)
    # It moved no entry, but was taken: the board has one more event.
    for board_id, _, seen in kept:
        if seen.seq in void and Outcome(seen.outcome).spends_id:
            working.note_latest(board_id, void[seen.seq].at)
    return decided._replace(latest_at=working.latest_at)


def _redo_parts(
    decider: Decider,
    catalog: Catalog,
    first: int,
    rows: Sequence[Arrived],
    kept: Sequence[SeenLine],
) -> Decided:
    """Do events again, those by themselves that count in segments which they carry."""
    lines = {line[2].seq: line for line in kept}
    parts: list[Decided] = []
    start = 0
    for place, event in _gated(catalog, first, rows):
        board, line = catalog.by_id(event.board_id), lines.get(first + place)
        if board is None or line is None or not _is_sliced(board, event):
            continue
        if start < place:
            parts.append(decider.redo(first + start, rows[start:place], catalog.by_id, kept))
        sliced = decider.redo(first + place, rows[place : place + 1], _only(board, event), [line])
        parts.append(sliced._replace(boards={board.board_id: board}))
        start = place + 1
    if start < len(rows):
        rest = rows[start:] if start else rows
        parts.append(decider.redo(first + start, rest, catalog.by_id, kept))
    return parts[0] if len(parts) == 1 else joined(parts, told=False)


def _is_sliced(board: Board, event: Event) -> bool:
    """Whether an event counts in segments that it carries (R17)."""
    return bool(event.segments) and board.settings.is_sliced_by_events


def _only(board: Board, event: Event) -> BoardOf:
    """Gives a board as it takes an event."""
    taking = board.carrying(event.segments) if _is_sliced(board, event) else board
    return lambda _: taking


def _looked_at(
    catalog: Catalog, first: int, rows: Sequence[Arrived], gated: dict[int, Event]
) -> Iterator[tuple[int, Event]]:
    """The events that may be not for the decider, in order."""
    if not gated:
        yield from ((place, event) for place, event, _ in _specials(catalog, first, rows))
        return
    special = {place: event for place, event, _ in _specials(catalog, first, rows)}
    yield from sorted((gated | special).items(), key=lambda found: found[0])


def _specials(catalog: Catalog, first: int, rows: Sequence[Arrived]) -> Iterator[_Special]:
    """The events that do not count as they were sent."""
    if not catalog.has_exceptions or not _may_have_exceptions(catalog, rows):
        return
    for place, row in enumerate(rows):
        event = event_of(first + place, row)
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


def _gated(catalog: Catalog, first: int, rows: Sequence[Arrived]) -> Iterator[tuple[int, Event]]:
    """The events that come to a board's gate, with their places."""
    parts = rows.parts if isinstance(rows, Joined) else (rows,)
    # All events of such a board, for one may have the id of another.
    marks = (
        catalog.gated
        | catalog.quarantine.marks
        | {
            board_id: board_mark(board_id)
            for part in parts
            for board_id in _asked_about(first, part)
        }
    )
    if not marks:
        return
    found, start = tuple(marks.values()), first
    for part in parts:
        if not isinstance(part, Packed) or marks.keys() & part.boards:
            for seq, row in enumerate(part, start):
                if row.body.startswith(found, 1):
                    event = event_of(seq, row)
                    if catalog.by_id(event.board_id) is not None:
                        yield seq - first, event
        start += len(part)


def _asked_about(first: int, rows: Sequence[Arrived]) -> Iterator[int]:
    """The boards of events that say ``update_only``: none that was read natively does."""
    if not isinstance(rows, Packed) and may_be_update_only(row.body for row in rows):
        for row in rows:
            if is_update_only(row.body):
                yield event_of(first, row).board_id


def _there(board: Board | None) -> Board:
    if board is None:
        raise Broken("an event of no board is void, counts for somebody, or comes to a gate")
    return board


def _voided(store: ScoreStore, catalog: Catalog, seq: int, row: Arrived, event: Event) -> Decided:
    board = _there(catalog.by_id(event.board_id))
    working = Working()
    for event_id, seen in store.seen(board.board_id, [event.event_id]).items():
        working.seen[board.board_id, event_id] = seen
    slots = [Slot(board, period) for period in board.parts_at(event.at)]
    decision = decide_voided(working, board, event, slots, seq, row.received_at)
    lines = [(*identity, seen) for identity, seen in working.new_seen.items()]
    latest_at, boards = working.latest_at, {board.board_id: board}
    return Decided([decision], seen_blocks(lines), moves_of(()), (0,), latest_at, boards)


def _as_it_counts(
    decider: Decider,
    store: ScoreStore,
    catalog: Catalog,
    seq: int,
    row: Arrived,
    event: Event,
    player: str,
    told: bool,
) -> Decided:
    """Decide an event by itself: it counts in segments that it carries, or for another player than
    the one it names, who is kept (R2).
    """
    board = _there(catalog.by_id(event.board_id))
    if player == event.player_id:
        decided = decider.decide(seq, [row], _only(board, event), told=told)
        return decided._replace(boards={board.board_id: board}, effects=None)
    first = store.seen(board.board_id, [event.event_id]).get(event.event_id)
    if first is not None and Outcome(first.outcome).spends_id:
        decision = repeated(board, first, event)
        return Decided([decision], (), moves_of(()), (0,), {}, {board.board_id: board})
    sent = _as_if_sent_for(row, event, player)
    decided = decider.decide(seq, [sent], _only(board, event), told=told)
    lines = [
        (board_id, event_id, msgspec.structs.replace(seen, player_id=event.player_id))
        for block in decided.seen
        for board_id, event_id, seen in seen_lines(block.body)
    ]
    boards = {board.board_id: board}
    return decided._replace(seen=seen_blocks(lines), boards=boards, effects=None)


def _as_if_sent_for(row: Arrived, event: Event, player: str) -> Arrived:
    changed = msgspec.structs.replace(event, player_id=player)
    return row._replace(body=encode_record(changed), record=changed)

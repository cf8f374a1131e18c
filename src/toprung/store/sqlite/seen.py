"""What became of events, in a file: lines in blocks, found through an index in memory."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from threading import Lock
from zlib import crc32

import msgspec

from toprung.domain.decide import Seen
from toprung.domain.errors import Trouble
from toprung.domain.keeping import SeenBlock, SeenLine, seen_blocks, seen_lines
from toprung.domain.records import UNREADABLE
from toprung.sqlite import Database, load_queries
from toprung.store.sqlite.seen_index import SeenIndex

PLACES_LINES = 16_384
"""Lines whose places are written together: a start reads the blocks of fewer than these."""
_PLACE_BYTES = 16

_SQL = load_queries("toprung.store.sqlite")


class Waiting:
    """Blocks that are kept and not yet committed. Shared by all who look up lines of one file."""

    def __init__(self, index: SeenIndex) -> None:
        self.index = index
        self._lock = Lock()
        self._blocks: list[SeenBlock] = []

    def add(self, blocks: Sequence[SeenBlock]) -> None:
        """Let blocks wait; their lines are found at once."""
        with self._lock:
            self._blocks += blocks
        for block in blocks:
            self.index.load(block.places)

    def remove(self, count: int) -> None:
        """The first ``count`` blocks are in the file."""
        with self._lock:
            del self._blocks[:count]

    def after(self, count: int) -> list[SeenBlock]:
        """The blocks but the first ``count``."""
        with self._lock:
            return self._blocks[count:]

    def at(self, seq: int) -> bytes | None:
        """The body of the block that ``seq`` lies in."""
        with self._lock:
            place = bisect_right(self._blocks, seq, key=lambda block: block.first) - 1
            if place < 0 or self._blocks[place].last < seq:
                return None
            return self._blocks[place].body

    def become(self, made: "Waiting") -> None:
        """Know what another one knows, all of whose blocks are in the file."""
        with self._lock:
            self._blocks = []
            self.index = made.index

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._blocks = []
        self.index.clear()


class SeenTable:
    """The lines of a file over one connection."""

    def __init__(self, database: Database, waiting: Waiting) -> None:
        self._database = database
        self._waiting = waiting
        self._inserted = 0
        self._unplaced: list[SeenBlock] = []
        self._placed = 0

    def load(self) -> None:
        """Make the index from the file."""
        self._waiting.clear()
        self._inserted = self._placed = 0
        placed = 0
        for last, places, checked in self._database.stream(_SQL["places"]):
            if not isinstance(places, bytes) or checked != _checksum(placed, last, places):
                raise self._database.damaged("what finds event ids")
            self._waiting.index.load(places)
            placed = last
        self._unplaced = [
            block
            for lines in self._blocks(placed)
            for block in seen_blocks([line for line in lines if line[2].seq > placed])
        ]
        for block in self._unplaced:
            self._waiting.index.load(block.places)

    def keep(self, blocks: Sequence[SeenBlock]) -> None:
        """Let blocks wait to be written; their lines are found at once."""
        self._waiting.add(blocks)

    def write(self) -> None:
        """Write what waits, within the transaction that runs."""
        blocks = self._waiting.after(self._inserted)
        self._database.executemany(
            _SQL["put_seen"], [(block.first, block.last, block.body) for block in blocks]
        )
        self._inserted += len(blocks)
        self._unplaced += blocks
        unplaced = self._unplaced[self._placed :]
        # Not joined before it is time: with each group that would be all of them again.
        if sum([len(block.places) for block in unplaced]) >= PLACES_LINES * _PLACE_BYTES:
            places = b"".join([block.places for block in unplaced])
            last = unplaced[-1].last
            ((before,),) = self._database.query(_SQL["last_place"])
            checked = _checksum(before, last, places)
            self._database.execute(_SQL["put_places"], (last, places, checked))
            self._placed = len(self._unplaced)

    def committed(self) -> None:
        """What was written is durable."""
        self._waiting.remove(self._inserted)
        del self._unplaced[: self._placed]
        self._inserted = self._placed = 0

    def rolled_back(self) -> None:
        """What was written is not there; it waits on."""
        del self._unplaced[len(self._unplaced) - self._inserted :]
        self._inserted = self._placed = 0

    def find(self, board_id: int, event_ids: Sequence[str]) -> dict[str, Seen]:
        """What is kept of the ids."""
        found: dict[str, Seen] = {}
        lines: dict[int, SeenLine] = {}
        for place, seq in self._waiting.index.find(board_id, event_ids):
            event_id = event_ids[place]
            if event_id in found:
                continue
            # Ids that are asked for together mostly came together: a block serves many of them.
            if seq not in lines:
                lines |= {line[2].seq: line for line in self._block_at(seq)}
            line = lines.get(seq)
            if line is None:
                raise self._database.damaged(f"what is kept of the event at {seq}")
            if line[:2] == (board_id, event_id):
                found[event_id] = line[2]
        return found

    def at(self, seqs: Sequence[int]) -> list[SeenLine]:
        """The lines with these ``seq``, which are in order."""
        found: list[SeenLine] = []
        block: dict[int, SeenLine] = {}
        last = 0
        for seq in seqs:
            if seq > last:
                lines = self._block_at(seq)
                block = {line[2].seq: line for line in lines}
                last = lines[-1][2].seq if lines else 0
            if seq in block:
                found.append(block[seq])
        return found

    def _block_at(self, seq: int) -> list[SeenLine]:
        body = self._waiting.at(seq)
        if body is not None:
            return seen_lines(body)
        for first, last, stored in self._database.query(_SQL["seen_at"], (seq,)):
            if last >= seq:
                return self._lines(first, last, stored)
        return []

    def after(self, seq: int, limit: int) -> list[SeenLine]:
        """Lines after ``seq``, at most ``limit`` but to the end of a block."""
        found: list[SeenLine] = []
        for lines in self._blocks(seq):
            found += [line for line in lines if line[2].seq > seq]
            if len(found) >= limit:
                break
        return found

    def rename(self, boards: Collection[int], player_id: str, stand_in: str) -> None:
        """Put a stand-in in the place of a player of some boards; nothing must wait."""
        text = player_id.encode()
        for first, last, body in self._database.query(_SQL["seen_after"], (0,)):
            if text in body:
                lines = [
                    (board_id, event_id, _renamed(seen, player_id, stand_in))
                    if board_id in boards
                    else (board_id, event_id, seen)
                    for board_id, event_id, seen in self._lines(first, last, body)
                ]
                (block,) = seen_blocks(lines)
                self._database.execute(_SQL["change_seen"], (first, block.body))
                # So that none of it is in memory either.
                self._unplaced = [block if each.first == first else each for each in self._unplaced]

    def last(self) -> int:
        """The ``seq`` of the last line, or 0."""
        waiting = self._waiting.after(self._inserted)
        if waiting:
            return waiting[-1].last
        for (last,) in self._database.query(_SQL["last_seen"]):
            return int(last)
        return 0

    def all(self) -> Iterator[SeenLine]:
        """Every line, in order."""
        for lines in self._blocks(0):
            yield from lines

    def _blocks(self, seq: int) -> Iterator[list[SeenLine]]:
        # Blocks that are committed meanwhile are in both; who writes is who asks, so none are.
        waiting = [block for block in self._waiting.after(self._inserted) if block.last > seq]
        for first, last, body in self._database.stream(_SQL["seen_after"], (seq,)):
            yield self._lines(first, last, body)
        for block in waiting:
            yield seen_lines(block.body)

    def _lines(self, first: int, last: int, body: bytes) -> list[SeenLine]:
        """The lines of a block as it stands in the file."""
        try:
            lines = seen_lines(body)
        except UNREADABLE as error:
            raise self._damaged(first, error) from error
        seqs = [line[2].seq for line in lines]
        if not seqs or (seqs[0], seqs[-1]) != (first, last) or seqs != sorted(set(seqs)):
            raise self._damaged(first)
        return lines

    def _damaged(self, first: int, error: Exception | None = None) -> Trouble:
        return self._database.damaged(f"what is kept of events at {first}", error)

    def become(self, made: "SeenTable") -> None:
        """Know the lines of another table, which are this one's now."""
        self._waiting.become(made._waiting)  # noqa: SLF001  of the same class
        self._unplaced = made._unplaced  # noqa: SLF001

    def wipe(self) -> None:
        """Remove all lines."""
        self._database.execute(_SQL["wipe_seen"])
        self._waiting.clear()
        self._unplaced = []
        self._inserted = self._placed = 0


def _renamed(seen: Seen, player_id: str, stand_in: str) -> Seen:
    if seen.player_id != player_id:
        return seen
    return msgspec.structs.replace(seen, player_id=stand_in)


def _checksum(before: int, last: int, places: bytes) -> int:
    return crc32(places, crc32(b"%d %d" % (before, last)))

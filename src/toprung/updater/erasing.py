"""Erasing players (R9): the log is written anew with a stand-in for one, and then an act takes the
stand-in off all boards. A replay of the log does the same.
"""

from collections.abc import Callable
from hashlib import sha256

import msgspec

from toprung.domain.erasing import ErasedChange, Erasure, anonymous, stand_in
from toprung.domain.moderation import PlayerState
from toprung.domain.records import (
    BoardPut,
    DayRolled,
    Event,
    PeriodClosed,
    PlayerErased,
    Record,
    encode_record,
)
from toprung.ports.catalog import Catalog
from toprung.ports.log import EventLog, LogRow, record_of
from toprung.ports.store import Changes, ScoreStore, WantedActs
from toprung.updater.closing import Closings
from toprung.updater.moderation import Moderator

ACTS_READ = 1_000
_LATEST = 2**63 - 1


class Eraser:
    """Applies the act that erases a player.

    Args:
        flush: writes everything that waits.
        start_anew: has whatever is counted of players in memory counted anew.
    """

    def __init__(
        self,
        store: ScoreStore,
        catalog: Catalog,
        closings: Closings,
        moderator: Moderator,
        flush: Callable[[], None],
        start_anew: Callable[[], None],
    ) -> None:
        self._flush = flush
        self._store = store
        self._catalog = catalog
        self._closings = closings
        self._moderator = moderator
        self._start_anew = start_anew

    def apply(self, act: PlayerErased, seq: int, who: str) -> ErasedChange:
        """Take a player off all boards, with everything that is kept but the log. Who counted for
        the player counts for none but oneself again.

        Args:
            who: under which name the tables have the player: the stand-in, where they were made
                from a log that has it.

        Raises:
            Refused: ``overflow``, of somebody with whom the player was merged. What was changed is
                to be taken back.
        """
        project, players = act.project, self._catalog.players
        gone = stand_in(act.receipt)
        freed = players.merged_into(project, who)
        met = {who, players.root(project, who), *freed}
        boards = self._catalog.of_project(project)
        self._flush()
        self._closings.complete()
        found = {board: self._store.entries_of(board.board_id, sorted(met)) for board in boards}
        entries = sum(player == who for lines in found.values() for _, player, _ in lines)
        states = {
            (project, one): msgspec.structs.replace(players.state(project, one), into=None, seq=seq)
            for one in freed
        }
        players.forget(project, who)
        states[project, gone] = PlayerState(seq=seq, erased=True)
        for whose, state in states.items():
            players.put(*whose, state)
        self._catalog.segments.forget(project, who)
        taken = self._closings.take_back(who, {board.board_id for board in boards})
        affected = {board: met for board, lines in found.items() if lines}
        touched = self._moderator.recount(affected, seq, Changes(0), without=who)
        with self._store.transaction():
            self._closings.write(part=False)
            self._store.erase(project, who, gone)
            # After the rest: in a replay this is the player.
            self._store.write(Changes(seq, players=states))
        self._closings.written()
        self._start_anew()
        return ErasedChange(act.receipt, entries=entries, snapshots=taken, touched=tuple(touched))


def erase_from_log(log: EventLog, store: ScoreStore, erasure: Erasure) -> tuple[int, str]:
    """Put the stand-in in a player's place in all records of the project, within the caller's
    transaction.

    Returns:
        How many events it were, and the SHA-256 of the numbers of all records that were changed.
    """
    projects: dict[int, str] = {}
    attributes = _attributes(log, store, erasure.project)
    events = 0

    def project_of(record: Record) -> str:
        if not isinstance(record, Event | PeriodClosed | DayRolled):
            return record.project
        board_id = record.board_id
        if board_id not in projects:
            (row,) = log.read(board_id - 1, 1)
            made_by = record_of(row)
            projects[board_id] = made_by.project if isinstance(made_by, BoardPut) else ""
        return projects[board_id]

    def change(row: LogRow) -> bytes | None:
        nonlocal events
        record = record_of(row)
        if project_of(record) != erasure.project:
            return None
        other = anonymous(record, erasure.player_id, erasure.stand_in, attributes)
        if other is None:
            return None
        events += isinstance(other, Event)
        return encode_record(other)

    head, _ = log.head()
    changed = log.rewrite([erasure.player_id.encode()], head, change)
    told = sha256("".join(f"{seq}\n" for seq in changed).encode())
    return events, told.hexdigest()


def _attributes(log: EventLog, store: ScoreStore, project: str) -> set[str]:
    """The attributes of players that boards of a project ever went by."""
    found: set[str] = set()
    before = _LATEST
    while lines := store.acts(WantedActs(project, "board_put"), before, ACTS_READ):
        for line in lines:
            (row,) = log.read(line.seq - 1, 1)
            act = record_of(row)
            if isinstance(act, BoardPut):
                found.update(act.settings.segments)
                found.update(admit.attribute for admit in act.settings.admit)
        before = lines[-1].seq
    return found

"""The updater: the only code that changes scores."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from math import ceil

import msgspec

from toprung.domain.acts import Refused
from toprung.domain.audit import act_line, is_audited
from toprung.domain.board import Board
from toprung.domain.erasing import Erasure, stand_in
from toprung.domain.errors import Broken, InvalidInput, Trouble
from toprung.domain.keeping import SeenLine
from toprung.domain.records import (
    FriendsPut,
    PeriodClosed,
    PlayerErased,
    ProfilePut,
    Record,
    RulesPut,
    encode_record,
    is_event,
)
from toprung.ports.catalog import Catalog
from toprung.ports.decider import Decided, Decider
from toprung.ports.log import EventLog, frames_of
from toprung.ports.moves import Move
from toprung.ports.pipeline import ActResult, Applied, Arrived, Joined, outcome_of
from toprung.ports.results import EventResults, Run
from toprung.ports.store import Changes, ScoreStore
from toprung.ports.view import RankChanges, RankView
from toprung.updater.ahead import ahead
from toprung.updater.boards import BoardAct, Boards
from toprung.updater.closing import Closings
from toprung.updater.deciding import Beside, decide, redo
from toprung.updater.erasing import Eraser, erase_from_log
from toprung.updater.keeping import put_friends, put_rules
from toprung.updater.masking import show, show_each
from toprung.updater.moderation import ModerationAct, Moderator
from toprung.updater.profiles import put_profiles
from toprung.updater.rolling import RollingMoves
from toprung.updater.runs import read_arrived, runs_of
from toprung.updater.showing import (
    LoadImage,
    begin_view,
    load_view,
    no_image,
    overlaid,
)
from toprung.updater.slicing import EntryLine, load_segments
from toprung.updater.tallies import Tallies
from toprung.updater.withholding import kept_back, waiting, withheld, without

SWEEP_RECORDS = 500_000
"""In how many records a sweep writes all entries that waited when it began. More: a player who
scores again meanwhile is written once for all of it, and rows that stand side by side are written
together. Fewer: less waits, and less is to be repeated after a crash, which is what came in two
sweeps at most."""
BEHIND_RECORDS = 500
"""Entries are written behind when so many records came: a share for a few single events would take
as many steps as one for a batch (measured: a fifth of what a single event costs)."""
TIDY_ENTRIES = 2_000
"""Entries that are written at a time while nothing else happens: a write that comes meanwhile waits
for these few milliseconds."""

PURGE_ROWS = 2_000
"""Rows of dropped boards that are removed at a time before a player is erased."""

HELD_ENTRIES = 10_000_000
"""Entries that a rebuild holds before it writes them, at some 140 bytes each."""

PART_ENTRIES = 200_000
"""Entries that a rebuild writes at a time."""

Progress = Callable[[int], None]


def _silent(done: int) -> None:
    pass


class Updater:
    """Applies records in log order to store, catalog and view.

    The log has a record before it is applied. What it changes is shown at once and written behind:
    entries wait in the decider and are written in sweeps, and the store's checkpoint says which
    records they reflect for sure. After a crash the rest is done again from the log.
    Acts on boards are written through: everything that waits is written before.

    Args:
        view: ``None``: no ranks are kept.
        make_decider: gives a decider over a store, with nothing in it.
    """

    def __init__(
        self,
        log: EventLog,
        store: ScoreStore,
        view: RankView | None,
        catalog: Catalog,
        make_decider: Callable[[ScoreStore], Decider],
    ) -> None:
        self._log = log
        self._store = store
        self._view = view
        self._catalog = catalog
        self._make_decider = make_decider
        self._decider = make_decider(store)
        self._moved_boards: set[int] = set()
        self._closings = Closings(store, catalog, view, self._flush)
        parts = log, store, view, catalog, self._closings, self._flush, self._forget
        self._boards = Boards(*parts)
        self._moderator = Moderator(*parts)
        self._rolling = RollingMoves(store, catalog, lambda: self._decider)
        self._beside = Beside(self._settle, Tallies(log, store))
        self._eraser = Eraser(
            store, catalog, self._closings, self._moderator, self._flush, self._beside.tallies.clear
        )
        self._behind = False
        self._due = 0
        self._wrote = False
        """Whether the transaction at hand writes entries, which ``written`` then tells of."""
        self.seq = store.checkpoint()
        """The last record that was applied."""

    def load(self, load_image: LoadImage = no_image) -> None:
        """Fill catalog and view, then apply what the store lacks of the log.

        Args:
            load_image: fills the view for the most part, where there is an image that fits.

        Raises:
            Trouble: one of the two is damaged.
        """
        head, _ = self._log.head()
        if max(self._store.checkpoint(), self._store.last_kept()) > head:
            raise Trouble(
                "storage_corrupt",
                f"the log ends at record {head}, before what was made from it",
                retryable=False,
                hint="restore a backup",
            )
        self._catalog.replace(Board(state) for state in self._store.boards())
        self._catalog.players.replace(self._store.scan_players())
        self._catalog.voids.replace(self._store.scan_voids())
        self._catalog.quarantine.replace(self._store.scan_held())
        load_segments(self._catalog, self._store)
        self._closings.load(is_shown=False)
        if self._view is not None:
            begin_view(self._view, self._catalog, self._store, head, load_image)
        self.catch_up(head)
        self._closings.shown()

    def ready(self) -> None:
        """See :class:`~toprung.ports.pipeline.Pipeline`."""
        if not self._behind:
            return
        # What failed may be half done, in memory alone: begin again from the tables, beside what
        # readers see.
        catalog = Catalog()
        again = Updater(self._log, self._store, None, catalog, self._make_decider)
        again.load()
        again.flush()
        self._adopt(catalog, again.seq)

    def _adopt(self, catalog: Catalog, seq: int) -> None:
        """Know and show what the store has, in which everything up to ``seq`` is written."""
        with self._catalog.changing:
            if self._view is not None:
                for board in self._catalog.all():
                    if catalog.by_id(board.board_id) is None:
                        self._view.drop_board(board.board_id)
                load_view(self._view, catalog, self._store.scan(), seq)
            self._know(catalog)
        self._go_on(seq)

    def become(self, made: "Updater") -> None:
        """Know and show what another updater has made of the same log.

        All that it made is written, and stands in this one's store now. Its view is used up.
        """
        # Until all of it is done: what fails half-way is begun again from the tables.
        self._behind = True
        self._make_decider = made._make_decider  # noqa: SLF001  of the same class
        with self._catalog.changing:
            if self._view is not None and made._view is not None:  # noqa: SLF001
                self._view.become(made._view)  # noqa: SLF001
            self._know(made._catalog)  # noqa: SLF001
        self._go_on(made.seq)

    def _know(self, catalog: Catalog) -> None:
        self._catalog.replace(catalog.all())
        self._catalog.players.replace(list(catalog.players.lines()))
        self._catalog.voids.replace(list(catalog.voids.lines()))
        self._catalog.quarantine.replace(list(catalog.quarantine.lines()))
        self._catalog.segments.become(catalog.segments)

    def _go_on(self, seq: int) -> None:
        self._decider = self._make_decider(self._store)
        self._beside.tallies.clear()
        self._moved_boards.clear()
        self._closings.load(is_shown=True)
        self.seq = seq
        self._behind = False

    def rebuild(self, progress: Callable[[int, int], None], beside: EventLog | None = None) -> int:
        """Make store and view anew from the log, as one transaction. Readers see the old view until
        the new one is complete.

        Args:
            progress: called with the rows done and the rows there are.
            beside: the same log, for another thread that reads ahead; ``None``: none does.

        Returns:
            The ``seq`` that store and view then reflect.

        Raises:
            Trouble: nothing was changed.
        """
        if not self._behind:
            self._flush()
        # Until all of it is done: what fails half-way is begun again from the tables.
        self._behind = True
        catalog = Catalog()
        head, _ = self._log.head()
        with self._store.transaction():
            self._store.wipe()
            shadow = Updater(self._log, self._store, None, catalog, self._make_decider)
            shadow.replay(head, lambda done: progress(done, head), beside)
        self._adopt(catalog, head)
        return head

    def catch_up(self, until: int, progress: Progress = _silent) -> None:
        """Apply what the log has after the store's checkpoint, up to the record ``until``.

        What was decided before, and kept, is obeyed; the rest is decided.

        Args:
            progress: called with the ``seq`` reached.
        """
        self._decider = self._make_decider(self._store)
        self._beside.tallies.clear()
        self.seq = self._store.checkpoint()
        self.redo(until, progress)
        for rows in self._read(until):
            self._replay(self.seq + 1, rows)
            self.write_behind(len(rows))
            self.written()
            progress(self.seq)
        if self._view is not None:
            self._view.advance(self.seq)

    def replay(
        self, until: int, progress: Progress = _silent, beside: EventLog | None = None
    ) -> None:
        """Apply what the log has up to the record ``until`` to a store that has no more than this
        updater gave it.

        Entries are written late: of a store that has none, none are read, and who scores often is
        written once.

        Args:
            progress: called with the ``seq`` reached, again and again, also while it stands still;
                what it raises ends the replay.
            beside: the same log, for another thread that reads ahead; ``None``: none does.
        """
        records = read_arrived(beside or self._log, self.seq, until)
        for rows in records if beside is None else ahead(records):
            self._replay(self.seq + 1, rows)
            self._write(0)
            if self._decider.unwritten > HELD_ENTRIES:
                self._write_all(progress)
            progress(self.seq)
        self._write_all(progress)

    def _write_all(self, progress: Progress) -> None:
        """Write everything that waits, part by part: as rows it takes ten times the memory."""
        while self._decider.unwritten:
            self._write(PART_ENTRIES)
            self.written()
            progress(self.seq)

    def redo(self, until: int, progress: Progress = _silent) -> None:
        """Do again what was decided after the store's checkpoint, in memory alone."""
        until = min(until, self._store.last_kept())
        for rows in self._read(until):
            first, last = self.seq + 1, self.seq + len(rows)
            kept = [line for line in self._store.kept(self.seq, len(rows)) if line[2].seq <= last]
            for start, stop in runs_of(rows):
                run = rows[start:stop]
                # Acts are written through, before what follows them is kept.
                if is_event(run[0].body):
                    at = first + start
                    self._redo(redo(self._decider, self._catalog, at, run, kept), first + stop)
                else:
                    self._redo_acts(first + start, run, kept)
            self.seq = last
            progress(last)

    def _redo(self, decided: Decided, following: int) -> None:
        meets_rolling = self._view is not None and self._rolling.met_by(decided)
        shown = self._rolling.last(decided) if meets_rolling else None
        self._show(decided, following, shown)

    def _redo_acts(self, first: int, rows: Sequence[Arrived], kept: Sequence[SeenLine]) -> None:
        """Acts were applied; but for adjustments that were decided and could not be written."""
        decided = {seen.seq for _, _, seen in kept}
        for seq, row in enumerate(rows, first):
            if seq in decided:
                self.seq = seq - 1
                self._act(row.record, seq, row.received_at)
        self.seq = first + len(rows) - 1
        if self._closings.unwritten:
            # A snapshot is taken from the tables, which must have what was before it.
            self._flush()

    def _read(self, until: int) -> Iterator[list[Arrived]]:
        return read_arrived(self._log, self.seq, until)

    def write_behind(self, records: int) -> None:
        """See :class:`~toprung.ports.pipeline.Pipeline`."""
        self._wrote = False
        self._due += records
        if self._due >= BEHIND_RECORDS:
            self._write(ceil(self._decider.sweep * self._due / SWEEP_RECORDS), snapshots=True)
            self._due = 0

    def written(self) -> None:
        """See :class:`~toprung.ports.pipeline.Pipeline`."""
        if self._wrote:
            self._decider.written()
            self._closings.written()
            self._moved_boards.clear()

    def tidy(self) -> bool:
        """Write some of what waits, while nothing else happens; whether more waits.

        Raises:
            Trouble: nothing was written.
        """
        self.ready()
        if self._decider.unwritten or self._store.checkpoint() != self.seq:
            with self._store.transaction():
                self._write(TIDY_ENTRIES, snapshots=True)
            self.written()
            return True
        return self._closings.tidy()

    def flush(self) -> None:
        """Write everything that waits.

        Raises:
            Trouble: nothing was written.
        """
        self.ready()
        self._flush()

    def _flush(self) -> None:
        with self._store.transaction():
            self._write(self._decider.unwritten)
        self.written()

    def _settle(self, decided: Sequence[Decided]) -> None:
        """Write everything that waits, with parts of a run that are not shown yet."""
        for part in decided:
            self._closings.meet(part.moves.keys, self.seq + 1)
        self._flush()

    def _forget(self, board_id: int, player_ids: Sequence[str] | None = None) -> None:
        self._decider.forget(board_id, player_ids)

    def _write(self, limit: int, *, snapshots: bool = False) -> None:
        self._wrote = True
        self._closings.write(part=snapshots)
        taken = self._decider.take(limit)
        states = [self._catalog.by_id(board_id) for board_id in self._moved_boards]
        self._store.write(
            Changes(
                self._checkpoint(sum([part.size for part in taken])),
                boards={board.board_id: board.state for board in states if board is not None},
                packed=taken,
            )
        )

    def _checkpoint(self, taken: int) -> int:
        """What will be reflected for sure when so many more entries are written."""
        if taken >= self._decider.unwritten:
            return self.seq
        oldest = self._decider.oldest
        return self.seq if oldest is None else oldest - 1

    def complete_snapshots(self) -> None:
        """Write all snapshots that are due from the tables, where everything is written and no view
        is kept.
        """
        self._closings.complete_from(self._store.scan())

    def entries(self) -> Iterator[EntryLine]:
        """All entries as they are now, written or not."""
        return overlaid(self._store.scan(), self._decider.waiting())

    def apply(
        self, first: int, requests: Sequence[Sequence[Arrived]]
    ) -> Sequence[Sequence[Applied]]:
        """See :class:`~toprung.ports.pipeline.Pipeline`."""
        applied: list[Sequence[Applied]] = []
        try:
            for are_acts, found in groupby(requests, _are_acts):
                group = list(found)
                apply = self._apply_acts if are_acts else self._apply_events
                applied += apply(first, group)
                first += sum(map(len, group))
        except Trouble:
            self._behind = True
            raise
        return applied

    def _apply_events(
        self, first: int, requests: Sequence[Sequence[Arrived]]
    ) -> Iterator[Sequence[Applied]]:
        run = self._events(first, Joined(requests), told=True)
        start = 0
        for rows in requests:
            yield EventResults(run, rows, start)
            start += len(rows)

    def _apply_acts(
        self, first: int, requests: Sequence[Sequence[Arrived]]
    ) -> Iterator[Sequence[Applied]]:
        results = self._acts(first, Joined(requests))
        # A new board is in the store before the checkpoint says so: the next group shall say it.
        self._due = BEHIND_RECORDS
        start = 0
        for rows in requests:
            yield results[start : start + len(rows)]
            start += len(rows)

    def _replay(self, first: int, rows: Sequence[Arrived]) -> None:
        """Apply what the log has, with nobody waiting for results."""
        for start, stop in runs_of(rows):
            run = rows[start:stop]
            if is_event(run[0].body):
                self._events(first + start, run, told=False)
            else:
                self._acts(first + start, run)

    def _events(self, first: int, rows: Sequence[Arrived], *, told: bool) -> Run:
        """Decide consecutive events together."""
        decided = decide(
            self._decider, self._store, self._catalog, self._beside, first, rows, told=told
        )
        since = kept_back(decided, first)
        shown: Sequence[Move | None] | None = None
        if self._view is not None and self._rolling.met_by(decided):
            if told:
                decided, shown = self._rolling.told(decided, rows)
            else:
                shown = self._rolling.last(decided)
        ranks = self._show(decided, first + len(rows), shown)
        self.seq = first + len(rows) - 1
        if told:
            ranks = without(decided, waiting(decided, rows[-1].received_at), ranks)
        return Run(first, decided, withheld(decided, first, since, ranks))

    def _show(
        self, decided: Decided, following: int, shown: Sequence[Move | None] | None
    ) -> RankChanges:
        """Show readers what events changed; the ranks before and after each move.

        Args:
            shown: the moves as readers see them, where that is otherwise.
        """
        ranks = RankChanges((), ())
        self._closings.meet(decided.moves.keys, following - 1)
        if self._view is not None:
            if shown is None:
                ranks = show(self._view, self._catalog, decided.moves, following - 1)
            else:
                ranks = show_each(self._view, self._catalog, shown, following - 1)
        for board_id, latest_at in decided.latest_at.items():
            board = self._catalog.by_id(board_id)
            if board is None:
                continue
            known = board.state.latest_at
            if known is None or latest_at > known:
                board.state = msgspec.structs.replace(board.state, latest_at=latest_at)
                self._moved_boards.add(board_id)
        return ranks

    def _acts(self, first: int, rows: Sequence[Arrived]) -> list[Applied]:
        results: list[Applied] = []
        profiles: list[Arrived] = []
        for seq, row in enumerate(rows, first):
            if isinstance(row.record, ProfilePut):
                profiles.append(row)
                continue
            results += self._put_profiles(seq - len(profiles), profiles)
            profiles = []
            results.append(self._act(row.record, seq, row.received_at))
        last = first + len(rows) - 1
        results += self._put_profiles(last + 1 - len(profiles), profiles)
        if self._view is not None:
            self._view.advance(last)
        self.seq = last
        return results

    def _put_profiles(self, first: int, rows: Sequence[Arrived]) -> list[Applied]:
        if not rows:
            return []
        results = put_profiles(self._store, self._view, self._catalog, first, rows)
        self.seq = first + len(rows) - 1
        return results

    def _act(self, act: Record | None, seq: int, received_at: int) -> ActResult:
        """Apply one act, and note what came of it."""
        with self._store.transaction():
            result = self._applied(act, seq, received_at)
            if act is not None and is_audited(act):
                self._note(act, seq, received_at, result)
        return result

    def _note(self, act: Record, seq: int, received_at: int, result: ActResult) -> None:
        board = self._catalog.by_id(getattr(act, "board_id", 0))
        name = None if board is None else board.state.name
        self._store.note(act_line(act, seq, received_at, name, *outcome_of(result)))

    def erase(
        self,
        erasure: Erasure,
        received_at: int,
        transaction: Callable[[], AbstractContextManager[None]],
    ) -> ActResult:
        """See :class:`~toprung.ports.pipeline.Pipeline`."""
        act = PlayerErased(erasure.project, erasure.receipt, erasure.actor, erasure.reason)
        self.ready()
        self._flush()
        try:
            with transaction():
                while self._store.purge(PURGE_ROWS):
                    pass
                events, digest = erase_from_log(self._log, self._store, erasure)
                seq = self._log.append(frames_of([(received_at, encode_record(act))]))
                change = self._eraser.apply(act, seq, erasure.player_id)
                change = msgspec.structs.replace(
                    change, events=events, sha256=digest, erased_at=received_at
                )
                result = ActResult(seq, erased=change)
                self._note(act, seq, received_at, result)
        except BaseException:
            self._behind = True
            raise
        self.seq = seq
        if self._view is not None:
            self._view.advance(seq)
        return result

    def _applied(self, act: Record | None, seq: int, received_at: int) -> ActResult:
        """Apply one act; a refused one is kept in the log and changes nothing."""
        try:
            if isinstance(act, BoardAct):
                result = self._boards.apply(act, seq, received_at)
            elif isinstance(act, RulesPut):
                result = put_rules(self._store, act, seq, received_at)
            elif isinstance(act, FriendsPut):
                result = put_friends(self._store, act, seq, received_at)
            elif isinstance(act, PlayerErased):
                change = self._eraser.apply(act, seq, stand_in(act.receipt))
                result = ActResult(seq, erased=change)
            elif isinstance(act, PeriodClosed):
                result = ActResult(seq, closed=self._closings.close(act, seq, received_at))
            elif isinstance(act, ModerationAct):
                result = self._moderator.apply(act, seq, received_at)
            else:
                raise Broken(f"a record of no known kind: {act!r}")
        except (Refused, InvalidInput) as error:
            result = ActResult(seq, refused=error)
        self.seq = seq
        return result


def _are_acts(rows: Sequence[Arrived]) -> bool:
    return not is_event(rows[0].body)

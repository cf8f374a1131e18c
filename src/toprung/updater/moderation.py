"""Acts that take players and events out, and bring them back (R9)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from toprung.domain.acts import Refused
from toprung.domain.adjusting import AdjustChange, as_counted, check_at, difference
from toprung.domain.board import Board
from toprung.domain.decide import EntryKey, Seen
from toprung.domain.entries import Entry
from toprung.domain.errors import Broken
from toprung.domain.keeping import SeenBlock, seen_blocks
from toprung.domain.moderation import PlayerState, VoidChange, check_merge, moderate
from toprung.domain.outcomes import Outcome
from toprung.domain.quarantine import JudgeChange, approve
from toprung.domain.records import Adjusted, EventVoided, Judged, MatchVoided, PlayerModerated
from toprung.domain.segments import segment_in
from toprung.ports.catalog import Catalog
from toprung.ports.counted import Told
from toprung.ports.log import EventLog, record_of
from toprung.ports.pipeline import ActResult
from toprung.ports.store import Changes, ScoreStore
from toprung.ports.view import RankView
from toprung.ports.voids import VoidLine, void_event, void_match
from toprung.updater.closing import Closings
from toprung.updater.masking import show_player, show_players
from toprung.updater.recount import events_with, recount

ModerationAct = PlayerModerated | EventVoided | MatchVoided | Adjusted | Judged


class Moderator:
    """Applies acts of moderation to store, catalog and view.

    Args:
        view: ``None``: no ranks are kept.
        flush: writes everything that waits.
        forget: has the decider forget what the store has of players of a board.
    """

    def __init__(
        self,
        log: EventLog,
        store: ScoreStore,
        view: RankView | None,
        catalog: Catalog,
        closings: Closings,
        flush: Callable[[], None],
        forget: Callable[[int, Sequence[str]], None],
    ) -> None:
        self._log = log
        self._store = store
        self._view = view
        self._catalog = catalog
        self._flush = flush
        self._forget = forget
        self._closings = closings

    def apply(self, act: ModerationAct, seq: int, received_at: int) -> ActResult:
        """Apply an act.

        Raises:
            InvalidInput: it is impossible.
            Refused: the state does not allow it. Nothing was changed.
        """
        if isinstance(act, PlayerModerated):
            return self._moderate(act, seq, received_at)
        if isinstance(act, EventVoided):
            return self._void_event(act, seq)
        if isinstance(act, Adjusted):
            return ActResult(seq, adjusted=self._adjust(act, seq, received_at))
        if isinstance(act, Judged):
            return ActResult(seq, judged=self._judge(act, seq, received_at))
        return self._void_match(act, seq)

    def _moderate(self, act: PlayerModerated, seq: int, received_at: int) -> ActResult:
        who = act.project, act.player_id
        players = self._catalog.players
        old = players.state(*who)
        if act.action == "merge":
            into = act.into or ""
            check_merge(act.player_id, into, old.into, players.root(act.project, into))
        change = moderate(old, act, seq, received_at)
        if change.state.into != old.into:
            touched = self._merge(who, old, change.state, seq)
            change = msgspec.structs.replace(change, touched=touched)
        elif change.result == "changed":
            self._put_player(who, old, change.state)
        return ActResult(seq, player=change)

    def _merge(
        self, who: tuple[str, str], old: PlayerState, new: PlayerState, seq: int
    ) -> Sequence[EntryKey]:
        """Have a player count for another one, or for nobody else again; the periods that change.

        Raises:
            Refused: ``overflow``. Nothing was changed.
        """
        project, player_id = who
        players = self._catalog.players
        self._flush()
        met = {player_id, players.root(*who)}
        players.put(*who, new)
        met.add(players.root(*who))
        # Who has no entry on a board has nothing there that could count for somebody.
        affected = {
            board: met
            for board in self._catalog.of_project(project)
            if self._store.entries_of(board.board_id, sorted(met))
        }
        try:
            return self.recount(affected, seq, Changes(0, players={who: new}))
        except Refused:
            players.put(*who, old)
            raise

    def _put_player(self, who: tuple[str, str], old: PlayerState, new: PlayerState) -> None:
        # The player comes back as the store has it; and who goes is in snapshots that are due.
        changes = self._view is not None and old.is_masked != new.is_masked
        if changes and (old.is_masked or self._closings.unwritten):
            self._flush()
        self._store.write(Changes(self._store.checkpoint(), players={who: new}))
        self._catalog.players.put(*who, new)
        if self._view is not None and changes:
            show_player(self._view, self._catalog, self._store, *who)

    def _void_event(self, act: EventVoided, seq: int) -> ActResult:
        board = self._catalog.by_name(act.project, act.board)
        if board is None:
            raise Refused("unknown_board", f"there is no board {act.board!r}", "board")
        seen = self._store.seen(board.board_id, [act.event_id]).get(act.event_id)
        affected: dict[Board, set[str]] = {}
        if seen is not None and Outcome(seen.outcome).spends_id:
            affected[board] = {self._catalog.players.root(act.project, seen.player_id)}
        mark = void_event(board.board_id, act.event_id)
        return self._mark(mark, affected, seq, is_void=act.is_void)

    def _void_match(self, act: MatchVoided, seq: int) -> ActResult:
        affected: dict[Board, set[str]] = {}
        boards = {board.board_id: board for board in self._catalog.of_project(act.project)}
        first = min(boards, default=seq)
        for _, event in events_with(self._log, [act.match_id.encode()], first, seq):
            if event.match_id == act.match_id and event.board_id in boards:
                player = self._catalog.players.root(act.project, event.player_id)
                affected.setdefault(boards[event.board_id], set()).add(player)
        return self._mark(void_match(act.project, act.match_id), affected, seq, is_void=act.is_void)

    def _adjust(self, act: Adjusted, seq: int, received_at: int) -> AdjustChange:
        """Correct a player's score.

        Raises:
            InvalidInput, Refused: nothing was changed.
        """
        board = self._catalog.by_id(act.board_id)
        if board is None:
            raise Refused("unknown_board", "the board is gone", "board")
        check_at(act.at, received_at)
        first = self._store.seen(board.board_id, [act.event_id]).get(act.event_id)
        if first is not None and first.seq == seq:
            # What was decided, and could not be written then, is obeyed (R25).
            self._flush()
            return self._counted(board, Told(seq, received_at, act, first))
        if first is not None and Outcome(first.outcome).spends_id:
            return self._adjusted_before(board, act, first)
        if act.event_id in self._catalog.quarantine.of(board.board_id):
            raise Refused("conflict", "an event in quarantine has this id", "event_id")
        self._flush()
        lines = self._store.entries_of(board.board_id, [act.player_id])
        points = difference(board, act, {key: entry for key, _, entry in lines})
        is_void = self._catalog.counts_for(board, act) is None
        outcome = Outcome.COUNTED if any(points) and not is_void else Outcome.UNCHANGED
        seen = Seen(
            seq,
            outcome.value,
            act.player_id,
            points,
            board.revision,
            act.at,
            at_given=True,
            received_at=received_at,
        )
        return self._counted(board, Told(seq, received_at, act, seen))

    def _adjusted_before(self, board: Board, act: Adjusted, first: Seen) -> AdjustChange:
        """An adjustment whose id is known: told again, or another one."""
        (row,) = self._log.read(first.seq - 1, 1)
        told = record_of(row)
        if not isinstance(told, Adjusted) or not _says_the_same(board, told, act):
            raise Refused("conflict", "this event id was used before; the first stands", "event_id")
        return AdjustChange("duplicate", board, first.points, first.revision)

    def _counted(self, board: Board, told: Told) -> AdjustChange:
        """Have an adjustment count.

        Raises:
            Refused: ``overflow``. Nothing was changed.
        """
        event, seen = told.event, told.seen
        if seen is None:
            raise Broken("an adjustment counts that was not decided")
        touched = self._count(board, told._replace(event=as_counted(event, seen)), Changes(0))
        result: Literal["counted", "unchanged"] = (
            "counted" if seen.outcome == Outcome.COUNTED else "unchanged"
        )
        return AdjustChange(result, board, seen.points, seen.revision, tuple(touched))

    def _count(self, board: Board, told: Told, changes: Changes) -> tuple[EntryKey, ...]:
        """Have something count that an act brings, and write it with other changes; the periods
        that change.

        Raises:
            Refused: ``overflow``. Nothing was changed.
        """
        at, latest = told.event.at, board.state.latest_at
        state = msgspec.structs.replace(
            board.state, latest_at=at if latest is None else max(latest, at)
        )
        changes.boards = {board.board_id: state}
        player = self._catalog.players.root(board.state.project, told.event.player_id)
        touched = self.recount({board: {player}}, told.seq, changes, [told])
        board.state = state
        return tuple(touched)

    def _judge(self, act: Judged, seq: int, received_at: int) -> JudgeChange:
        """Have an event in quarantine count, or never.

        Raises:
            InvalidInput, Refused: nothing was changed.
        """
        board = self._catalog.by_id(act.board_id)
        if board is None:
            raise Refused("unknown_board", "the board is gone", "board")
        quarantine, identity = self._catalog.quarantine, (board.board_id, act.event_id)
        held = quarantine.of(board.board_id).get(act.event_id)
        first = self._store.seen(board.board_id, [act.event_id]).get(act.event_id)
        if held is None:
            if act.is_approved and first is not None and self._is_approval(first):
                return JudgeChange("unchanged", board)
            raise Refused("unknown_event", "no event of this id is in quarantine", "event_id")
        if first is None or first.player_id != act.player_id:
            raise Refused("unknown_event", "the player was erased meanwhile", "event_id")
        if act.is_approved:
            # What was decided, and could not be written then, is obeyed (R25).
            seen = first if first.seq == seq else approve(board, act, seq)
            told = Told(seq, received_at, act, seen)
            touched = self._count(board, told, Changes(0, unheld=[identity]))
            quarantine.remove(*identity)
            return JudgeChange("approved", board, touched)
        if held.is_rejected:
            return JudgeChange("unchanged", board)
        line = (*identity, msgspec.structs.replace(held, is_rejected=True))
        self._store.write(Changes(self._store.checkpoint(), held=[line]))
        quarantine.put(line)
        return JudgeChange("rejected", board)

    def _is_approval(self, seen: Seen) -> bool:
        (row,) = self._log.read(seen.seq - 1, 1)
        return isinstance(record_of(row), Judged)

    def _mark(
        self, mark: VoidLine, affected: Mapping[Board, set[str]], seq: int, *, is_void: bool
    ) -> ActResult:
        """Set a mark, or take it off, and make anew what the players affected have."""
        voids = self._catalog.voids
        if voids.has(mark) == is_void:
            return ActResult(seq, void=VoidChange("unchanged", is_void))
        voids.set(mark, is_void=is_void)
        try:
            touched = self.recount(affected, seq, _marked(mark, is_void=is_void))
        except Refused:
            voids.set(mark, is_void=not is_void)
            raise
        return ActResult(seq, void=VoidChange("changed", is_void, touched))

    def recount(
        self,
        affected: Mapping[Board, set[str]],
        seq: int,
        changes: Changes,
        also: Sequence[Told] = (),
        without: str | None = None,
    ) -> Sequence[EntryKey]:
        """Make all entries of players anew, and write them together with other changes; the
        periods that change.

        Args:
            also: what is to count from here on, and to be kept.
            without: somebody for whom no event counts.

        Raises:
            Refused: ``overflow``. Nothing was changed.
        """
        if not affected:
            changes.seq = self._store.checkpoint()
            self._store.write(changes)
            return ()
        self._flush()
        changes.seq = seq
        touched: list[EntryKey] = []
        made: dict[EntryKey, dict[str, Entry]] = {}
        for board, players in affected.items():
            old = self._store.entries_of(board.board_id, sorted(players))
            left = players - {without}
            new: dict[EntryKey, dict[str, Entry]] = {}
            if left:
                new = recount(self._log, self._store, self._catalog, board, left, seq, also)
            touched += _put_together(old, new)
            made |= new
        changes.entries = made
        changes.recounted = [
            (board.board_id, player)
            for board, players in affected.items()
            for player in sorted(players)
        ]
        self._closings.meet(touched, seq)
        with self._store.transaction():
            self._closings.write(part=False)
            # What was decided, and could not be written then, is kept already.
            self._store.keep(_kept([each for each in also if not self._store.kept_at([each.seq])]))
            self._store.write(changes)
        self._closings.written()
        for board, players in affected.items():
            self._forget(board.board_id, sorted(players))
            if self._view is not None:
                show_players(
                    self._view, self._catalog, self._store, board.board_id, sorted(players)
                )
        return touched


def _put_together(
    old: Sequence[tuple[EntryKey, str, Entry]], new: dict[EntryKey, dict[str, Entry]]
) -> list[EntryKey]:
    """Leave entries that stay as they are what they reflect; the periods of the others."""
    before = {(key, player): entry for key, player, entry in old}
    for key, player, entry in old:
        found = new.get(key, {}).get(player)
        if found is not None and msgspec.structs.replace(found, seq=entry.seq) == entry:
            new[key][player] = entry
    after = {
        (key, player): entry for key, players in new.items() for player, entry in players.items()
    }
    places = before.keys() | after.keys()
    changed = {place[0] for place in places if before.get(place) != after.get(place)}
    return sorted(key for key in changed if segment_in(key[2]) is None)


def _kept(counted: Sequence[Told]) -> list[SeenBlock]:
    return seen_blocks(
        [
            (told.event.board_id, told.event.event_id, told.seen)
            for told in counted
            if told.seen is not None
        ]
    )


def _says_the_same(board: Board, one: Adjusted, other: Adjusted) -> bool:
    """Whether an adjustment is told again: who asks, and why, may be other ones."""
    is_at = one.at == other.at or not (one.at_given and other.at_given)
    left, right = (board.points_now(each.points, each.revision) for each in (one, other))
    return (
        is_at
        and left == right
        and (one.player_id, one.is_target, one.window)
        == (other.player_id, other.is_target, other.window)
    )


def _marked(mark: VoidLine, *, is_void: bool) -> Changes:
    return Changes(0, voided=[mark]) if is_void else Changes(0, unvoided=[mark])

"""The score store: the truth. Entries, event ids, boards, profiles and the checkpoint."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import msgspec

from toprung.domain.audit import ActLine
from toprung.domain.board import Board, BoardState
from toprung.domain.decide import EntryKey, Seen
from toprung.domain.entries import Entry
from toprung.domain.keeping import SeenBlock, SeenLine
from toprung.domain.moderation import PlayerState
from toprung.domain.quarantine import HeldLine
from toprung.domain.records import Profile, Rule
from toprung.ports.moves import Moves
from toprung.ports.packed import PackedEntries, unpack_entries
from toprung.ports.players import PlayerLine
from toprung.ports.segments import PastValue
from toprung.ports.snapshots import SnapshotStore
from toprung.ports.voids import VoidLine


class StoredProfile(msgspec.Struct, frozen=True):
    """A profile and the record that set it."""

    profile: Profile
    updated_at: int
    seq: int


class StoredFriends(msgspec.Struct, frozen=True):
    """A player's list of friends and the record that set it."""

    friends: tuple[str, ...]
    updated_at: int
    seq: int


class StoredRules(msgspec.Struct, frozen=True):
    """A project's rules for named events and the record that set them."""

    rules: tuple[Rule, ...]
    updated_at: int
    seq: int


class StoredEntries(NamedTuple):
    """Entries as they are stored."""

    periods: Mapping[int, EntryKey]
    """By number the periods that were asked for, as far as there are any."""
    packed: Sequence[PackedEntries]

    def by_key(self) -> dict[EntryKey, dict[str, Entry]]:
        """The entries by period and player."""
        found: dict[EntryKey, dict[str, Entry]] = {}
        for part in self.packed:
            for player, entries in unpack_entries(part.body).items():
                for number, entry in entries.items():
                    found.setdefault(self.periods[number], {})[player] = entry
        return found


class WantedActs(NamedTuple):
    """Which acts are looked for; ``None``: whichever there are."""

    project: str
    kind: str | None = None
    board: str | None = None
    player_id: str | None = None
    actor: str | None = None
    since: int | None = None
    """Acts that arrived then, or later."""
    until: int | None = None
    """Acts that arrived before."""


class Changes(msgspec.Struct):
    """What one commit writes. All values are absolute; an entry's ``seq`` says what it reflects."""

    seq: int
    """The checkpoint: every record up to it is reflected; entries may reflect later ones."""
    boards: dict[int, BoardState] = {}
    versions: dict[int, BoardState] = {}
    """What acts made of boards, by the ``seq`` of the act."""
    dropped_boards: list[int] = []
    cleared_windows: list[tuple[int, str]] = []
    """Board id and window: remove all its periods, before ``entries`` are written."""
    cleared_periods: Sequence[EntryKey] = ()
    """Remove these periods, before ``entries`` are written."""
    entries: Mapping[EntryKey, Mapping[str, Entry]] = {}
    packed: Sequence[PackedEntries] = ()
    """Further entries. Those of neighbours among a board's players are written fastest."""
    profiles: dict[tuple[str, str], StoredProfile] = {}
    """By project and player."""
    voided: Sequence[VoidLine] = ()
    """Marks that are set."""
    unvoided: Sequence[VoidLine] = ()
    """Marks that are taken off."""
    held: Sequence[HeldLine] = ()
    """Events in quarantine that are in another state than before."""
    unheld: Sequence[tuple[int, str]] = ()
    """Events that are in quarantine no more, by board and id."""
    recounted: Sequence[tuple[int, str]] = ()
    """Boards and players: remove all entries of the player on the board, before ``entries`` are
    written."""
    players: dict[tuple[str, str], PlayerState] = {}
    """What acts made of players, by project and player."""
    rules: dict[str, StoredRules] = {}
    """By project."""
    friends: dict[tuple[str, str], StoredFriends] = {}
    """By project and player."""
    past_values: Sequence[PastValue] = ()
    """What attributes of players were before."""


class ScoreStore(Protocol):
    """Where the truth is kept."""

    @property
    def snapshots(self) -> SnapshotStore:
        """The snapshots of closed periods; what is written there is part of a transaction here."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """What happens inside is committed as a whole at the end, or not at all. May be nested."""
        ...

    def checkpoint(self) -> int:
        """Every record up to this ``seq`` is reflected; 0 at first."""
        ...

    def boards(self) -> list[BoardState]:
        """All boards, of all projects."""
        ...

    def board_at(self, board_id: int, seq: int) -> BoardState | None:
        """What acts up to ``seq`` had made of a board; ``None``: it was not there."""
        ...

    def scan_versions(self) -> Iterator[tuple[int, BoardState]]:
        """What acts made of boards that are still there, each with the act's ``seq``."""
        ...

    def seen(self, board_id: int, event_ids: Sequence[str]) -> dict[str, Seen]:
        """What is kept of those of the ids that are known."""
        ...

    def keep(self, blocks: Sequence[SeenBlock]) -> None:
        """Keep what became of events: to be seen at once, and written with the next ``write``.

        Blocks come in the order of the log. Of an id that is kept again, the later line is valid.
        """
        ...

    def hold(self, lines: Sequence[HeldLine]) -> None:
        """Keep events in quarantine: to be written together with what is kept of them."""
        ...

    def kept(self, after: int, limit: int) -> list[SeenLine]:
        """Lines with a ``seq`` larger than ``after``, in order.

        At most ``limit``, but to the end of the block that the last one is in.
        """
        ...

    def kept_at(self, seqs: Sequence[int]) -> list[SeenLine]:
        """The lines with these ``seq``, which are in order; where there is none, none is given."""
        ...

    def last_kept(self) -> int:
        """The ``seq`` of the last line; 0: there is none."""
        ...

    def entries(self, wanted: Mapping[EntryKey, Iterable[str]]) -> StoredEntries:
        """The entries of players in periods, as far as there are any."""
        ...

    def entries_of(
        self, board_id: int, player_ids: Sequence[str]
    ) -> list[tuple[EntryKey, str, Entry]]:
        """All entries of players on a board, in no order."""
        ...

    def period_keys(self) -> list[EntryKey]:
        """The periods of all boards that have or had entries, in no order."""
        ...

    def period_entries(self, key: EntryKey) -> Iterator[tuple[str, Entry]]:
        """Every entry of a period with its player, in no order; slow, as all of the board's are
        looked at.
        """
        ...

    def period_number(self, key: EntryKey) -> int:
        """The number that stands for a period in packed entries; made when it is first asked for,
        within the caller's transaction: if that fails, the number stands for nothing any more.
        """
        ...

    def write(self, changes: Changes) -> None:
        """Write ``changes`` and set the checkpoint to their ``seq``.

        What was kept is written too. Writing the same changes again does no harm, and an entry is
        never replaced by one of a smaller ``seq``. All else is written in the order of the log.

        Raises:
            Trouble: nothing was written.
        """
        ...

    def purge(self, rows: int) -> bool:
        """Remove a part, some ``rows`` of a table, of what dropped boards and cleared windows left
        behind. These are gone for every other method at once; this gives the space back.

        Returns:
            Whether it may be worth calling again.
        """
        ...

    def scan(self, board_id: int | None = None) -> Iterator[tuple[EntryKey, str, Entry]]:
        """Every entry with its period and player, in no order.

        Args:
            board_id: of this board alone.
        """
        ...

    def places(self, after: int) -> Iterator[Moves]:
        """Where players stand by the entries that reflect a record after ``after``, in no order;
        0: by all entries. Many at a time, for a view to be filled with. Of rolling windows nothing
        is told: what readers see of them are no entries, but several together.
        """
        ...

    def together(self, board: Board, parts: Collection[EntryKey], key: EntryKey) -> Iterator[Moves]:
        """Where players stand in ``key`` by their entries in ``parts`` of it put together (see
        :func:`~toprung.domain.entries.together`), in no order, some at a time.
        """
        ...

    def scan_seen(self) -> Iterator[tuple[int, str, Seen]]:
        """Every kept event id with its board, once, with its valid line."""
        ...

    def scan_profiles(self) -> Iterator[tuple[str, str, StoredProfile]]:
        """Every profile with its project and player."""
        ...

    def scan_voids(self) -> Iterator[VoidLine]:
        """Every mark."""
        ...

    def scan_held(self) -> Iterator[HeldLine]:
        """Every event in quarantine."""
        ...

    def recounts(self) -> Iterator[tuple[int, str, int]]:
        """Board, player, and the last act that made the entries of the player there anew."""
        ...

    def scan_past_values(self) -> Iterator[PastValue]:
        """What attributes of players were before each change, in the order of the log."""
        ...

    def scan_players(self) -> Iterator[PlayerLine]:
        """Every player whom an act has met."""
        ...

    def profiles(self, project: str, player_ids: Sequence[str]) -> dict[str, StoredProfile]:
        """The profiles of those of the players who have one."""
        ...

    def erase(self, project: str, player_id: str, stand_in: str) -> None:
        """Have nothing of a player but what became of the events, and acts, which are a stand-in's
        from then on; within the caller's transaction. Entries and snapshots are the caller's to
        remove, and nothing must wait to be written.
        """
        ...

    def note(self, act: ActLine) -> None:
        """Note an act and what came of it, within the caller's transaction. One that is noted stays
        as it is: done again, it may do something else.
        """
        ...

    def acts(self, wanted: WantedActs, before: int, limit: int) -> list[ActLine]:
        """The latest acts with a ``seq`` smaller than ``before``, the latest first."""
        ...

    def scan_acts(self) -> Iterator[ActLine]:
        """Every act that was noted, in no order."""
        ...

    def rules(self, project: str) -> StoredRules | None:
        """The rules of a project; ``None``: none were ever set."""
        ...

    def scan_rules(self) -> Iterator[tuple[str, StoredRules]]:
        """The rules of all projects."""
        ...

    def friends(self, project: str, player_id: str) -> StoredFriends | None:
        """A player's list of friends; ``None``: none was ever set."""
        ...

    def scan_friends(self) -> Iterator[tuple[str, str, StoredFriends]]:
        """Every list with its project and player."""
        ...

    def wipe(self) -> None:
        """Remove everything, so that it can be made anew from the log."""
        ...

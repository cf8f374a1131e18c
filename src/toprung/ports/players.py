"""Players whom acts have met, in memory: the updater changes them, others may look."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from toprung.domain.moderation import UNTOUCHED, PlayerState

PlayerLine = tuple[str, str, PlayerState]
"""Project, player and what acts made of the player."""

_NOBODY: frozenset[str] = frozenset()


class Players:
    """What acts made of players, and who is out of public answers."""

    def __init__(self) -> None:
        self.changes = 0
        """How often anything of this changed."""
        self._states: dict[tuple[str, str], PlayerState] = {}
        self._masked: dict[str, set[str]] = {}
        self._ends: dict[tuple[str, str], int] = {}
        self._into: dict[str, dict[str, str]] = {}
        self._erased: dict[str, set[str]] = {}

    def state(self, project: str, player_id: str) -> PlayerState:
        """What acts made of a player."""
        return self._states.get((project, player_id), UNTOUCHED)

    def put(self, project: str, player_id: str, state: PlayerState) -> None:
        """Put a state in the place of an older one."""
        self.changes += 1
        self._states[project, player_id] = state
        if state.erased:
            self._erased.setdefault(project, set()).add(player_id)
        if state.into is not None:
            self._into.setdefault(project, {})[player_id] = state.into
        elif player_id in self._into.get(project, {}):
            del self._into[project][player_id]
        if state.until is None:
            self._ends.pop((project, player_id), None)
        else:
            self._ends[project, player_id] = state.until
        masked = self._masked.setdefault(project, set())
        if state.is_masked:
            masked.add(player_id)
        else:
            masked.discard(player_id)

    def forget(self, project: str, player_id: str) -> None:
        """Know nothing of a player any more."""
        self.put(project, player_id, UNTOUCHED)
        del self._states[project, player_id]

    def is_erased(self, project: str, player_id: str) -> bool:
        """Whether an id stands for somebody who was erased."""
        return player_id in self._erased.get(project, _NOBODY)

    def merged_into(self, project: str, player_id: str) -> list[str]:
        """Players who were merged into a player, not by way of others."""
        merged = self._into.get(project, {})
        return sorted(one for one, into in merged.items() if into == player_id)

    def masked(self, project: str) -> AbstractSet[str]:
        """Who is out of the project's public answers."""
        return self._masked.get(project, _NOBODY)

    def ends(self) -> list[tuple[tuple[str, str], int]]:
        """Project and player of bans that have an end, and the end."""
        return list(self._ends.items())

    @property
    def are_merged(self) -> bool:
        """Whether anybody counts for somebody else."""
        return any(self._into.values())

    def merged(self) -> Iterator[str]:
        """Players who count for somebody else, of all projects."""
        for into in self._into.values():
            yield from into

    def root(self, project: str, player_id: str) -> str:
        """The player for whom a player counts (R21); nobody is merged in a circle."""
        into = self._into.get(project)
        while into and player_id in into:
            player_id = into[player_id]
        return player_id

    def counting_for(self, project: str, player_ids: Iterable[str]) -> set[str]:
        """Some players, and all who count for them."""
        roots = set(player_ids)
        merged = self._into.get(project, {})
        return roots.union(one for one in merged if self.root(project, one) in roots)

    def lines(self) -> Iterator[PlayerLine]:
        """All players whom acts have met."""
        for (project, player_id), state in self._states.items():
            yield project, player_id, state

    def replace(self, lines: Iterable[PlayerLine]) -> None:
        """Know these players and no others."""
        self.changes += 1
        self._states, self._masked, self._ends, self._into = {}, {}, {}, {}
        self._erased = {}
        for project, player_id, state in lines:
            self.put(project, player_id, state)

"""What players are called, remembered: standings show names, and a look-up in the file for each
row of each page would cost more than finding the rows.
"""

from collections.abc import Sequence

from toprung.domain.records import Profile
from toprung.ports.store import ScoreStore

KEPT_MAX = 200_000
"""Players that are remembered, with and without a profile; beyond, all is forgotten at once."""


class ProfileCache:
    """Profiles by project and player. Used from the event loop's thread only.

    It is exact: this process is the only one that writes profiles, and forgets one after each
    write before the writer's client hears of it.
    """

    def __init__(self, store: ScoreStore) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], Profile | None] = {}
        # A project without any profile, the usual case at first, never asks the file.
        self._projects = {project for project, _, _ in store.scan_profiles()}
        self._every_project = False

    def of(self, project: str, player_ids: Sequence[str]) -> dict[str, Profile]:
        """The profiles of those of the players who have one."""
        if not self._may_have(project):
            return {}
        kept = self._kept
        if len(kept) > KEPT_MAX:
            kept.clear()
        unknown = [player for player in player_ids if (project, player) not in kept]
        if unknown:
            self._look_up(project, unknown, kept)
        found = {player: kept[project, player] for player in player_ids}
        return {player: profile for player, profile in found.items() if profile is not None}

    def one(self, project: str, player_id: str) -> Profile | None:
        """The profile of a player."""
        if not self._may_have(project):
            return None
        return self.of(project, (player_id,)).get(player_id)

    def forget(self, project: str, player_id: str) -> None:
        """Read this player's profile anew the next time."""
        self._projects.add(project)
        self._kept.pop((project, player_id), None)

    def forget_all(self) -> None:
        """Read every profile anew: the store was made anew. May be called from any thread."""
        self._every_project = True
        # Whoever looks something up at this moment puts it where nobody looks any more.
        self._kept = {}

    def _may_have(self, project: str) -> bool:
        return project in self._projects or self._every_project

    def _look_up(
        self,
        project: str,
        player_ids: Sequence[str],
        kept: dict[tuple[str, str], Profile | None],
    ) -> None:
        stored = self._store.profiles(project, player_ids)
        for player in player_ids:
            found = stored.get(player)
            kept[project, player] = None if found is None else found.profile

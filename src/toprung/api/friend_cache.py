"""Players' lists of friends, remembered: a long one takes longer to read than to use."""

from toprung.api.errors import ApiError
from toprung.ports.store import ScoreStore, StoredFriends

KEPT_NAMES = 1_000_000
"""Friends of all lists that are remembered; beyond, all are forgotten at once."""


class FriendsCache:
    """Lists by project and player. Used from the event loop's thread, unless something else is
    said.

    It is exact: this process is the only one that sets lists, and forgets one after each act before
    its client hears of it.
    """

    def __init__(self, store: ScoreStore) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], StoredFriends] = {}
        self._names = 0

    def of(self, project: str, player_id: str) -> StoredFriends:
        """A player's list.

        Raises:
            ApiError: ``no_friends``, none was ever set.
        """
        kept = self._kept
        found = kept.get((project, player_id))
        if found is None:
            found = self._store.friends(project, player_id)
            if found is None:
                raise ApiError(
                    "no_friends", f"player {player_id!r} has no list of friends", field="player"
                )
            if self._names > KEPT_NAMES:
                kept.clear()
                self._names = 0
            kept[project, player_id] = found
            self._names += len(found.friends)
        return found

    def forget(self, project: str, player_id: str) -> None:
        """Read this player's list anew the next time."""
        self._kept.pop((project, player_id), None)

    def forget_all(self) -> None:
        """Read every list anew: the store was made anew. May be called from any thread."""
        # Whoever looks one up at this moment puts it where nobody looks any more.
        self._kept = {}

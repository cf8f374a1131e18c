"""The rules of projects, ready for use: making them ready for each request would take longer than
using them.
"""

from toprung.domain.rules import RuleSet
from toprung.ports.store import ScoreStore, StoredRules

KEPT_MAX = 1000
"""Projects whose rules are remembered; beyond, all are forgotten at once."""


class Rulebook:
    """Rules by project. Used from the event loop's thread, unless something else is said.

    It is exact: this process is the only one that sets rules, and forgets those of a project after
    each act before its client hears of it.
    """

    def __init__(self, store: ScoreStore) -> None:
        self._store = store
        self._kept: dict[str, RuleSet] = {}

    def stored(self, project: str) -> StoredRules | None:
        """A project's rules as they were set, with when; ``None``: they never were."""
        return self._store.rules(project)

    def of(self, project: str) -> RuleSet:
        """A project's rules."""
        kept = self._kept
        found = kept.get(project)
        if found is None:
            stored = self.stored(project)
            found = RuleSet(() if stored is None else stored.rules)
            if len(kept) >= KEPT_MAX:
                kept.clear()
            kept[project] = found
        return found

    def forget(self, project: str) -> None:
        """Read this project's rules anew the next time."""
        self._kept.pop(project, None)

    def forget_all(self) -> None:
        """Read all rules anew: the store was made anew. May be called from any thread."""
        # Whoever looks some up at this moment puts them where nobody looks any more.
        self._kept = {}

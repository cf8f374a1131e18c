"""Events and matches that are void, in memory: the updater changes them, others may look (R9)."""

from collections.abc import Collection, Iterable, Iterator

VoidLine = tuple[str, int, str]
"""Project of a match, board of an event, and the id. Where it is about a match the board is 0, else
the project is empty."""

_NOTHING: frozenset[str] = frozenset()


class Voids:
    """Marks on ids: of events of a board, and of matches of a project."""

    def __init__(self) -> None:
        self.changes = 0
        """How often anything of this changed."""
        self._ids: dict[tuple[str, int], set[str]] = {}

    @property
    def are_there(self) -> bool:
        """Whether anything at all is void."""
        return bool(self._ids)

    def events(self, board_id: int) -> Collection[str]:
        """The ids of a board that are void."""
        return self._ids.get(("", board_id), _NOTHING)

    def matches(self, project: str) -> Collection[str]:
        """The matches of a project that are void."""
        return self._ids.get((project, 0), _NOTHING)

    def has(self, line: VoidLine) -> bool:
        """Whether there is this mark."""
        return line[2] in self._ids.get(line[:2], _NOTHING)

    def set(self, line: VoidLine, *, is_void: bool) -> None:
        """Set a mark, or take it off."""
        self.changes += 1
        if is_void:
            self._ids.setdefault(line[:2], set()).add(line[2])
            return
        ids = self._ids.get(line[:2], set())
        ids.discard(line[2])
        if not ids:
            self._ids.pop(line[:2], None)

    def drop(self, board_id: int) -> None:
        """Forget the marks of a board."""
        self._ids.pop(("", board_id), None)

    def lines(self) -> Iterator[VoidLine]:
        """All marks."""
        for (project, board_id), ids in self._ids.items():
            for one in ids:
                yield project, board_id, one

    def replace(self, lines: Iterable[VoidLine]) -> None:
        """Know these marks and no others."""
        self.changes += 1
        self._ids = {}
        for line in lines:
            self.set(line, is_void=True)


def void_event(board_id: int, event_id: str) -> VoidLine:
    """The mark on an event id of a board."""
    return "", board_id, event_id


def void_match(project: str, match_id: str) -> VoidLine:
    """The mark on a match of a project."""
    return project, 0, match_id

"""Which segments players are in, in memory: the updater changes it, others may look (R17).

Only attributes that boards are sliced by are known. A closed period keeps the players in the
segments that they had when it was closed, so what a value was before a change is known too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from toprung.domain.errors import InvalidInput
from toprung.domain.limits import SEGMENT_VALUES
from toprung.domain.segments import Segment


class PastValue(NamedTuple):
    """What an attribute of a player was before a record changed it."""

    project: str
    player_id: str
    name: str
    """Of the attribute."""
    seq: int
    """The record that changed it."""
    value: str | None
    """``None``: the player did not have it."""


_Line = tuple[Any, ...]
"""The value of a player now, then for each record that changed it its ``seq`` and the value before,
the first one first: as flat as it can be, for there is one for each player."""

_NEVER: _Line = (None,)


class Attribute:
    """The values that the players of a project have, and had, of one attribute."""

    def __init__(self) -> None:
        self.holders: Counter[str] = Counter()
        """By value, how many players have it; 0: one is about to."""
        self._lines: dict[str, _Line] = {}

    def at(self, player_id: str, seq: int = 0) -> str | None:
        """The player's value after the record ``seq``; 0: now."""
        line = self._lines.get(player_id, _NEVER)
        if seq:
            for place in range(1, len(line), 2):
                if line[place] > seq:
                    then: str | None = line[place + 1]
                    return then
        now: str | None = line[0]
        return now

    def put(self, player_id: str, value: str | None) -> None:
        """Give a player a value, or take it away."""
        line = self._lines.get(player_id, _NEVER)
        old = self.at(player_id)
        if old is not None:
            self.holders[old] -= 1
            if not self.holders[old]:
                del self.holders[old]
        if value is not None:
            self.holders[value] += 1
        self._lines[player_id] = (value, *line[1:])

    def remember(self, player_id: str, seq: int, before: str | None) -> None:
        """A record changed the player's value, which was another one before; they come in order."""
        self._lines[player_id] = (*self._lines.get(player_id, _NEVER), seq, before)

    def forget(self, player_id: str) -> None:
        """Know nothing of a player any more."""
        self.put(player_id, None)
        self._lines.pop(player_id, None)

    def is_known(self, player_id: str, seq: int) -> bool:
        """Whether a change of the player's value by this record, or a later one, is known."""
        return _changed_by(self._lines.get(player_id, _NEVER)) >= seq

    def changed_after(self, seq: int) -> Iterator[str]:
        """The players whose values a record after ``seq`` changed."""
        for player_id, line in list(self._lines.items()):
            if _changed_by(line) > seq:
                yield player_id


def _changed_by(line: _Line) -> int:
    """The last record that changed a value; 0: none is known."""
    return int(line[-2]) if len(line) > 1 else 0


class Segments:
    """The attributes that boards are sliced by, by project and name."""

    def __init__(self) -> None:
        self.changes = 0
        """How often anything of this changed."""
        self._attributes: dict[str, dict[str, Attribute]] = {}

    @property
    def are_used(self) -> bool:
        """Whether any board has segments."""
        return bool(self._attributes)

    def names(self, project: str) -> list[str]:
        """The attributes that boards of a project are sliced by."""
        return list(self._attributes.get(project, ()))

    def get(self, project: str, name: str) -> Attribute:
        """What is known of an attribute; nothing of one that no board is sliced by."""
        return self._attributes.get(project, {}).get(name) or Attribute()

    def use(self, project: str, names: Iterable[str], made: Mapping[str, Attribute]) -> None:
        """Know these attributes of the project's players, and no others.

        Args:
            made: those that are not known yet.
        """
        known = self._attributes.pop(project, {})
        used = {name: known.get(name) or made[name] for name in names}
        if used:
            self._attributes[project] = used
        self.changes += 1

    def remember(self, past: PastValue) -> None:
        """Know of a change what the value was before; they come in order."""
        attribute = self._attributes.get(past.project, {}).get(past.name)
        if attribute is not None:
            attribute.remember(past.player_id, past.seq, past.value)

    def put(
        self, project: str, player_id: str, attributes: Mapping[str, str], seq: int
    ) -> list[PastValue]:
        """A record sets the attributes of a player; what is other than before, as it was then.

        One that was applied already changes nothing.
        """
        changed = []
        for name, attribute in self._attributes.get(project, {}).items():
            before, value = attribute.at(player_id), attributes.get(name)
            if before != value and not attribute.is_known(player_id, seq):
                changed.append(PastValue(project, player_id, name, seq, before))
                attribute.put(player_id, value)
                attribute.remember(player_id, seq, before)
        self.changes += bool(changed)
        return changed

    def forget(self, project: str, player_id: str) -> None:
        """Know nothing of a player any more."""
        for attribute in self._attributes.get(project, {}).values():
            attribute.forget(player_id)
        self.changes += 1

    def announce(self, project: str, attributes: Mapping[str, str]) -> None:
        """Make room for the values that a player of a project is about to have; others may.

        Raises:
            InvalidInput: ``too_many_values``, naming the attribute.
        """
        for name, attribute in self._attributes.get(project, {}).items():
            value = attributes.get(name)
            if value is None or value in attribute.holders:
                continue
            if len(attribute.holders) >= SEGMENT_VALUES.maximum:
                raise too_many_values(name, f"attributes.{name}")
            attribute.holders[value] = 0

    def changed_after(self, seq: int) -> Iterator[tuple[str, str]]:
        """Projects and players whose values a record after ``seq`` changed; some perhaps twice."""
        for project, attributes in self._attributes.items():
            for attribute in attributes.values():
                for player_id in attribute.changed_after(seq):
                    yield project, player_id

    def become(self, made: "Segments") -> None:
        """Know what another one knows, which is of no use any more."""
        self._attributes = made._attributes  # noqa: SLF001  of the same class
        self.changes += 1


class CarriedValues:
    """The values of segments that events of boards carried; intake may look and announce others."""

    def __init__(self) -> None:
        self._values: dict[tuple[int, str], set[str]] = {}

    def note(self, board_id: int, segment: Segment) -> None:
        """An event of a board carried a segment."""
        self._values.setdefault((board_id, segment.name), set()).add(segment.value)

    def announce(self, board_id: int, segment: Segment) -> None:
        """Make room for a value that an event is about to carry.

        Raises:
            InvalidInput: ``too_many_values``, naming the segment.
        """
        values = self._values.get((board_id, segment.name), set())
        if segment.value not in values:
            if len(values) >= SEGMENT_VALUES.maximum:
                most, field = SEGMENT_VALUES.maximum, f"segments.{segment.name}"
                raise InvalidInput(
                    f"the events of the board have {most} values of {segment.name!r} already",
                    field=field,
                    code="too_many_values",
                )
            self.note(board_id, segment)


def too_many_values(name: str, field: str) -> InvalidInput:
    """What is said where an attribute that boards are sliced by has too many values."""
    most = SEGMENT_VALUES.maximum
    return InvalidInput(
        f"boards are sliced by {name!r}, of which the players have at most {most} values",
        field=field,
        code="too_many_values",
        hint="slice by what has few values, as a country; not by what each player has alone",
    )

"""Corrections of scores: what they are to the events they stand among (R9)."""

from collections.abc import Callable, Sequence

from toprung.testing.oracle.facts import Adjust, Event, Rules
from toprung.testing.oracle.lines import Line, Standings
from toprung.testing.oracle.snapshots import number_text, without_zeros

Come = tuple[tuple[int, ...], int, str, bool]
"""Points, instant and id of an event, and whether it is an adjustment."""


def adjusted_line(rules: Rules, player_id: str, counted: Sequence[Come]) -> Line | None:
    """Where adjustments stand among the events, in the order in which they came."""
    stands: list[tuple[tuple[int, ...], int, bytes]] = []
    events = 0
    for points, at, event_id, adjusts in counted:
        name = event_id.encode()
        if not adjusts:
            stands.append((points, at, name))
        elif stands:
            columns, reached_at, last = _pick(rules, stands)
            moved = tuple(a + b for a, b in zip(columns, points, strict=True))
            if rules.mode == "last":
                reached_at, last = max((reached_at, last), (at, name))
            elif any(points):
                reached_at = at
            stands = [(moved, reached_at, last)]
        else:
            continue
        events += 1
    if not stands:
        return None
    columns, reached_at, _ = _pick(rules, stands)
    return Line(player_id, columns, reached_at, events)


def put_together(rules: Rules, days: Sequence[Line | None]) -> Line | None:
    """What a rolling window shows of a player who has these lines on its days."""
    lines = [line for line in days if line is not None]
    if not lines:
        return None
    columns, reached_at, _ = _pick(rules, [(line.columns, line.reached_at, b"") for line in lines])
    return Line(lines[0].player_id, columns, reached_at, sum(line.events for line in lines))


def _pick(
    rules: Rules, stands: list[tuple[tuple[int, ...], int, bytes]]
) -> tuple[tuple[int, ...], int, bytes]:
    """The one that is shown."""
    if rules.mode == "last":
        return max(stands, key=lambda each: each[1:])
    order = Standings([], [column.larger_is_better for column in rules.columns])
    return min(stands, key=lambda each: (order.goodness(each[0]), each[1]))


def is_asked_again(
    rules: Rules, read: Callable[[Event], tuple[int, ...]], first: Adjust, again: Adjust
) -> bool:
    """Whether an adjustment is the one that was asked for before."""
    if first.at is not None and again.at is not None and first.at != again.at:
        return False
    names = {column.name for column in rules.columns}
    points = {name: text for name, text in first.points.items() if name in names}
    event = Event("", "", "", without_zeros(points), None)
    try:
        if read(event) != read(event._replace(points=again.points)):
            return False
    except ValueError:
        return False
    return (first.player_id, first[5:]) == (again.player_id, again[5:])


def texts_of(rules: Rules, points: Sequence[int]) -> dict[str, str]:
    """Scaled numbers as an event has them."""
    return {
        column.name: number_text(value, column.decimals)
        for column, value in zip(rules.columns, points, strict=True)
    }

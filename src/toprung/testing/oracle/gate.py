"""What stops an event before it counts: its player may not take part, or it is implausible."""

from toprung.testing.oracle.board import OracleBoard, scaled
from toprung.testing.oracle.facts import Event
from toprung.testing.oracle.verdicts import Verdict


def ineligible(board: OracleBoard, event: Event) -> Verdict | None:
    """Whether a player may not take part (R23)."""
    player = board.players.root(event.player_id)
    if event.update_only and not board.has(player):
        return Verdict("ineligible", frozenset({"update_only"}))
    attributes = board.players.attributes.get(player, {})
    for attribute, values in board.rules.admit:
        if attributes.get(attribute) not in values:
            return Verdict("ineligible", frozenset({"player_id"}))
    return None


def implausible(
    board: OracleBoard, event: Event, points: tuple[int, ...], arrival: int
) -> Verdict | None:
    """Whether an event breaks a limit of the board."""
    limits, columns = board.rules.limits, board.rules.columns
    if limits is None:
        return None
    values = dict(zip([column.name for column in columns], points, strict=True))
    decimals = {column.name: column.decimals for column in columns}
    for name, least, most in limits.ranges:
        low, high = scaled(least, decimals[name]), scaled(most, decimals[name])
        if (low is not None and values[name] < low) or (high is not None and values[name] > high):
            return Verdict("implausible", frozenset({"points", f"points.{name}"}))
    if event.history:
        return None
    before = [
        each
        for each in board.counted
        if each.event.player_id == event.player_id
        and not each.event.history
        and not each.event.approved
    ]
    in_minute = [each for each in before if each.arrival // 60_000_000 == arrival // 60_000_000]
    if limits.per_minute is not None and len(in_minute) >= limits.per_minute:
        return Verdict("implausible", frozenset({"player_id"}))
    gains = [
        max(0, board.read(each.event)[0])
        for each in before
        if each.arrival // 3_600_000_000 == arrival // 3_600_000_000
    ]
    most_gained = scaled(limits.per_hour, columns[0].decimals)
    if most_gained is not None and points[0] > 0 and sum(gains) + points[0] > most_gained:
        return Verdict("implausible", frozenset({"points", f"points.{columns[0].name}"}))
    return None

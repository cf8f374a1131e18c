"""The one workload of all benchmarks: who plays, which scores, when they come.

Pure: the same seed gives the same load, on every machine. Choices of members:

``uniform``
    each of ``members`` members alike.
``zipf``
    the k-th most frequent of N members with P(k) = ln(1 + 1/k) / ln(N + 1), k = 1 to N: Zipf's law
    with exponent 1, whose weight 1/k is replaced by its integral, so that one uniform number u is
    enough: k = floor((N + 1) ** u). At a million members the first has 5 % of the draws, the first
    thousand half of them. A member's place in this order is scattered over the ids, so that
    members that are drawn often do not lie together in memory by their ids alone.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

CHOICES = ("uniform", "zipf")

_SCATTER = 2_654_435_761
"""A prime larger than any number of members: multiplying by it modulo N is a permutation."""

POINTS = 1_000_000
"""Points of an event lie in ``[0, POINTS)``: with more players than that, ties are certain."""

BURST_SHARE = 0.1
"""So many of the draws begin a burst: events of one player, one right after the other."""
BURST_EVENTS_MAX = 20


def member_id(number: int) -> str:
    """The id of a member: 17 characters, of the form that redis-benchmark can make, too."""
    return f"m:{number:015}"


def numbers(choice: str, members: int, count: int, dice: random.Random) -> list[int]:
    """``count`` members, drawn by ``choice``, as numbers in ``[0, members)``."""
    draw = dice.random
    if choice == "uniform":
        return [int(draw() * members) for _ in range(count)]
    base = members + 1
    return [int(base ** draw()) * _SCATTER % members for _ in range(count)]


def member_ids(choice: str, members: int, count: int, dice: random.Random) -> list[str]:
    """``count`` members, drawn by ``choice``, as ids."""
    return [f"m:{number:015}" for number in numbers(choice, members, count, dice)]


def scores(members: int, count: int, dice: random.Random) -> list[int]:
    """``count`` scores in ``[0, members)``: with one for each member, 63 % share theirs."""
    draw = dice.random
    return [int(draw() * members) for _ in range(count)]


class Event(NamedTuple):
    """One score event as a game would send it."""

    event_id: str
    player_id: str
    points: int
    at_us: int
    """When it happened, in microseconds since 1970."""


def event_id(kind: str, at_us: int, dice: random.Random) -> str:
    """A UUID: ``uuid7`` begins with the time, ``random`` (version 4) with anything."""
    bits = dice.getrandbits(128)
    version = "4"
    if kind == "uuid7":
        bits = (at_us // 1000) << 80 | bits & ((1 << 80) - 1)
        version = "7"
    digits = f"{bits:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{version}{digits[13:16]}-8{digits[17:20]}-{digits[20:]}"


class Stream:
    """Events without end, drawn by one seed.

    Args:
        ids: how event ids are made, ``uuid7`` or ``random``.
        clock: the present, in microseconds since 1970; asked once for each call of ``events``.
        bursts: whether some players send many events in a row.
        midnight_us: a local midnight; the events then lie within a minute around it, before and
            after it in turn, instead of at the present.
    """

    def __init__(
        self,
        choice: str,
        members: int,
        dice: random.Random,
        clock: Callable[[], int],
        *,
        ids: str = "uuid7",
        bursts: bool = False,
        midnight_us: int | None = None,
    ) -> None:
        self._choice = choice
        self._members = members
        self._dice = dice
        self._clock = clock
        self._ids = ids
        self._bursts = bursts
        self._midnight_us = midnight_us

    def events(self, count: int) -> list[Event]:
        """The next ``count`` events, in the order of sending."""
        dice, now = self._dice, self._clock()
        players = numbers(self._choice, self._members, count, dice)
        if self._bursts:
            players = _in_bursts(players, dice)
        return [
            Event(
                event_id(self._ids, now, dice),
                member_id(player),
                int(dice.random() * POINTS),
                now if self._midnight_us is None else around(self._midnight_us, dice),
            )
            for player in players
        ]


def _in_bursts(players: list[int], dice: random.Random) -> list[int]:
    """As many players, some of them many times in a row."""
    sent: list[int] = []
    for player in players:
        many = dice.random() < BURST_SHARE
        sent += [player] * (dice.randint(2, BURST_EVENTS_MAX) if many else 1)
        if len(sent) >= len(players):
            break
    return sent[: len(players)]


def around(midnight_us: int, dice: random.Random) -> int:
    """An instant within thirty seconds of ``midnight_us``, before or after it."""
    return midnight_us + int((dice.random() - 0.5) * 60_000_000)


def recent_midnight(now_us: int) -> tuple[int, str]:
    """The latest full hour, and a zone in which it is midnight; events from then are not late."""
    hour = now_us // 3_600_000_000
    # Etc/GMT+5 is five hours behind UTC, so its midnight is at 5 o'clock UTC; the names go from
    # -14 to +12.
    behind = hour % 24
    offset = behind if behind <= 12 else behind - 24
    return hour * 3_600_000_000, f"Etc/GMT{offset:+}" if offset else "Etc/GMT"

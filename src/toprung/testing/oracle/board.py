"""A board and its players after some facts: every entry, from all events of the log."""

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from toprung.testing.oracle.adjusting import Come, adjusted_line, put_together
from toprung.testing.oracle.facts import Event, Moderate, Reset, Rules
from toprung.testing.oracle.lines import Line, Standings
from toprung.testing.oracle.periods import (
    Span,
    day_at,
    day_starts,
    days_of,
    last_days,
    season_of,
    span_of,
)
from toprung.testing.oracle.snapshots import Kept
from toprung.testing.oracle.verdicts import Verdict

_MIN, _MAX = -(2**63), 2**63 - 1
_DAY = timedelta(days=1)
_GRAMMAR = re.compile(r"-?(0|[1-9][0-9]*)(\.([0-9]+))?", re.ASCII)
_NUMBERINGS = {"earliest": "ordinal", "shared": "shared", "dense": "dense"}


class Counted(NamedTuple):
    """An event that is on the board."""

    place: int
    event: Event
    at: int
    arrival: int
    late: frozenset[str]
    """The windows that were closed when it arrived, or when they were filled from the log."""
    came: int
    """When it came, whatever an import says."""
    carried: frozenset[tuple[str, str]] = frozenset()
    """In which segments it counts, where that hangs on the event."""


class Held(NamedTuple):
    """An event in quarantine."""

    counted: Counted
    """As it would have counted."""
    is_rejected: bool = False


class OracleBoard:
    """A board at the end of the facts."""

    def __init__(self, made_by: int, rules: Rules, players: "OraclePlayers", arrival: int) -> None:
        self.made_by = made_by
        self.day = day_at(rules.zone, arrival)
        """Up to which rolling windows show points; it goes on when somebody looks."""
        self.rules = rules
        self.players = players
        self.resets: list[Reset] = []
        self.counted: list[Counted] = []
        self.voids: set[str] = set()
        self.held: dict[str, Held] = {}
        """Events in quarantine, by their ids."""
        self.versions: dict[tuple[str, str], list[Kept | None]] = {}
        """The final standings that were kept of closed periods, by window and key; ``None``:
        somebody on them was erased.
        """
        self.unfrozen: int | None = None
        """The freeze that was taken off, though the rules still name it."""
        self.published: set[tuple[str, str]] = set()
        """Periods that were published before their time, by window and key."""
        self.attributes_then: dict[tuple[str, str], dict[str, Mapping[str, str]]] = {}
        """The attributes that players had when a period was first kept."""

    @property
    def numbering(self) -> str:
        """The board's own numbering."""
        return _NUMBERINGS[self.rules.ties]

    @property
    def freeze_at(self) -> int | None:
        """What the public sees is what was before this instant (R18)."""
        at = self.rules.freeze_at
        return None if at == self.unfrozen else at

    @property
    def keeps_back(self) -> bool:
        """Whether the public is shown less than there is."""
        at = self.freeze_at
        return at is not None and any(each.at >= at for each in self.counted)

    def span(self, window: str, at: int) -> Span:
        """The period of ``window`` that holds ``at``."""
        if window == "season":
            return season_of([(reset.at, reset.name, reset.ends_at) for reset in self.resets], at)
        return span_of(window, self.rules.zone, self.rules.week_start, at)

    def closed(self, window: str, at: int, arrival: int, came: int) -> bool:
        """Whether the period of ``at`` took nothing more when ``arrival`` came (R10).

        Args:
            came: the arrival in truth, which says what a rolling window takes.
        """
        if days_of(window):
            last = day_at(self.rules.zone, at) + timedelta(days=days_of(window) - 1)
            return came >= day_starts(self.rules.zone, last + _DAY)
        end, grace = self.span(window, at).end, self.rules.grace
        return end is not None and grace is not None and arrival >= end + grace

    def is_withheld(self, window: str, at: int, now: int) -> bool:
        """Whether the first ranks of the period of ``at`` wait for a review."""
        span, delay = self.span(window, at), self.rules.publish_delay
        if delay is None or span.end is None:
            return False
        shown_at = span.end + (self.rules.grace or 0) + delay[1]
        return span.end <= now < shown_at and (window, span.key) not in self.published

    def now_of(self, window: str) -> Span:
        """What readers see of a rolling window."""
        return last_days(window, self.rules.zone, self.day)

    def keys(self, window: str) -> list[str]:
        """The keys of the periods that have entries, as far as readers can see them."""
        if days_of(window):
            span = self.now_of(window)
            return [span.key] if self.standings(window, span.key).lines else []
        return sorted(
            {
                self.span(window, each.at).key
                for each in self.counted
                if window not in each.late and not self.is_void(each.event)
            }
        )

    def has(self, player_id: str) -> bool:
        """Whether a player has a line in any period."""
        return any(
            kept.find(player_id) is not None
            for window in self.rules.windows
            for kept in (
                [self.one_day(window, day) for day in self.days(window)]
                if days_of(window)
                else [self.standings(window, key) for key in self.keys(window)]
            )
        )

    def is_void(self, event: Event) -> bool:
        """Whether the board behaves as if the event never was (R9)."""
        return (
            event.event_id in self.voids
            or event.match_id in self.players.void_matches
            or event.player_id in self.players.erased
        )

    def shown(self, window: str, key: str, before: int | None = None) -> Standings:
        """The standings that readers see: as if those who are hidden were not there (R9).

        Args:
            before: only from the events before this instant.
        """
        return self._without_hidden(self.standings(window, key, before))

    def public(self, window: str, key: str) -> Standings:
        """The standings that the public sees: as if nothing had been from the freeze on (R18)."""
        return self.shown(window, key, self.freeze_at)

    def segment(self, whole: Standings, window: str, key: str, name: str, value: str) -> Standings:
        """Of the standings of a period those of the players with a value of an attribute: that of
        now, or in a closed period of then; or from the events that carry the value (R17).
        """
        if self.rules.segment_at == "event":
            return self._without_hidden(self.standings(window, key, segment=(name, value)))
        attributes = self.attributes_then.get((window, key), self.players.attributes)
        return whole.only(
            [
                line.player_id
                for line in whole.lines
                if attributes.get(line.player_id, {}).get(name) == value
            ]
        )

    def _without_hidden(self, full: Standings) -> Standings:
        return full.only(
            [line.player_id for line in full.lines if not self.players.hides(line.player_id)]
        )

    def carried(self, event: Event) -> frozenset[tuple[str, str]]:
        """The segments that an event would count in now: those it says, else those of its player.

        Raises:
            ValueError: it says what it cannot; names the fields.
        """
        said = event.segments or {}
        unknown = {f"segments.{name}" for name in said if name not in self.rules.segments}
        if unknown:
            raise ValueError(*sorted(unknown))
        if self.rules.segment_at != "event":
            if said:
                raise ValueError("segments")
            return frozenset()
        own = self.players.attributes.get(self.players.root(event.player_id), {})
        both = {**own, **said}
        return frozenset((name, both[name]) for name in self.rules.segments if name in both)

    def standings(
        self,
        window: str,
        key: str,
        before: int | None = None,
        segment: tuple[str, str] | None = None,
    ) -> Standings:
        """The standings of a period, from all events in it, hidden players among them (R3, R4).

        Args:
            before: only from the events before this instant.
            segment: only from the events that carry this one.
        """
        if days_of(window):
            span = last_days(window, self.rules.zone, date.fromisoformat(key))
            return self._of(window, lambda at: (span.start or 0) <= at < (span.end or 0), before)
        return self._of(window, lambda at: self.span(window, at).key == key, before, segment)

    def days(self, window: str, before: int | None = None) -> list[date]:
        """The days that a rolling window has events of and shows, or will show."""
        days = {day_at(self.rules.zone, each.at) for each in self.counted}
        return sorted(
            day
            for day in days
            if not self._is_over(window, day) and self.one_day(window, day, before).lines
        )

    def one_day(self, window: str, day: date, before: int | None = None) -> Standings:
        """What the events of one day make, of those that a rolling window took."""
        return self._of(window, lambda at: day_at(self.rules.zone, at) == day, before)

    def _of(
        self,
        window: str,
        is_in: Callable[[int], bool],
        before: int | None,
        segment: tuple[str, str] | None = None,
    ) -> Standings:
        events: dict[str, list[Counted]] = {}
        for each in self.counted:
            if self.is_void(each.event) or (before is not None and each.at >= before):
                continue
            if segment is not None and segment not in each.carried:
                continue
            if window not in each.late and is_in(each.at):
                player = self.players.root(each.event.player_id)
                events.setdefault(player, []).append(each)
        return self._standings(events, by_day=bool(days_of(window)))

    def between(self, start: int, end: int) -> Standings:
        """The standings by the events with ``at`` in ``[start, end)``, whatever took them (R24)."""
        events: dict[str, list[Counted]] = {}
        for each in self.counted:
            if start <= each.at < end and not self.is_void(each.event):
                player = self.players.root(each.event.player_id)
                events.setdefault(player, []).append(each)
        return self._without_hidden(self._standings(events))

    def _standings(self, events: dict[str, list[Counted]], *, by_day: bool = False) -> Standings:
        lines = [self._line(player, counted, by_day) for player, counted in events.items()]
        shown = [line for line in lines if line is not None]
        return Standings(shown, [column.larger_is_better for column in self.rules.columns])

    def _line(self, player_id: str, counted: list[Counted], by_day: bool) -> Line | None:
        """The line of one player: a function of the set of the events, whatever their order, but
        that an adjustment moves what it finds; with ``by_day`` on its own day.
        """
        if self.rules.mode != "sum" and any(each.event.adjusts for each in counted):
            come = [
                (self.read(each.event), each.at, each.event.event_id, each.event.adjusts)
                for each in counted
            ]
            if not by_day:
                return adjusted_line(self.rules, player_id, come)
            days: dict[date, list[Come]] = {}
            for each in come:
                days.setdefault(day_at(self.rules.zone, each[1]), []).append(each)
            return put_together(
                self.rules, [adjusted_line(self.rules, player_id, day) for day in days.values()]
            )
        seen = [(self.read(each.event), each.at, each.event.event_id) for each in counted]
        if self.rules.mode == "sum":
            columns = tuple(map(sum, zip(*[points for points, _, _ in seen], strict=True)))
            moving = [at for points, at, _ in seen if any(points)]
            reached_at = max(moving) if moving else min(at for _, at, _ in seen)
        elif self.rules.mode == "best":
            order = Standings([], [column.larger_is_better for column in self.rules.columns])
            columns = min((points for points, _, _ in seen), key=order.goodness)
            reached_at = min(at for points, at, _ in seen if points == columns)
        else:
            columns, reached_at, _ = max(seen, key=lambda each: (each[1], each[2].encode()))
        return Line(player_id, columns, reached_at, len(counted))

    def read(self, event: Event) -> tuple[int, ...]:
        """The event's numbers, scaled by the board's columns.

        Raises:
            ValueError: they cannot be read exactly; names the fields.
        """
        numbers = {
            name: scaled(event.points.get(name), decimals)
            for name, _, decimals in self.rules.columns
        }
        wrong = {name for name, number in numbers.items() if number is None}
        wrong.update(name for name in event.points if name not in numbers)
        if wrong:
            raise ValueError(*(f"points.{name}" for name in sorted(wrong)))
        return tuple(number for number in numbers.values() if number is not None)

    def fits(self) -> bool:
        """Whether every number on the board can be held in 64 bits."""
        return all(
            self.fits_at(window, at)
            for window in self.rules.windows
            for at in {each.at for each in self.counted}
        )

    def fits_at(self, window: str, at: int) -> bool:
        """Whether what an event at ``at`` belongs to in a window can be held, in full and in what
        the public sees. Of a rolling one each day may have its share, so that all days together
        can.
        """
        views = (None, self.freeze_at)
        if not days_of(window):
            key = self.span(window, at).key
            carried = self.carried_by_any() if self.rules.segment_at == "event" else []
            return all(self.standings(window, key, before).fit() for before in views) and all(
                self.standings(window, key, segment=segment).fit() for segment in carried
            )
        day = day_at(self.rules.zone, at)
        most = _MAX // days_of(window) if self.rules.mode == "sum" else _MAX + 1
        return self._is_over(window, day) or all(
            abs(number) <= most
            for before in views
            for line in self.one_day(window, day, before).lines
            for number in line.columns
        )

    def forget(self, player_id: str) -> None:
        """Keep of final standings with a player no more than that there were some."""
        self.versions = {
            period: [None if each and player_id in each.who else each for each in kept]
            for period, kept in self.versions.items()
        }
        for attributes in self.attributes_then.values():
            attributes.pop(player_id, None)

    def carried_by_any(self) -> list[tuple[str, str]]:
        """The segments of the board that events carry."""
        names = self.rules.segments
        return sorted({pair for each in self.counted for pair in each.carried if pair[0] in names})

    def stands(self, player_id: str, window: str, at: int) -> Line | None:
        """The player's line in what an event at ``at`` moves in a window."""
        if not days_of(window):
            found = self.standings(window, self.span(window, at).key)
        else:
            day = day_at(self.rules.zone, at)
            found = Standings([], []) if self._is_over(window, day) else self.one_day(window, day)
        index = found.find(player_id)
        return None if index is None else found.lines[index]

    def _is_over(self, window: str, day: date) -> bool:
        """Whether readers see a day no more."""
        return day <= self.day - timedelta(days=days_of(window))


def scaled(text: str | None, decimals: int) -> int | None:
    """The number in units of its last decimal, or ``None`` where it cannot be one (R6)."""
    match = _GRAMMAR.fullmatch(text) if text is not None else None
    if text is None or match is None or len(match[3] or "") > decimals:
        return None
    value = Fraction(text) * 10**decimals
    return int(value) if _MIN <= value <= _MAX else None


class OraclePlayers:
    """What was done to players: who is hidden, and whose ban ends when (``None``: never); and which
    matches are void.
    """

    def __init__(self) -> None:
        self.void_matches: set[str | None] = set()
        self.erased: set[str] = set()
        """Stand-ins for those who were erased."""
        self.merged: dict[str, str] = {}
        self.attributes: dict[str, Mapping[str, str]] = {}
        self.hidden: set[str] = set()
        self.banned: dict[str, int | None] = {}

    def root(self, player_id: str) -> str:
        """For whom a player counts (R21)."""
        return self.root(self.merged[player_id]) if player_id in self.merged else player_id

    def hides(self, player_id: str) -> bool:
        """Whether the player is out of every public answer."""
        return player_id in self.hidden or player_id in self.banned

    def moderate(self, act: Moderate, arrival: int) -> Verdict:
        """Do what an act says; done before, it changes nothing."""
        player, until = act.player_id, act.until
        if until is not None and until <= arrival:
            return Verdict("invalid", frozenset({"until"}))
        before = player in self.hidden, self.banned.get(player, "not banned")
        if act.action == "hide":
            self.hidden.add(player)
        elif act.action == "unhide":
            self.hidden.discard(player)
        elif act.action == "ban":
            self.banned[player] = until
        elif act.action == "unban":
            self.banned.pop(player, None)
        else:
            end = self.banned.get(player)
            if end is not None and end <= arrival:
                del self.banned[player]
        after = player in self.hidden, self.banned.get(player, "not banned")
        return Verdict("unchanged" if before == after else "changed")

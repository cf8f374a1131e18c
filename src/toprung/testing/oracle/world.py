"""What is so after some facts: every outcome, every entry, from all events of the log."""

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from toprung.testing.oracle.facts import (
    Close,
    Describe,
    Drop,
    EndSeason,
    Event,
    Moderate,
    Put,
    Reset,
    Rules,
    Told,
    Unfreeze,
    Void,
)
from toprung.testing.oracle.lines import Line, Standings
from toprung.testing.oracle.periods import Span, season_of, span_of
from toprung.testing.oracle.snapshots import Kept, kept_of
from toprung.testing.oracle.verdicts import Change, Verdict

_MIN, _MAX = -(2**63), 2**63 - 1
_GRAMMAR = re.compile(r"-?(0|[1-9][0-9]*)(\.([0-9]+))?", re.ASCII)
_NUMBERINGS = {"earliest": "ordinal", "shared": "shared", "dense": "dense"}
_FIXED = ("mode", "columns", "zone", "week_start")


class _Counted(NamedTuple):
    """An event that is on the board."""

    place: int
    event: Event
    at: int
    arrival: int
    late: frozenset[str]
    """The windows that were closed when it arrived, or when they were filled from the log."""


class OracleBoard:
    """A board at the end of the facts."""

    def __init__(self, made_by: int, rules: Rules, players: "OraclePlayers") -> None:
        self.made_by = made_by
        self.rules = rules
        self.players = players
        self.resets: list[Reset] = []
        self.counted: list[_Counted] = []
        self.voids: set[str] = set()
        self.versions: dict[tuple[str, str], list[Kept]] = {}
        """The final standings that were kept of closed periods, by window and key."""
        self.unfrozen: int | None = None
        """The freeze that was taken off, though the rules still name it."""
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

    def closed(self, window: str, at: int, arrival: int) -> bool:
        """Whether the period of ``at`` took nothing more when ``arrival`` came (R10)."""
        end, grace = self.span(window, at).end, self.rules.grace
        return end is not None and grace is not None and arrival >= end + grace

    def keys(self, window: str) -> list[str]:
        """The keys of the periods that have entries."""
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
            self.standings(window, key).find(player_id) is not None
            for window in self.rules.windows
            for key in self.keys(window)
        )

    def is_void(self, event: Event) -> bool:
        """Whether the board behaves as if the event never was (R9)."""
        return event.event_id in self.voids or event.match_id in self.players.void_matches

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
        now, or in a closed period of then (R17).
        """
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

    def standings(self, window: str, key: str, before: int | None = None) -> Standings:
        """The standings of a period, from all events in it, hidden players among them (R3, R4).

        Args:
            before: only from the events before this instant.
        """
        events: dict[str, list[_Counted]] = {}
        for each in self.counted:
            if self.is_void(each.event) or (before is not None and each.at >= before):
                continue
            if window not in each.late and self.span(window, each.at).key == key:
                player = self.players.root(each.event.player_id)
                events.setdefault(player, []).append(each)
        return self._standings(events)

    def between(self, start: int, end: int) -> Standings:
        """The standings by the events with ``at`` in ``[start, end)``, whatever took them (R24)."""
        events: dict[str, list[_Counted]] = {}
        for each in self.counted:
            if start <= each.at < end and not self.is_void(each.event):
                player = self.players.root(each.event.player_id)
                events.setdefault(player, []).append(each)
        return self._without_hidden(self._standings(events))

    def _standings(self, events: dict[str, list[_Counted]]) -> Standings:
        lines = [self._line(player, counted) for player, counted in events.items()]
        return Standings(lines, [column.larger_is_better for column in self.rules.columns])

    def _line(self, player_id: str, counted: list[_Counted]) -> Line:
        """The line of one player: a function of the set of the events, whatever their order."""
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
            name: _scaled(event.points.get(name), decimals)
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
            self.standings(window, key, before).fit()
            for window in self.rules.windows
            for key in self.keys(window)
            for before in (None, self.freeze_at)
        )


def _scaled(text: str | None, decimals: int) -> int | None:
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


class World:
    """The boards after some facts, and the verdict on each fact."""

    def __init__(self) -> None:
        self.boards: dict[str, OracleBoard] = {}
        self.players = OraclePlayers()
        self.verdicts: list[Verdict] = []

    def tell(self, told: Told) -> Verdict:
        """Take the next fact."""
        fact, index = told.fact, len(self.verdicts)
        if isinstance(fact, Event):
            verdict = self._event(fact, told.arrival, index)
        elif isinstance(fact, Void):
            verdict = self._void(fact)
        elif isinstance(fact, Describe):
            self.players.attributes[fact.player_id] = fact.attributes
            verdict = Verdict("described")
        elif isinstance(fact, Moderate) and fact.action in ("merge", "unmerge"):
            verdict = self._merge(fact)
        elif isinstance(fact, Moderate):
            verdict = self.players.moderate(fact, told.arrival)
        else:
            verdict = self._act(fact, told.arrival, index)
        self.verdicts.append(verdict)
        return verdict

    def _act(
        self, fact: Put | Drop | Reset | EndSeason | Close | Unfreeze, arrival: int, index: int
    ) -> Verdict:
        if isinstance(fact, Reset) and fact.ends_at is not None and fact.ends_at <= fact.at:
            return Verdict("invalid", frozenset({"ends_at"}))
        board = self.boards.get(fact.board)
        if isinstance(fact, Put):
            return self._put(board, fact, index)
        if board is None:
            return Verdict("unknown_board")
        if isinstance(fact, Drop):
            del self.boards[fact.board]
            return Verdict("dropped")
        if isinstance(fact, Unfreeze):
            return _unfreeze(board)
        if isinstance(fact, EndSeason):
            return _end_season(board, fact)
        if isinstance(fact, Close):
            return _close(board, fact, arrival)
        return _reset(board, fact)

    def _put(self, board: OracleBoard | None, put: Put, index: int) -> Verdict:
        if board is None:
            self.boards[put.board] = OracleBoard(index, put.rules, self.players)
            return Verdict("created")
        old, new = board.rules, put.rules
        differ = {name for name in Rules._fields if getattr(old, name) != getattr(new, name)}
        if not differ:
            return Verdict("unchanged")
        if put.if_exists == "refuse":
            return Verdict("settings_differ", frozenset(differ))
        fixed = differ.intersection(_FIXED)
        if fixed and board.counted and put.if_exists != "recompute":
            return Verdict("settings_fixed", frozenset(fixed))
        if "freeze_at" in differ and board.keeps_back:
            return Verdict("frozen", frozenset({"freeze_at"}))
        try:
            changed = _changed(board, new, new.windows if fixed else _added(old, new))
        except ValueError:
            return Verdict("not_exact")
        if not changed.fits():
            return Verdict("overflow")
        self.boards[put.board] = changed
        return Verdict("recomputed" if fixed and board.counted else "changed")

    def _merge(self, act: Moderate) -> Verdict:
        """All events of a player count for another one, or not any more."""
        before = dict(self.players.merged)
        if act.into is None:
            self.players.merged.pop(act.player_id, None)
        elif (
            before.get(act.player_id, act.into) != act.into
            or self.players.root(act.into) == act.player_id
        ):
            return Verdict("invalid", frozenset({"into"}))
        else:
            self.players.merged[act.player_id] = act.into
        if self.players.merged == before:
            return Verdict("unchanged")
        if not all(board.fits() for board in self.boards.values()):
            self.players.merged = before
            return Verdict("overflow")
        return Verdict("changed")

    def _void(self, void: Void) -> Verdict:
        """A mark on an id, whatever came of it; nobody may get more than 64 bits by it."""
        marks: set[Any] = self.players.void_matches
        boards = list(self.boards.values())
        if void.board is not None:
            if void.board not in self.boards:
                return Verdict("unknown_board")
            boards = [self.boards[void.board]]
            marks = boards[0].voids
        if (void.id in marks) == void.is_void:
            return Verdict("unchanged")
        marks ^= {void.id}
        if not all(board.fits() for board in boards):
            marks ^= {void.id}
            return Verdict("overflow")
        return Verdict("changed")

    def _event(self, event: Event, arrival: int, index: int) -> Verdict:
        board = self.boards.get(event.board)
        if board is None:
            return Verdict("unknown_board")
        try:
            points = board.read(event)
        except ValueError as error:
            return Verdict("invalid", frozenset({*error.args, "points"}))
        at = arrival if event.at is None else event.at
        for first in board.counted:
            if first.event.event_id == event.event_id:
                return _again(board, first, event, points)
        stopped = _stopped(board, event)
        if stopped is not None:
            return stopped
        rules = board.rules
        if rules.remember is not None and at < arrival - rules.remember:
            return Verdict("late", frozenset({"at"}))
        if rules.max_ahead is not None and at > arrival + rules.max_ahead:
            return Verdict("early", frozenset({"at"}))
        arrived = at if event.history else arrival
        late = frozenset(w for w in rules.windows if board.closed(w, at, arrived))
        if late == set(rules.windows):
            return Verdict("late", frozenset({"at"}))
        counted = _Counted(index, event, at, arrived, late)
        if board.is_void(event):
            board.counted.append(counted)
            return Verdict("unchanged")
        return _count(board, counted)


def _stopped(board: OracleBoard, event: Event) -> Verdict | None:
    """Whether a player may not take part (R23)."""
    player = board.players.root(event.player_id)
    if event.update_only and not board.has(player):
        return Verdict("ineligible", frozenset({"update_only"}))
    attributes = board.players.attributes.get(player, {})
    for attribute, values in board.rules.admit:
        if attributes.get(attribute) not in values:
            return Verdict("ineligible", frozenset({"player_id"}))
    return None


def _again(board: OracleBoard, first: _Counted, event: Event, points: tuple[int, ...]) -> Verdict:
    """A known id: the same content by meaning, or a conflict (R2)."""
    differ = set()
    if first.event.player_id != event.player_id:
        differ.add("player_id")
    if board.read(first.event) != points:
        differ.add("points")
    if first.event.at is not None and event.at is not None and first.at != event.at:
        differ.add("at")
    if differ:
        return Verdict("conflict", frozenset(differ), first=first.place)
    return Verdict("duplicate", first=first.place)


def _count(board: OracleBoard, new: _Counted) -> Verdict:
    """Put an event on the board, unless a total overflows, and say what it changed."""
    windows = board.rules.windows
    spans = {window: board.span(window, new.at) for window in windows}
    before = {window: board.standings(window, spans[window].key) for window in windows}
    seen_before = {window: board.shown(window, spans[window].key) for window in windows}
    board.counted.append(new)
    after = {window: board.standings(window, spans[window].key) for window in windows}
    frozen = [board.standings(window, spans[window].key, board.freeze_at) for window in windows]
    if not all(standings.fit() for standings in [*after.values(), *frozen]):
        board.counted.pop()
        return Verdict("overflow", frozenset({"points"}))
    changes, moved = [], False
    player, numbering = board.players.root(new.event.player_id), board.numbering
    for window in windows:
        key = spans[window].key
        if window in new.late:
            changes.append(Change(window, key, None, None, None, None))
            continue
        old, now = before[window], after[window]
        was, is_ = _line(old, player), _line(now, player)
        moved = moved or was is None or is_ is None or was[1:3] != is_[1:3]
        changes.append(
            Change(
                window,
                key,
                None if was is None else was.columns,
                None if is_ is None else is_.columns,
                None if board.keeps_back else seen_before[window].rank(player, numbering),
                None if board.keeps_back else board.shown(window, key).rank(player, numbering),
            )
        )
    return Verdict("counted" if moved else "unchanged", changes=tuple(changes))


def _line(standings: Standings, player_id: str) -> Line | None:
    index = standings.find(player_id)
    return None if index is None else standings.lines[index]


def _added(old: Rules, new: Rules) -> tuple[str, ...]:
    return tuple(window for window in new.windows if window not in old.windows)


def _changed(board: OracleBoard, rules: Rules, filled: Sequence[str]) -> OracleBoard:
    """The board under other rules, with some windows filled from the log (R16).

    Raises:
        ValueError: an event's points cannot be read exactly by the new columns.
    """
    changed = OracleBoard(board.made_by, rules, board.players)
    changed.resets = board.resets
    changed.voids = board.voids
    # A freeze that was taken off holds again when another one, or none, was set in between.
    changed.unfrozen = board.unfrozen if rules.freeze_at == board.unfrozen else None
    changed.versions = {
        period: kept for period, kept in board.versions.items() if period[0] in rules.windows
    }
    changed.attributes_then = {
        period: _with_new(
            then, board.players.attributes, set(rules.segments) - {*board.rules.segments}
        )
        for period, then in board.attributes_then.items()
        if period[0] in rules.windows
    }
    for each in board.counted:
        kept = {column.name for column in rules.columns}
        points = {name: text for name, text in each.event.points.items() if name in kept}
        event = each.event._replace(points=_without_zeros(points))
        changed.read(event)
        late = set(each.late)
        for window in filled:
            # A season keeps what it took: its end need not have been known when the event came.
            if window != "season":
                late.discard(window)
                if changed.closed(window, each.at, each.arrival):
                    late.add(window)
        changed.counted.append(each._replace(event=event, late=frozenset(late)))
    return changed


def _with_new(
    then: dict[str, Mapping[str, str]], now: dict[str, Mapping[str, str]], names: Collection[str]
) -> dict[str, Mapping[str, str]]:
    """Attributes of then, but some as they are now: nobody had a use for them before."""
    found: dict[str, Mapping[str, str]] = {}
    for player in then.keys() | now.keys():
        old = {k: v for k, v in then.get(player, {}).items() if k not in names}
        found[player] = old | {k: v for k, v in now.get(player, {}).items() if k in names}
    return found


def _without_zeros(points: dict[str, str]) -> dict[str, str]:
    """The same numbers with as few decimals as they need."""
    return {
        name: text.rstrip("0").rstrip(".") if "." in text else text for name, text in points.items()
    }


def _close(board: OracleBoard, close: Close, arrival: int) -> Verdict:
    """A period that takes nothing more keeps its standings, and again whenever they changed."""
    if close.window not in board.rules.windows:
        return Verdict("invalid", frozenset({"window"}))
    if not board.closed(close.window, close.at, arrival):
        return Verdict("period_open")
    key = board.span(close.window, close.at).key
    kept = kept_of(board.standings(close.window, key), board.rules)
    versions = board.versions.get((close.window, key), [])
    if kept.players and not versions:
        board.attributes_then[close.window, key] = dict(board.players.attributes)
    if (kept.players and not versions) or (versions and versions[-1] != kept):
        board.versions[close.window, key] = [*versions, kept]
    return Verdict("closed")


def _unfreeze(board: OracleBoard) -> Verdict:
    if board.freeze_at is None:
        return Verdict("unchanged")
    board.unfrozen = board.freeze_at
    return Verdict("changed")


def _reset(board: OracleBoard, reset: Reset) -> Verdict:
    """A reset happens once (R5)."""
    if "season" not in board.rules.windows:
        return Verdict("no_season_window")
    for other in board.resets:
        same = other[1:4] == reset[1:4]
        if same and (reset.ends_at is None or reset.ends_at == other.ends_at):
            return Verdict("unchanged")
    for other in board.resets:
        same_name = reset.name is not None and reset.name == other.name
        if reset.id == other.id or reset.at == other.at or same_name or _overlap(reset, other):
            return Verdict("conflict", frozenset({"id", "name", "at", "ends_at"}))
    board.resets = [*board.resets, reset]
    if not board.fits():
        board.resets = board.resets[:-1]
        return Verdict("overflow")
    return Verdict("created")


def _overlap(one: Reset, other: Reset) -> bool:
    """Whether one begins inside the other's told bounds."""
    return any(
        a.ends_at is not None and a.at < b.at < a.ends_at for a, b in ((one, other), (other, one))
    )


def _end_season(board: OracleBoard, end: EndSeason) -> Verdict:
    if "season" not in board.rules.windows:
        return Verdict("no_season_window")
    found = [reset for reset in board.resets if reset.id == end.id]
    if not found:
        return Verdict("unknown_season")
    if end.at <= found[0].at:
        return Verdict("invalid", frozenset({"at"}))
    over = board.span("season", found[0].at).end
    if over is not None and over <= end.at:
        return Verdict("unchanged")
    before = board.resets
    board.resets = [each._replace(ends_at=end.at) if each is found[0] else each for each in before]
    if not board.fits():
        board.resets = before
        return Verdict("overflow")
    return Verdict("changed")


def world_after(told: Sequence[Told]) -> World:
    """The world after all of ``told``, made from nothing."""
    world = World()
    for each in told:
        world.tell(each)
    return world

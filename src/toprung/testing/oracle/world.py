"""What is so after some facts: every outcome, every entry, from all events of the log."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from toprung.testing.oracle.adjusting import is_asked_again, texts_of
from toprung.testing.oracle.board import Counted, OracleBoard, OraclePlayers
from toprung.testing.oracle.facts import (
    Adjust,
    Close,
    Describe,
    Drop,
    EndSeason,
    Erase,
    Event,
    Judge,
    Moderate,
    Publish,
    Put,
    Reset,
    Roll,
    Rules,
    Told,
    Unfreeze,
    Void,
)
from toprung.testing.oracle.gate import implausible, ineligible
from toprung.testing.oracle.lines import Line, Standings
from toprung.testing.oracle.periods import (
    Span,
    day_at,
    day_starts,
    days_of,
)
from toprung.testing.oracle.quarantine import hold, judge, out_of_time, reread
from toprung.testing.oracle.snapshots import kept_of, without_zeros
from toprung.testing.oracle.verdicts import Change, Verdict

_FIXED = ("mode", "columns", "zone", "week_start", "segment_at")
_MOST_MOVED = 8
"""Entries that an event moves at most, where it counts in segments that it carries."""
_DAY = timedelta(days=1)


class World:
    """The boards after some facts, and the verdict on each fact."""

    def __init__(self) -> None:
        self.boards: dict[str, OracleBoard] = {}
        self.players = OraclePlayers()
        self.verdicts: list[Verdict] = []
        self.adjusts: dict[int, Adjust] = {}
        """What was asked for, by the place of the fact."""

    def tell(self, told: Told) -> Verdict:
        """Take the next fact."""
        fact, index = told.fact, len(self.verdicts)
        if isinstance(fact, Event):
            verdict = self._event(fact, told.arrival, index)
        elif isinstance(fact, Void):
            verdict = self._void(fact)
        elif isinstance(fact, Erase):
            verdict = self._erase(fact, index)
        elif isinstance(fact, Adjust):
            verdict = self._adjust(fact, told.arrival, index)
        elif isinstance(fact, Judge):
            verdict = judge(self.boards.get(fact.board), fact, index)
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
        self,
        fact: Put | Drop | Reset | EndSeason | Close | Roll | Unfreeze | Publish,
        arrival: int,
        index: int,
    ) -> Verdict:
        if isinstance(fact, Reset) and fact.ends_at is not None and fact.ends_at <= fact.at:
            return Verdict("invalid", frozenset({"ends_at"}))
        board = self.boards.get(fact.board)
        if isinstance(fact, Put):
            return self._put(board, fact, index, arrival)
        if board is None:
            return Verdict("unknown_board")
        if isinstance(fact, Drop):
            del self.boards[fact.board]
            return Verdict("dropped")
        if isinstance(fact, Unfreeze):
            return _unfreeze(board)
        if isinstance(fact, Publish):
            return _publish(board, fact, arrival)
        if isinstance(fact, EndSeason):
            return _end_season(board, fact)
        if isinstance(fact, Close):
            return _close(board, fact, arrival)
        if isinstance(fact, Roll):
            return _roll(board, arrival)
        return _reset(board, fact)

    def _put(self, board: OracleBoard | None, put: Put, index: int, arrival: int) -> Verdict:
        if not is_possible(put.rules):
            return Verdict("invalid", frozenset({"segment_at"}))
        if board is None:
            self.boards[put.board] = OracleBoard(index, put.rules, self.players, arrival)
            return Verdict("created")
        old, new = board.rules, put.rules
        differ = {name for name in Rules._fields if getattr(old, name) != getattr(new, name)}
        if not differ:
            return Verdict("unchanged")
        if put.if_exists == "refuse":
            return Verdict("settings_differ", frozenset(differ))
        by_events = any(rules.segment_at == "event" and rules.segments for rules in (old, new))
        fixed = differ.intersection((*_FIXED, "segments") if by_events else _FIXED)
        if fixed and board.counted and put.if_exists != "recompute":
            return Verdict("settings_fixed", frozenset(fixed))
        if "freeze_at" in differ and board.keeps_back:
            return Verdict("frozen", frozenset({"freeze_at"}))
        try:
            changed = _changed(board, new, new.windows if fixed else _added(old, new), arrival)
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

    def _erase(self, erase: Erase, index: int) -> Verdict:
        """Nothing of a player is left but that the ids of the events are spent."""
        before, now = self.players, OraclePlayers()
        who, gone = erase.player_id, f"erased by {index}"
        now.void_matches = before.void_matches
        now.erased = before.erased | {gone}
        now.merged = {one: into for one, into in before.merged.items() if who not in (one, into)}
        now.hidden = before.hidden - {who}
        now.banned = {one: until for one, until in before.banned.items() if one != who}
        now.attributes = {one: each for one, each in before.attributes.items() if one != who}
        counted = {name: (board.counted, board.held) for name, board in self.boards.items()}
        self.players = now
        for board in self.boards.values():
            board.players = now
            board.counted = [_renamed(each, who, gone) for each in board.counted]
            board.held = {
                event_id: each._replace(counted=_renamed(each.counted, who, gone))
                for event_id, each in board.held.items()
            }
        if not all(board.fits() for board in self.boards.values()):
            self.players = before
            for name, board in self.boards.items():
                board.players, (board.counted, board.held) = before, counted[name]
            return Verdict("overflow")
        for board in self.boards.values():
            board.forget(who)
        self.adjusts = {
            place: act._replace(player_id=gone) if act.player_id == who else act
            for place, act in self.adjusts.items()
        }
        return Verdict("erased")

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

    def _met(self, board: OracleBoard, act: Adjust) -> str | None:
        """What becomes of an adjustment whose id was used before."""
        for first in board.counted:
            if first.event.event_id == act.event_id:
                asked = self.adjusts.get(first.place)
                same = asked is not None and is_asked_again(board.rules, board.read, asked, act)
                return "duplicate" if same else "conflict"
        return "conflict" if act.event_id in board.held else None

    def _adjust(self, act: Adjust, arrival: int, index: int) -> Verdict:
        """An admin corrects a score, where somebody stands (R9)."""
        board = self.boards.get(act.board)
        if board is None:
            return Verdict("unknown_board")
        at = arrival if act.at is None else act.at
        event = Event(act.board, act.event_id, act.player_id, act.points, at, True, adjusts=True)
        windows: Sequence[str] = board.rules.windows
        if act.is_target:
            windows = [act.window] if act.window else [w for w in windows if not days_of(w)][:1]
        if act.window not in (None, *board.rules.windows) or not windows:
            return Verdict("invalid", frozenset({"window"}))
        try:
            points = board.read(event)
        except ValueError as error:
            return Verdict("invalid", frozenset({*error.args, "points"}))
        if at > arrival:
            return Verdict("invalid", frozenset({"at", "window"}))  # either may be told
        if act.is_target and days_of(windows[0]):
            return Verdict("invalid", frozenset({"window"}))
        met = self._met(board, act)
        if met is not None:
            return Verdict(met, frozenset({"event_id"}))
        stands = [board.stands(act.player_id, window, at) for window in windows]
        found = [line for line in stands if line is not None]
        if not found:
            return Verdict("unranked_player")
        if act.is_target:
            points = tuple(a - b for a, b in zip(points, found[0].columns, strict=True))
        event = event._replace(points=texts_of(board.rules, points))
        carried = board.carried(event)
        new = Counted(index, event, at, at, frozenset(), arrival, carried)
        verdict = _correct(board, new, points)
        if verdict.outcome != "overflow":
            self.adjusts[index] = act
        return verdict

    def _event(self, event: Event, arrival: int, index: int) -> Verdict:
        board = self.boards.get(event.board)
        if board is None:
            return Verdict("unknown_board")
        try:
            points = board.read(event)
            carried = board.carried(event)
        except ValueError as error:
            return Verdict("invalid", frozenset({*error.args, "points"}))
        at = arrival if event.at is None else event.at
        for first in board.counted:
            if first.event.event_id == event.event_id:
                return _again(board, first, event, points)
        held = board.held.get(event.event_id)
        if held is not None:
            return _again(board, held.counted, event, points)
        stopped = ineligible(board, event)
        if stopped is not None:
            return stopped
        stopped = implausible(board, event, points, arrival)
        if stopped is not None:
            hold(board, index, event, arrival)
            return stopped
        late = out_of_time(board, event, arrival)
        if isinstance(late, Verdict):
            return late
        arrived = at if event.history else arrival
        counted = Counted(index, event, at, arrived, late, arrival, carried)
        if board.is_void(event):
            board.counted.append(counted)
            return Verdict("unchanged")
        return _count(board, counted)


def is_possible(rules: Rules) -> bool:
    """Whether a board can have these rules: what events carry goes with few windows, and not with
    all kinds.
    """
    if rules.segment_at != "event" or not rules.segments:
        return True
    moved = len(rules.windows) * (1 + len(rules.segments))
    is_simple = rules.freeze_at is None and not any(map(days_of, rules.windows))
    return is_simple and moved <= _MOST_MOVED


def _correct(board: OracleBoard, new: Counted, points: tuple[int, ...]) -> Verdict:
    """Have a correction count, unless a number leaves its range."""
    if not all(-(2**63) <= each < 2**63 for each in points):
        return Verdict("overflow")
    board.counted.append(new)
    if not board.fits():
        board.counted.pop()
        return Verdict("overflow")
    is_moved = any(points) and not board.is_void(new.event)
    return Verdict("counted" if is_moved else "unchanged")


def _renamed(each: Counted, who: str, gone: str) -> Counted:
    if each.event.player_id != who:
        return each
    return each._replace(event=each.event._replace(player_id=gone))


def _again(board: OracleBoard, first: Counted, event: Event, points: tuple[int, ...]) -> Verdict:
    """A known id: the same content by meaning, or a conflict (R2)."""
    differ = set()
    if first.event.player_id in board.players.erased:
        return Verdict("conflict", frozenset({"player_id"}), first=first.place)
    if first.event.player_id != event.player_id:
        differ.add("player_id")
    try:
        if board.read(first.event) != points:
            differ.add("points")
    except ValueError:
        differ.add("points")
    if first.event.at is not None and event.at is not None and first.at != event.at:
        differ.add("at")
    if differ:
        return Verdict("conflict", frozenset(differ), first=first.place)
    return Verdict("duplicate", first=first.place)


def _count(board: OracleBoard, new: Counted) -> Verdict:
    """Put an event on the board, unless a total overflows, and say what it changed."""
    windows = board.rules.windows
    spans = {window: _met(board, window, new) for window in windows}
    before = {window: _of_span(board, window, spans[window]) for window in windows}
    own_before = _moving(board, new.at)
    seen_before = {window: board.shown(window, spans[window].key) for window in windows}
    board.counted.append(new)
    after = {window: _of_span(board, window, spans[window]) for window in windows}
    own_after = _moving(board, new.at)
    if not all(board.fits_at(window, new.at) for window in windows):
        board.counted.pop()
        return Verdict("overflow", frozenset({"points"}))
    changes, moved = [], False
    player, numbering = board.players.root(new.event.player_id), board.numbering
    for window in windows:
        key = spans[window].key
        if window in new.late:
            changes.append(Change(window, key, None, None, None, None))
            continue
        was, is_ = _line(own_before[window], player), _line(own_after[window], player)
        moved = moved or was is None or is_ is None or was[1:3] != is_[1:3]
        was, is_ = _line(before[window], player), _line(after[window], player)
        is_seen = not days_of(window) or board.now_of(window) == spans[window]
        is_seen = is_seen and not board.keeps_back
        changes.append(
            Change(
                window,
                key,
                None if was is None else was.columns,
                None if is_ is None else is_.columns,
                seen_before[window].rank(player, numbering) if is_seen else None,
                board.shown(window, key).rank(player, numbering) if is_seen else None,
            )
        )
    return Verdict("counted" if moved else "unchanged", changes=tuple(changes))


def _met(board: OracleBoard, window: str, new: Counted) -> Span:
    """Where an event shows: of a rolling window in what readers see, if its day is in that and it
    is not late, else the event is told by its own day alone.
    """
    at = new.at
    if not days_of(window):
        return board.span(window, at)
    now = board.now_of(window)
    is_in = now.start is not None and now.end is not None and now.start <= at < now.end
    if is_in and window not in new.late:
        return now
    zone, day = board.rules.zone, day_at(board.rules.zone, at)
    return Span(day.isoformat(), day_starts(zone, day), day_starts(zone, day + _DAY))


def _of_span(board: OracleBoard, window: str, span: Span) -> Standings:
    if days_of(window) and board.now_of(window) != span:
        return board.one_day(window, date.fromisoformat(span.key))
    return board.standings(window, span.key)


def _moving(board: OracleBoard, at: int) -> dict[str, Standings]:
    """What an event at ``at`` may move in each window: of a rolling one its own day, since that is
    shown when better days have left.
    """
    return {
        window: board.one_day(window, day_at(board.rules.zone, at))
        if days_of(window)
        else board.standings(window, board.span(window, at).key)
        for window in board.rules.windows
    }


def _line(standings: Standings, player_id: str) -> Line | None:
    index = standings.find(player_id)
    return None if index is None else standings.lines[index]


def _added(old: Rules, new: Rules) -> tuple[str, ...]:
    return tuple(window for window in new.windows if window not in old.windows)


def _changed(board: OracleBoard, rules: Rules, filled: Sequence[str], arrival: int) -> OracleBoard:
    """The board under other rules, with some windows filled from the log (R16).

    Raises:
        ValueError: an event's points cannot be read exactly by the new columns.
    """
    changed = OracleBoard(board.made_by, rules, board.players, arrival)
    if board.rules.zone == rules.zone and any(map(days_of, board.rules.windows)):
        changed.day = board.day
    changed.resets = board.resets
    changed.voids = board.voids
    changed.published = board.published
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
    changed.held = reread(changed, board.held, rules)
    for each in board.counted:
        if each.event.player_id in board.players.erased:
            changed.counted.append(each)
            continue
        kept = {column.name for column in rules.columns}
        points = {name: text for name, text in each.event.points.items() if name in kept}
        event = each.event._replace(points=without_zeros(points))
        changed.read(event)
        late = set(each.late)
        for window in filled:
            # A season keeps what it took: its end need not have been known when the event came.
            if window != "season":
                late.discard(window)
                if changed.closed(window, each.at, each.arrival, each.came):
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


def _close(board: OracleBoard, close: Close, arrival: int) -> Verdict:
    """A period that takes nothing more keeps its standings, and again whenever they changed."""
    if close.window not in board.rules.windows or days_of(close.window):
        return Verdict("invalid", frozenset({"window"}))
    if not board.closed(close.window, close.at, arrival, arrival):
        return Verdict("period_open")
    key = board.span(close.window, close.at).key
    kept = kept_of(board.standings(close.window, key), board.rules)
    versions = board.versions.get((close.window, key), [])
    if kept.players and not versions:
        board.attributes_then[close.window, key] = dict(board.players.attributes)
    if (kept.players and not versions) or (versions and versions[-1] != kept):
        board.versions[close.window, key] = [*versions, kept]
    return Verdict("closed")


def _roll(board: OracleBoard, arrival: int) -> Verdict:
    """Rolling windows go on to the day of the arrival, never back (R5)."""
    day = day_at(board.rules.zone, arrival)
    if not any(map(days_of, board.rules.windows)) or day <= board.day:
        return Verdict("unchanged")
    board.day = day
    return Verdict("changed")


def _unfreeze(board: OracleBoard) -> Verdict:
    if board.freeze_at is None:
        return Verdict("unchanged")
    board.unfrozen = board.freeze_at
    return Verdict("changed")


def _publish(board: OracleBoard, fact: Publish, arrival: int) -> Verdict:
    """An ended period of which something is withheld is shown whole."""
    span = board.span(fact.window, fact.at)
    if span.end is None or arrival < span.end:
        return Verdict("period_open")
    if not board.is_withheld(fact.window, fact.at, arrival):
        return Verdict("unchanged")
    board.published.add((fact.window, span.key))
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

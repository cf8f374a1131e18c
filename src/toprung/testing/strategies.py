"""Hypothesis strategies: odd ids, numbers at the ends, clocks that are set, streams of facts."""

from decimal import Context, Decimal
from typing import NamedTuple

from hypothesis import strategies as st

from toprung.domain import limits
from toprung.domain.board import MODES, TIES
from toprung.domain.calendar import WINDOWS
from toprung.domain.instants import INSTANT_MAX, INSTANT_MIN
from toprung.testing.limit_strategies import (
    admits,
    board_limits,
    carried,
    fitting,
    slicing_by_events,
)
from toprung.testing.odd_moments import ODD_MOMENTS
from toprung.testing.oracle import (
    Adjust,
    Close,
    Column,
    Describe,
    Drop,
    EndSeason,
    Erase,
    Event,
    Judge,
    Moderate,
    Put,
    Reset,
    Roll,
    Rules,
    Told,
    Unfreeze,
    Void,
    is_possible,
    span_of,
)
from toprung.testing.zone_strategies import DAY, HOUR, MINUTE, SECOND, zones

_DIGITS = Context(prec=40)
_ODD_IDS = [
    "a",
    "A",
    "9",
    "10",
    " ",
    "a ",
    "\t",
    "a\nb",
    "a/b?c=d&e#f%2F",
    "'; --",
    "e\N{COMBINING ACUTE ACCENT}",
    "\N{LATIN SMALL LETTER E WITH ACUTE}",
    "\N{ZERO WIDTH SPACE}",
    "\N{RIGHT-TO-LEFT OVERRIDE}x",
    "\uffee",
    "\N{PILE OF POO}",
    chr(0x10FFFF),
    "x" * limits.ID_BYTES.maximum,
    "x" * (limits.ID_BYTES.maximum - 1) + "y",
]

ids = st.sampled_from(_ODD_IDS) | st.text(
    st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=8
)
"""Event and player ids that R1 allows."""

numbers = (
    st.integers(-3, 3)
    | st.integers(limits.NUMBER.minimum, limits.NUMBER.maximum)
    | st.sampled_from(
        [
            limits.NUMBER.minimum,
            limits.NUMBER.minimum + 1,
            limits.NUMBER.maximum - 1,
            limits.NUMBER.maximum,
        ]
    )
)
"""Scaled numbers: small ones, that tie, and those at the ends of 64 bits."""

instants = st.integers(INSTANT_MIN, INSTANT_MAX)
"""Instants of all years there are."""


_YES_OR_NO = st.booleans()
_columns = (
    st.sampled_from([1, 1, 1, 2, 2, 3, limits.COLUMNS.maximum])
    .flatmap(
        lambda n: st.tuples(*[st.tuples(_YES_OR_NO, st.sampled_from([0, 0, 3, 9]))] * n),
    )
    .map(lambda found: tuple(Column(f"c{i}", *column) for i, column in enumerate(found)))
)

ROLLING = ("rolling:2d", "rolling:3d", "rolling:30d")

# Most boards take most events: what is refused says little about the order of the rest.
rules = st.builds(
    Rules,
    mode=st.sampled_from(MODES),
    columns=_columns,
    ties=st.sampled_from(TIES),
    windows=st.lists(
        st.sampled_from(["all", "all", *WINDOWS, "season", *ROLLING]),
        min_size=1,
        max_size=3,
        unique=True,
    ).map(tuple),
    zone=zones,
    week_start=st.sampled_from([0, 0, 5, 6]),
    grace=st.sampled_from([None, None, None, DAY, HOUR, 0]),
    max_ahead=st.sampled_from([None, None, None, 5 * MINUTE, 0]),
    remember=st.sampled_from([None] * 6 + [2 * DAY, 0]),
    freeze_at=st.none(),
    admit=st.just(()),
    segments=st.sampled_from([(), (), ("country",), ("country", "plan")]),
    limits=st.none(),
    segment_at=st.just("player"),
    publish_delay=st.none(),
)
"""Settings of all kinds; a freeze is set where the instants of a scene are known."""

_PRO = {"country": "NO", "plan": "pro"}
_ATTRIBUTES = [{}, {"country": ""}, {"country": "SE", "plan": "?:"}, {"country": "SE"}, _PRO, _PRO]
sliced_rules = st.builds(lambda found, sliced: found._replace(**sliced), rules, slicing_by_events)
"""The same, of boards where events carry the segments in which they count."""

gated_rules = st.builds(lambda found, admit: found._replace(admit=admit), rules, admits)
"""The same, of boards that do not take everybody."""

limited_rules = st.builds(
    lambda found, limits: found._replace(limits=fitting(limits, found.columns)), rules, board_limits
)
"""The same, of boards with limits on events."""


class Scene(NamedTuple):
    """Facts in groups: those of a group are sent, and committed, together."""

    groups: tuple[tuple[Told, ...], ...]

    @property
    def facts(self) -> list[Told]:
        """All facts in order."""
        return [told for group in self.groups for told in group]


# Not every scene has everything in it: much of one kind meets itself more often.
_MANNERS = st.sets(
    st.sampled_from(
        [
            "again",
            "reset",
            "put",
            "odd",
            "moderate",
            "close",
            "roll",
            "void",
            "merge",
            "unfreeze",
            "describe",
            "adjust",
            "erase",
        ]
    )
).map(lambda kinds: st.sampled_from(["event"] * 8 + sorted(kinds) + sorted(kinds & {"put"})))
_NEAR = st.sampled_from([-1, 0, 1])
_WAITS = st.sampled_from([0, 0, 0, 0, None, None, 1, 10 * MINUTE, HOUR, DAY, 9 * DAY])
_VALUES = st.one_of(*[st.integers(-2, 2)] * 5, numbers)
_SCORES = st.lists(_VALUES, min_size=limits.COLUMNS.maximum, max_size=limits.COLUMNS.maximum)
_FEW = st.integers(0, 4)
_SELDOM = st.integers(0, 3).map(lambda n: n == 3)
_STEPS = st.sampled_from([-DAY, -HOUR, -SECOND, -1, 0, 0, 0, 1, HOUR])
_LATENESS = st.sampled_from([0, 0, 1, HOUR, 2 * HOUR, DAY + 2 * HOUR])
_AGAIN = st.sampled_from(["same", "same", "player_id", "points", "at", "no at"])
_RESET_IDS = st.sampled_from(["r1", "r2", "r3", "r4"])
_SEASON_NAMES = st.sampled_from([None, None, "spring", "autumn"])
_ODDITIES = st.sampled_from(["drop", "nowhere", "points", "points"])
_IF_EXISTS = st.sampled_from(["refuse", "change", "recompute", "recompute"])
_SHORTLY = st.sampled_from([0, 1, HOUR])
_MODERATION = st.sampled_from(["hide", "hide", "ban", "ban", "unhide", "unban", "ban_ended"])
_ATTRIBUTES_OF_ONE = st.sampled_from(_ATTRIBUTES)
_NO_NUMBERS = st.sampled_from(["1e3", "-", "", "01", "9" * 40, "0.0000000001", "NaN"])


def _text(value: int, decimals: int) -> str:
    """A scaled number as text: an odd one written short, an even one with all its zeros."""
    text = f"{_DIGITS.scaleb(Decimal(value), -decimals):f}"
    return text.rstrip("0").rstrip(".") if "." in text and value % 2 else text


class _Author:
    """Draws facts that meet each other: few players, few instants, ids that come again."""

    def __init__(
        self,
        draw: st.DrawFn,
        players: int,
        kinds: tuple[str, ...],
        rules: st.SearchStrategy[Rules],
        *,
        freezes: bool,
    ) -> None:
        self.draw = draw
        self._one_rules = rules
        self._freezes = freezes
        self.players = draw(st.lists(ids, min_size=2, max_size=players, unique=True))
        self._kinds = st.sampled_from(kinds) if kinds else draw(_MANNERS)
        self._one_match = draw(st.sampled_from([st.none(), st.sampled_from([None, "m1", "m2"])]))
        # Whole scores come again, so that players tie on boards of several columns too.
        self._scores = st.sampled_from(draw(st.lists(_SCORES, min_size=1, max_size=3)))
        self.rules: dict[str, Rules] = {}
        self.sent: list[Event] = []
        self.resets: list[Reset] = []
        self._voids: list[Void] = []
        self._adjusts: list[Adjust] = []
        self._merged: list[str] = []
        self._taken_out: list[Moderate] = []
        self._bans: list[Moderate] = []
        self.now = 0
        self.moments: list[int] = []

    def begin(self) -> Told:
        """The first board, and the instants the scene is about."""
        draw = self.draw
        first = draw(self._one_rules)
        anchor = draw(st.sampled_from(ODD_MOMENTS[first.zone]))
        found = [anchor]
        for window in first.windows:
            if window != "season":
                span = span_of(window, first.zone, first.week_start, anchor)
                found += [edge for edge in (span.start, span.end) if edge is not None]
        self._one_close = st.sampled_from([edge + (first.grace or 0) for edge in found])
        self.moments = [
            draw(st.sampled_from(found)) + draw(_STEPS) for _ in range(draw(st.integers(2, 4)))
        ]
        self._one_player = st.sampled_from(self.players)
        self._one_moment = st.sampled_from(self.moments)
        self._given_or_not = st.sampled_from([None, *self.moments])
        frozen = first._replace(freeze_at=self._freeze_at())
        if (self._freezes or draw(_SELDOM)) and is_possible(frozen):
            first = frozen
        late = draw(_LATENESS)
        self.now = max(0, draw(self._one_moment) + late)  # no clock stands before 1970
        return Told(self.put("alpha", first), self.now)

    def _freeze_at(self) -> int:
        """An instant about which there are events."""
        return self.draw(self._one_moment) + self.draw(_NEAR)

    def put(self, board: str, new: Rules, if_exists: str = "refuse") -> Put:
        self.rules[board] = new
        return Put(board, new, if_exists)

    def wait(self) -> None:
        """Some time goes by; often up to where a period of the scene closes."""
        wait = self.draw(_WAITS)
        if wait is None:
            self.now = max(self.now, self.draw(self._one_close) + self.draw(_NEAR))
        else:
            self.now += wait

    def fact(self) -> Told:
        self.wait()
        kind = self.draw(self._kinds) if self.rules else "put"
        return Told(getattr(self, f"_{kind}")(), self.now)

    def _board(self) -> str:
        return self.draw(st.sampled_from(sorted(self.rules) or ["alpha"]))

    def _event(self) -> Event:
        board = self._board()
        event = Event(
            board,
            self._event_id(),
            self.draw(self._one_player),
            self._points(board),
            self.draw(self._given_or_not),
            self.draw(_SELDOM),
            self.draw(self._one_match),
        )
        if board in self.rules and self.rules[board].segment_at == "event":
            event = event._replace(segments=self.draw(carried))
        self.sent.append(event)
        return event

    def _event_id(self) -> str:
        """Mostly another one each time; sometimes any, which may have been used before."""
        return self.draw(ids) if self.draw(_SELDOM) else f"e{len(self.sent)}"

    def _points(self, board: str) -> dict[str, str]:
        columns = self.rules[board].columns if board in self.rules else ()
        score = self.draw(self._scores)
        return {
            column.name: _text(value, column.decimals)
            for column, value in zip(columns, score, strict=False)
        }

    def _again(self) -> Event:
        """An event that was sent before, as it was or with something else in it."""
        if not self.sent:
            return self._event()
        event, other = self.draw(st.sampled_from(self.sent)), self._event()
        self.sent.pop()
        kind = self.draw(_AGAIN)
        if kind == "same":
            return event
        if kind == "no at":
            return event._replace(at=None)
        return event._replace(**{kind: getattr(other, kind)})

    def _reset(self) -> Reset | EndSeason:
        """A season begins, or ends before the next one does."""
        again = self.draw(_YES_OR_NO)
        if self.resets and again:
            known = self.draw(st.sampled_from(self.resets))
            if self.draw(_YES_OR_NO):
                return known
            return EndSeason(known.board, known.id, self.draw(self._one_moment))
        reset = Reset(
            self._board(),
            self.draw(_RESET_IDS),
            self.draw(_SEASON_NAMES),
            self.draw(self._one_moment) + self.draw(_STEPS),
            self.draw(st.none() | self._one_moment),
        )
        self.resets.append(reset)
        return reset

    def _put(self) -> Put:
        """A board that is made, told again, or changed in something."""
        board = self.draw(st.sampled_from(["alpha", "alpha", "beta"]))
        other = self.draw(self._one_rules)
        old = self.rules.get(board)
        if old is None:
            return self.put(board, other)
        if_exists = self.draw(_IF_EXISTS)
        fields = self.draw(
            st.sets(
                st.sampled_from([name for name in Rules._fields if name != "columns"]), max_size=2
            )
        )
        new = old._replace(**{name: getattr(other, name) for name in fields})
        if "freeze_at" in fields:
            freezes = [None, old.freeze_at, self._freeze_at()]
            new = new._replace(freeze_at=self.draw(st.sampled_from(freezes)))
        if self.draw(st.booleans()):
            new = new._replace(columns=self._columns(old.columns))
        new = new._replace(limits=fitting(new.limits, new.columns))
        if if_exists == "recompute" and is_possible(new):
            return self.put(board, new, if_exists)
        # What may be refused leaves the board as it is; which it will be, the oracle tells.
        return Put(board, new, if_exists)

    def _columns(self, old: tuple[Column, ...]) -> tuple[Column, ...]:
        columns = self.draw(st.permutations(old))
        columns = columns[: self.draw(st.sampled_from([len(old), len(old), 1]))]
        return tuple(
            column._replace(
                larger_is_better=self.draw(st.booleans()),
                decimals=self.draw(st.sampled_from([column.decimals, column.decimals, 3])),
            )
            for column in columns
        )

    def _moderate(self) -> Moderate:
        """A player is taken out or brought back, often one who has not come yet, or again."""
        if self.draw(_YES_OR_NO) and self._bans:
            ended = self.draw(st.sampled_from(self._bans))
            self.now = max(self.now, (ended.until or 0) + self.draw(_NEAR))
            return ended._replace(action="ban_ended", until=None)
        if self.draw(_YES_OR_NO) and self._taken_out:
            done = self.draw(st.sampled_from(self._taken_out))
            return done._replace(action=f"un{done.action}", until=None)
        act = Moderate(self.draw(self._one_player), self.draw(_MODERATION))
        if act.action == "ban" and self.draw(_YES_OR_NO):
            act = act._replace(until=self.now + self.draw(_SHORTLY))
            self._bans.append(act)
        if act.action in ("hide", "ban"):
            self._taken_out.append(act)
        return act

    def _merge(self) -> Moderate:
        """A player counts for another one, perhaps in a chain or a circle, or not any more."""
        player = self.draw(self._one_player)
        if self.draw(_YES_OR_NO) and self._merged:
            return Moderate(self.draw(st.sampled_from(self._merged)), "unmerge")
        self._merged.append(player)
        return Moderate(player, "merge", None, self.draw(self._one_player))

    def _adjust(self) -> Adjust:
        """A score is corrected, mostly of somebody who stands; often the same is asked again."""
        if self.draw(_SELDOM) and self._adjusts:
            return self.draw(st.sampled_from(self._adjusts))
        board = self._board()
        come = [event.player_id for event in self.sent if event.board == board]
        windows = self.rules[board].windows if board in self.rules else ("all",)
        self._adjusts.append(
            Adjust(
                board,
                self._event_id() if self.draw(_SELDOM) else f"a{len(self._adjusts)}",
                self.draw(st.sampled_from([*come, *self.players])),
                self._points(board),
                self.draw(self._given_or_not),
                self.draw(_YES_OR_NO),
                self.draw(st.sampled_from([None, *windows])),
            )
        )
        return self._adjusts[-1]

    def _erase(self) -> Erase:
        """A player is erased, who may come again."""
        return Erase(self.draw(self._one_player))

    def _judge(self) -> Judge:
        """Somebody looks at an event that may be in quarantine, perhaps again."""
        board = self._board()
        come = [event.event_id for event in self.sent if event.board == board]
        return Judge(board, self.draw(st.sampled_from([*come, "e0"])), self.draw(_YES_OR_NO))

    def _void(self) -> Void:
        """An event that came, or comes perhaps, or a match is void, or is so no more."""
        if self.draw(_YES_OR_NO) and self._voids:
            return self.draw(st.sampled_from(self._voids))._replace(is_void=False)
        if self.draw(_SELDOM):
            self._voids.append(Void(None, self.draw(st.sampled_from(["m1", "m2"]))))
        else:
            board = self._board()
            come = [event.event_id for event in self.sent if event.board == board]
            come += [act.event_id for act in self._adjusts if act.board == board]
            event_id = self.draw(st.sampled_from([*come, f"e{len(self.sent)}"]))
            self._voids.append(Void(board, event_id))
        return self._voids[-1]

    def _unfreeze(self) -> Unfreeze:
        """The public sees everything again, perhaps where it did."""
        return Unfreeze(self._board())

    def _known(self) -> Event:
        """An event for who is on the board already."""
        event = self._event()._replace(update_only=True)
        self.sent[-1] = event
        return event

    def _describe(self) -> Describe:
        """A player has other attributes than before."""
        return Describe(self.draw(self._one_player), self.draw(_ATTRIBUTES_OF_ONE))

    def _close(self) -> Close:
        """Somebody looks whether a period has closed."""
        board = self._board()
        windows = self.rules[board].windows if board in self.rules else ("all",)
        window, at = self.draw(st.sampled_from(windows)), self.draw(self._one_moment)
        if board in self.rules and self.draw(_YES_OR_NO):
            self._wait_for_close(self.rules[board], window, at)
        return Close(board, window, at)

    def _roll(self) -> Roll:
        """Somebody looks whether the day is over, often where one is, or is about to be."""
        board = self._board()
        if self.draw(_YES_OR_NO) and board in self.rules:
            day = span_of("daily", self.rules[board].zone, 0, self.draw(self._one_moment))
            if day.end is not None:
                self.now = max(self.now, day.end + self.draw(_FEW) * DAY + self.draw(_NEAR))
        return Roll(board)

    def _wait_for_close(self, rules: Rules, window: str, at: int) -> None:
        if window != "season" and rules.grace is not None:
            end = span_of(window, rules.zone, rules.week_start, at).end
            self.now = self.now if end is None else max(self.now, end + rules.grace)

    def _odd(self) -> Drop | Event:
        """A board is dropped, an event comes for none, or with numbers that cannot be."""
        kind = self.draw(_ODDITIES)
        if kind == "drop":
            dropped = self._board()
            self.rules.pop(dropped, None)
            return Drop(dropped)
        event = self._event()
        if kind == "nowhere":
            self.sent.pop()
            return event._replace(board="nowhere")
        bad = self.draw(_NO_NUMBERS)
        name = self.draw(st.sampled_from([*event.points, "other"]))
        self.sent.pop()
        return event._replace(points={**event.points, name: bad})


@st.composite
def scenes(
    draw: st.DrawFn,
    facts: int = 25,
    players: int = 4,
    kinds: tuple[str, ...] = (),
    freezes: bool = False,
    rules: st.SearchStrategy[Rules] = rules,
) -> Scene:
    """Boards and what happens to them: events, duplicates, conflicts, resets, changed settings.

    A group ends after a board was made, changed or dropped: what is sent before the answer came is
    read by the settings of before.

    Args:
        kinds: of what, the more often the more of it; none: as it comes.
        freezes: whether the first board has a freeze for sure.
        rules: of the boards.
    """
    author = _Author(draw, players, kinds, rules, freezes=freezes)
    groups: list[list[Told]] = [[author.begin()], []]
    for _ in range(draw(st.integers(3, facts) | st.just(facts))):
        told = author.fact()
        if isinstance(told.fact, Close | Roll | Erase | Judge):
            groups.append([])  # what it is about is read by what was told before
        groups[-1].append(told)
        # An event carries what its player has when it comes in, not when it is applied.
        by_event = any(each.segment_at == "event" for each in author.rules.values())
        if by_event and isinstance(told.fact, Describe | Moderate):
            groups.append([])
        if isinstance(told.fact, Put | Drop | Erase) or draw(st.integers(0, 2)) == 0:
            groups.append([])
    return Scene(tuple(tuple(group) for group in groups if group))


sliced_scenes = scenes(
    kinds=("event",) * 6
    + ("describe",) * 4
    + ("put", "close", "close", "moderate", "merge", "void", "reset", "odd")
)
"""Scenes in which players go from segment to segment all the time."""

carrying_scenes = scenes(
    kinds=("event",) * 7
    + ("describe",) * 3
    + ("put", "close", "close", "moderate", "merge", "void", "void", "reset", "again", "adjust")
    + ("odd", "known"),
    rules=sliced_rules,
)
"""Scenes in which each event counts in the segments that it carries."""

rolling_rules = st.builds(
    lambda found, windows: found._replace(windows=windows),
    rules,
    st.lists(st.sampled_from(["all", *ROLLING]), min_size=1, max_size=3, unique=True)
    .filter(lambda windows: windows != ["all"])
    .map(tuple),
)
"""Settings with a rolling window."""

rolling_scenes = scenes(
    kinds=("event",) * 6
    + ("roll",) * 3
    + ("again", "known", "void", "merge", "moderate", "put", "unfreeze", "describe"),
    rules=rolling_rules,
)
"""Scenes in which days pass by."""

moderated_scenes = scenes(
    kinds=("event",) * 6
    + ("void",) * 3
    + ("moderate", "merge", "merge", "again", "put", "reset", "close")
    + ("adjust",) * 3
    + ("erase",)
)
"""Scenes in which players and events are taken out and come back all the time."""

frozen_scenes = scenes(
    freezes=True,
    kinds=("event",) * 8 + ("void", "merge", "moderate", "again", "put", "reset", "unfreeze"),
)
"""Scenes in which the public sees less than there is."""

gated_scenes = scenes(
    kinds=("event",) * 5
    + ("known",) * 3
    + ("describe",) * 3
    + ("again", "again", "merge", "void", "put", "reset", "close"),
    rules=gated_rules,
)
"""Scenes in which many events are stopped before they are decided."""

limited_scenes = scenes(
    kinds=("event",) * 12
    + ("judge",) * 5
    + ("again", "again", "merge", "void", "put", "reset", "close", "erase"),
    rules=limited_rules,
)
"""Scenes in which many events are more than the board takes."""

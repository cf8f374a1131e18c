"""The real path without its door: from a request to the view, on back ends that are handed in."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from itertools import count
from threading import Event as Signal

import msgspec

from toprung.domain.acts import Refused
from toprung.domain.board import Column, Settings
from toprung.domain.eligibility import Admit
from toprung.domain.errors import InvalidInput
from toprung.domain.plausible import NO_LIMITS, Limits, read_limits
from toprung.domain.publishing import PublishDelay
from toprung.domain.records import Profile
from toprung.intake import Adjustment, By, Intake, Waiting, Writer
from toprung.intake.intake import EventOutcome
from toprung.ports.catalog import Catalog
from toprung.ports.decider import Decider
from toprung.ports.log import EventLog
from toprung.ports.pipeline import ActResult, Applied
from toprung.ports.store import ScoreStore
from toprung.ports.view import RankView
from toprung.query import Quarantined, Query
from toprung.testing.oracle import (
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
from toprung.updater import LoadImage, Updater, no_image

PROJECT = "game"


class StandingClock:
    """A clock that stands where it was set."""

    def __init__(self, instant: int = 0) -> None:
        self.instant = instant

    def now(self) -> int:
        """See :class:`~toprung.ports.clock.Clock`."""
        return self.instant

    def monotonic(self) -> float:
        """See :class:`~toprung.ports.clock.Clock`."""
        return self.instant / 1_000_000


class Draft(msgspec.Struct):
    """An event as a sender writes it."""

    board: str
    player_id: str
    points: msgspec.Raw
    event_id: str | None
    at: str | None
    match_id: str | None = None
    metadata: msgspec.Raw | None = None
    update_only: bool = False
    segments: Mapping[str, str] | None = None


class _NoStats:
    def committed(self, records: int, seconds: float) -> None:
        """Nobody asks."""


Answer = EventOutcome | ActResult | InvalidInput | Refused


class Path:
    """Intake, writer, updater and query on some back ends.

    ``send`` gives requests as one group: they share a transaction, as they would when they arrive
    together.

    Args:
        transaction: what log and store share.
        instant_text: how an instant is written in an event.
        make_decider: gives a decider over a store.
        load_image: see :meth:`~toprung.updater.Updater.load`.
    """

    def __init__(
        self,
        log: EventLog,
        store: ScoreStore,
        make_view: Callable[[], RankView],
        transaction: Callable[[], AbstractContextManager[None]],
        instant_text: Callable[[int], str],
        make_decider: Callable[[ScoreStore], Decider],
        load_image: Callable[[RankView], LoadImage] = lambda view: no_image,
    ) -> None:
        self._parts = log, store, make_view, transaction, instant_text, make_decider
        self.log = log
        self.make_decider = make_decider
        self.behind = store
        """The store as it is, without what waits to be written."""
        self.view = view = make_view()
        self.clock = StandingClock()
        self.catalog = Catalog()
        self.updater = Updater(log, store, view, self.catalog, make_decider)
        self.updater.load(load_image(view))
        self._instant_text = instant_text
        start = log.head()[0]
        self._receipts = (f"r{start}-{number}" for number in count())
        self.broken: list[BaseException] = []
        self.writer = Writer(
            log,
            self.updater,
            transaction,
            self.clock.monotonic,
            _NoStats(),
            lambda: False,  # purging is for the test to call: store and connection are shared
            self.broken.append,
        )
        self.intake = Intake(self.clock, self.catalog, self.writer, log.head()[1])
        self._quarantined = Quarantined(log, store, self.catalog)
        self._looked_at: dict[Judge, Waiting | None] = {}
        self.query = Query(self.catalog, view, self.clock)
        self.writer.start()

    @property
    def store(self) -> ScoreStore:
        """The store, with everything written."""
        if self.writer.healthy:
            self.writer.run_alone(self.updater.flush).result()
        else:
            self.updater.flush()
        return self.behind

    def tidy_up(self) -> None:
        """Do all that is done while nothing comes."""

        def tidy() -> None:
            while self.updater.tidy():
                pass

        self.writer.run_alone(tidy).result()

    def rebuild(self, progress: Callable[[int, int], None] = lambda done, rows: None) -> int:
        """Make everything anew from the log."""
        return int(str(self.writer.run_alone(lambda: self.updater.rebuild(progress)).result()))

    def stop(self) -> None:
        """Write what waits, then end."""
        self.writer.stop()

    def restarted(self) -> "Path":
        """Another path on the same log and store, as after a restart; this one is stopped."""
        self.stop()
        return Path(*self._parts)

    def send(self, group: Sequence[Told]) -> list[Answer]:
        """The answers to ``group``, whose requests are committed together."""
        self._looked_at = self._waiting(group)
        gate = Signal()
        self.writer.run_alone(gate.wait)
        try:
            waiting = [self._submit(told) for told in group]
        finally:
            gate.set()
        return [answer() for answer in waiting]

    def _waiting(self, group: Sequence[Told]) -> dict[Judge, Waiting | None]:
        """The events in quarantine that somebody looks at."""
        asked = [told.fact for told in group if isinstance(told.fact, Judge)]
        found: dict[Judge, Waiting | None] = {}
        if asked:
            self.writer.run_alone(
                lambda: found.update({fact: self._find(fact) for fact in asked})
            ).result()
        return found

    def _find(self, fact: Judge) -> Waiting | None:
        board = self.catalog.by_name(PROJECT, fact.board)
        found = None if board is None else self._quarantined.event(board, fact.event_id)
        return None if found is None else Waiting(*found)

    def _submit_judge(self, fact: Judge) -> "Future[Sequence[Applied]]":
        waiting = self._looked_at[fact]
        if self.catalog.by_name(PROJECT, fact.board) is None:
            raise Refused("unknown_board", "there is none")
        if waiting is None:
            raise Refused("unknown_event", "there is none in quarantine")
        by = By("a key", None)
        return self.intake.judge(PROJECT, [waiting], by, is_approved=fact.is_approved)

    def _submit(self, told: Told) -> Callable[[], Answer]:
        fact = told.fact
        self.clock.instant = told.arrival
        try:
            if isinstance(fact, Event):
                return self._event(fact)
            if isinstance(fact, Judge):
                return self._act(self._submit_judge(fact))
            return self._act(self._submit_act(fact))
        except (InvalidInput, Refused) as error:
            refused = error
            return lambda: refused

    def _event(self, event: Event) -> Callable[[], Answer]:
        accepted = self.intake.accept_events(
            PROJECT, [self.draft(event)], ranked=True, history=event.history
        )

        def answer() -> Answer:
            results = accepted.written.result() if accepted.written is not None else []
            (outcome,) = accepted.outcomes(results)
            return outcome

        return answer

    def draft(self, event: Event) -> Draft:
        """``event`` as a sender writes it."""
        return Draft(
            event.board,
            event.player_id,
            msgspec.Raw(msgspec.json.encode(dict(event.points))),
            event.event_id,
            None if event.at is None else self._instant_text(event.at),
            event.match_id,
            update_only=event.update_only,
            segments=event.segments,
        )

    def _submit_act(
        self,
        fact: Put
        | Drop
        | Reset
        | EndSeason
        | Close
        | Roll
        | Moderate
        | Void
        | Unfreeze
        | Publish
        | Describe
        | Adjust
        | Erase,
    ) -> "Future[Sequence[Applied]]":
        if isinstance(fact, Erase | Adjust | Describe | Moderate):
            return self._submit_on_player(fact)
        if isinstance(fact, Void):
            return self._submit_void(fact)
        if isinstance(fact, Put):
            return self.intake.put_board(
                PROJECT, fact.board, settings_of(fact.rules), fact.if_exists
            )
        if isinstance(fact, Drop):
            return self.intake.drop_board(PROJECT, fact.board)
        if isinstance(fact, Unfreeze):
            return self.intake.unfreeze(PROJECT, fact.board, "a key")
        return self._submit_period(fact)

    def _submit_period(
        self, fact: EndSeason | Close | Roll | Publish | Reset
    ) -> "Future[Sequence[Applied]]":
        if isinstance(fact, Publish):
            period = self.query.board(PROJECT, fact.board).window(fact.window).period_at(fact.at)
            return self.intake.publish(PROJECT, fact.board, period.window, period.key)
        if isinstance(fact, EndSeason):
            return self.intake.end_season(PROJECT, fact.board, fact.id, fact.at)
        if isinstance(fact, Close):
            board = self.query.board(PROJECT, fact.board)
            period = board.window(fact.window).period_at(fact.at)
            return self.intake.close_periods([(board.board_id, period.window, period.key)])
        if isinstance(fact, Roll):
            return self.intake.roll_day(self.query.board(PROJECT, fact.board).board_id)
        return self.intake.begin_season(
            PROJECT, fact.board, fact.id, fact.name, fact.at, fact.ends_at
        )

    def _submit_on_player(
        self, fact: Erase | Adjust | Describe | Moderate
    ) -> "Future[Sequence[Applied]]":
        by = By("a key", None)
        if isinstance(fact, Erase):
            return self.intake.erase_player(PROJECT, fact.player_id, next(self._receipts), by)
        if isinstance(fact, Adjust):
            points = msgspec.Raw(msgspec.json.encode(dict(fact.points)))
            asked = Adjustment(
                fact.board,
                fact.player_id,
                fact.event_id,
                points,
                fact.is_target,
                fact.window,
                fact.at,
            )
            return self.intake.adjust(PROJECT, asked, by)
        if isinstance(fact, Describe):
            profile = Profile(None, None, dict(fact.attributes))
            return self.intake.put_profile(PROJECT, fact.player_id, profile)
        if fact.action == "ban_ended":
            return self.intake.end_ban(PROJECT, fact.player_id)
        return self.intake.moderate_player(
            PROJECT, fact.player_id, fact.action, by, until=fact.until, into=fact.into
        )

    def _submit_void(self, void: Void) -> "Future[Sequence[Applied]]":
        by = By("a key", None)
        if void.board is None:
            return self.intake.void_match(PROJECT, void.id, by, is_void=void.is_void)
        return self.intake.void_event(PROJECT, void.board, void.id, by, is_void=void.is_void)

    @staticmethod
    def _act(written: "Future[Sequence[Applied]]") -> Callable[[], Answer]:
        def answer() -> Answer:
            (result,) = written.result()
            if not isinstance(result, ActResult):
                raise TypeError("an act was answered like an event")
            return result

        return answer


def settings_of(rules: Rules) -> Settings:
    """The settings that say ``rules``."""
    return Settings(
        rules.mode,
        tuple(Column(name, down, decimals) for name, down, decimals in rules.columns),
        rules.ties,
        rules.windows,
        rules.zone,
        rules.week_start,
        rules.grace,
        rules.max_ahead,
        rules.remember,
        "",
        rules.freeze_at,
        tuple(Admit(attribute, values) for attribute, values in rules.admit),
        rules.segments,
        _limits_of(rules),
        rules.segment_at,
        None if rules.publish_delay is None else PublishDelay(*rules.publish_delay),
    )


def _limits_of(rules: Rules) -> Limits:
    if rules.limits is None:
        return NO_LIMITS
    columns = [Column(name, down, decimals) for name, down, decimals in rules.columns]
    ranges = {name: (least, most) for name, least, most in rules.limits.ranges}
    asked = rules.limits
    on_breach = "quarantine" if asked.holds else "refuse"
    return read_limits(columns, ranges, asked.per_hour, asked.per_minute, on_breach)

"""The way in: everything that changes a board passes here."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from threading import RLock
from typing import NamedTuple

import msgspec

from toprung.domain.acts import Refused, check_season_bounds, check_season_names
from toprung.domain.adjusting import check_at, target_window
from toprung.domain.board import Board, Settings, check_settings
from toprung.domain.calendar import load_zone
from toprung.domain.cron import check_cron
from toprung.domain.decide import EntryKey
from toprung.domain.erasing import Erasure, check_tells_nothing
from toprung.domain.errors import InvalidInput, invariant
from toprung.domain.limits import (
    ATTRIBUTE_CHARS,
    ATTRIBUTES,
    AVATAR_URL_CHARS,
    FRIENDS_KEPT,
    MATCH_ID_BYTES,
    PROFILE_NAME_CHARS,
)
from toprung.domain.moderation import check_into, check_player, check_reason, check_until
from toprung.domain.names import check_id, check_name, check_text
from toprung.domain.records import (
    Act,
    Adjusted,
    BoardDropped,
    BoardPut,
    BoardUnfrozen,
    DayRolled,
    Event,
    EventVoided,
    FriendsPut,
    MatchVoided,
    PeriodClosed,
    PeriodPublished,
    PlayerModerated,
    Profile,
    ProfilePut,
    Rule,
    RulesPut,
    SeasonBegun,
    SeasonEnded,
    SeasonsScheduled,
    encode_record,
    judged,
)
from toprung.domain.rules import RuleSet
from toprung.intake.named import AcceptedNamed, Ruled, shape
from toprung.intake.shape import EventDraft, Refusal, carried, read_points, to_event
from toprung.intake.writer import Writer
from toprung.ports.batches import Batches, Form
from toprung.ports.catalog import Catalog
from toprung.ports.clock import Clock
from toprung.ports.pipeline import ActResult, Applied, Arrived, EventResult, Packed
from toprung.ports.results import EventResults


class By(NamedTuple):
    """Who asks for an act, and why."""

    actor: str
    """The id of a key."""
    reason: str | None


NOBODY = By("", None)
"""The clock asks for it."""


def checked(by: By) -> By:
    """Return who asks for an act, and why.

    Raises:
        InvalidInput: naming ``reason``.
    """
    return By(by.actor, check_reason(by.reason))


class Adjustment(NamedTuple):
    """By how much a player's score is to be corrected, or to what."""

    board: str
    player_id: str
    event_id: str
    points: msgspec.Raw
    """As in an event."""
    is_target: bool = False
    """Whether the score is to be ``points``, not to move by them."""
    window: str | None = None
    """With ``is_target``, the one whose score is meant; ``None``: the board's first."""
    at: int | None = None
    """When it counts; ``None``: now."""


class Waiting(NamedTuple):
    """An event in quarantine."""

    event: Event
    arrived_at: int


class EventOutcome(NamedTuple):
    """What became of one event of a request: refused for its shape, or logged and decided."""

    event: Event | None
    refusal: Refusal | None
    result: EventResult | None


class Accepted:
    """A request's events on their way; ``outcomes`` when the writer is done with them."""

    def __init__(
        self, shaped: Sequence[Event | Refusal], written: "Future[Sequence[Applied]] | None"
    ) -> None:
        self._shaped = shaped
        self.written = written
        """``None`` when nothing was to be written."""

    def outcomes(self, results: Sequence[Applied]) -> list[EventOutcome]:
        """One for each event, in the order sent; ``results`` is what ``written`` gave."""
        found = iter(results)
        return [
            EventOutcome(None, item, None)
            if isinstance(item, Refusal)
            else EventOutcome(item, None, _event_result(next(found)))
            for item in self._shaped
        ]


def _event_result(result: Applied) -> EventResult:
    invariant(isinstance(result, EventResult), "an event was answered like an act")
    return result  # type: ignore[return-value]


class AcceptedBatch:
    """A batch of plain events on its way; ``results`` when the writer is done with it.

    Attributes:
        rows: the events.
        boards: the names of their boards.
    """

    def __init__(
        self,
        batches: Batches,
        rows: Packed,
        boards: Mapping[int, str],
        written: "Future[Sequence[Applied]]",
    ) -> None:
        self._batches = batches
        self.rows = rows
        self.boards = boards
        self.written = written

    def results(self, applied: Sequence[Applied]) -> EventResults:
        """What became of the events; ``applied`` is what ``written`` gave."""
        invariant(isinstance(applied, EventResults), "a batch was answered like an act")
        return applied  # type: ignore[return-value]

    def write(self, results: EventResults, others: Mapping[int, bytes], *, ranked: bool) -> bytes:
        """See :meth:`~toprung.ports.batches.Batches.write`."""
        return self._batches.write(self.rows, results, others, ranked=ranked)


class Intake:
    """Checks what came, stamps its arrival and hands it to the writer.

    Each of its methods gives a future that the writer completes.

    Args:
        last_arrival: the arrival of the last record in the log: none is stamped earlier.
        batches: reads plain batches; ``None``: all are taken event by event.
    """

    def __init__(
        self,
        clock: Clock,
        catalog: Catalog,
        writer: Writer,
        last_arrival: int,
        batches: Batches | None = None,
    ) -> None:
        self._clock = clock
        self._catalog = catalog
        self._writer = writer
        self._last_arrival = last_arrival
        self._batches = batches
        # From the stamp to the writer's queue: the log's arrivals never go back.
        self._stamping = RLock()

    def arrival(self) -> int:
        """The present instant for the log: it never goes back, even where the clock does."""
        with self._stamping:
            self._last_arrival = max(self._last_arrival, self._clock.now())
            return self._last_arrival

    def accept_events(
        self,
        project: str,
        drafts: Iterable[EventDraft | Refusal],
        *,
        ids: Sequence[str] | None = None,
        ranked: bool = True,
        history: bool = False,
    ) -> Accepted:
        """Take a batch. One bad item costs nothing but itself.

        Args:
            drafts: what was sent; a :class:`Refusal` where an item could not even be read.
            ids: for each item the event id to use where it has none.
            ranked: whether results shall tell ranks.
            history: each event counts as arrived at its own ``at`` (R10).

        Raises:
            Trouble: nothing was taken.
        """
        with self._stamping:
            received_at = self.arrival()
            shaped = [
                draft
                if isinstance(draft, Refusal)
                else to_event(
                    draft,
                    self._catalog,
                    project,
                    event_id=ids[index] if ids else None,
                    received_at=received_at,
                    history=history,
                )
                for index, draft in enumerate(drafts)
            ]
            rows = [
                Arrived(received_at, encode_record(item), item, ranked)
                for item in shaped
                if isinstance(item, Event)
            ]
            return Accepted(shaped, self._writer.submit(rows) if rows else None)

    def accept_plain(
        self, project: str, content: bytes, *, form: Form, ranked: bool, history: bool
    ) -> AcceptedBatch | None:
        """Take events as they were sent, if they are plain: else ``None``, and nothing was taken.

        Args:
            ranked: whether results shall tell ranks.
            history: each event counts as arrived at its own ``at`` (R10).

        Raises:
            Trouble: nothing was taken.
        """
        if self._batches is None:
            return None
        boards: dict[int, str] = {}

        def board_of(name: str) -> Board | None:
            board = self._catalog.by_name(project, name)
            if board is not None:
                boards[board.board_id] = name
                if board.settings.is_sliced_by_events:
                    return None  # its events get what they carry one by one
            return board

        with self._stamping:
            rows = self._batches.read(
                content, board_of, self.arrival(), form=form, ranked=ranked, history=history
            )
            if rows is None:
                return None
            return AcceptedBatch(self._batches, rows, boards, self._writer.submit(rows))

    def put_board(
        self, project: str, name: str, settings: Settings, if_exists: str, by: By = NOBODY
    ) -> "Future[Sequence[Applied]]":
        """Make or change a board (R16, R20)."""
        check_name(name, "board")
        return self._act(BoardPut(project, name, check_settings(settings), if_exists, *checked(by)))

    def drop_board(self, project: str, name: str, by: By = NOBODY) -> "Future[Sequence[Applied]]":
        """Drop a board (R19)."""
        return self._act(BoardDropped(project, name, *checked(by)))

    def begin_season(
        self,
        project: str,
        board: str,
        season_id: str,
        name: str | None,
        at: int | None,
        ends_at: int | None = None,
        by: By = NOBODY,
    ) -> "Future[Sequence[Applied]]":
        """Begin a season at ``at``, or now (R5), until ``ends_at`` or the next one."""
        check_season_names(season_id, name)
        begins_at = self.arrival() if at is None else at
        check_season_bounds(begins_at, ends_at)
        return self._act(
            SeasonBegun(project, board, season_id, name, begins_at, ends_at, *checked(by))
        )

    def end_season(
        self, project: str, board: str, season_id: str, at: int | None, by: By = NOBODY
    ) -> "Future[Sequence[Applied]]":
        """End a season at ``at``, or now."""
        ends_at = self.arrival() if at is None else at
        return self._act(SeasonEnded(project, board, season_id, ends_at, *checked(by)))

    def schedule_seasons(
        self, project: str, board: str, cron: str | None, zone: str, by: By = NOBODY
    ) -> "Future[Sequence[Applied]]":
        """Have seasons begin whenever ``cron`` fires in ``zone``; ``None``: no more."""
        load_zone(zone, "zone")
        if cron is not None:
            check_cron(cron, zone, self.arrival())
        return self._act(SeasonsScheduled(project, board, cron, zone, *checked(by)))

    def unfreeze(self, project: str, board: str, actor: str) -> "Future[Sequence[Applied]]":
        """Show the public what a freeze keeps back (R18)."""
        return self._act(BoardUnfrozen(project, board, actor))

    def publish(
        self, project: str, board: str, window: str, key: str, by: By = NOBODY
    ) -> "Future[Sequence[Applied]]":
        """Show the public all ranks of a period that has ended."""
        return self._act(PeriodPublished(project, board, window, key, *checked(by)))

    def close_periods(self, keys: Sequence[EntryKey]) -> "Future[Sequence[Applied]]":
        """Close periods whose time is over (R10); one result for each."""
        return self._acts([PeriodClosed(*key) for key in keys])

    def roll_day(self, board_id: int) -> "Future[Sequence[Applied]]":
        """Have the rolling windows of a board go on to today (R5)."""
        return self._act(DayRolled(board_id))

    def put_profile(
        self, project: str, player_id: str, profile: Profile
    ) -> "Future[Sequence[Applied]]":
        """Set a player's profile.

        Raises:
            InvalidInput: naming the field; ``too_many_values``, where boards are sliced by an
                attribute that has as many values already as it may.
        """
        check_id(player_id, "player_id")
        check_profile(profile)
        with self._stamping:
            self._catalog.segments.announce(project, profile.attributes)
            return self._act(ProfilePut(project, player_id, profile))

    def put_friends(
        self, project: str, player_id: str, friends: Sequence[str]
    ) -> "Future[Sequence[Applied]]":
        """Set a player's list of friends, in place of the one before. Who is named twice is one."""
        check_id(player_id, "player_id")
        FRIENDS_KEPT.check(len(friends), "players")
        for index, friend in enumerate(friends):
            check_id(friend, f"players[{index}]")
        return self._act(FriendsPut(project, player_id, tuple(dict.fromkeys(friends))))

    def moderate_player(
        self,
        project: str,
        player_id: str,
        action: str,
        by: By,
        *,
        until: int | None = None,
        into: str | None = None,
    ) -> "Future[Sequence[Applied]]":
        """Take a player out of every public answer, or bring one back (R9).

        Args:
            action: ``hide``, ``unhide``, ``ban``, ``unban``, ``merge`` or ``unmerge``.
            until: when a ban ends; ``None``: it has no end.
            into: for whom the events of a merged player count (R21).
        """
        check_player(player_id)
        check_until(until, self.arrival())
        if into is not None:
            check_id(into, "into")
            check_into(player_id, into)
        reason = check_reason(by.reason)
        return self._act(PlayerModerated(project, player_id, action, until, by.actor, reason, into))

    def void_event(
        self, project: str, board: str, event_id: str, by: By, *, is_void: bool
    ) -> "Future[Sequence[Applied]]":
        """Mark an event id of a board as void, or take the mark off (R9)."""
        check_id(event_id, "event_id")
        reason = check_reason(by.reason)
        return self._act(EventVoided(project, board, event_id, is_void, by.actor, reason))

    def void_match(
        self, project: str, match_id: str, by: By, *, is_void: bool
    ) -> "Future[Sequence[Applied]]":
        """Mark a match as void on all boards of a project, or take the mark off (R9)."""
        check_id(match_id, "match_id", MATCH_ID_BYTES)
        reason = check_reason(by.reason)
        return self._act(MatchVoided(project, match_id, is_void, by.actor, reason))

    def judge(
        self, project: str, events: Sequence[Waiting], by: By, *, is_approved: bool
    ) -> "Future[Sequence[Applied]]":
        """Have events in quarantine count, or never; one result for each."""
        reason = check_reason(by.reason)
        return self._acts(
            [
                judged(
                    each.event, project, each.arrived_at, by.actor, reason, is_approved=is_approved
                )
                for each in events
            ]
        )

    def adjust(self, project: str, asked: Adjustment, by: By) -> "Future[Sequence[Applied]]":
        """Correct a player's score (R9).

        Raises:
            InvalidInput: naming the field; ``unknown_board``.
        """
        check_player(asked.player_id)
        check_id(asked.event_id, "event_id")
        reason = check_reason(by.reason)
        board = self._catalog.by_name(project, asked.board)
        if board is None:
            raise InvalidInput(
                f"there is no board {asked.board!r}", field="board", code="unknown_board"
            )
        board.window(asked.window)
        points = read_points(asked.points, board)
        if asked.is_target:
            target_window(board, asked.window)
        arrival = self.arrival()
        at = arrival if asked.at is None else asked.at
        check_at(at, arrival)
        return self._act(
            Adjusted(
                board.board_id,
                board.revision,
                asked.event_id,
                asked.player_id,
                points,
                at,
                asked.at is not None,
                history=True,
                segments=carried(self._catalog, board, asked.player_id, None),
                project=project,
                is_target=asked.is_target,
                window=asked.window,
                actor=by.actor,
                reason=reason,
            )
        )

    def erase_player(
        self, project: str, player_id: str, receipt: str, by: By
    ) -> "Future[Sequence[Applied]]":
        """Erase a player (R9). It cannot be undone.

        Args:
            receipt: by which the act is known from then on; no other one may have it.
        """
        check_player(player_id)
        actor, reason = checked(by)
        check_tells_nothing(reason, player_id)
        with self._stamping:
            return self._writer.erase(
                Erasure(project, player_id, receipt, actor, reason), self.arrival()
            )

    def end_ban(self, project: str, player_id: str) -> "Future[Sequence[Applied]]":
        """Bring a player back whose ban is over; of another one nothing changes."""
        return self._act(PlayerModerated(project, player_id, "ban_ended", None, "", None))

    def accept_named(
        self, project: str, ruled: Sequence[Ruled | Refusal], *, ranked: bool = True
    ) -> AcceptedNamed:
        """Take a batch of named events. One bad item costs nothing but itself.

        Args:
            ruled: what the project's rules make of each.
            ranked: whether results shall tell ranks.

        Raises:
            Trouble: nothing was taken.
        """
        with self._stamping:
            received_at = self.arrival()
            shaped = [shape(item, self._catalog, project, received_at) for item in ruled]
            rows = [
                Arrived(received_at, encode_record(event), event, ranked)
                for item in shaped
                if not isinstance(item, Refusal)
                for event in item
            ]
            return AcceptedNamed(shaped, self._writer.submit(rows) if rows else None)

    def try_named(self, project: str, ruled: Ruled | Refusal) -> Sequence[Event] | Refusal:
        """The score events that a named event would be now; nothing is taken."""
        return shape(ruled, self._catalog, project, self._clock.now())

    def put_rules(
        self, project: str, rules: Sequence[Rule], by: By = NOBODY
    ) -> "Future[Sequence[Applied]]":
        """Set the project's rules for named events, in place of those before.

        Raises:
            InvalidInput: naming the rule and the field.
        """
        self.check_rules(project, rules)
        return self._act(RulesPut(project, tuple(rules), *checked(by)))

    def check_rules(self, project: str, rules: Sequence[Rule]) -> RuleSet:
        """The rules, ready for use, when all is there that they name.

        Raises:
            InvalidInput: naming the rule and the field.
        """
        checked = RuleSet(rules)
        checked.check_boards(lambda name: self._catalog.by_name(project, name))
        return checked

    def _act(self, act: Act) -> "Future[Sequence[Applied]]":
        return self._acts([act])

    def _acts(self, acts: Sequence[Act]) -> "Future[Sequence[Applied]]":
        with self._stamping:
            at = self.arrival()
            return self._writer.submit([Arrived(at, encode_record(act), act) for act in acts])


def act_result(results: Sequence[Applied]) -> ActResult:
    """The result of an act.

    Raises:
        InvalidInput: it was impossible.
        Refused: the state did not allow it.
    """
    (result,) = results
    invariant(isinstance(result, ActResult), "an act was answered like an event")
    refused: Refused | InvalidInput | None = result.refused  # type: ignore[union-attr]
    if refused is not None:
        raise refused
    return result  # type: ignore[return-value]


def check_profile(profile: Profile) -> Profile:
    """Return ``profile`` when it is possible.

    Raises:
        InvalidInput: naming the field.
    """
    if profile.name is not None:
        check_text(profile.name, PROFILE_NAME_CHARS, "name")
    if profile.avatar_url is not None:
        check_text(profile.avatar_url, AVATAR_URL_CHARS, "avatar_url")
        if not profile.avatar_url.startswith(("https://", "http://")):
            raise InvalidInput("avatar_url must begin with https:// or http://", field="avatar_url")
    ATTRIBUTES.check(len(profile.attributes), "attributes")
    for name, value in profile.attributes.items():
        check_name(name, f"attributes.{name}")
        check_text(value, ATTRIBUTE_CHARS, f"attributes.{name}")
    return profile

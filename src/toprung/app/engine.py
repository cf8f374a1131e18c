"""The embedded product without its door: log, store, view and what works on them."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Protocol

import structlog

from toprung.app.clock import ControlledClock
from toprung.app.collector import collector_paused
from toprung.app.core import make_core
from toprung.app.images import Images
from toprung.app.opening import Identity, prepare
from toprung.app.rebuilding import Rebuilding, Serving
from toprung.app.scratch import clean_up
from toprung.app.scrubbing import Scrubbing, scrub
from toprung.domain.errors import Trouble
from toprung.intake import Intake, Writer
from toprung.intake.writer import WriterStats
from toprung.jobs import Bans, Days, Jobs, Rollover, ScheduledSeasons
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.catalog import Catalog
from toprung.ports.clock import Clock
from toprung.ports.view import ImageView
from toprung.query import Audit, Events, FriendLists, Past, Periods, Quarantined, Query
from toprung.sqlite import Database, FileLock, open_database, open_reader
from toprung.store.sqlite import (
    SqliteKeyStore,
    SqliteScoreStore,
    Waiting,
    get_fact,
    set_fact,
)
from toprung.updater import Updater, no_image

PURGE_ROWS = 2_000
"""Rows of a dropped board that are removed at a time: a write that comes meanwhile waits for these
few milliseconds, not for all of them."""


class EngineStats(WriterStats, Protocol):
    """Told what the engine does, for the metrics."""

    def synced(self, seconds: float) -> None:
        """A commit was written and synced in so many seconds."""
        ...


class Engine:
    """All parts on one file, wired and started.

    Args:
        path: the SQLite file; made when there is none.
        view: as :func:`~toprung.app.core.make_core` takes it.
        image_every: as :class:`~toprung.app.images.Images` takes it.
        on_broken: called when a bug of ours was met; the process should end.

    Raises:
        Trouble: the file is in use, foreign, damaged, out of reach, of the other clock, or
            has a second name.
    """

    def __init__(
        self,
        path: Path,
        clock: Clock,
        stats: EngineStats,
        on_broken: Callable[[BaseException], None],
        view: str = "native",
        image_every: int = 0,
    ) -> None:
        self.clock = clock
        self._stopped = False
        path = prepare(path)
        with ExitStack() as opened:
            opened.callback(FileLock(path).release)
            self._database = open_database(path)
            opened.callback(self._database.close)
            clean_up(path, self._database)
            scrub(path, self._database)
            self._identity = Identity(path)
            check_clock(self._database, clock)
            self._reader = open_reader(path)
            opened.callback(self._reader.close)
            self._past_reader = open_reader(path)
            opened.callback(self._past_reader.close)
            self._path, self._image_every = path, image_every
            self._wire(stats, on_broken, view)
            # Where anything above failed, all was closed; from here on that is what stop() does.
            self._opened = opened.pop_all()

    def _wire(
        self, stats: EngineStats, on_broken: Callable[[BaseException], None], view: str
    ) -> None:
        clock = self.clock
        self.log = SqliteEventLog(self._database)
        core = make_core(view)
        waiting = Waiting(core.seen_index)
        self.store = SqliteScoreStore(self._database, waiting, core.entry_blocks)
        self.readable_store = SqliteScoreStore(self._reader, waiting)
        self.keys = SqliteKeyStore(self._reader)
        self.catalog = Catalog()
        self.view = core.view
        self.updater = Updater(self.log, self.store, self.view, self.catalog, core.make_decider)
        self._images = self._make_images()
        self._load()
        self._database.watch_commits(clock.monotonic, stats.synced)
        self.writer = self._make_writer(stats, on_broken)
        self.intake = Intake(clock, self.catalog, self.writer, self.log.head()[1], core.batches)
        self.query = Query(self.catalog, self.view, clock)
        seasons = ScheduledSeasons(clock, self.catalog, self.intake.begin_season)
        rollover = Rollover(clock, self.catalog.periods, self.intake.close_periods)
        self.periods = Periods(self.catalog, clock, self.readable_store.snapshots.of_period)
        bans = Bans(clock, self.catalog.players, self.intake.end_ban)
        days = Days(clock, self.catalog, self.intake.roll_day)
        self.friend_lists = FriendLists(self.query, clock)
        looks = [seasons.look, days.look, rollover.look, bans.look, self.friend_lists.refresh]
        self.jobs = Jobs(looks, _postponed, on_broken)
        self.audit = Audit(SqliteEventLog(self._reader), self.readable_store)
        self.quarantined = Quarantined(
            SqliteEventLog(self._reader), self.readable_store, self.catalog
        )
        self.events = Events(SqliteEventLog(self._reader), self.readable_store, self.catalog)
        self.past = Past(
            SqliteEventLog(self._past_reader),
            SqliteScoreStore(self._past_reader, waiting),
            self.catalog,
            clock,
            lambda: make_core(view).view,
        )
        self.rebuilding = Rebuilding(
            Serving(
                self._path,
                self._database,
                self.store,
                self.updater,
                self.writer,
                self._images,
                lambda: make_core(view),
                clock.monotonic,
            )
        )

    def _make_writer(
        self, stats: EngineStats, on_broken: Callable[[BaseException], None]
    ) -> Writer:
        self._scrubbing = Scrubbing(
            self._path,
            self._database,
            self._images,
            lambda: self.rebuilding.is_running,
            self.clock.monotonic,
        )
        return Writer(
            self.log,
            self.updater,
            self._database.transaction,
            self.clock.monotonic,
            stats,
            self._tidy,
            on_broken,
            self._scrubbing,
        )

    def _make_images(self) -> Images | None:
        if not isinstance(self.view, ImageView):
            return None
        return Images(self._path, self._database, self.view, self._image_every)

    def _load(self) -> None:
        started = self.clock.monotonic()
        with collector_paused():
            self.store.load()
            self.updater.load(no_image if self._images is None else self._images.load)
        structlog.get_logger("toprung").info(
            "everything is loaded",
            seconds=round(self.clock.monotonic() - started, 3),
            records=self.updater.seq,
            entries=0 if self.view is None else self.view.sizes()[1],
        )

    def _tidy(self) -> bool:
        """Work for when nothing else happens; whether there is more of it."""
        self._scrubbing.finish()
        return self.updater.tidy() or self.store.purge(PURGE_ROWS)

    def faults(self) -> tuple[str, ...]:
        """Why it cannot serve, in words; empty when it can."""
        found = []
        if not self.writer.healthy:
            found.append("the writer takes no writes")
        if not self._identity.holds():
            found.append("the database file was moved, replaced or deleted")
        return tuple(found)

    def start(self) -> None:
        """Begin to take writes, and to look at the clock."""
        self.writer.start()
        self.jobs.start()
        if self._images is not None:
            self._images.start()

    def stop(self) -> None:
        """Write what waits, and an image; then close. May be called twice."""
        self.past.stop()
        self.jobs.stop()
        self.rebuilding.stop()
        self.writer.stop()
        if self._images is not None:
            self._images.stop()
        if not self._stopped and not self.writer.broken:
            # The log has everything, so a failure here costs the next start some time, no more.
            with suppress(Trouble):
                self.updater.flush()
                if self._images is not None:
                    self._images.write()
        self._stopped = True
        self._opened.close()


def _postponed(trouble: Trouble) -> None:
    structlog.get_logger("toprung").warning(
        "a job has to wait", code=trouble.code, reason=str(trouble)
    )


def check_clock(database: Database, clock: Clock) -> None:
    """Refuse a controlled clock on real data, and the real clock on data of a controlled one.

    Raises:
        Trouble: ``wrong_clock``.
    """
    kind = "controlled" if isinstance(clock, ControlledClock) else "real"
    kept = get_fact(database, "clock")
    if kept is None:
        set_fact(database, "clock", kind)
    elif kept != kind:
        raise Trouble(
            "wrong_clock",
            f"{database.path} was made under a {kept} clock and refuses a {kind} one",
            retryable=False,
            hint="a test clock is only for files that a test made",
        )

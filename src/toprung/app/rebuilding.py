"""A rebuild beside a running server: all is made anew from the log while others read and write.

A second updater replays the log into a file and ranks of its own, and catches up with what is
logged meanwhile. Then, while writes wait, it takes the last records, the tables that it made take
the place of the server's in one transaction, and the server goes on with its ranks, boards and
index of event ids. Readers see the old ranks, then the new ones.
"""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack, closing, nullcontext, suppress
from functools import partial
from pathlib import Path
from threading import Event, Lock, Thread
from typing import NamedTuple

import structlog

from toprung.api import RebuildStatus
from toprung.app.collector import collector_paused
from toprung.app.core import Core
from toprung.app.images import Images
from toprung.app.scratch import scratch_database
from toprung.domain.errors import Trouble
from toprung.intake import Writer
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.catalog import Catalog
from toprung.sqlite import Database, open_reader
from toprung.store.sqlite import Replacement, SqliteScoreStore, Waiting
from toprung.updater import Updater

SMALL_TAIL = 5_000
"""Records that are left for the moment in which writes wait: they take some hundredths of a
second."""


class Serving(NamedTuple):
    """The parts of a running server that a rebuild works on.

    Attributes:
        path: the database file.
        images: ``None``: there are none.
        make_core: gives a core of the server's kind, with nothing in it.
    """

    path: Path
    database: Database
    store: SqliteScoreStore
    updater: Updater
    writer: Writer
    images: Images | None
    make_core: Callable[[], Core]
    monotonic: Callable[[], float]


class Rebuilding:
    """Starts rebuilds, one at a time, each in a thread of its own, and tells how far one is."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._lock = Lock()
        self._stopping = Event()
        self._thread: Thread | None = None
        self._status = RebuildStatus()
        self._started = 0.0
        self._when_replaced: list[Callable[[], None]] = []

    def when_replaced(self, tell: Callable[[], None]) -> None:
        """Have ``tell`` called, by the writer's thread, when all was made anew: whoever remembers
        what the store holds must look again.
        """
        self._when_replaced.append(tell)

    def start(self) -> "Future[int]":
        """Begin one; the ``seq`` that store and view reflect when it is done.

        Raises:
            Trouble: ``rebuilding``, one runs already; ``stopped``.
        """
        with self._lock:
            if self._stopping.is_set():
                raise _stopped()
            if self._status.state == "running":
                raise Trouble(
                    "rebuilding",
                    "a rebuild is running",
                    retryable=False,
                    hint="GET /v1/admin/rebuild tells how far it is",
                )
            self._started = self._serving.monotonic()
            self._status = RebuildStatus("running", "replaying")
            done: Future[int] = Future()
            self._thread = Thread(
                target=self._work, args=(done,), name="toprung-rebuild", daemon=True
            )
            self._thread.start()
        return done

    def status(self) -> RebuildStatus:
        """How far it is, or how the last one ended."""
        status = self._status
        return status._replace(seconds=self._seconds()) if status.state == "running" else status

    @property
    def is_running(self) -> bool:
        """Whether one runs."""
        return self._status.state == "running"

    def stop(self) -> None:
        """Give up what runs, and begin no more; while the writer still works.

        May be called twice.
        """
        with self._lock:
            self._stopping.set()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _seconds(self) -> float:
        return self._serving.monotonic() - self._started

    def _work(self, done: "Future[int]") -> None:
        say = structlog.get_logger("toprung")
        try:
            seq = self._make()
        except Trouble as error:
            say.warning("the rebuild failed", code=error.code, reason=str(error))
            self._end("failed", error=error)
            done.set_exception(error)
        except Exception as error:  # noqa: BLE001  a bug of ours, told to whoever asks
            say.error("the rebuild met a fault of ours", exc_info=error)
            told = Trouble("internal", "the rebuild met a fault; it was logged", retryable=False)
            self._end("failed", error=told)
            done.set_exception(error)
        else:
            self._end("done", seq=seq)
            say.info("all was made anew", records=seq, seconds=round(self._status.seconds, 3))
            done.set_result(seq)

    def _end(self, state: str, *, seq: int = 0, error: Trouble | None = None) -> None:
        self._status = self._status._replace(
            state=state, seq=seq, error=error, seconds=self._seconds()
        )

    def _make(self) -> int:
        """Make everything anew, and put it in its place.

        Raises:
            Trouble: the server goes on with what it had; or, where that is damaged too, says so
                with the next write.
        """
        serving = self._serving
        with ExitStack() as opened:
            made = opened.enter_context(scratch_database(serving.path))
            log, beside = (
                SqliteEventLog(opened.enter_context(closing(open_reader(serving.path))))
                for _ in range(2)
            )
            core = serving.make_core()
            store = SqliteScoreStore(made, Waiting(core.seen_index), core.entry_blocks)
            replacement = Replacement(serving.database, made)
            opened.callback(self._give_up, replacement)
            self._alone(replacement.begin)
            # Ranks come from the tables when these are made, as at a start: in the replay they
            # would take nearly as long as all the rest.
            plain = Updater(log, store, None, Catalog(), core.make_decider)
            self._catch_up(plain, replacement, log, beside)
            shadow = Updater(log, store, core.view, Catalog(), core.make_decider)
            self._show("ranking", shadow.seq, shadow.seq)
            with collector_paused():
                shadow.load()
            self._catch_up(shadow, replacement, log, beside)
            self._show("replacing", shadow.seq, shadow.seq)
            with nullcontext() if serving.images is None else serving.images.none():
                self._alone(lambda: self._replace(shadow, store, replacement, log))
            return shadow.seq

    def _catch_up(
        self,
        shadow: Updater,
        replacement: Replacement,
        log: SqliteEventLog,
        beside: SqliteEventLog,
    ) -> None:
        """Replay the log, then what came meanwhile, until that is little or gets no less."""
        before = None
        while True:
            head, _ = log.head()
            due = head - shadow.seq
            shadow.replay(head, partial(self._show, "replaying", head), beside)
            for part in replacement.parts():
                self._show("copying", head, part.seq)
                self._alone(partial(replacement.bring, part))
            if due <= SMALL_TAIL or (before is not None and due >= before):
                return
            before = due

    def _replace(
        self,
        shadow: Updater,
        store: SqliteScoreStore,
        replacement: Replacement,
        log: SqliteEventLog,
    ) -> None:
        """Take the last records, and put everything in its place; while no write runs."""
        shadow.replay(log.head()[0])
        for part in replacement.parts():
            replacement.bring(part)
        with replacement.attached():
            with self._serving.store.transaction():
                replacement.replace()
            self._serving.store.become(store)
            self._serving.updater.become(shadow)
        for tell in self._when_replaced:
            tell()

    def _show(self, stage: str, total: int, done: int) -> None:
        """Tell how far it is; the place where it is given up.

        Raises:
            Trouble: ``stopped``.
        """
        if self._stopping.is_set():
            raise _stopped()
        self._status = self._status._replace(stage=stage, done=done, total=total)

    def _alone(self, work: Callable[[], object]) -> None:
        """Have ``work`` done between two groups of writes."""
        if not self._serving.writer.healthy:
            raise _stopped()
        self._serving.writer.run_alone(work).result()

    def _give_up(self, replacement: Replacement) -> None:
        # What cannot be removed now is removed by the next start, or the next rebuild.
        with suppress(Trouble):
            self._alone(replacement.give_up)


def _stopped() -> Trouble:
    return Trouble("stopped", "the server takes no writes", retryable=True)

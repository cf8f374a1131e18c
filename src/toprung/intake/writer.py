"""Group commit: what arrives together shares one transaction and one fsync."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple, Protocol

from toprung.domain.acts import Refused
from toprung.domain.erasing import Erasure
from toprung.domain.errors import Trouble
from toprung.domain.limits import GROUP_EVENTS, QUEUE_EVENTS
from toprung.ports.log import EventLog
from toprung.ports.pipeline import ActResult, Applied, Arrived, Pipeline, framed

QUIET_S = 0.5
"""How long nothing must come before idle work is begun: between two requests of a stream it would
only take time from both."""


class WriterStats(Protocol):
    """Told what the writer does, for the metrics."""

    def committed(self, records: int, seconds: float) -> None:
        """A group of so many records was applied and made durable, in so many seconds."""
        ...


class Scrub(Protocol):
    """Removes what may be left in files of somebody who was erased."""

    def begin(self) -> None:
        """Somebody is being erased, within the transaction that does it.

        Raises:
            Trouble: this is no time for it.
        """
        ...

    def finish(self) -> None:
        """Remove what is left. What cannot be now is removed later."""
        ...


class _NoScrub:
    def begin(self) -> None:
        """See the protocol."""

    def finish(self) -> None:
        """See the protocol."""


class _Waiting(NamedTuple):
    rows: Sequence[Arrived]
    done: "Future[Sequence[Applied]]"


_Job = _Waiting | Callable[[], None] | None


class Writer:
    """One thread that appends and applies what the others submit.

    Args:
        transaction: what log and store share, so that a group is one commit.
        idle: called again and again while nothing waits, until it returns false: there it is done.
        on_broken: called once when the writer meets a bug of ours; it then takes nothing more.
        scrub: ``None``: nothing is left of what is removed.
    """

    def __init__(
        self,
        log: EventLog,
        pipeline: Pipeline,
        transaction: Callable[[], AbstractContextManager[None]],
        monotonic: Callable[[], float],
        stats: WriterStats,
        idle: Callable[[], bool],
        on_broken: Callable[[BaseException], None],
        scrub: Scrub | None = None,
    ) -> None:
        self._scrub = scrub or _NoScrub()
        self._log = log
        self._pipeline = pipeline
        self._transaction = transaction
        self._monotonic = monotonic
        self._stats = stats
        self._idle = idle
        self._on_broken = on_broken
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        # Two counters, each written by one thread: no lock is needed to tell the depth.
        self._submitted = 0
        self._finished = 0
        self.logged = log.head()[0]
        """The last record of the log."""
        self._broken = False
        self._thread = Thread(target=self._work, name="toprung-writer", daemon=True)

    @property
    def depth(self) -> int:
        """How many records wait."""
        return self._submitted - self._finished

    @property
    def healthy(self) -> bool:
        """Whether it takes records."""
        return not self._broken and self._thread.is_alive()

    @property
    def broken(self) -> bool:
        """Whether it met a bug of ours."""
        return self._broken

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def stop(self) -> None:
        """Write what waits, then end; may be called twice, or before ``start``."""
        if self._thread.is_alive():
            self._jobs.put(None)
            self._thread.join()

    def submit(self, rows: Sequence[Arrived]) -> "Future[Sequence[Applied]]":
        """Have the records of a request written, which are all events or all acts; they stay
        together and in order.

        Called by one thread at a time, the one that stamps arrivals.

        Raises:
            Trouble: ``overloaded``, too much waits already; ``stopped``.
        """
        if not self.healthy:
            raise _stopped()
        if self.depth + len(rows) > QUEUE_EVENTS.maximum:
            raise Trouble(
                "overloaded",
                "too many events wait to be written",
                retryable=True,
                hint="send again after the time in Retry-After",
            )
        self._submitted += len(rows)
        done: Future[Sequence[Applied]] = Future()
        self._jobs.put(_Waiting(rows, done))
        return done

    def erase(self, erasure: Erasure, received_at: int) -> "Future[Sequence[Applied]]":
        """Have a player erased between two groups.

        Called by the thread that stamps arrivals.

        Raises:
            Trouble: ``stopped``.
        """
        if not self.healthy:
            raise _stopped()
        self._submitted += 1
        done: Future[Sequence[Applied]] = Future()
        self._jobs.put(lambda: self._erase(erasure, received_at, done))
        return done

    def _erase(self, erasure: Erasure, received_at: int, done: "Future[Sequence[Applied]]") -> None:
        waiting = _Waiting((), done)
        self._finished += 1
        if self._broken:
            self._fail([waiting], _stopped())
            return
        try:
            result = self._pipeline.erase(erasure, received_at, self._erasing)
            self.logged = result.seq
            self._scrub.finish()
        except Refused as error:
            done.set_result([ActResult(self.logged, refused=error)])
        except Trouble as error:
            self._fail([waiting], error)
        except Exception as error:  # noqa: BLE001  a bug of ours: nothing more may be written
            self._break([waiting], error)
        else:
            done.set_result([result])

    @contextmanager
    def _erasing(self) -> Iterator[None]:
        with self._transaction():
            self._scrub.begin()
            yield

    def run_alone(self, work: Callable[[], object]) -> "Future[object]":
        """Have ``work`` done between two groups, for what must not meet a write."""
        done: Future[object] = Future()

        def run() -> None:
            try:
                done.set_result(work())
            except Exception as error:  # noqa: BLE001  handed on to who waits for it
                done.set_exception(error)

        self._jobs.put(run)
        return done

    def _work(self) -> None:
        job = self._next()
        while job is not None:
            if isinstance(job, _Waiting):
                group, following = self._group(job)
                self._commit(group)
                job = following if following is not _NOTHING else self._next()
            else:
                job()
                job = self._next()

    def _next(self) -> _Job:
        """The next job; while there is none, the idle work is done bit by bit."""
        try:
            return self._jobs.get(timeout=QUIET_S)
        except Empty:
            pass
        while self._do_idle_work():
            try:
                return self._jobs.get_nowait()
            except Empty:
                continue
        return self._jobs.get()

    def _do_idle_work(self) -> bool:
        try:
            return not self._broken and self._idle()
        except Trouble:
            # Nothing waits for this work; the next commit meets the same trouble and reports it.
            return False
        except Exception as error:  # noqa: BLE001  a bug of ours: nothing more may be written
            self._break([], error)
            return False

    def _group(self, first: _Waiting) -> tuple[list[_Waiting], _Job]:
        """What waits at this moment and may share a transaction; and a job of another kind."""
        group, count = [first], len(first.rows)
        while count < GROUP_EVENTS.maximum:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            if not isinstance(job, _Waiting):
                return group, job
            group.append(job)
            count += len(job.rows)
        return group, _NOTHING

    def _commit(self, group: list[_Waiting]) -> None:
        requests = [waiting.rows for waiting in group]
        count = sum(map(len, requests))
        started = self._monotonic()
        if self._broken:
            self._finished += count
            self._fail(group, _stopped())
            return
        try:
            self._pipeline.ready()
            # What is in the log will be applied, whatever happens: nothing else need be durable.
            with self._transaction():
                first = self._log.append(framed(requests))
                self._pipeline.write_behind(count)
            self.logged = first + count - 1
            self._pipeline.written()
            results = self._pipeline.apply(first, requests)
        except Trouble as error:
            self._finished += count
            self._fail(group, error)
        except Exception as error:  # noqa: BLE001  a bug of ours: nothing more may be written
            self._finished += count
            self._break(group, error)
        else:
            self._stats.committed(count, self._monotonic() - started)
            # Before the answer: who has it may ask for the depth at once.
            self._finished += count
            self._answer(group, results)

    def _break(self, group: list[_Waiting], error: Exception) -> None:
        self._broken = True
        # Before the answer, as with the depth: who has it may look at once.
        try:
            self._on_broken(error)
        finally:
            self._fail(group, error)

    @staticmethod
    def _fail(group: list[_Waiting], error: Exception) -> None:
        for waiting in group:
            waiting.done.set_exception(error)

    @staticmethod
    def _answer(group: list[_Waiting], results: Sequence[Sequence[Applied]]) -> None:
        for waiting, applied in zip(group, results, strict=True):
            waiting.done.set_result(applied)


def _stopped() -> Trouble:
    return Trouble("stopped", "the server takes no writes", retryable=True)


def _nothing() -> None:
    """Stands for "no other job was met"."""


_NOTHING: _Job = _nothing

"""The server: settings to parts, listen, serve, stop in order."""

import asyncio
import contextlib
import gc
import ipaddress
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial

import msgspec
import structlog
import uvicorn

from toprung import __version__
from toprung.api import (
    Application,
    FriendsCache,
    Metrics,
    Pages,
    ProfileCache,
    Rulebook,
    Services,
    Slowly,
)
from toprung.app.clock import ControlledClock, SystemClock
from toprung.app.engine import Engine
from toprung.app.logs import configure_logs
from toprung.app.metrics import Gauges, WriterMetrics, exposition
from toprung.app.protocol import Connection
from toprung.app.settings import Settings
from toprung.console import static_dir
from toprung.domain.errors import InvalidInput, Trouble
from toprung.domain.instants import parse_instant
from toprung.jobs import Jobs

BACKLOG = 2048
"""Connections that may wait to be accepted."""
SWITCH_S = 0.001
"""How long a thread may keep the interpreter from another. The writer gives it up at each step of
SQLite, and has to get it back while many read. Measured, 64 connections reading as fast as they
can: with 0.1 ms a quarter fewer batches came in beside them, with as many reads."""
RECEIPT_BYTES = 16
GC_THRESHOLDS = (10_000, 20, 50)
"""Collections are rarer than Python's own choice, which costs a tenth of an ingest (measured)."""
GRACE_S = 20
"""How long requests that were begun may take when the server stops."""


class Control:
    """What a test may do; see :class:`~toprung.api.Controls`."""

    def __init__(self, clock: ControlledClock, jobs: Jobs) -> None:
        self._clock = clock
        self._jobs = jobs

    def set_clock(self, instant: int) -> int:
        """See the protocol. What is due by then is done when this returns."""
        moved = self._clock.set(instant)
        self._jobs.look()
        return moved


class _Server(uvicorn.Server):
    """Says when it listens, and ends without repeating the signal that stopped it."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def _nothing() -> None:
    pass


def serve(settings: Settings, when_listening: Callable[[], None] = _nothing) -> int:
    """Run a server until it is told to stop by SIGTERM or SIGINT.

    Args:
        when_listening: called once requests are taken, before the ready file is written.

    Returns:
        The exit code of the process: 0, or 1 when a bug of ours was met.

    Raises:
        InvalidInput: a setting is impossible.
        Trouble: the database or the address cannot be used.
    """
    configure_logs(settings.log_level)
    sys.setswitchinterval(SWITCH_S)
    clock = _clock(settings)
    with _listening(settings) as listener:
        return _run(settings, clock, listener, when_listening)


def _run(
    settings: Settings,
    clock: SystemClock | ControlledClock,
    listener: socket.socket,
    when_listening: Callable[[], None],
) -> int:
    log = structlog.get_logger("toprung")
    faults: list[BaseException] = []
    stats = WriterMetrics()

    def on_broken(error: BaseException) -> None:
        log.critical("the writer met a fault and takes nothing more", exc_info=error)
        faults.append(error)
        server.should_exit = True

    engine = Engine(settings.db, clock, stats, on_broken, settings.view, settings.image_every)
    try:
        application = Application(services_of(settings, engine, stats), settings.cors_origins)
        url = f"http://{_host_text(settings.host)}:{listener.getsockname()[1]}"
        _spare_the_collector()
        server = _Server(_config(application), lambda: _say_ready(settings, url, when_listening))
        engine.start()
        server.run(sockets=[listener])
    finally:
        engine.stop()
    log.info("stopped")
    return 1 if faults else 0


def _spare_the_collector() -> None:
    """What was loaded stays and need not be looked at again; batches make objects, no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def _clock(settings: Settings) -> SystemClock | ControlledClock:
    if settings.test_clock is None:
        return SystemClock()
    if not _is_loopback(settings.host):
        raise InvalidInput(
            "a test clock is only for a server that listens on a loopback address", field="host"
        )
    return ControlledClock(parse_instant(settings.test_clock, "test_clock"))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listening(settings: Settings) -> socket.socket:
    """A socket bound to the address; nobody can connect until the server listens on it."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except (OSError, OverflowError) as error:
        raise Trouble(
            "address_unavailable",
            f"cannot listen on {settings.host}:{settings.port}: {error}",
            retryable=False,
            hint="choose another --host or --port",
        ) from None
    return listener


def _host_text(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _config(application: Application) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        loop="uvloop",
        http=partial(Connection, application),  # type: ignore[arg-type]  # as a class is called
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE_S,
    )


def _say_ready(settings: Settings, url: str, when_listening: Callable[[], None]) -> None:
    structlog.get_logger("toprung").info("listening", url=url, db=str(settings.db))
    when_listening()
    if settings.ready_file is not None:
        line = msgspec.json.encode({"url": url}) + b"\n"
        settings.ready_file.write_bytes(line)


def services_of(settings: Settings, engine: Engine, stats: WriterMetrics) -> Services:
    """What the API works with: the engine's parts, and what is only the API's."""
    metrics = Metrics()
    profiles = ProfileCache(engine.readable_store)
    engine.rebuilding.when_replaced(profiles.forget_all)
    friends = FriendsCache(engine.readable_store)
    engine.rebuilding.when_replaced(friends.forget_all)
    rulebook = Rulebook(engine.readable_store)
    engine.rebuilding.when_replaced(rulebook.forget_all)
    return Services(
        version=__version__,
        clock=engine.clock,
        query=engine.query,
        past=engine.past,
        periods=engine.periods,
        events=engine.events,
        audit=engine.audit,
        quarantined=engine.quarantined,
        friend_lists=engine.friend_lists,
        friends=friends,
        slowly=Slowly(),
        intake=engine.intake,
        writer=engine.writer,
        store=engine.readable_store,
        keys=engine.keys,
        view=engine.view,
        profiles=profiles,
        rulebook=rulebook,
        metrics=metrics,
        exposition=exposition(metrics, stats, _gauges(engine)),
        log=_log_fault,
        faults=engine.faults,
        seq=lambda: engine.updater.seq,
        rate_limit=settings.rate_limit,
        rate_burst=settings.rate_burst or settings.rate_limit,
        rebuilds=engine.rebuilding,
        new_receipt=lambda: secrets.token_hex(RECEIPT_BYTES),
        control=Control(engine.clock, engine.jobs)
        if isinstance(engine.clock, ControlledClock)
        else None,
        demo=_demo(settings),
        pages=_pages(),
    )


def _log_fault(message: str, error: BaseException) -> None:
    structlog.get_logger("toprung").error(message, exc_info=error)


def _demo(settings: Settings) -> bytes | None:
    if settings.demo_key is None:
        return None
    return msgspec.json.encode({"key": settings.demo_key, "boards": settings.demo_boards})


def _pages() -> Pages | None:
    try:
        return Pages(static_dir())
    except FileNotFoundError:
        return None


def _gauges(engine: Engine) -> Gauges:
    view, store = engine.view, engine.readable_store
    values: dict[str, Callable[[], float]] = {
        "toprung_queue_records": lambda: engine.writer.depth,
        "toprung_log_seq": lambda: engine.writer.logged,
        "toprung_unwritten_records": lambda: max(0, engine.updater.seq - store.checkpoint()),
        "toprung_quarantine_events": lambda: engine.catalog.quarantine.all_waiting,
        "toprung_rebuilding": lambda: engine.rebuilding.status().state == "running",
    }
    if view is not None:
        values |= {
            # The view may go on between the two questions.
            "toprung_view_lag_records": lambda: max(0, engine.writer.logged - engine.query.seq()),
            "toprung_periods": lambda: view.sizes()[0],
            "toprung_entries": lambda: view.sizes()[1],
        }
    return Gauges(values)

"""What the API needs of the product, handed in by the composition root."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from toprung.api.content import Pages
from toprung.api.friend_cache import FriendsCache
from toprung.api.metrics import Metrics
from toprung.api.profiles import ProfileCache
from toprung.api.rulebook import Rulebook
from toprung.api.waiting import Slowly
from toprung.domain.errors import Trouble
from toprung.intake import Intake, Writer
from toprung.ports.clock import Clock
from toprung.ports.keys import KeyStore
from toprung.ports.store import ScoreStore
from toprung.ports.view import RankView
from toprung.query import Audit, Events, FriendLists, Past, Periods, Quarantined, Query


class Controls(Protocol):
    """What a test may do to a server that runs on a controlled clock."""

    def set_clock(self, instant: int) -> int:
        """Move the clock; the instant where it then stands."""
        ...


class RebuildStatus(NamedTuple):
    """How far a rebuild is, or how the last one ended."""

    state: str = "none"
    """Or ``running``, ``done``, ``failed``."""
    stage: str = ""
    """What is being done, or was last: ``replaying``, ``copying``, ``ranking``, ``replacing``."""
    done: int = 0
    """Records of the log for which that is done."""
    total: int = 0
    """Records that there are to do, as of when the stage began."""
    seconds: float = 0.0
    seq: int = 0
    """What store and view reflected right after it; 0: none has succeeded."""
    error: Trouble | None = None


class Rebuilds(Protocol):
    """Makes store and view anew from the log, while others read and write."""

    def start(self) -> "Future[int]":
        """Begin; the ``seq`` that store and view reflect when it is done.

        Raises:
            Trouble: ``rebuilding``, one runs already; ``stopped``.
        """
        ...

    def status(self) -> RebuildStatus:
        """How far it is, or how the last one ended."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """The parts that handlers work with.

    Attributes:
        store: a connection of its own, for reading beside the writer.
        view: ``None``: no ranks are kept.
        control: only in tests.
        demo: what the demo page needs to know, as JSON; only in demo mode.
        pages: the built web pages; ``None``: they were not built.
        faults: why the server cannot serve, in words; none: it can.
        seq: the last record that readers see.
        new_receipt: gives a text that nobody can guess, another one each time.
        exposition: everything that is counted, as Prometheus reads it.
    """

    version: str
    clock: Clock
    query: Query
    past: Past
    periods: Periods
    events: Events
    audit: Audit
    quarantined: Quarantined
    friend_lists: FriendLists
    friends: FriendsCache
    slowly: Slowly
    intake: Intake
    writer: Writer
    store: ScoreStore
    keys: KeyStore
    view: RankView | None
    profiles: ProfileCache
    rulebook: Rulebook
    metrics: Metrics
    exposition: Callable[[], bytes]
    log: Callable[[str, BaseException], None]
    faults: Callable[[], tuple[str, ...]]
    seq: Callable[[], int]
    rebuilds: Rebuilds
    new_receipt: Callable[[], str]
    rate_limit: int = 0
    rate_burst: int = 0
    control: Controls | None = None
    demo: bytes | None = None
    pages: Pages | None = None

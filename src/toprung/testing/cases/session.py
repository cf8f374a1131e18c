"""One case's place in a product: a project of its own, a key of each kind, and a clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from toprung.testing.api import Api
from toprung.testing.control import Control, instant_text


class Clock:
    """Where the product's clock stands. It moves forward or not at all."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._now: datetime | None = None

    @property
    def now(self) -> datetime | None:
        """None before the first instant of a case is known."""
        return self._now

    def reach(self, instant: datetime | None) -> None:
        """Move to ``instant``, unless that lies behind."""
        if instant is not None and (self._now is None or instant > self._now):
            self._control.clock(instant_text(instant))
            self._now = instant


@dataclass(frozen=True)
class Session:
    """What playing a case needs."""

    control: Control
    clock: Clock
    admin_key: str
    admin: Api
    client: Api


@contextmanager
def session(control: Control, clock: Clock, project: str) -> Iterator[Session]:
    """Open a project of a case, with an admin key that writes and a client key that reads."""
    admin_key = control.key(project, "admin")
    client_key = control.key(project, "client")
    with (
        Api(lambda: control.url, admin_key) as admin,
        Api(lambda: control.url, client_key) as reader,
    ):
        yield Session(control, clock, admin_key, admin, reader)


def instant_of(text: Any) -> datetime | None:
    """The instant that ``text`` names; None where it names none, for a case may send nonsense."""
    if not isinstance(text, str):
        return None
    try:
        instant = datetime.fromisoformat(text)
        return instant.astimezone(UTC) if instant.tzinfo else None
    except (ValueError, OverflowError):
        return None

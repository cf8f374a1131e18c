"""Where the part under test keeps its data."""

from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from hypothesis import settings

from toprung.ports.log import EventLog

Part_co = TypeVar("Part_co", covariant=True)


class Home(Protocol[Part_co]):
    """Data of its own, empty at first."""

    def open(self) -> Part_co:
        """The part on this data.

        Called again, it is as after a restart: what was opened before is no longer used.
        """
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


class LogHome(Home[EventLog], Protocol):
    """A log's home."""

    def transaction(self) -> AbstractContextManager[None]:
        """A transaction that the opened log takes part in."""
        ...


def machine_settings() -> settings:
    """How long a state machine runs: a share of the profile's examples, each with many steps."""
    return settings(max_examples=max(10, settings().max_examples // 4), stateful_step_count=30)


class Failure(Exception):
    """Raised inside a transaction to make it fail."""

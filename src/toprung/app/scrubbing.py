"""Leaving nothing in files of somebody who was erased (R9).

What SQLite removes stays in pages that are free and in the write-ahead log until something else is
written there, and an image holds what it held. So the image is removed and the file is written
anew. That it is due stands in the file, from the same transaction as the erasure: a start does what
a crash kept from being done.
"""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import structlog

from toprung.app.images import Images, remove_image
from toprung.domain.errors import Trouble
from toprung.sqlite import Database
from toprung.store.sqlite import get_fact, set_fact

_FACT, _DUE, _DONE = "scrub", "due", "done"


AGAIN_S = 60.0
"""When what could not be done is tried again: each try may keep writes waiting for some seconds."""


def scrub(path: Path, database: Database) -> None:
    """Do what is due.

    Raises:
        Trouble: it cannot be done now.
    """
    if get_fact(database, _FACT) == _DUE:
        remove_image(path)
        database.compact()
        set_fact(database, _FACT, _DONE)


class Scrubbing:
    """The same beside a running server, by its writer's thread.

    Args:
        images: ``None``: there are none.
        is_rebuilding: whether everything is being made anew beside, from the log as it was.
    """

    def __init__(
        self,
        path: Path,
        database: Database,
        images: Images | None,
        is_rebuilding: Callable[[], bool],
        monotonic: Callable[[], float],
    ) -> None:
        self._monotonic = monotonic
        self._again_at = 0.0
        self._path = path
        self._database = database
        self._images = images
        self._is_rebuilding = is_rebuilding
        self._is_due = False

    def begin(self) -> None:
        """Somebody is being erased, within the transaction that does it.

        Raises:
            Trouble: ``rebuilding``.
        """
        if self._is_rebuilding():
            raise Trouble(
                "rebuilding",
                "a rebuild reads the log",
                retryable=False,
                hint="wait until it is done: GET /v1/admin/rebuild tells how far it is",
            )
        set_fact(self._database, _FACT, _DUE)
        self._is_due = True
        self._again_at = 0.0

    def finish(self) -> None:
        """Do what is due; what cannot be done now is done at a later call, or at the next start."""
        if not self._is_due or self._monotonic() < self._again_at:
            return
        try:
            with nullcontext() if self._images is None else self._images.none():
                scrub(self._path, self._database)
        except Trouble as trouble:
            self._again_at = self._monotonic() + AGAIN_S
            structlog.get_logger("toprung").warning(
                "what was erased is still in files", code=trouble.code, reason=str(trouble)
            )
        else:
            self._is_due = False

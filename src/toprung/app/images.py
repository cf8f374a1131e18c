"""The image beside a database file: the ranks as they were, so that a start need not make them."""

import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Event, Lock, Thread

import structlog

from toprung.domain.errors import Trouble
from toprung.log.sqlite import SqliteEventLog
from toprung.ports.view import ImageHead, ImageView, Loaded, Objection
from toprung.sqlite import Database, open_reader
from toprung.store.sqlite import get_fact, set_fact

LOOK_S = 1.0
"""How often it is looked at whether so much was changed that an image is due."""
_FACT = "file_id"
_DIGEST_BYTES = 16


def image_path(database: Path) -> Path:
    """Where the image of a database file is."""
    return database.with_name(f"{database.name}.image")


class Images:
    """Loads and writes the image of one database file.

    An image names the file by a random id that is kept in it, its schema, and the record that it
    reflects by a hash: a copy of the file that went on differently does not take it.

    Args:
        every: a new image is written when so many records came since the last one; 0: at the end
            alone.
    """

    def __init__(self, path: Path, database: Database, view: ImageView, every: int) -> None:
        self._path = path
        self._file_id = f"{_file_id(database)} {_schema(database)}"
        self._view = view
        self._every = every
        self._writing = Lock()
        self._stopping = Event()
        self._thread = Thread(target=self._work, name="toprung-image", daemon=True)
        self._written = 0
        self._say = structlog.get_logger("toprung")

    def load(self, objection: Objection) -> Loaded:
        """Have the view become what the image says. One that does not fit is removed."""
        with closing(open_reader(self._path)) as reader:
            log = SqliteEventLog(reader)
            loaded = self._view.load_image(
                image_path(self._path), lambda head: objection(head) or self._foreign(head, log)
            )
        if loaded.seq is None:
            self._say.info("no image is used, ranks come from the tables", reason=loaded.reason)
            self._remove()
        self._written = loaded.seq or 0
        return loaded

    def _foreign(self, head: ImageHead, log: SqliteEventLog) -> str:
        fits = head.identity == self._identity(head.seq, log)
        return "" if fits else "it belongs to another database"

    def _identity(self, seq: int, log: SqliteEventLog) -> str:
        digest = blake2b(digest_size=_DIGEST_BYTES)
        for row in log.read(seq - 1, 1) if seq else ():
            digest.update(b"%d " % row.received_at + row.body)
        return f"{self._file_id} {digest.hexdigest()}"

    def start(self) -> None:
        """Begin to write images now and then."""
        if self._every:
            self._thread.start()

    def stop(self) -> None:
        """Write no more images; may be called twice, or before ``start``."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        try:
            while not self._stopping.wait(LOOK_S):
                if self._seq() - self._written >= self._every:
                    self.write()
        except Exception as error:  # noqa: BLE001  a bug of ours, which would end here unheard
            self._say.error("no more images are written: that met a fault", exc_info=error)

    def _seq(self) -> int:
        with self._view.read() as reader:
            return reader.seq

    def write(self) -> None:
        """Write an image if anything has changed since the last one. A failure is logged: all that
        it costs is time at the next start.
        """
        with self._writing:
            if self._seq() == self._written:
                return
            try:
                with closing(open_reader(self._path)) as reader:
                    log = SqliteEventLog(reader)
                    self._written = self._view.write_image(
                        image_path(self._path), lambda seq: self._identity(seq, log)
                    )
            except Trouble as error:
                self._say.warning("the image was not written", reason=str(error))

    @contextmanager
    def none(self) -> Iterator[None]:
        """There is no image from here on, and none is written inside."""
        with self._writing:
            self._remove()
            self._written = 0
            yield

    def _remove(self) -> None:
        remove_image(self._path)


def remove_image(database: Path) -> None:
    """Remove the image of a database file, where there is one.

    Raises:
        Trouble: ``image_not_removed``.
    """
    try:
        image_path(database).unlink(missing_ok=True)
    except OSError as error:
        raise Trouble(
            "image_not_removed",
            f"{image_path(database)}: {error.strerror}",
            retryable=False,
            hint="remove it by hand",
        ) from error


def _file_id(database: Database) -> str:
    """The random id of a file; made when it has none."""
    with database.transaction():
        kept = get_fact(database, _FACT)
        if kept is None:
            kept = secrets.token_hex(16)
            set_fact(database, _FACT, kept)
    return kept


def _schema(database: Database) -> int:
    return int(database.connection.pragma("user_version"))

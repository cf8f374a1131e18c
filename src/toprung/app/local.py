"""The API on a database file, in this process and without a socket."""

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx2

from toprung.api import Application, Exchange
from toprung.app.clock import SystemClock
from toprung.app.engine import Engine
from toprung.app.logs import configure_logs
from toprung.app.metrics import WriterMetrics
from toprung.app.offline import existing
from toprung.app.server import services_of
from toprung.app.settings import Settings
from toprung.domain.access import KEY_ID_BYTES, SECRET_BYTES, Role, hash_secret, write_key
from toprung.domain.errors import Broken, Trouble
from toprung.ports.keys import StoredKey
from toprung.sdk import Client


@contextmanager
def open_file(path: Path, project: str | None = None) -> Iterator[Client]:
    """A client with an admin key, that is answered from a file as a server on it would.

    It is opened as at a server's start: what its tables lack is done first, and written.

    Args:
        project: whose boards are seen; ``None``: those of the only project that has some.

    Raises:
        Trouble: ``in_use``, a server runs on the file; ``many_projects``; or it is not there, of
            another program, damaged or out of reach.
    """
    configure_logs("error")
    stats = WriterMetrics()
    engine = Engine(existing(path), SystemClock(), stats, _raise)
    try:
        key, text = _key(_only_project(engine) if project is None else project)
        settings = Settings(db=path, rate_limit=0)
        services = replace(services_of(settings, engine, stats), keys=_OneKey(key))
        with Client("http://file", text, transport=LocalTransport(Application(services))) as client:
            yield client
    finally:
        engine.stop()


def _raise(error: BaseException) -> None:
    raise Broken("the writer of a file that is only read met a fault") from error


def _only_project(engine: Engine) -> str:
    projects = sorted({state.project for state in engine.store.boards()})
    if len(projects) > 1:
        raise Trouble(
            "many_projects",
            f"the file has the projects {', '.join(projects)}",
            retryable=False,
            hint="say which one with --project",
        )
    return projects[0] if projects else ""


def _key(project: str) -> tuple[StoredKey, str]:
    key_id, secret = secrets.token_hex(KEY_ID_BYTES), secrets.token_bytes(SECRET_BYTES)
    stored = StoredKey(key_id, project, Role.ADMIN, "", hash_secret(secret), 0, None)
    return stored, write_key(Role.ADMIN, key_id, secret)


class _OneKey:
    """Keeps the key of this process alone, in memory; a :class:`~toprung.ports.keys.KeyStore`."""

    def __init__(self, key: StoredKey) -> None:
        self._key = key

    def add(self, key: StoredKey) -> None:
        """See the port."""
        self._key = key

    def find(self, key_id: str) -> StoredKey | None:
        """See the port."""
        return self._key if key_id == self._key.key_id else None

    def list(self, project: str | None) -> list[StoredKey]:
        """See the port."""
        return [self._key]

    def revoke(self, key_id: str, at: int) -> bool:
        """See the port."""
        return False


class LocalTransport(httpx2.BaseTransport):
    """Carries requests to the application by calling it."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """See the base class."""
        headers = [(name.lower(), value) for name, value in request.headers.raw]
        path, _, query = request.url.raw_path.partition(b"?")
        reply = self._application.begin(request.method, path, query, headers)
        if isinstance(reply, Exchange):
            reply = asyncio.run(reply.finish(request.read()))
        fields = [
            (name, value)
            for name, _, value in (line.partition(b": ") for line in reply.fields.splitlines())
        ]
        return httpx2.Response(reply.status, headers=fields, content=reply.content)

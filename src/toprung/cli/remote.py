"""The way to a server, for the commands that need one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from toprung.cli.errors import Failed, server_extra

if TYPE_CHECKING:
    from toprung.sdk import Client, Retries

ANSWER_S = 30.0
"""How long a command waits for each step of an answer."""
PATIENT_ANSWER_S = 120.0
"""The same where batches of others may stand before ours."""


def connect(url: str, key: str) -> "Client":
    """A client for one command of a person: it gives up soon.

    Raises:
        Failed: no key, or no address.
    """
    from toprung.sdk import Retries  # noqa: PLC0415 - only commands that speak HTTP load it

    return _client(url, key, ANSWER_S, Retries(limit=2))


def connect_patiently(url: str, key: str) -> "Client":
    """A client for work that takes long: it outlasts a restart of the server and rate limits.

    Raises:
        Failed: no key, or no address.
    """
    from toprung.sdk import Retries  # noqa: PLC0415 - only commands that speak HTTP load it

    return _client(
        url, key, PATIENT_ANSWER_S, Retries(limit=10, first=0.2, longest=10, patience=600)
    )


@contextmanager
def reading(url: str, key: str, file: Path | None, project: str | None) -> Iterator["Client"]:
    """A client for reading much, of a server or of a file without one.

    Args:
        project: whose boards are read from the file; ``None``: those of the only project.

    Raises:
        Failed: no key, or no address.
        Trouble: the file is not there or in use, or holds several projects.
    """
    if file is None:
        with connect_patiently(url, key) as client:
            yield client
        return
    with server_extra():
        from toprung.app.local import open_file  # noqa: PLC0415 - a server's part
    with open_file(file, project) as client:
        yield client


def _client(url: str, key: str, timeout: float, retries: "Retries") -> "Client":
    from toprung.sdk import Client  # noqa: PLC0415 - only commands that speak HTTP load it

    if not key:
        raise Failed(
            "no_key",
            "this command needs a key",
            hint="give it with --key or TOPRUNG_KEY; toprung keys create makes one",
        )
    if not (key.isascii() and key.isprintable()):
        raise Failed(
            "invalid",
            "this is no key: a key is printable ASCII, without a line's end",
            hint="give it with --key or TOPRUNG_KEY as toprung keys create printed it",
        )
    try:
        return Client(url, key, timeout=timeout, retries=retries)
    except ValueError as error:
        raise Failed("bad_url", str(error), hint="give it with --url or TOPRUNG_URL") from error

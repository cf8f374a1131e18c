"""The way to a server, for the commands that need one."""

from typing import TYPE_CHECKING

from toprung.cli.errors import Failed

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

"""Keys and roles: who may do what. A key's secret is random and long, so one hash is enough."""

import hashlib
import hmac
import re
from enum import StrEnum

from toprung.domain.errors import invariant

SECRET_BYTES = 32
KEY_ID_BYTES = 6


class Role(StrEnum):
    """What a key may do."""

    CLIENT = "client"
    SERVER = "server"
    ADMIN = "admin"

    def may(self, needed: "Role") -> bool:
        """Whether this role includes ``needed``.

        A client reads, a server also writes scores and profiles, an admin also makes boards and
        seasons and imports history.
        """
        order = (Role.CLIENT, Role.SERVER, Role.ADMIN)
        return order.index(self) >= order.index(needed)


_KEY = re.compile(r"tr_(client|server|admin)_([0-9a-f]{12})_([0-9a-f]{64})")


def write_key(role: Role, key_id: str, secret: bytes) -> str:
    """The text of a key: role and id can be read from it, the rest is secret."""
    invariant(len(secret) == SECRET_BYTES, "a secret has 32 bytes")
    return f"tr_{role}_{key_id}_{secret.hex()}"


def read_key(text: str) -> tuple[str, bytes] | None:
    """Id and secret of a key's text; ``None`` when it is none."""
    match = _KEY.fullmatch(text)
    return None if match is None else (match[2], bytes.fromhex(match[3]))


def hash_secret(secret: bytes) -> bytes:
    """What is kept of a secret: its SHA-256."""
    return hashlib.sha256(secret).digest()


def same_secret(secret: bytes, kept: bytes) -> bool:
    """Whether ``secret`` is the one of the kept hash, in constant time."""
    return hmac.compare_digest(hash_secret(secret), kept)

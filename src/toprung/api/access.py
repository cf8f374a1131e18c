"""Who asks, what they may do, and how often."""

from math import ceil

from toprung.api.errors import ApiError
from toprung.domain.access import Role, read_key, same_secret
from toprung.ports.keys import KeyStore, StoredKey

REMEMBERED_S = 1.0
"""How long a key's check is good for: after that a revoked one is found out."""
_CHALLENGE = ((b"www-authenticate", b'Bearer realm="toprung"'),)
_SCHEME = b"bearer "
_UNKNOWN = "this server does not know that key"
_UNKNOWN_OR_REVOKED = f"{_UNKNOWN}, or it was revoked"


class Bucket:
    """A token bucket: ``burst`` requests at once, ``rate`` a second for long."""

    __slots__ = ("_at", "_burst", "_rate", "tokens")

    def __init__(self, rate: int, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self.tokens = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take a token, if there is one."""
        tokens = self.tokens + (now - self._at) * self._rate
        self._at = now
        tokens = min(tokens, self._burst)
        if tokens < 1.0:
            self.tokens = tokens
            return False
        self.tokens = tokens - 1.0
        return True

    @property
    def reset(self) -> int:
        """Whole seconds until it is full again."""
        return ceil((self._burst - self.tokens) / self._rate)

    @property
    def wait(self) -> int:
        """Whole seconds until there is a token again."""
        return ceil((1.0 - self.tokens) / self._rate)


class Access:
    """A key that was checked: whose it is, what it may do, how much it has left."""

    __slots__ = ("bucket", "key_id", "project", "role", "until")

    def __init__(self, key: StoredKey, bucket: Bucket | None, until: float) -> None:
        self.key_id = key.key_id
        self.project = key.project
        self.role = Role(key.role)
        self.bucket = bucket
        self.until = until


class Gate:
    """Checks keys. A revoked one is refused within a second, a new one is known at once.

    Args:
        rate: requests a second of one key; 0: any number.
    """

    def __init__(self, keys: KeyStore, rate: int, burst: int) -> None:
        self._keys = keys
        self._rate = rate
        self._burst = burst
        # By the whole header. A dictionary compares texts only where their keyed hashes are equal,
        # so the time of a look-up tells nothing of a key that is remembered. Only keys that were
        # found good are, so strangers cannot fill this.
        self._checked: dict[bytes, Access] = {}
        self._buckets: dict[str, Bucket] = {}

    def admit(self, authorization: bytes | None, now: float) -> Access:
        """The access of a request by its ``Authorization`` header.

        Raises:
            ApiError: ``unauthorized``.
        """
        if authorization is None:
            raise _unauthorized("a key is needed")
        access = self._checked.get(authorization)
        if access is None or access.until <= now:
            self._checked.pop(authorization, None)
            access = self._checked[authorization] = self._check(authorization, now)
        return access

    def _check(self, authorization: bytes, now: float) -> Access:
        if authorization[:7].lower() != _SCHEME:
            raise _unauthorized("the Authorization header is no bearer token")
        parts = read_key(authorization[7:].decode("latin-1"))
        if parts is None:
            raise _unauthorized(_UNKNOWN)
        key_id, secret = parts
        stored = self._keys.find(key_id)
        if stored is None or stored.revoked_at is not None:
            raise _unauthorized(_UNKNOWN_OR_REVOKED)
        if not same_secret(secret, stored.secret_hash):
            raise _unauthorized(_UNKNOWN_OR_REVOKED)
        bucket = None
        if self._rate:
            bucket = self._buckets.setdefault(key_id, Bucket(self._rate, self._burst, now))
        return Access(stored, bucket, now + REMEMBERED_S)


def _unauthorized(message: str) -> ApiError:
    return ApiError(
        "unauthorized",
        message,
        hint="send Authorization: Bearer KEY; `toprung keys create` makes one",
        headers=_CHALLENGE,
    )

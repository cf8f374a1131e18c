"""Who asks, what they may do, and how often."""

from collections.abc import Callable

from toprung.api.errors import ApiError
from toprung.domain.access import Role, read_key, same_secret
from toprung.ports.keys import KeyStore, StoredKey

REMEMBERED_S = 1.0
"""How long a key's check is good for: after that a revoked one is found out."""
_CHALLENGE = ((b"www-authenticate", b'Bearer realm="toprung"'),)
_SCHEME = b"bearer "


class Bucket:
    """A token bucket: ``burst`` requests at once, ``rate`` a second for long."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float) -> tuple[bool, int, int]:
        """Take a token.

        Returns:
            Whether there was one, how many are left, and the seconds until it is full again.
        """
        tokens = min(float(self._burst), self._tokens + (now - self._at) * self._rate)
        self._at = now
        granted = tokens >= 1.0
        self._tokens = tokens = tokens - 1.0 if granted else tokens
        return granted, int(tokens), _whole_seconds((self._burst - tokens) / self._rate)

    def wait(self) -> int:
        """Whole seconds until there is a token again."""
        return _whole_seconds((1.0 - self._tokens) / self._rate)


def _whole_seconds(seconds: float) -> int:
    return max(1, -int(-seconds // 1))


class Access:
    """A key that was checked: whose it is, what it may do, how much it has left."""

    __slots__ = ("bucket", "project", "role", "secret_hash", "until")

    def __init__(self, key: StoredKey, bucket: Bucket | None, until: float) -> None:
        self.project = key.project
        self.role = Role(key.role)
        self.secret_hash = key.secret_hash
        self.bucket = bucket
        self.until = until


class Gate:
    """Checks keys. A revoked one is refused within a second, a new one is known at once.

    Args:
        rate: requests a second of one key; 0: any number.
    """

    def __init__(
        self, keys: KeyStore, monotonic: Callable[[], float], rate: int, burst: int
    ) -> None:
        self._keys = keys
        self._monotonic = monotonic
        self._rate = rate
        self._burst = burst
        # Only keys that were found good are remembered, so strangers cannot fill this.
        self._checked: dict[str, Access] = {}
        self._buckets: dict[str, Bucket] = {}

    def admit(self, authorization: bytes | None, now: float) -> Access:
        """The access of a request by its ``Authorization`` header.

        Raises:
            ApiError: ``unauthorized``.
        """
        if authorization is None:
            raise _unauthorized("a key is needed")
        if authorization[:7].lower() != _SCHEME:
            raise _unauthorized("the Authorization header is no bearer token")
        parts = read_key(authorization[7:].decode("latin-1").strip())
        if parts is None:
            raise _unauthorized("the key is none of this server's")
        key_id, secret = parts
        access = self._checked.get(key_id)
        if access is None or access.until <= now:
            access = self._check(key_id, now)
        if not same_secret(secret, access.secret_hash):
            raise _unauthorized("the key is unknown or revoked")
        return access

    def _check(self, key_id: str, now: float) -> Access:
        stored = self._keys.find(key_id)
        if stored is None or stored.revoked_at is not None:
            self._checked.pop(key_id, None)
            raise _unauthorized("the key is unknown or revoked")
        bucket = None
        if self._rate:
            bucket = self._buckets.setdefault(key_id, Bucket(self._rate, self._burst, now))
        access = self._checked[key_id] = Access(stored, bucket, now + REMEMBERED_S)
        return access


def _unauthorized(message: str) -> ApiError:
    return ApiError(
        "unauthorized",
        message,
        hint="send Authorization: Bearer KEY; `toprung keys create` makes one",
        headers=_CHALLENGE,
    )

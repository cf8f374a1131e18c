"""Where access keys are kept: hashed, never in clear."""

from typing import Protocol

import msgspec


class StoredKey(msgspec.Struct, frozen=True):
    """A key as it is kept. The secret is only there as its SHA-256."""

    key_id: str
    project: str
    role: str
    name: str
    secret_hash: bytes
    created_at: int
    revoked_at: int | None


class KeyStore(Protocol):
    """Keeps keys."""

    def add(self, key: StoredKey) -> None:
        """Keep a new key."""
        ...

    def find(self, key_id: str) -> StoredKey | None:
        """The key of that id, also a revoked one."""
        ...

    def list(self, project: str | None) -> list[StoredKey]:
        """The keys of a project, or all, the oldest first."""
        ...

    def revoke(self, key_id: str, at: int) -> bool:
        """Revoke a key; false when there is none, or it was revoked before."""
        ...

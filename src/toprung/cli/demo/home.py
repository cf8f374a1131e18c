"""Where the demo lives: its folder, its database and its keys, which survive a restart."""

import os
from pathlib import Path

import msgspec

from toprung.domain.access import Role, read_key

PROJECT = "demo"
_ROLES = (Role.ADMIN, Role.SERVER, Role.CLIENT)


class Keys(msgspec.Struct, frozen=True):
    """A key for each role."""

    admin: str
    server: str
    client: str


def open_home(folder: Path) -> Path:
    """Make the folder where it is not there yet; the path of its database.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # Inside somebody's repository, the demo must not show up as a change.
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    return folder / "demo.db"


def demo_keys(folder: Path, db: Path) -> Keys:
    """The demo's keys: those kept in its folder while they are good, else new ones."""
    from toprung.app import offline  # noqa: PLC0415 - a server's part

    kept = folder / "keys.json"
    keys = _read(kept)
    if keys is not None and offline.has_database(db):
        good = {key.key_id for key in offline.list_keys(db, PROJECT) if key.revoked_at is None}
        if {_key_id(text) for text in (keys.admin, keys.server, keys.client)} <= good:
            return keys
    keys = Keys(*(offline.create_key(db, PROJECT, role, "demo").text for role in _ROLES))
    with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(keys))
    return keys


def _read(path: Path) -> Keys | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Keys)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _key_id(text: str) -> str:
    parts = read_key(text)
    return "" if parts is None else parts[0]

"""Keys: a role includes those below it; a key's text can be read, and nothing like it."""

import hashlib
import itertools

import pytest

from toprung.domain.access import Role, hash_secret, read_key, same_secret, write_key
from toprung.domain.errors import Broken

SECRET = bytes(range(32))
TEXT = f"tr_server_0123456789ab_{SECRET.hex()}"


@pytest.mark.parametrize(("role", "needed"), list(itertools.product(Role, repeat=2)), ids=str)
def test_a_role_includes_those_below_it(role, needed):
    included = {"client": {"client"}, "server": {"client", "server"}, "admin": set(Role)}

    assert role.may(needed) is (needed in included[role])


@pytest.mark.parametrize("role", Role)
def test_a_key_can_be_read_again(role):
    assert read_key(write_key(role, "0123456789ab", SECRET)) == ("0123456789ab", SECRET)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tr_",
        TEXT + "\n",
        " " + TEXT,
        TEXT[:-1],
        TEXT + "0",
        TEXT.upper(),
        TEXT.replace("server", "root"),
        TEXT.replace("tr_", "xx_"),
        TEXT.replace("_", "-"),
        TEXT.replace("0123456789ab", "0123456789zz"),
        TEXT.replace("0123456789ab", "\N{ARABIC-INDIC DIGIT ONE}123456789ab"),
        f"Bearer {TEXT}",
    ],
)
def test_what_is_no_key(text):
    assert read_key(text) is None


def test_a_short_secret_is_a_bug_of_ours():
    with pytest.raises(Broken):
        write_key(Role.ADMIN, "0123456789ab", b"short")


def test_what_is_kept_is_a_hash():
    kept = hash_secret(SECRET)

    assert kept == hashlib.sha256(SECRET).digest()
    assert same_secret(SECRET, kept)
    assert not same_secret(SECRET[:-1] + b"\xff", kept)
    assert not same_secret(SECRET, SECRET)

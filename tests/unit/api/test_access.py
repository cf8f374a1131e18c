"""The check of a key, and the token bucket, on a clock that is moved by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.api.access import REMEMBERED_S, Bucket, Gate
from toprung.api.errors import ApiError
from toprung.domain.access import Role, hash_secret, write_key
from toprung.ports.keys import StoredKey

SECRET = bytes(range(32))
HEADER = b"Bearer " + write_key(Role.CLIENT, "0123456789ab", SECRET).encode()


class Keys:
    """One key; counts how often it was looked for."""

    def __init__(self):
        self.asked = 0
        self.revoked_at = None

    def find(self, key_id):
        self.asked += 1
        if key_id != "0123456789ab":
            return None
        kept = hash_secret(SECRET)
        return StoredKey(key_id, "game", "client", "", kept, 0, self.revoked_at)


def gate(keys, rate=0):
    return Gate(keys, rate, rate)


def test_a_key_is_looked_up_once_a_second():
    keys = Keys()
    door = gate(keys)

    for now in (0.0, 0.5, 0.999, REMEMBERED_S, 1.5):
        assert door.admit(HEADER, now).project == "game"

    assert keys.asked == 2


def test_a_revoked_key_is_good_for_less_than_a_second():
    keys = Keys()
    door = gate(keys)
    door.admit(HEADER, 0.0)
    keys.revoked_at = 1

    door.admit(HEADER, 0.999)
    with pytest.raises(ApiError):
        door.admit(HEADER, 1.0)


def test_a_refused_key_is_not_remembered():
    keys = Keys()
    keys.revoked_at = 1
    door = gate(keys)
    for _ in range(3):
        with pytest.raises(ApiError):
            door.admit(HEADER, 0.0)
    keys.revoked_at = None

    door.admit(HEADER, 0.0)

    assert (keys.asked, len(door._checked)) == (4, 1)


def test_another_secret_is_refused_while_the_right_one_is_remembered():
    door = gate(Keys())
    door.admit(HEADER, 0.0)

    with pytest.raises(ApiError):
        door.admit(HEADER[:-1] + b"0", 0.0)


@given(st.integers(1, 50), st.integers(1, 50), st.lists(st.floats(0, 3), max_size=60))
def test_a_bucket_never_grants_more_than_burst_and_rate_allow(rate, burst, pauses):
    bucket, now, granted = Bucket(rate, burst, 0.0), 0.0, 0

    for pause in pauses:
        now += pause
        granted += bucket.take(now)
        assert granted <= burst + rate * now + 1e-6
        assert 0 <= bucket.tokens <= burst


@given(st.integers(1, 1000), st.integers(1, 1000))
def test_after_the_time_it_tells_there_is_a_token_and_later_all_of_them(rate, burst):
    bucket = Bucket(rate, burst, 0.0)
    for _ in range(burst):
        assert bucket.take(0.0)
    assert not bucket.take(0.0)

    wait, reset = bucket.wait, bucket.reset

    assert bucket.take(float(wait))
    full = Bucket(rate, burst, 0.0)
    full.tokens = 0.0
    assert full.take(float(reset))
    assert full.tokens == pytest.approx(burst - 1)

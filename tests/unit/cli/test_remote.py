"""The way to a server, before anything is sent."""

import pytest

from toprung.cli.errors import Failed
from toprung.cli.remote import connect, connect_patiently


@pytest.mark.parametrize("way", [connect, connect_patiently])
@pytest.mark.parametrize("key", ["tr_secret\n", "tr_secret\r\nX: y", "tr_secr\u00e9t"])
def test_what_can_be_no_key_is_refused_without_being_shown(way, key):
    with pytest.raises(Failed) as raised:
        way("http://127.0.0.1:1", key)

    assert raised.value.code == "invalid"
    assert "secr" not in raised.value.message

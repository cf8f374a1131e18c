"""A server to compare with is started, filled, asked and gone afterwards."""

import socket

import pytest
import rivals
from rivals import PIPELINE, running_rival

MEMBERS = [f"m:{number:015}" for number in range(1000)]


def test_a_board_is_filled_and_asked():
    with running_rival("valkey") as rival:
        before = rival.used_memory()
        rival.fill(MEMBERS, range(1000))
        rival.reset()
        rival.pipelined(rivals.rank_requests(MEMBERS))

        assert rival.ask("ZREVRANK", rivals.KEY, MEMBERS[990]) == ":9\r\n"
        assert rival.used_memory() > before
        assert rival.in_server_us("zrevrank") > 0
        # Only whole pipelines are sent.
        sent = 1000 // PIPELINE * PIPELINE + 1
        assert f"calls={sent}" in rival.info("commandstats")["cmdstat_zrevrank"]


def test_updates_arrive():
    with running_rival("valkey") as rival:
        rival.pipelined(rivals.update_requests(MEMBERS[:PIPELINE], range(PIPELINE)))

        assert rival.ask("ZCARD", rivals.KEY) == f":{PIPELINE}\r\n"
        assert rival.ask("ZSCORE", rivals.KEY, MEMBERS[7]) == "7\r\n"


def test_an_error_ends_the_run():
    with running_rival("valkey") as rival, pytest.raises(SystemExit, match="valkey"):
        rival.ask("NONSENSE")


def test_it_is_gone_afterwards():
    with running_rival("valkey") as rival:
        port = rival.port

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 5)

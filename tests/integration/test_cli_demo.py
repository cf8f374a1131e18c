"""``toprung demo`` as a new user meets it: it plays, what it prints works, and it stops cleanly."""

import shutil
import socket
import subprocess

import httpx2
import pytest

from toprung.testing.cli import Cli
from toprung.testing.demo import running_demo


def test_what_it_prints_can_be_pasted(tmp_path):
    with running_demo(tmp_path / "demo") as demo:
        demo.wait_for_scores()
        export, *commands = demo.commands()
        assert len(commands) >= 6
        for command in commands:
            if command.startswith("curl") and shutil.which("curl") is None:
                continue
            done = subprocess.run(
                ["sh", "-ec", f"{export}\n{command}"], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, (command, done.stderr)
            assert '"error"' not in done.stdout


def test_it_plays_on_every_board_and_shows_the_page_what_to_read(tmp_path):
    with running_demo(tmp_path / "demo") as demo:
        shown = httpx2.get(f"{demo.url}demo.json").json()
        headers = {"Authorization": f"Bearer {shown['key']}"}
        assert shown["key"].startswith("tr_client_")
        for board in shown["boards"]:
            url = f"{demo.url}v1/boards/{board}/top?window=all"
            rows = httpx2.get(url, headers=headers).json()["rows"]
            assert len(rows) == 10
            assert all("name" in row for row in rows[:3])


def test_it_stops_on_ctrl_c_and_goes_on_when_it_is_started_again(tmp_path):
    with running_demo(tmp_path / "demo") as first:
        first.wait_for_scores()
        assert first.stop() == 0
    with running_demo(tmp_path / "demo") as again:
        again.wait_for_scores()
        key = "TOPRUNG_KEY="
        assert [w for w in again.printed.split() if w.startswith(key)] == [
            w for w in first.printed.split() if w.startswith(key)
        ]
        assert again.stop() == 0


def test_a_port_that_is_taken_is_one_clear_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = Cli()("demo", "--port", str(port), "--dir", str(tmp_path))
    assert (ended.status, ended.code) == (1, "port_taken")
    assert f"--port {port + 1}" in ended.err
    assert len(ended.err.splitlines()) == 2


def test_two_demos_in_one_folder_are_told_apart(tmp_path):
    with running_demo(tmp_path / "demo"):
        ended = Cli()("demo", "--port", "0", "--dir", str(tmp_path / "demo"))
    assert (ended.status, ended.code) == (1, "in_use")
    assert "--dir" in ended.err


@pytest.mark.parametrize("arguments", [["--port", "70000"], ["--rate", "0"]])
def test_impossible_options(arguments, tmp_path):
    assert Cli()("demo", "--dir", str(tmp_path), *arguments).status == 2

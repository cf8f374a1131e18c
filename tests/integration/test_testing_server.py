"""The helper that starts real servers: ready means ready, and a failed start says why at once."""

import os

import httpx2
import pytest

from toprung.testing.server import Server, ServerFailed, _line, running_server, start_server


def test_a_started_server_answers_and_has_a_key_for_each_role(tmp_path):
    with running_server(tmp_path) as running:
        assert httpx2.get(f"{running.url}/healthz").status_code == 200
        for key in running.keys.values():
            headers = {"Authorization": f"Bearer {key}"}
            assert httpx2.get(f"{running.url}/v1/boards", headers=headers).status_code == 200


def test_a_restarted_server_has_its_data(tmp_path):
    with running_server(tmp_path) as running:
        headers = {"Authorization": f"Bearer {running.keys['admin']}"}
        httpx2.put(f"{running.url}/v1/boards/b", headers=headers, json={}).raise_for_status()
        running.kill()
        running.restart()

        assert httpx2.get(f"{running.url}/v1/boards/b", headers=headers).status_code == 200


def test_stopping_and_killing_twice_is_fine(tmp_path):
    running = start_server(tmp_path)

    running.kill()
    running.kill()
    running.stop()

    with pytest.raises(ServerFailed, match="not running"):
        running.url  # noqa: B018 - reading it is what fails


def test_a_server_that_cannot_start_says_why(tmp_path):
    database = tmp_path / "foreign.db"
    database.write_text("this is no database")

    with pytest.raises(ServerFailed, match=r"foreign\.db"):
        Server(database).start()


def test_the_pipe_gives_a_whole_line_or_what_there_was():
    def through_a_pipe(*parts: bytes) -> bytes:
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb"):
            for part in parts:
                os.write(writing, part)
            os.close(writing)
            return _line(reading, 0)

    assert through_a_pipe(b'{"url"', b': "x"}\n') == b'{"url": "x"}\n'
    assert through_a_pipe(b'{"url"') == b'{"url"'
    assert through_a_pipe() == b""

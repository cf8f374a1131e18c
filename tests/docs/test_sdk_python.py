"""The page about the Python SDK is true: each example runs, and it names what there is."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from toprung import sdk
from toprung.testing.server import RunningServer, running_server

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "how-to" / "sdk-python.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


def run(server: RunningServer, *command: str) -> str:
    environment = {"TOPRUNG_URL": server.url, "TOPRUNG_KEY": server.keys["admin"]}
    done = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_examples():
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"example-{n}" for n in range(len(EXAMPLES))])
def test_an_example_runs_by_itself_and_shows_something(example, server):
    assert run(server, "-c", example)


def test_the_game_server_runs_and_shows_a_podium(server):
    shown = run(server, str(ROOT / "examples" / "game_server.py"), "--matches", "20")

    assert "20 matches" in shown
    assert re.search(r"^ *1 ", shown, re.MULTILINE)


def test_every_class_of_errors_is_listed():
    kinds = {
        name
        for name in sdk.__all__
        if isinstance(getattr(sdk, name), type) and issubclass(getattr(sdk, name), Exception)
    }

    assert {name for name in kinds if f"`{name}`" not in PAGE} == set()

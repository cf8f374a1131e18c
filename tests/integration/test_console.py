"""The built pages in a real browser, on a real server that plays the demo."""

import re
import subprocess
from pathlib import Path

import pytest

from toprung.testing.demo import running_demo

CONSOLE = Path(__file__).resolve().parents[2] / "console"


@pytest.mark.timeout(600)  # a browser beside other tests; each of its steps has a limit of its own
def test_the_pages_work_in_a_browser(tmp_path, monkeypatch):
    with running_demo(tmp_path / "demo") as demo:
        monkeypatch.setenv("TOPRUNG_URL", demo.url)
        done = subprocess.run(
            ["npm", "run", "test:browser"],
            cwd=CONSOLE,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    # The sign in front of the counts depends on the version of Node.
    counts = dict(re.findall(r"^\W (tests|pass) (\d+)$", done.stdout, re.MULTILINE))
    assert int(counts["pass"]) == int(counts["tests"]) > 10, done.stdout

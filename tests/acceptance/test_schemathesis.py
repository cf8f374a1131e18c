"""Schemathesis against a running server: what the OpenAPI document says is what happens."""

import subprocess
import sys
from pathlib import Path

import pytest

from toprung.api import examples
from toprung.testing.api import Api
from toprung.testing.server import running_server

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(sys.executable).with_name("schemathesis")
EXAMPLES = 25
"""Requests made up for each operation; the phases before it try every boundary once."""
SEED = 20261130
"""A fixed one: what is found is found again. Another choice is one option away."""
SETTINGS = examples.SETTINGS | {
    "windows": ["all", "hourly", "daily", "weekly", "monthly", "yearly", "season"],
    "columns": [{"decimals": 9}],
}


@pytest.mark.timeout(300)
def test_it_finds_nothing(tmp_path):
    with running_server(tmp_path) as running:
        with Api(lambda: running.url, running.keys["admin"]) as api:
            # The examples of the document are about this board and this player.
            api.send("PUT", f"/v1/boards/{examples.BOARD}", SETTINGS)
            api.send("POST", "/v1/scores", examples.BATCH_IN)
            api.send("PUT", f"/v1/players/{examples.PLAYER}", examples.PROFILE_IN)
        done = subprocess.run(
            [
                str(COMMAND),
                *("run", f"{running.url}/openapi.json"),
                *("--header", f"Authorization: Bearer {running.keys['admin']}"),
                *("--max-examples", str(EXAMPLES)),
                *("--seed", str(SEED)),
                "--no-color",
            ],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    assert done.returncode == 0, done.stdout + done.stderr

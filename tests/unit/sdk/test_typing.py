"""The methods made from operations have types that a checker follows, for right and wrong uses."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_typed_use():
    checker = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        str(Path(__file__).with_name("typed_use.py")),
    ]
    done = subprocess.run(checker, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr

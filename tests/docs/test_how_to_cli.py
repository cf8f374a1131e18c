"""The pages about the command line are true: played from top to bottom, they show what they say.

A block whose first line names a file is that file, a ``sh`` block is run, and a ``text`` block is
what the block before it printed; spaces between words may differ, and ``...`` stands for anything.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from toprung.testing.command import COMMAND
from toprung.testing.server import running_server

PAGES = Path(__file__).resolve().parents[2] / "docs" / "how-to"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["import.md", "boards-as-code.md"])
def test_a_page_plays(page, tmp_path):
    (tmp_path / "server").mkdir()
    with running_server(tmp_path / "server") as server:
        environment = {
            "PATH": f"{COMMAND.parent}{os.pathsep}{os.defpath}",
            "TOPRUNG_URL": server.url,
            "TOPRUNG_KEY": server.keys["admin"],
        }
        printed = None
        for kind, name, content in BLOCK.findall((PAGES / page).read_text("utf-8")):
            if name:
                (tmp_path / name).write_text(content)
            elif kind == "sh":
                printed = shell(content, tmp_path, environment)
            elif kind == "text":
                assert matches(content, printed), printed
    assert printed is not None


def shell(commands: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["sh", "-euc", commands],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def matches(said: str, printed: str) -> bool:
    pattern = r"\s+".join(re.escape(word).replace(r"\.\.\.", ".*") for word in said.split())
    return re.search(pattern, printed) is not None

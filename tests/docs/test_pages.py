"""The pages are true: typed from top to bottom, alone or one after another, they do what they say.

A block whose first line names a file is that file, a ``sh`` or ``bash`` block is typed into one
terminal, a ``python`` block is run, and a ``text`` block is what the block before it printed;
spaces between words may differ, and ``...`` stands for anything.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from toprung.testing.command import COMMAND
from toprung.testing.server import running_server

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PORT = "8090"
"""The port of the server in the README."""
PAGES = [
    "docs/tutorial.md",
    "docs/how-to/import.md",
    "docs/how-to/export.md",
    "docs/how-to/boards-as-code.md",
    "docs/how-to/friends.md",
    "docs/how-to/moderation.md",
    "docs/how-to/limits.md",
    "docs/how-to/named-events.md",
    "docs/how-to/periods.md",
    "docs/how-to/rolling-windows.md",
    "docs/how-to/segments.md",
    "docs/how-to/freeze.md",
]


class Terminal:
    """One shell for all blocks, so that what is exported or started stays."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self._typed = 0
        self._shell = subprocess.Popen(
            ["bash", "-eu", "-o", "pipefail"],
            cwd=folder,
            env={
                "PATH": f"{COMMAND.parent}{os.pathsep}{os.defpath}",
                # Where the command is to be read from, if not from where it is installed.
                "PYTHONPATH": os.environ.get("PYTHONPATH", ""),  # noqa: TID251
                **environment,
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def type(self, commands: str) -> str:
        """What the commands print. Fails when one of them does, as the shell then ends."""
        self._typed += 1
        printed = self.folder / f"printed-{self._typed}"
        self._shell.stdin.write(f"{{\n{commands}\n}} >{printed.name} 2>&1\necho done\n")
        self._shell.stdin.flush()
        done = self._shell.stdout.readline()
        assert done, f"{commands}\nprinted:\n{printed.read_text('utf-8')}"
        return printed.read_text("utf-8")

    def close(self) -> None:
        """End the shell and what it left in the background."""
        self._shell.stdin.close()
        self._shell.stdout.close()
        with suppress(ProcessLookupError):
            os.killpg(self._shell.pid, signal.SIGTERM)
        self._shell.wait()


@contextmanager
def terminal(folder: Path, **environment: str) -> Iterator[Terminal]:
    opened = Terminal(folder, environment)
    try:
        yield opened
    finally:
        opened.close()


def play(page: str, here: Terminal, port: str = PORT) -> None:
    printed = ""
    text = (ROOT / page).read_text("utf-8").replace(PORT, port)
    for kind, name, content in BLOCK.findall(text):
        if name:
            (here.folder / name).write_text(content)
        elif kind in ("sh", "bash"):
            printed = here.type(content)
        elif kind == "python":
            printed = here.type(f"python - <<'END'\n{content}END")
        elif kind == "text":
            assert matches(content, printed), printed


def matches(said: str, printed: str) -> bool:
    pattern = r"\s+".join(re.escape(word).replace(r"\.\.\.", ".*") for word in said.split())
    return re.search(pattern, printed) is not None


@pytest.mark.parametrize("page", PAGES)
def test_a_page_plays_by_itself(page, tmp_path):
    (tmp_path / "server").mkdir()
    with running_server(tmp_path / "server") as server:
        place = {"TOPRUNG_URL": server.url, "TOPRUNG_DB": str(server.server.database)}
        with terminal(tmp_path, **place) as here:
            play(page, here)

            assert here.type("toprung boards list --json") != '{"boards":[]}\n'


@pytest.mark.skipif(shutil.which("curl") is None, reason="the README needs curl")
def test_the_readme_and_then_all_pages_play_in_one_terminal(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    with terminal(tmp_path) as here:
        play("README.md", here, port)
        assert "high-scores" in here.type("toprung boards list")
        for page in [*PAGES, "docs/how-to/sdk-python.md"]:
            play(page, here, port)
        here.type("kill %1; wait %1 || true")

        assert here.type("toprung verify").strip()

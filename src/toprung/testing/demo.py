"""``toprung demo`` as a process of its own, for tests: what it prints, and when it plays."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from toprung.testing.command import COMMAND

READY_S_MAX = 60.0
"""How long it may take to play, on a machine that is busy with other tests."""
STOP_S_MAX = 60.0
"""How long it may take to go; then it is killed, and its exit code says so."""
_SCORED = b" scores; "


class DemoFailed(Exception):
    """The demo did not do what was waited for."""


class Demo:
    """A demo that runs; what it shows to a person comes through a terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self._terminal, theirs = os.openpty()
        self.process = subprocess.Popen(  # noqa: S603 - the command of this installation
            [str(COMMAND), "demo", "--port", "0", "--dir", str(folder), "--rate", "50"],
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
        )
        os.close(theirs)
        self._scored = Event()
        self._reader = Thread(target=self._read_terminal, daemon=True)
        self._reader.start()
        self.printed = self._until("keys.json")

    def _until(self, word: str) -> str:
        """What it prints up to the line with ``word``; all of it when it ends before."""
        lines = []
        for line in self.process.stdout or ():
            lines.append(line)
            if word in line:
                break
        return "".join(lines)

    def _read_terminal(self) -> None:
        """All the time: a demo whose terminal is full can neither play nor stop."""
        tail = b""
        with contextlib.suppress(OSError):  # so a terminal tells that its program has gone
            while part := os.read(self._terminal, 4096):
                tail = tail[-len(_SCORED) :] + part
                if _SCORED in tail:
                    self._scored.set()

    def wait_for_scores(self) -> None:
        """Returns when it shows that a score was taken.

        Raises:
            DemoFailed: it does not.
        """
        if not self._scored.wait(READY_S_MAX):
            raise DemoFailed(f"the demo took no score; it printed: {self.printed}")

    def commands(self) -> list[str]:
        """The commands that it says to paste, each on one line."""
        joined = self.printed.replace("\\\n", "")
        return [line.strip() for line in joined.splitlines() if line.startswith("  ")]

    @property
    def url(self) -> str:
        """The address of its page."""
        return next(word for word in self.printed.split() if word.startswith("http"))

    def stop(self) -> int:
        """Stops it as Ctrl-C does.

        Returns:
            The exit code of the process.
        """
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self._reader.join()
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self._terminal)
        return status


@contextmanager
def running_demo(folder: Path) -> Iterator[Demo]:
    """A demo that is stopped at the end."""
    demo = Demo(folder)
    try:
        yield demo
    finally:
        if demo.process.poll() is None:
            demo.stop()

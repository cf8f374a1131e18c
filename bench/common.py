"""What the benchmarks share: a server to measure, its processor time, and the line they print."""

import asyncio
import http.client
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import uvloop

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """Processor time of a process so far, user and system, all threads, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


class Connection:
    """One kept-alive connection."""

    def __init__(self, url: str, key: str) -> None:
        address = urlsplit(url)
        self._http = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def send(self, method: str, path: str, body: bytes | None = None) -> bytes:
        """The body of a reply that must be a good one."""
        self._http.request(method, path, body, self._headers)
        reply = self._http.getresponse()
        content = reply.read()
        if reply.status >= 300:
            raise SystemExit(f"{method} {path}: {reply.status} {content[:300]!r}")
        return content

    def close(self) -> None:
        """Close it."""
        self._http.close()


class _Reader(asyncio.Protocol):
    """Sends one GET after the other on one connection and counts the good replies."""

    def __init__(self, requests: Sequence[bytes], done: "asyncio.Future[None]") -> None:
        self._requests = iter(requests)
        self._done = done
        self._received = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]
        self._next()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, separator, body = self._received.partition(b"\r\n\r\n")
        if not separator:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        if len(body) < length:
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self._done.set_exception(SystemExit(self._received[:300]))
            return
        self._received = b""
        self._next()

    def _next(self) -> None:
        request = next(self._requests, None)
        if request is not None:
            self._transport.write(request)
        elif not self._done.done():
            self._transport.close()
            self._done.set_result(None)


def read_many(url: str, key: str, paths: Sequence[str], connections: int) -> None:
    """GET all ``paths``, over so many connections at once."""
    address = urlsplit(url)
    head = f"Host: {address.netloc}\r\nAuthorization: Bearer {key}\r\n\r\n"
    requests = [f"GET {path} HTTP/1.1\r\n{head}".encode() for path in paths]

    async def run() -> None:
        loop = asyncio.get_running_loop()
        waiting = []
        for index in range(connections):
            done: asyncio.Future[None] = loop.create_future()
            share = requests[index::connections]
            await loop.create_connection(
                lambda share=share, done=done: _Reader(share, done), address.hostname, address.port
            )
            waiting.append(done)
        await asyncio.gather(*waiting)

    uvloop.run(run())


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, minimum and maximum."""
    return {
        "median": round(statistics.median(values), 1),
        "min": round(min(values), 1),
        "max": round(max(values), 1),
    }


def report(name: str, settings: dict[str, object], figures: dict[str, object]) -> None:
    """Print the one line of a benchmark."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    line = {
        "bench": name,
        **settings,
        **figures,
        "commit": commit or None,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "versions": {p: version(p) for p in ("toprung", "apsw", "msgspec", "uvicorn", "starlette")},
    }
    sys.stdout.write(json.dumps(line) + "\n")

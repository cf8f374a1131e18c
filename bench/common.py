"""What the benchmarks share: a server to measure, its processor time, and the line they print."""

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

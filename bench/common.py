"""What the benchmarks share: a connection to a server, its processor time, the lines they print."""

import functools
import http.client
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
PACKAGES = ("toprung", "apsw", "msgspec", "starlette", "uvicorn")

Line = dict[str, object]
"""One result as it is printed; see ``report``."""


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and its children so far, user and system, all threads."""
    return sum(_own_cpu_seconds(each) for each in (pid, *_children(pid)))


def _own_cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


def _children(pid: int) -> Iterator[int]:
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, listed.read_text().split()):
            yield child
            yield from _children(child)


def memory_bytes(pid: int | str = "self", *, peak: bool = False) -> int:
    """Resident memory of a process, now or at its highest."""
    wanted = "VmHWM:" if peak else "VmRSS:"
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(wanted):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"the kernel does not tell {wanted[:-1]} of process {pid}")


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


def report(bench: str, what: str, unit: str, values: Sequence[float], **settings: object) -> Line:
    """Print one result as a line of JSON, and return it.

    Args:
        bench: the program.
        what: what was measured.
        unit: of the figures, such as ``us`` or ``events/cpu_s``.
        values: one for each round; the line has their median, minimum and maximum.
        settings: what it was measured with.
    """
    line: Line = {
        "bench": bench,
        "what": what,
        "unit": unit,
        "median": _short(statistics.median(values)),
        "min": _short(min(values)),
        "max": _short(max(values)),
        "rounds": len(values),
        **settings,
        **_surroundings(),
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
    return line


def _short(value: float) -> float:
    """As many digits as a measurement on a shared machine has, and one more."""
    return float(f"{value:.4g}")


@functools.cache
def _surroundings() -> dict[str, object]:
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return {
        "command": " ".join([f"bench/{Path(sys.argv[0]).name}", *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": commit or None,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {_processor()}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "versions": {package: version(package) for package in PACKAGES},
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown"


def count(text: str) -> int:
    """A number as people write it for a benchmark: ``1000`` or ``1e6``."""
    return int(float(text))

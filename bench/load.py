"""HTTP load that costs the machine little: ``wrk`` on one thread, replaying prepared requests."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

REPLAY = Path(__file__).with_name("replay.lua")


class Outcome(msgspec.Struct, frozen=True):
    """How a stretch of load went. Latencies are of whole requests, as the client saw them."""

    replies: int
    sent: int
    seconds: float
    failed: int
    refused: int
    p50_ms: float
    p99_ms: float


def replay(
    url: str, key: str, requests: Sequence[str], *, connections: int, seconds: int, once: bool
) -> Outcome:
    """Send ``requests``, in turn, for so many seconds; each connection waits for its reply.

    Args:
        requests: each a method, a path and perhaps a body, separated by a space.
        once: each request may be sent one time only, so that they must last for the time.

    Raises:
        SystemExit: a reply was not a good one, or the requests did not last.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(requests))
        file.flush()
        load = ["-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "30s"]
        head = ["-H", f"Authorization: Bearer {key}", "-H", "Content-Type: application/json"]
        run = subprocess.run(
            ["wrk", *load, *head, "-s", str(REPLAY), url, "--", file.name],
            capture_output=True,
            text=True,
            check=False,
        )
    if run.returncode:
        raise SystemExit(f"wrk: {run.stderr}")
    outcome = msgspec.json.decode(run.stdout.splitlines()[-1], type=Outcome)
    if outcome.failed or outcome.refused:
        raise SystemExit(f"not all replies were good: {outcome}")
    if once and outcome.sent > len(requests):
        raise SystemExit(f"{len(requests)} requests lasted for less than {seconds} s")
    return outcome

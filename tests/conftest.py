"""What every test shares: the Hypothesis profiles and the event loop that anyio tests run on."""

import signal
import zoneinfo

import pytest
from hypothesis import HealthCheck, settings

# Whoever is started in the background ignores Ctrl-C, and hands that on to what it starts: a test
# that interrupts a command would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Zones come from the locked package, as in a server: a machine's own may be older. Without this the
# first test that opens a database changes what all later ones read.
zoneinfo.reset_tzpath(to=())
zoneinfo.ZoneInfo.clear_cache()

# No deadlines: on a shared machine they measure the neighbours. Slow examples show in --durations.
_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("dev", _COMMON, max_examples=30)
# The same examples at every run: whether a commit is good must not depend on luck. What luck may
# find, "explore" and every run of a developer look for; a failing example becomes a test.
settings.register_profile("ci", _COMMON, max_examples=200, derandomize=True, print_blob=True)
settings.register_profile("explore", _COMMON, max_examples=1_000, print_blob=True)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The server runs on asyncio only, so its tests do too."""
    return "asyncio"

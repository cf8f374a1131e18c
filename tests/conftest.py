"""What every test shares: the Hypothesis profiles and the event loop that anyio tests run on."""

import pytest
from hypothesis import HealthCheck, settings

# No deadlines: on a shared machine they measure the neighbours. Slow examples show in --durations.
_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("dev", _COMMON, max_examples=30)
settings.register_profile("ci", _COMMON, max_examples=200, print_blob=True)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The server runs on asyncio only, so its tests do too."""
    return "asyncio"

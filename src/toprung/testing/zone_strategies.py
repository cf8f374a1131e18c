"""Zones, and the instants about which their calendars are odd."""

from hypothesis import strategies as st

from toprung.testing.odd_moments import ODD_MOMENTS

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


zones = st.sampled_from(sorted(ODD_MOMENTS))


_FAR = st.integers(-50, 50)
_UNITS = st.sampled_from([1, SECOND, MINUTE, 30 * MINUTE, HOUR, DAY])
_NEAR = st.sampled_from([-1, 0, 1])
_ODD_OF = {zone: st.sampled_from(odd) for zone, odd in ODD_MOMENTS.items()}


@st.composite
def moments(draw: st.DrawFn, zone: str) -> int:
    """Instants about which a zone's calendar is odd."""
    return draw(_ODD_OF[zone]) + draw(_FAR) * draw(_UNITS) + draw(_NEAR)

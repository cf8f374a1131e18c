"""Hypothesis strategies for whom and what a board takes, and what events carry."""

from hypothesis import strategies as st

from toprung.domain.calendar import WINDOWS
from toprung.testing.oracle import Column, Limits

_NORDIC = ("country", ("NO", "SE"))
admits = st.sampled_from([(), (), (), (_NORDIC,), (_NORDIC,), (_NORDIC, ("plan", ("pro",)))])
"""The attributes of those who are admitted, mostly everybody."""

carried = st.sampled_from([None, None, {}, {"country": "NO"}, {"country": ""}, {"plan": "pro"}])
"""The segments that an event carries; on some boards there is no such one."""

slicing_by_events = st.fixed_dictionaries(
    {
        "windows": st.lists(
            st.sampled_from(["all", *WINDOWS, "season"]), min_size=1, max_size=2, unique=True
        ).map(tuple),
        "segments": st.sampled_from([("country",), ("country",), ("country", "plan")]),
        "segment_at": st.sampled_from(["event", "event", "event", "player"]),
    }
)
"""Settings of boards where events carry the segments in which they count, mostly."""

# Whole numbers, which columns of any decimals have.
board_limits = st.builds(
    lambda least, most, per_hour, per_minute, holds: Limits(
        () if least is most is None else (("c0", least, most),), per_hour, per_minute, holds
    ),
    st.sampled_from([None, None, "-1", "0"]),
    st.sampled_from([None, None, "0", "1"]),
    st.sampled_from([None, "1", "2", "3"]),
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([False, True, True]),
)
"""Limits that events of a scene often break."""


def fitting(limits: Limits | None, columns: tuple[Column, ...]) -> Limits | None:
    """What of some limits a board with these columns can have."""
    names = [column.name for column in columns]
    if limits is not None:
        ranges = tuple(each for each in limits.ranges if each[0] in names)
        limits = limits._replace(ranges=ranges)
    return None if limits is None or limits[:3] == Limits()[:3] else limits

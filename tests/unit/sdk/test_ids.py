"""Event ids are UUIDs of version 7 that ascend, whatever the clock and chance do."""

import itertools
import threading
import uuid

from hypothesis import given
from hypothesis import strategies as st

from toprung.sdk import EventIds, System
from toprung.sdk._ids import _layout

MS_MAX = 2**48 - 2
clocks = st.lists(st.integers(0, MS_MAX), min_size=1, max_size=50)


def ids_under(clock: list[int], random: st.DataObject) -> list[str]:
    """One id for each reading of the clock, with any random bits."""
    readings = iter(clock)
    make = EventIds(
        now_ms=lambda: next(readings),
        randbits=lambda n: random.draw(st.integers(0, 2**n - 1)),
    )
    return [make() for _ in clock]


@given(clocks, st.data())
def test_ids_ascend_as_text(clock, data):
    ids = ids_under(clock, data)

    assert all(before < after for before, after in itertools.pairwise(ids))


@given(clocks, st.data())
def test_ids_are_version_7_of_the_rfc_variant(clock, data):
    for text in ids_under(clock, data):
        parsed = uuid.UUID(text)
        assert (parsed.version, parsed.variant, str(parsed)) == (7, uuid.RFC_4122, text)


@given(st.integers(0, MS_MAX), st.data())
def test_first_id_carries_the_time(ms, data):
    (text,) = ids_under([ms], data)

    assert uuid.UUID(text).int >> 80 == ms


def test_layout_is_that_of_the_rfc():
    """RFC 9562, appendix A.6: time, 12 random bits and 62 random bits, and the UUID of them."""
    number = _layout(0x017F22E279B0, 0xCC3 << 62 | 0x18C4DC0C0C07398F)

    assert str(uuid.UUID(int=number)) == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"


def test_a_full_millisecond_borrows_from_the_next():
    make = EventIds(now_ms=lambda: 7, randbits=lambda n: 0)
    first = uuid.UUID(make())
    make._tail = 2**74 - 1  # as after very many ids
    second = uuid.UUID(make())

    assert (first.int >> 80, second.int >> 80) == (7, 8)


def test_threads_share_one_ascending_source():
    make = System().new_event_id
    made: list[list[str]] = [[] for _ in range(4)]

    def fill(own: list[str]) -> None:
        own.extend(make() for _ in range(500))

    threads = [threading.Thread(target=fill, args=(own,)) for own in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all(own == sorted(own) for own in made)
    assert len({text for own in made for text in own}) == 4 * 500


def test_all_clients_of_a_process_share_one_source():
    assert System().new_event_id is System().new_event_id

"""The benchmarks' workload is what its text says: drawn by its formula, the same for a seed."""

import math
import random
import uuid
from collections import Counter
from datetime import UTC, datetime
from itertools import groupby
from zoneinfo import ZoneInfo

import pytest
import workload
from workload import BURST_EVENTS_MAX, Stream

NOW_US = 1_785_000_000_000_000
DRAWS = 100_000
MEMBERS = 1_000


def a_stream(seed: int = 1, **options: object) -> Stream:
    return Stream("zipf", MEMBERS, random.Random(seed), lambda: NOW_US, **options)


def test_an_id_is_what_redis_benchmark_makes_of_its_pattern():
    assert workload.member_id(123_456) == "m:000" + f"{123_456:012}"
    assert len(workload.member_id(99_999_999)) == 17


@pytest.mark.parametrize("choice", workload.CHOICES)
def test_members_are_drawn_from_all_and_no_others(choice: str):
    drawn = workload.numbers(choice, 20, DRAWS, random.Random(1))

    assert set(drawn) == set(range(20))


def test_zipf_draws_by_its_formula():
    counts = Counter(workload.numbers("zipf", MEMBERS, DRAWS, random.Random(1)))

    for place, (_, count) in enumerate(counts.most_common(3), start=1):
        expected = DRAWS * math.log(1 + 1 / place) / math.log(MEMBERS + 1)
        assert abs(count - expected) < 5 * math.sqrt(expected)


def test_uniform_draws_all_alike():
    counts = Counter(workload.numbers("uniform", 10, DRAWS, random.Random(1)))

    for count in counts.values():
        assert abs(count - DRAWS / 10) < 5 * math.sqrt(DRAWS / 10)


def test_scores_have_the_ties_that_chance_gives_them():
    counts = Counter(workload.scores(DRAWS, DRAWS, random.Random(1)))
    tied = sum(count for count in counts.values() if count > 1)

    # A score is alone when none of the others fell on it.
    expected = DRAWS * (1 - (1 - 1 / DRAWS) ** (DRAWS - 1))
    assert abs(tied - expected) < 5 * math.sqrt(expected)


def test_a_seed_gives_the_same_events_again():
    assert a_stream(seed=7).events(100) == a_stream(seed=7).events(100)
    assert a_stream(seed=7).events(100) != a_stream(seed=8).events(100)


@pytest.mark.parametrize(("kind", "version"), [("uuid7", 7), ("random", 4)])
def test_event_ids_are_uuids_of_their_kind(kind: str, version: int):
    ids = [uuid.UUID(event.event_id) for event in a_stream(ids=kind).events(50)]

    assert {each.version for each in ids} == {version}
    assert {each.variant for each in ids} == {uuid.RFC_4122}
    assert len(set(ids)) == 50
    if kind == "uuid7":
        assert {each.int >> 80 for each in ids} == {NOW_US // 1000}


def test_a_burst_is_many_events_of_one_player():
    events = a_stream(bursts=True).events(DRAWS)
    runs = [len(list(group)) for _, group in groupby(events, key=lambda event: event.player_id)]

    assert len(events) == DRAWS
    assert max(runs) >= BURST_EVENTS_MAX
    # A tenth of the draws are bursts of 2 to 20 events, eleven in the mean: half of all events.
    in_bursts = sum(length for length in runs if length > 1)
    assert 0.45 < in_bursts / DRAWS < 0.65


def test_a_burst_at_midnight_lies_on_both_sides_of_it():
    events = a_stream(midnight_us=NOW_US).events(1000)

    before = [event for event in events if event.at_us < NOW_US]
    assert 400 < len(before) < 600
    assert max(abs(event.at_us - NOW_US) for event in events) <= 30_000_000


@pytest.mark.parametrize("hour", range(24))
def test_the_recent_midnight_is_one_in_its_zone(hour: int):
    now = NOW_US // 86_400_000_000 * 86_400_000_000 + hour * 3_600_000_000 + 59 * 60_000_000

    midnight_us, zone = workload.recent_midnight(now)

    assert 0 <= now - midnight_us < 3_600_000_000
    local = datetime.fromtimestamp(midnight_us / 1e6, UTC).astimezone(ZoneInfo(zone))
    assert (local.hour, local.minute, local.second) == (0, 0, 0)

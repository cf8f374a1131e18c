"""Score events travel exactly, and in groups that fit a request."""

import itertools
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.sdk import ScoreEvent, columns_of, score_of
from toprung.sdk._events import (
    batch_body,
    encode,
    identified,
    instant_text,
    joined,
    number_text,
    split,
)
from toprung.wire.reads import Row
from toprung.wire.scores import BatchReply, ScoreResult


def sent(event: ScoreEvent) -> dict:
    return msgspec.json.decode(encode(event))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-5, "-5"),
        (10**30, "1" + "0" * 30),
        (Decimal("12.50"), "12.50"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1E-7"), "0.0000001"),
        ("12.5", "12.5"),
        # What text may say is the server's rule; it is not said twice.
        ("1e400", "1e400"),
    ],
)
def test_numbers_become_plain_decimal_text(value, text):
    assert number_text(value) == text


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_keeps_its_value_without_an_exponent(value):
    text = number_text(value)

    assert Decimal(text) == value
    assert "E" not in text


@pytest.mark.parametrize("value", [1.5, 3.0, float("nan")])
def test_a_float_is_refused_with_the_reason(value):
    with pytest.raises(TypeError, match=r"points must be .* not float: .* digits would be lost"):
        number_text(value)


@pytest.mark.parametrize("value", [True, None, b"1", [1]])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(TypeError, match="points must be"):
        number_text(value)


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity")])
def test_a_decimal_that_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="points must be a number"):
        number_text(value)


def test_a_float_in_a_column_is_refused_by_name():
    event = ScoreEvent("b", "ana", {"points": 3, "goals": 1.5})

    with pytest.raises(TypeError, match=r"points\.goals"):
        encode(event)


def test_points_of_several_columns_travel_by_name():
    event = ScoreEvent("b", "ana", {"points": 3, "time": Decimal("9.81")})

    assert sent(event)["points"] == {"points": "3", "time": "9.81"}


@given(st.integers())
def test_points_of_any_size_arrive_exactly(points):
    assert int(sent(ScoreEvent("b", "ana", points))["points"]) == points


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_arrives_as_it_was(text):
    event = sent(ScoreEvent("b", text, 1, event_id=text, match_id=text, metadata={text: text}))

    assert event["player_id"] == event["event_id"] == event["match_id"] == text
    assert event["metadata"] == {text: text}


def test_a_lone_surrogate_is_refused_before_anything_is_sent():
    with pytest.raises(ValueError, match="surrogates"):
        encode(ScoreEvent("b", "\ud800", 1))


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (datetime(2026, 5, 4, 12, tzinfo=UTC), "2026-05-04T12:00:00Z"),
        (datetime(2026, 5, 4, 12, 0, 0, 7, tzinfo=UTC), "2026-05-04T12:00:00.000007Z"),
        (datetime(2026, 5, 4, 12, tzinfo=timezone(timedelta(hours=2))), "2026-05-04T10:00:00Z"),
        # Monrovia was 44 minutes and 30 seconds behind, an offset that RFC 3339 cannot say.
        (datetime(1960, 1, 1, tzinfo=ZoneInfo("Africa/Monrovia")), "1960-01-01T00:44:30Z"),
        ("2026-05-04T12:00:00+02:00", "2026-05-04T12:00:00+02:00"),
    ],
)
def test_instants_become_rfc_3339(at, text):
    assert instant_text(at) == text


def test_an_instant_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="no time zone"):
        instant_text(datetime(2026, 5, 4))  # noqa: DTZ001 - that is what is tested


def test_an_event_gets_an_id_once():
    fresh = identified(ScoreEvent("b", "ana", 1), lambda: "new")

    assert fresh.event_id == "new"
    assert identified(fresh, lambda: "other") is fresh


sizes = st.lists(st.integers(1, 60), max_size=40)


@given(sizes, st.integers(1, 7), st.integers(20, 200))
def test_splitting_keeps_all_events_in_order_within_the_limits(sizes, max_events, max_bytes):
    events = [b"x" * size for size in sizes]

    groups = list(split(events, max_events=max_events, max_bytes=max_bytes))

    assert [event for group in groups for event in group] == events
    for group in groups:
        assert 1 <= len(group) <= max_events
        assert len(group) == 1 or len(batch_body(group)) <= max_bytes


@given(sizes, st.integers(1, 7), st.integers(20, 200))
def test_splitting_sends_no_more_requests_than_needed(sizes, max_events, max_bytes):
    events = [b"x" * size for size in sizes]
    groups = list(split(events, max_events=max_events, max_bytes=max_bytes))

    for group, following in itertools.pairwise(groups):
        fuller = [*group, following[0]]
        assert len(fuller) > max_events or len(batch_body(fuller)) > max_bytes


def test_five_thousand_go_in_one_request_and_one_more_in_two():
    assert [len(group) for group in split([b"1"] * 5_000)] == [5_000]
    assert [len(group) for group in split([b"1"] * 5_001)] == [5_000, 1]


def test_replies_to_parts_become_one():
    counted, late = ScoreResult(outcome="counted"), ScoreResult(outcome="late")
    parts = [
        BatchReply((counted, late), {"counted": 1, "late": 1}, "4"),
        BatchReply((counted,), {"counted": 1}, "5"),
        BatchReply((late,), {"late": 1}, None),
    ]

    whole = joined(parts)

    assert whole.results == (counted, late, counted, late)
    assert whole.outcomes == {"counted": 2, "late": 2}
    assert whole.seq == "5"


def test_no_events_give_an_empty_reply():
    assert joined([]) == BatchReply((), {}, None)


def test_scores_become_decimals():
    row = Row(1, "ana", "12.345", "2026-05-04T12:00:00Z", columns={"score": "12.345", "goals": "2"})

    assert score_of(row) == Decimal("12.345")
    assert columns_of(row) == {"score": Decimal("12.345"), "goals": Decimal(2)}
    assert columns_of(Row(1, "ana", "1", "2026-05-04T12:00:00Z")) == {}

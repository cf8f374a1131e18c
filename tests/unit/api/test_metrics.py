"""Counts as Prometheus reads them."""

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from toprung.api.metrics import Histogram, Metrics
from toprung.app.metrics import Gauges, WriterMetrics, exposition


@given(st.lists(st.floats(0, 20)))
def test_a_histogram_counts_each_value_up_to_its_bounds(values):
    histogram = Histogram((1.0, 5.0, 10.0))
    for value in values:
        histogram.observe(value)

    buckets, total = histogram.buckets()

    assert buckets == [
        ("1.0", sum(value <= 1 for value in values)),
        ("5.0", sum(value <= 5 for value in values)),
        ("10.0", sum(value <= 10 for value in values)),
        ("+Inf", len(values)),
    ]
    assert total == sum(values)


def test_everything_that_is_counted_can_be_read():
    metrics, writer = Metrics(), WriterMetrics()
    metrics.route("/v1/scores").add(200, 0.002)
    metrics.events({"counted": 3, "late": 1}, 4)
    writer.committed(500, 0.03)

    text = exposition(metrics, writer, Gauges({"toprung_entries": lambda: 7.0}))()

    families = {each.name: each for each in text_string_to_metric_families(text.decode())}
    assert families.keys() == {
        "toprung_http_requests",
        "toprung_http_request_seconds",
        "toprung_events",
        "toprung_batch_events",
        "toprung_commit_records",
        "toprung_commit_seconds",
        "toprung_fsync_seconds",
        "toprung_entries",
    }
    assert {each.labels["outcome"]: each.value for each in families["toprung_events"].samples} == {
        "counted": 3,
        "late": 1,
    }
    assert all(family.documentation for family in families.values())

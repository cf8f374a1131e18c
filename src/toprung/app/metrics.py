"""What the writer does and how large things are, for Prometheus."""

from collections.abc import Callable, Iterator, Mapping
from threading import Lock

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric

from toprung.api.metrics import EVENTS, SECONDS, Histogram, Metrics


class WriterMetrics:
    """A :class:`~toprung.intake.writer.WriterStats`: told by the writer's thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._records = Histogram(EVENTS)
        self._seconds = Histogram(SECONDS)
        self._syncs = Histogram(SECONDS)

    def committed(self, records: int, seconds: float) -> None:
        """See the port."""
        with self._lock:
            self._records.observe(records)
            self._seconds.observe(seconds)

    def synced(self, seconds: float) -> None:
        """A commit was written and synced in so many seconds."""
        with self._lock:
            self._syncs.observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """See ``prometheus_client``."""
        with self._lock:
            records, seconds = self._records.buckets(), self._seconds.buckets()
            syncs = self._syncs.buckets()
        sizes = HistogramMetricFamily("toprung_commit_records", "Records of one transaction.")
        sizes.add_metric((), *records)
        yield sizes
        times = HistogramMetricFamily(
            "toprung_commit_seconds", "Time to apply a transaction and make it durable."
        )
        times.add_metric((), *seconds)
        yield times
        waits = HistogramMetricFamily(
            "toprung_fsync_seconds", "Time a commit takes to write its pages and sync the file."
        )
        waits.add_metric((), *syncs)
        yield waits


GAUGES = {
    "toprung_queue_records": "Records that wait to be written.",
    "toprung_log_seq": "The last record of the log.",
    "toprung_unwritten_records": "Records that the tables of entries do not reflect for sure yet.",
    "toprung_rebuilding": "1 while everything is made anew from the log, else 0.",
    "toprung_view_lag_records": "Records of the log that readers do not see yet.",
    "toprung_quarantine_events": "Events that wait in quarantine, of all boards.",
    "toprung_periods": "Periods in memory.",
    "toprung_entries": "Entries in memory, of all periods.",
}


class Gauges:
    """Values that are asked for when Prometheus reads; their names are those of ``GAUGES``."""

    def __init__(self, values: Mapping[str, Callable[[], float]]) -> None:
        self._values = values

    def collect(self) -> Iterator[Metric]:
        """See ``prometheus_client``."""
        for name, value in self._values.items():
            yield GaugeMetricFamily(name, GAUGES[name], value())


def exposition(*parts: Metrics | WriterMetrics | Gauges) -> Callable[[], bytes]:
    """What writes everything that ``parts`` count, as Prometheus reads it."""
    registry = CollectorRegistry()
    for part in parts:
        registry.register(part)
    return lambda: generate_latest(registry)

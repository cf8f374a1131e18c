"""What the writer does and how large things are, for Prometheus."""

from collections.abc import Callable, Iterator
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

    def committed(self, records: int, seconds: float) -> None:
        """See the port."""
        with self._lock:
            self._records.observe(records)
            self._seconds.observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """See ``prometheus_client``."""
        with self._lock:
            records, seconds = self._records.buckets(), self._seconds.buckets()
        sizes = HistogramMetricFamily("toprung_commit_records", "Records of one transaction.")
        sizes.add_metric((), *records)
        yield sizes
        times = HistogramMetricFamily(
            "toprung_commit_seconds", "Time to apply a transaction and make it durable (fsync)."
        )
        times.add_metric((), *seconds)
        yield times


class Gauges:
    """Values that are asked for when Prometheus reads."""

    def __init__(self, values: dict[str, tuple[str, Callable[[], float]]]) -> None:
        self._values = values

    def collect(self) -> Iterator[Metric]:
        """See ``prometheus_client``."""
        for name, (help_text, value) in self._values.items():
            yield GaugeMetricFamily(name, help_text, value())


def exposition(*parts: Metrics | WriterMetrics | Gauges) -> Callable[[], bytes]:
    """What writes everything that ``parts`` count, as Prometheus reads it."""
    registry = CollectorRegistry()
    for part in parts:
        registry.register(part)
    return lambda: generate_latest(registry)

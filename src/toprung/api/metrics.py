"""Counts of requests and events, kept as plain numbers and read by Prometheus when it asks.

A counter object for each request would cost more than the request's own work, so the hot path only
adds to numbers; ``collect`` makes the families.
"""

from bisect import bisect_left
from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
EVENTS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)


class Histogram:
    """How often a value fell into each range."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def buckets(self) -> tuple[list[tuple[str, float]], float]:
        """The counts up to each bound, as Prometheus wants them, and the sum of the values."""
        total, buckets = 0, []
        for bound, count in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            total += count
            buckets.append((bound, float(total)))
        return buckets, self._sum


class RequestCounts:
    """The requests of one route."""

    __slots__ = ("seconds", "statuses")

    def __init__(self) -> None:
        self.statuses: dict[int, int] = {}
        self.seconds = Histogram(SECONDS)

    def add(self, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.seconds.observe(seconds)


class Metrics:
    """What the API counts. Used from the event loop's thread only."""

    def __init__(self) -> None:
        self.outcomes: dict[str, int] = {}
        self.batch_events = Histogram(EVENTS)
        self._routes: dict[str, RequestCounts] = {}

    def route(self, path: str) -> RequestCounts:
        """The counts of a route."""
        return self._routes.setdefault(path, RequestCounts())

    def events(self, outcomes: dict[str, int], count: int) -> None:
        """Count the events of one request."""
        self.batch_events.observe(count)
        for outcome, found in outcomes.items():
            self.outcomes[outcome] = self.outcomes.get(outcome, 0) + found

    def collect(self) -> Iterator[Metric]:
        """See ``prometheus_client``."""
        requests = CounterMetricFamily(
            "toprung_http_requests", "Requests answered.", labels=("route", "status")
        )
        for route, counts in self._routes.items():
            for status, count in counts.statuses.items():
                requests.add_metric((route, str(status)), count)
        yield requests
        seconds = HistogramMetricFamily(
            "toprung_http_request_seconds", "Time to answer a request.", labels=("route",)
        )
        for route, counts in self._routes.items():
            seconds.add_metric((route,), *counts.seconds.buckets())
        yield seconds
        events = CounterMetricFamily(
            "toprung_events", "Events answered, by outcome.", labels=("outcome",)
        )
        for outcome, count in self.outcomes.items():
            events.add_metric((outcome,), count)
        yield events
        batches = HistogramMetricFamily("toprung_batch_events", "Events of one request.")
        batches.add_metric((), *self.batch_events.buckets())
        yield batches

"""The reference of a server's settings and metrics: ``python -m toprung.app.reference``."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from toprung.api import Metrics, field_texts
from toprung.app.metrics import GAUGES, WriterMetrics
from toprung.app.settings import PREFIX, Settings

HEAD = """\
# Settings and metrics of a server

Made by `scripts/docs` from the server itself; do not edit.

## Settings

Each is a name in the TOML file of `toprung serve --config`, a variable of the environment, and, but
for the demo's, an option of that command. An option wins over the environment, that over the file.

| in the file | in the environment | default | meaning |
| --- | --- | --- | --- |"""
METRICS = """
## Metrics

`GET /metrics`, in the text form of Prometheus.

| name | kind | labels | meaning |
| --- | --- | --- | --- |"""


def reference() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_rows(_settings()), METRICS, *_rows(_metrics()), ""])


def _settings() -> Iterator[tuple[str, ...]]:
    texts = field_texts(Settings)
    for field in msgspec.structs.fields(Settings):
        name = field.name
        yield f"`{name}`", f"`{PREFIX}{name.upper()}`", _default(field.default), texts[name]


def _default(value: Any) -> str:
    if value is None or value == ():
        return ""
    return f"`{value if isinstance(value, str | Path) else msgspec.json.encode(value).decode()}`"


def _metrics() -> Iterator[tuple[str, ...]]:
    metrics = Metrics()
    metrics.route("/").add(200, 0.0)
    metrics.events({"counted": 1}, 1)
    for part in (metrics, WriterMetrics()):
        for family in part.collect():
            suffix = "_total" if family.type == "counter" else ""
            labels = {label for sample in family.samples for label in sample.labels} - {"le"}
            told = ", ".join(f"`{label}`" for label in sorted(labels))
            yield f"`{family.name}{suffix}`", family.type, told, family.documentation
    for name, text in GAUGES.items():
        yield f"`{name}`", "gauge", "", text


def _rows(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    sys.stdout.write(reference())

"""What the site counts. Several processes count into files, which any of them adds up."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client import generate_latest as text_of
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from . import durations

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)  # seconds


class Counts:
    """All that is counted."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "coalition_requests", "Requests answered", ["view", "status"], registry=registry
        )
        self.seconds = Histogram(
            "coalition_request_seconds",
            "Seconds until the response, or until a stream began",
            ["view"],
            buckets=BUCKETS,
            registry=registry,
        )
        self.streams = Gauge(
            "coalition_streams_open",
            "Pages that follow a table or a playgroup",
            registry=registry,
            multiprocess_mode="livesum",
        )
        self.taps = Counter(
            "coalition_taps", "Taps by scorekeepers", ["outcome"], registry=registry
        )
        self.news = Counter(
            "coalition_news", "News sent to webhooks", ["outcome"], registry=registry
        )
        self.restarts = Counter(
            "coalition_worker_restarts",
            "Processes of the site that died and were started again",
            registry=registry,
        )
        self.recorded, self.refused = self.taps.labels("recorded"), self.taps.labels("refused")
        self.delivered, self.failed = self.news.labels("delivered"), self.news.labels("failed")


@dataclass
class Running:
    """Since when the site runs and this process of it, in seconds since 1970, and by how many."""

    site: float = field(default_factory=time.time)
    process: float = field(default_factory=time.time)
    workers: int = 1


counts = Counts(REGISTRY)
running = Running()
_folder = ""  # of the files; none while this process counts alone
_worker = 0  # this process's number; 0 starts the others


def share(folder: str, workers: int) -> None:
    """Count for as many workers from now on, into files of an empty folder, before all requests."""
    global counts, running, _folder
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = _folder = folder  # where the library looks for it
    # By the worker's number, so that the next one of that number counts on where this one ended.
    values.ValueClass = values.MultiProcessValue(lambda: _worker)  # type: ignore[no-untyped-call]
    counts = Counts(CollectorRegistry())
    running = Running(workers=workers)
    durations.share(workers)


def begin(worker: int) -> None:
    """Count as a worker, just forked."""
    global _worker
    _worker = worker
    running.process = time.time()
    durations.current().worker = worker - 1


def end(worker: int) -> None:
    """Forget what a worker that has ended had open."""
    mark_process_dead(worker, _folder)  # type: ignore[no-untyped-call]


class Momentary:
    """Values of this moment, of which no process keeps any: name, help and value of each."""

    def __init__(self, *values: tuple[str, str, float]) -> None:
        self.values = values

    def collect(self) -> Iterator[Metric]:
        for name, help, value in self.values:
            yield GaugeMetricFamily(name, help, value=value)

    def text(self) -> bytes:
        """Return them as Prometheus reads them."""
        registry = CollectorRegistry()
        registry.register(self)
        return text_of(registry)


def text() -> bytes:
    """Return what all processes have counted, as Prometheus reads it."""
    if not _folder:
        return text_of(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, _folder)  # type: ignore[no-untyped-call]
    return text_of(registry)

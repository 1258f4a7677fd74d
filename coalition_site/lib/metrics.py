"""What the site counts. Several processes count into files, which any of them adds up."""

from __future__ import annotations

import os

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client import generate_latest as text_of
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)  # seconds


class Counts:
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
        taps = Counter("coalition_taps", "Taps by scorekeepers", ["outcome"], registry=registry)
        self.recorded, self.refused = taps.labels("recorded"), taps.labels("refused")
        news = Counter("coalition_news", "News sent to webhooks", ["outcome"], registry=registry)
        self.delivered, self.failed = news.labels("delivered"), news.labels("failed")
        self.restarts = Counter(
            "coalition_worker_restarts",
            "Processes of the site that died and were started again",
            registry=registry,
        )


counts = Counts(REGISTRY)
_folder = ""  # of the files; none while this process counts alone
_worker = 0  # this process's number; 0 starts the others


def share(folder: str) -> None:
    """Count into files of an empty folder from now on, before all requests."""
    global counts, _folder
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = _folder = folder  # where the library looks for it
    # By the worker's number, so that the next one of that number counts on where this one ended.
    values.ValueClass = values.MultiProcessValue(lambda: _worker)  # type: ignore[no-untyped-call]
    counts = Counts(CollectorRegistry())


def begin(worker: int) -> None:
    """Count as a worker, just forked."""
    global _worker
    _worker = worker


def end(worker: int) -> None:
    """Forget what a worker that has ended had open."""
    mark_process_dead(worker, _folder)  # type: ignore[no-untyped-call]


def text() -> bytes:
    """Return what all processes have counted, as Prometheus reads it."""
    if not _folder:
        return text_of(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, _folder)  # type: ignore[no-untyped-call]
    return text_of(registry)

"""What the site counts. Several processes count into files, which any of them adds up."""

import os
from pathlib import Path

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


counts = Counts(REGISTRY)


def share(folder: str) -> None:
    # From now on all processes that begin later count into files of this empty folder.
    global counts
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # where the library looks for it
    values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
    counts = Counts(CollectorRegistry())


def text() -> bytes:
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if not folder:
        return text_of(REGISTRY)
    for file in Path(folder).glob("gauge_live*"):
        _, _, pid = file.stem.rpartition("_")
        if not Path("/proc", pid).exists():
            mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return text_of(registry)

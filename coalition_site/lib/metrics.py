"""What this process counts. There is one today; if there are more, each is asked for its own."""

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("coalition_requests", "Requests answered", ["view", "status"])
SECONDS = Histogram(
    "coalition_request_seconds",
    "How long answers took; of a stream until it began",
    ["view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
STREAMS = Gauge("coalition_streams_open", "Pages that follow a table or a playgroup")
TAPS = Counter("coalition_taps", "What scorekeepers reported", ["outcome"])
RECORDED, REFUSED = TAPS.labels("recorded"), TAPS.labels("refused")

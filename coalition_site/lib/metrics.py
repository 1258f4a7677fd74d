"""What this process counts. With several processes, each is asked for its own counts."""

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("coalition_requests", "Requests answered", ["view", "status"])
SECONDS = Histogram(
    "coalition_request_seconds",
    "Seconds until the response, or until a stream began",
    ["view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
STREAMS = Gauge("coalition_streams_open", "Pages that follow a table or a playgroup")
TAPS = Counter("coalition_taps", "Taps by scorekeepers", ["outcome"])
RECORDED, REFUSED = TAPS.labels("recorded"), TAPS.labels("refused")

"""How long answers took in the last 24 hours, by view, in memory that all workers share.

`/metrics` counts since the start, in eleven steps and without the longest. Here every worker has an
area of its own with 25 parts, of which each belongs to an hour of the clock.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log2
from mmap import mmap
from threading import Lock
from typing import Any

from django.urls import URLPattern, get_resolver

HOUR = 3600  # seconds
PARTS = 25  # of an area: 24 whole hours, and the one that has begun
STEPS = 64  # of durations, four for each doubling from a millisecond: up to 46 seconds, and longer
ROW = 1 + STEPS  # figures of a view: the longest in microseconds, and how many took each step
BYTES = 4  # of a figure
MOST = 2 ** (8 * BYTES) - 1
OTHER = "other"  # for what has no view


@dataclass(frozen=True)
class Taken:
    """How long the answers of a view took, in milliseconds."""

    view: str
    count: int
    median: float
    p95: float
    longest: float


class Durations:
    """Counts how long answers took, for as many workers; this process is one of them."""

    def __init__(self, views: Sequence[str], workers: int = 1) -> None:
        self.rows = {view: number for number, view in enumerate(views)}
        self.part = 1 + len(self.rows) * ROW  # figures; the first is the hour
        self.workers, self.worker = workers, 0
        self.figures = memoryview(mmap(-1, workers * PARTS * self.part * BYTES)).cast("I")
        self.lock = Lock()  # of this process's threads; no other process writes into its area

    def note(self, view: str, seconds: float) -> None:
        """Count an answer."""
        hour = int(time.time()) // HOUR
        start = (self.worker * PARTS + hour % PARTS) * self.part
        row = start + 1 + self.rows.get(view, self.rows[OTHER]) * ROW
        figures, microseconds = self.figures, min(int(seconds * 1e6), MOST)
        with self.lock:
            if figures[start] != hour:
                figures[start : start + self.part] = memoryview(bytes(self.part * BYTES)).cast("I")
                figures[start] = hour
            figures[row] = max(figures[row], microseconds)
            figures[row + 1 + step(seconds)] += 1

    def taken(self) -> list[Taken]:
        """Return the views that answered in the last 24 hours, as all workers counted them."""
        now = int(time.time()) // HOUR
        areas = range(0, len(self.figures), self.part)
        starts = [start + 1 for start in areas if now - PARTS < self.figures[start] <= now]
        rows = ((view, self._sum(starts, at * ROW)) for view, at in self.rows.items())
        return [_taken(view, longest, steps) for view, (longest, steps) in rows if longest]

    def _sum(self, starts: Sequence[int], at: int) -> tuple[int, list[int]]:
        used = [start + at for start in starts if self.figures[start + at]]
        longest = max((self.figures[row] for row in used), default=0)
        counts = (self.figures[row + 1 : row + ROW].tolist() for row in used)
        return longest, [sum(column) for column in zip(*counts, strict=True)]


def step(seconds: float) -> int:
    """Return the step of a duration; each step reaches to 2 to the power of a quarter of it, in ms.

    >>> [step(seconds) for seconds in (0, 0.0005, 0.001, 0.002, 0.1, 50, 5000)]
    [0, 0, 1, 5, 27, 63, 63]
    """
    ms = seconds * 1000
    return min(1 + int(4 * log2(ms)), STEPS - 1) if ms >= 1 else 0


def _taken(view: str, longest: int, steps: Sequence[int]) -> Taken:
    half, most = (_quantile(steps, part, longest / 1000) for part in (0.5, 0.95))
    return Taken(view, sum(steps), half, most, longest / 1000)


def _quantile(steps: Sequence[int], part: float, longest: float) -> float:
    """Return the middle of the step in which that part of all answers has been counted, in ms."""
    totals = list(accumulate(steps))
    number = bisect_left(totals, part * totals[-1])
    return min(2 ** ((number - 0.5) / 4), longest)


_current: Durations | None = None


def share(workers: int) -> None:
    """Count for as many workers from now on, before they are forked."""
    global _current
    _current = Durations(view_names(), workers)


def current() -> Durations:
    """Return what this process counts with: by itself alone, unless it shares."""
    if _current is None:
        share(1)
    assert _current
    return _current


def view_names() -> list[str]:
    """Return the names of all views."""
    return sorted({OTHER, *_names(get_resolver().url_patterns, ())})


def _names(entries: Sequence[Any], spaces: tuple[str, ...]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, URLPattern):
            yield ":".join((*spaces, entry.name or ""))
        else:
            yield from _names(entry.url_patterns, (*spaces, *filter(None, [entry.namespace])))

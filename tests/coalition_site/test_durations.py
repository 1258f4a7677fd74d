"""How long answers took in the last 24 hours, by view and over all workers."""

from __future__ import annotations

import os
from dataclasses import dataclass

import pytest

from coalition_site.lib import durations
from coalition_site.lib.durations import HOUR, Durations

START = 1_790_000_000.0  # seconds since 1970


@dataclass
class Clock:
    now: float = START

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(durations, "time", clock)
    return clock


@pytest.fixture
def counts(clock: Clock) -> Durations:
    return Durations(["board", "hit", "other"], workers=2)


def test_a_view_has_its_count_its_median_its_95_percent_and_its_longest(counts):
    for ms in (*[10] * 90, *[100] * 9, 1500.5):
        counts.note("hit", ms / 1000)

    (taken,) = counts.taken()
    assert (taken.view, taken.count, taken.longest) == ("hit", 100, 1500.5)
    assert taken.median == pytest.approx(10, rel=0.1)
    assert taken.p95 == pytest.approx(100, rel=0.1)


@pytest.mark.parametrize("ms", [0.004, 0.9, 1, 7.7, 45, 999, 12_345, 46_000, 3_600_000])
def test_no_quantile_is_longer_than_the_longest_and_few_are_far_off(counts, ms):
    counts.note("hit", ms / 1000)

    (taken,) = counts.taken()
    assert taken.longest == pytest.approx(ms)
    assert taken.median == taken.p95 <= taken.longest
    if 1 <= ms <= 46_000:
        assert taken.median == pytest.approx(ms, rel=0.1)


def test_what_no_view_answered_is_counted_as_other(counts):
    counts.note("a view that was removed", 0.25)

    assert [(taken.view, taken.longest) for taken in counts.taken()] == [("other", 250)]


def test_workers_are_added_up(counts):
    """Each is a process of its own, forked from the one that made the memory."""
    for worker, ms in enumerate((3, 30)):
        process = os.fork()
        if not process:
            counts.worker = worker
            counts.note("hit", ms / 1000)
            os._exit(0)
        os.waitpid(process, 0)

    (taken,) = counts.taken()
    assert (taken.count, taken.longest) == (2, 30)


def test_a_day_later_it_is_forgotten(counts, clock):
    counts.note("hit", 0.5)
    for hour in range(1, 25):
        clock.now = START + hour * HOUR
        counts.note("board", 0.001 * hour)
    assert [taken.view for taken in counts.taken()] == ["board", "hit"]

    clock.now += HOUR
    counts.note("board", 0.001)

    assert [(taken.view, taken.count) for taken in counts.taken()] == [("board", 25)]
    clock.now += 25 * HOUR
    assert counts.taken() == []


def test_a_clock_that_jumps_back_shows_nothing_of_the_future(counts, clock):
    counts.note("hit", 0.5)
    clock.now -= 3 * HOUR
    counts.note("board", 0.25)

    assert [taken.view for taken in counts.taken()] == ["board"]


def test_views_are_named_as_in_the_metrics_and_by_no_address():
    names = durations.view_names()

    assert {"hit", "board", "admin:index", "site_state", "other"} <= set(names)
    assert [name for name in names if "/" in name or "<" in name] == []


def test_an_answer_is_counted_once(client):
    def count() -> int:
        taken = durations.current().taken()
        return sum(view.count for view in taken if view.view == "healthz")

    before = count()
    client.get("/healthz")

    assert count() == before + 1

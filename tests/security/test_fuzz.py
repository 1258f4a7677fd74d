"""Thousands of requests from a seed, and not one breaks the site.

What is malformed changes no row; what a holder sends may, and the books are right afterwards.
"""

from __future__ import annotations

import io
from collections import Counter

import pytest
from django.core.management import call_command
from django.db import transaction

from scoring.models import EventRow
from tests.lengths import long

from .fuzz import Fuzzer, Holder, run
from .world import World, rows

SEED = 906
LONG = 50  # requests of holders before the world is put back as it was


@pytest.mark.parametrize("count", [300, *long(10_000)])
def test_malformed_requests_never_break_the_site_and_never_change_a_row(world: World, count: int):
    clients = world.clients(raise_request_exception=False)  # signing in leaves its day
    before = rows()

    statuses, broken = run(Fuzzer(world, SEED), clients, count)

    assert "\n".join(broken) == ""
    assert rows() == before
    assert statuses.total() == count


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("rounds", [5, *long(200)])
def test_what_a_holder_sends_never_breaks_the_site_and_leaves_the_books_right(
    world: World, rounds: int
):
    statuses, broken, books, taps = Counter[int](), [], [], 0

    for turn in range(rounds):
        with transaction.atomic():
            clients, before = world.clients(raise_request_exception=False), EventRow.objects.count()
            of_turn = run(Holder(world, SEED + turn, clients), clients, LONG)
            statuses, broken = statuses + of_turn[0], broken + of_turn[1]
            books += wrong_books()
            taps += EventRow.objects.count() - before
            transaction.set_rollback(True)

    assert "\n".join(broken) == ""
    assert books == []
    # By chance, some ten in ten rounds; none if they stood at the door.
    assert taps >= rounds // 5


def wrong_books() -> list[str]:
    """Return what `verify_ledger` finds wrong."""
    out = io.StringIO()
    try:
        call_command("verify_ledger", stdout=out, stderr=out)
    except SystemExit:
        return out.getvalue().splitlines()
    return []

"""Thousands of requests from a seed, and not one breaks the site.

What is malformed changes no row; what a holder sends may, and the books are right afterwards.
"""

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

    broken = run(Fuzzer(world, SEED), clients, count)

    assert "\n".join(broken) == ""
    assert rows() == before


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("rounds", [5, *long(200)])
def test_what_a_holder_sends_never_breaks_the_site_and_leaves_the_books_right(
    world: World, rounds: int
):
    broken, taps = [], 0

    for turn in range(rounds):
        with transaction.atomic():
            clients, before = world.clients(raise_request_exception=False), EventRow.objects.count()
            broken += run(Holder(world, SEED + turn, clients), clients, LONG)
            call_command("verify_ledger")  # exits if any is wrong
            taps += EventRow.objects.count() - before
            transaction.set_rollback(True)

    assert "\n".join(broken) == ""
    # By chance, some ten in ten rounds; none if they stood at the door.
    assert taps >= rounds // 5

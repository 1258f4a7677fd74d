"""Thousands of requests from a seed, and not one breaks the site.

What is malformed changes no row; what a holder sends may, and the books are right afterwards.

    FUZZ=10000 python -m pytest tests/security/test_fuzz.py -s

Prints how often each status came.
"""

from __future__ import annotations

import io
import os
from collections import Counter

from django.core.management import call_command
from django.db import connection, transaction

from scoring.models import EventRow
from tests.scoring.tables import set_up
from tests.serving import serving

from . import raw
from .fuzz import Fuzzer, Holder, run
from .world import World, rows

COUNT = int(os.environ.get("FUZZ", "1500"))
RAW = max(COUNT // 10, 300)  # over sockets, which takes longer
LONG = 50  # requests of holders before the world is put back as it was
ROUNDS = int(os.environ.get("FUZZ", "500")) // LONG
SEED = int(os.environ.get("FUZZ_SEED", "906"))


def test_malformed_requests_never_break_the_site_and_never_change_a_row(world: World):
    clients = world.clients(raise_request_exception=False)  # signing in leaves its day
    before = rows()

    statuses, broken = run(Fuzzer(world, SEED), clients, COUNT)

    print(f"\n{connection.vendor}, seed {SEED}: {dict(sorted(statuses.items()))}")
    assert "\n".join(broken) == ""
    assert rows() == before
    assert statuses.total() == COUNT


def test_what_a_holder_sends_never_breaks_the_site_and_leaves_the_books_right(world: World):
    statuses, broken, books, taps = Counter[int](), [], [], 0

    for turn in range(ROUNDS):
        with transaction.atomic():
            clients, before = world.clients(raise_request_exception=False), EventRow.objects.count()
            of_turn = run(Holder(world, SEED + turn, clients), clients, LONG)
            statuses, broken = statuses + of_turn[0], broken + of_turn[1]
            books += wrong_books()
            taps += EventRow.objects.count() - before
            transaction.set_rollback(True)

    print(f"\n{connection.vendor}, holders, seed {SEED}: {dict(sorted(statuses.items()))}, {taps=}")
    assert "\n".join(broken) == ""
    assert books == []
    # By chance, some ten in ten rounds; none if they stood at the door.
    assert taps >= ROUNDS // 5


def wrong_books() -> list[str]:
    """Return what `verify_ledger` finds wrong."""
    out = io.StringIO()
    try:
        call_command("verify_ledger", stdout=out, stderr=out)
    except SystemExit:
        return out.getvalue().splitlines()
    return []


def test_what_no_client_would_send_never_breaks_the_server(transactional_db: None):
    table = set_up()
    before = rows()

    with serving() as site:
        statuses, broken = raw.run(site.address, SEED, RAW)
        alive = raw.send(site.address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        form = b"tap_id=x&charset=y"
        head = f"POST /s/{table.code}/score/1/turn/?a=b HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Content-Length: {len(form)}\r\nContent-Type: text/x; charset=rot13\r\n\r\n"
        refused = raw.send(site.address, head.encode() + form)

    print(f"\n{connection.vendor}, raw, seed {SEED}: {dict(sorted(statuses.items()))}")
    assert "\n".join(broken) == ""
    assert (alive, refused) == (200, 403)
    assert rows() == before

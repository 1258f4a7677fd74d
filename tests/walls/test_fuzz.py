"""Thousands of malformed requests: not one breaks the site, not one changes a row.

    FUZZ=10000 python -m pytest tests/walls/test_fuzz.py -s

Prints how often each status came.
"""

from __future__ import annotations

import os

from django.db import connection

from tests.scoring.tables import set_up
from tests.serving import serving

from . import raw
from .fuzz import run
from .world import World, rows

COUNT = int(os.environ.get("FUZZ", "1500"))
RAW = max(COUNT // 10, 300)  # over sockets, which takes longer
SEED = int(os.environ.get("FUZZ_SEED", "906"))


def test_malformed_requests_never_break_the_site_and_never_change_a_row(world: World):
    clients = world.clients(raise_request_exception=False)  # signing in leaves its day
    before = rows()

    statuses, broken = run(world, clients, SEED, COUNT)

    print(f"\n{connection.vendor}, seed {SEED}: {dict(sorted(statuses.items()))}")
    assert "\n".join(broken) == ""
    assert rows() == before
    assert statuses.total() == COUNT


def test_what_no_client_would_send_never_breaks_the_server(transactional_db: None):
    table = set_up()
    before = rows()

    with serving() as site:
        statuses, broken = raw.run(site.address, SEED, RAW)
        alive = raw.send(site.address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        form = b"tap_id=x&charset=y"
        head = f"POST /s/{table.game_set.code}/score/1/turn/?a=b HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Content-Length: {len(form)}\r\nContent-Type: text/x; charset=rot13\r\n\r\n"
        refused = raw.send(site.address, head.encode() + form)

    print(f"\n{connection.vendor}, raw, seed {SEED}: {dict(sorted(statuses.items()))}")
    assert "\n".join(broken) == ""
    assert (alive, refused) == (200, 403)
    assert rows() == before

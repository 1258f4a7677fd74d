"""Bytes over a socket that no client would send: the server answers, and changes nothing."""

from __future__ import annotations

import pytest

from tests.lengths import long
from tests.scoring.tables import set_up
from tests.serving import serving

from . import raw
from .world import rows

SEED = 906


@pytest.mark.parametrize("count", [100, *long(1_000)])
def test_what_no_client_would_send_never_breaks_the_server(transactional_db: None, count: int):
    table = set_up()
    before = rows()

    with serving() as site:
        _, broken = raw.run(site.address, SEED, count)
        alive = raw.send(site.address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        form = b"tap_id=x&charset=y"
        head = f"POST /s/{table.code}/score/1/turn/?a=b HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Content-Length: {len(form)}\r\nContent-Type: text/x; charset=rot13\r\n\r\n"
        refused = raw.send(site.address, head.encode() + form)

    assert "\n".join(broken) == ""
    assert (alive, refused) == (200, 403)
    assert rows() == before

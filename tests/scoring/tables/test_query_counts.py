"""A tap and a page cost the same at the first and at the three hundredth event.

What counts are statements that read or write: BEGIN, COMMIT and the savepoints that a test has in
their place are left out, so that the numbers are the same in a test and outside.
"""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.models import GameSet
from scoring.record import commands
from scoring.rules.moves import ChangeLife, Draw, PassTurn
from tests.scoring.rules.play import ANN, BO, CY, hit

from . import address, holder, record, seat_holder, set_up, tap_id, the_game

TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")
HTMX = {"HX-Request": "true"}


def queries(ask: Callable[[], HttpResponse], *, is_refused: bool = False) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert ask().status_code in ((422,) if is_refused else (200, 302))
    return sum(not query["sql"].startswith(TRANSACTION) for query in captured)


def costs(table: GameSet) -> dict[str, int]:
    """Return what each page and tap of a table costs now."""
    client, phone = holder(table), seat_holder(table)
    tap = {"source": ANN, "target": BO, "kind": "hero", "amount": 1}

    def post(name: str, number: int, htmx: bool = False, **form: object) -> HttpResponse:
        headers = HTMX if htmx else {}
        where = address(table, name, 1)
        return client.post(where, {"tap_id": tap_id(number), **form}, headers=headers)

    post("undo", 0, event=99_999)  # from now on the browser has its number
    last = the_game(table).length
    pages = ("score", "links", "log", "export", "watch", "tablet")
    return {name: queries(partial(client.get, address(table, name))) for name in pages} | {
        "hit": queries(lambda: post("hit", 10 * last, **tap)),
        "hit-htmx": queries(lambda: post("hit", 10 * last + 1, htmx=True, **tap)),
        "hit-again": queries(lambda: post("hit", 10 * last, **tap)),
        "hit-refused": queries(lambda: post("hit", 10 * last + 2, htmx=True), is_refused=True),
        "turn-htmx": queries(lambda: post("turn", 10 * last + 3, htmx=True)),
        "undo-htmx": queries(lambda: post("undo", 10 * last + 4, htmx=True, event=last + 3)),
        "undo": queries(lambda: post("undo", 10 * last + 5, event=last + 2)),
        "score-htmx": queries(lambda: client.get(address(table, "score"), headers=HTMX)),
        "more": queries(lambda: client.get(address(table, "more", 1))),
        "end": queries(lambda: client.get(address(table, "end", 1, "concede"), {"player": 2})),
        "line": queries(lambda: client.get(address(table, "line", 1, 1))),
        "table": queries(lambda: Client().get(address(table, "table"))),
        "home": queries(lambda: client.get(reverse("home"))),
        "seat": queries(lambda: phone.get(address(table, "seat"))),
    }


COUNTS = {
    "hit": 4,
    "hit-htmx": 4,
    "hit-again": 6,
    "hit-refused": 2,
    "turn-htmx": 4,
    "undo-htmx": 6,
    "undo": 7,
    "score": 3,
    "score-htmx": 3,
    "more": 1,
    "end": 1,
    "links": 2,
    "line": 2,
    "log": 4,
    "export": 3,
    "watch": 3,
    "table": 2,
    "tablet": 3,
    "home": 2,
    "seat": 3,
}


if connection.vendor == "postgresql":
    COUNTS |= {"hit": 2, "hit-htmx": 2, "hit-again": 5, "turn-htmx": 2}  # written at once


def test_the_cost_of_a_page_or_tap_does_not_grow_with_the_log(table):
    record(table, PassTurn(ANN))
    first = costs(table)
    for _ in range(150):
        record(table, ChangeLife({CY: 1}), ChangeLife({CY: -1}))

    later = costs(table)

    assert first == later == COUNTS


@pytest.mark.parametrize(("events", "players"), [(1, 2), (30, 5)])
@pytest.mark.django_db
def test_the_cost_of_standings_does_not_grow_with_the_log(events, players):
    table = set_up(players)
    for number in (1, 2, 3):
        commands.start_game(table, number, first=ANN)
        for at in range(events):
            record(table, ChangeLife({BO: 1 if at % 2 else -1}), game=number)
        record(table, hit(BO, ANN, 2), Draw(), game=number)
    client = holder(table)

    counts = {
        "watch": queries(lambda: client.get(address(table, "watch"))),
        "score": queries(lambda: client.get(address(table, "score"))),
    }

    assert counts == {"watch": 5, "score": 4}


def test_the_cost_of_the_home_page_does_not_grow_with_its_tables(table):
    client = holder(table)
    counts = []
    for at in range(6):
        counts.append(queries(lambda: client.get(reverse("home"))))
        other = set_up(key=f"key-{at}")
        client.cookies[f"key-{other.code}"] = f"key-{at}"

    assert set(counts) == {2}

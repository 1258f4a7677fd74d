"""A board that hundreds ask for at once is drawn once, and is never older than what was heard."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from scoring import commands, live
from scoring.groups.commands import found, take
from scoring.queries import Table
from scoring.rules.moves import Draw
from scoring.views import boards
from tests.rules.play import ANN, BO, hit

from .tables import address, holder, record, set_up, text

HTMX = {"HX-Request": "true"}
VIEWS = ["watch", "table"]


@pytest.fixture
def table(db: None, monkeypatch) -> Table:
    """A table that somebody listens to."""
    table = set_up()
    monkeypatch.setattr(live, "_changes", {topic(table): 7})
    monkeypatch.setattr(live, "_latest", 7)
    monkeypatch.setattr(boards, "_kept", {})
    return table


def topic(table: Table) -> str:
    return f"s{table.game_set.pk}"


def ask(table: Table, name: str = "watch", **headers: str) -> HttpResponse:
    return Client().get(address(table, name), headers=HTMX | headers)


def points(response: HttpResponse) -> str:
    """Return the first player's VP, as the public page has them."""
    return text(response).split('<span class="vh">VP </span>')[1].partition("<")[0]


@pytest.mark.parametrize("name", VIEWS)
def test_who_asks_after_another_gets_the_same_without_a_query(
    table, name, django_assert_num_queries: Any
):
    first = ask(table, name)

    with django_assert_num_queries(0):
        again = ask(table, name)
        known = ask(table, name, **{"If-None-Match": f"W/{first['ETag']}"})

    assert (again.content, dict(again.headers)) == (first.content, dict(first.headers))
    assert (known.status_code, known.content) == (304, b"")


@pytest.mark.parametrize("name", VIEWS)
def test_a_change_that_was_heard_of_is_in_the_next_answer(table, name):
    before = ask(table, name)["ETag"]

    record(table, hit(ANN, BO, 1))
    live._count_change(topic(table))

    assert ask(table, name)["ETag"] != before


def test_a_change_that_is_heard_of_while_a_board_is_drawn_makes_it_old(table, monkeypatch):
    heard = live.latest()
    live._count_change(topic(table))
    with monkeypatch.context() as earlier:
        earlier.setattr(boards.live, "latest", lambda: heard)  # asked before the change came
        ask(table)
    record(table, hit(ANN, BO, 5))

    assert points(ask(table)) == "5"


def test_a_board_of_which_no_change_is_heard_is_not_kept(table):
    live._changes.clear()
    ask(table)
    record(table, hit(ANN, BO, 2))

    assert points(ask(table)) == "2"


def test_a_board_is_kept_for_a_second_at_most(table, monkeypatch):
    ask(table)
    record(table, hit(ANN, BO, 2))
    assert points(ask(table)) == "0", "not heard of yet"

    monkeypatch.setattr(boards.time, "monotonic", lambda: float("inf"))

    assert points(ask(table)) == "2"


def test_the_board_of_a_private_playgroup_is_kept_for_nobody(table):
    take(table, found("Secret", None, visibility="private", ruleset="coalition-906"))
    assert holder(table).get(address(table, "watch"), headers=HTMX).status_code == 200

    assert ask(table).status_code == 404


def test_the_end_of_the_set_is_told_to_everybody(table):
    record(table, Draw())
    ask(table)

    commands.call_set(table)
    live._count_change(topic(table))

    assert [ask(table)["HX-Refresh"] for _ in range(2)] == ["true", "true"]

"""Decks that nobody plays or opens are removed after a year, by a command."""

import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from decks.decks import commands
from decks.models import Deck, DeckLine, DeckRevision
from scoring.record import commands as tables
from tests.scoring.tables import set_up, unchanged

from ..lists import ELVES, elves, register

pytestmark = pytest.mark.django_db
TODAY = datetime.now(UTC).date()
A_YEAR_AGO = TODAY - timedelta(days=365)
LONGER_AGO = A_YEAR_AGO - timedelta(days=1)


def run(*said: str) -> str:
    out = io.StringIO()
    call_command("remove_unused_decks", *said, stdout=out)
    return out.getvalue().strip()


def test_a_deck_that_no_seat_carries_and_nobody_opened_for_a_year_is_removed():
    """A dry run removes nothing, and the decks of accounts stay."""
    elves()
    for name, opened in {"Gone": LONGER_AGO, "Opened": A_YEAR_AGO, "Played": LONGER_AGO}.items():
        deck = register(name, ELVES, f"{ELVES}\n1 Elvish Mystic")
        Deck.objects.filter(pk=deck.pk).update(opened_on=opened)
    tables.bring_deck(set_up(2), 1, DeckRevision.objects.get(deck__name="Played", number=1))
    with unchanged():
        assert run("--dry-run") == "Would remove 1 deck with 2 revisions."
    Deck.objects.update(owner=User.objects.create_user("ann"))
    assert run() == "Removed 0 decks with 0 revisions."
    Deck.objects.update(owner=None)
    assert run() == "Removed 1 deck with 2 revisions."
    assert [*Deck.objects.order_by("name").values_list("name", flat=True)] == ["Opened", "Played"]
    assert DeckRevision.objects.count() == 4
    assert not DeckLine.objects.filter(revision__deck__name="Gone").exists()
    assert run() == "Removed 0 decks with 0 revisions."


def test_more_decks_than_are_removed_at_once_are_all_removed(monkeypatch):
    monkeypatch.setattr(commands, "AT_ONCE", 2)
    for name in "ABCDE":
        register(name, "1 Ox")
    Deck.objects.update(opened_on=LONGER_AGO)

    assert run() == "Removed 5 decks with 5 revisions."
    assert not Deck.objects.exists()


def test_a_deck_whose_last_visit_is_not_known_goes_by_the_day_it_was_saved():
    old, new = register("Old", "1 Ox"), register("New", "1 Ox")
    assert new.opened_on == TODAY  # a new deck was opened when it was saved
    Deck.objects.update(opened_on=None)
    Deck.objects.filter(pk=old.pk).update(created_at=datetime(2020, 1, 1, tzinfo=UTC))

    assert run() == "Removed 1 deck with 1 revision."
    assert Deck.objects.get() == new


@pytest.mark.parametrize("name", ["deck", "change_deck"])
def test_opening_a_deck_is_written_down_once_a_day(name):
    deck = register("Elves", "1 Ox")
    Deck.objects.update(opened_on=LONGER_AGO)
    client = Client()
    client.cookies[f"deck-{deck.code}"] = "Elves"
    updates = []

    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse(name, args=[deck.code]))
        updates.append(sum("UPDATE" in query["sql"] for query in captured))
        deck.refresh_from_db()

    assert (updates, deck.opened_on) == ([1, 0], TODAY)


def test_a_deck_is_shown_also_when_nothing_can_be_written(monkeypatch):
    deck = register("Elves", "1 Ox")
    Deck.objects.update(opened_on=LONGER_AGO)

    def refuse(*_: Any, **__: Any) -> None:
        raise DatabaseError("database or disk is full")

    monkeypatch.setattr(QuerySet, "update", refuse)

    assert Client().get(reverse("deck", args=[deck.code])).status_code == 200

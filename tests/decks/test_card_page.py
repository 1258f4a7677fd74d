"""The page of each card, and what leads to it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from decks.addresses import card_address
from tests.scoring.browsing import words

from .cards import given, record

pytestmark = pytest.mark.django_db


def face(name: str, cost: str, type_line: str, text: str) -> dict[str, str]:
    return {"name": name, "mana_cost": cost, "type_line": type_line, "oracle_text": text}


SPLIT = record(
    "Ember // Frost",
    "Instant // Instant",
    layout="split",
    card_faces=[
        face("Ember", "{1}{R}", "Instant", "Ember deals 2 damage to any target."),
        face("Frost", "{2/U}{W/P}", "Instant", "Tap target Elf.\nDraw a card."),
    ],
)


def test_a_page_shows_all_faces_and_what_each_ruleset_says_of_the_card():
    given(SPLIT)

    page = Client().get(card_address("Ember // Frost"))

    assert page.status_code == 200
    shown = words(page)
    for part in ("Ember deals 2 damage to any target.", "Tap target Elf. Draw a card."):
        assert part in shown
    assert shown.count("Legal") == 4
    assert 'aria-label="2 generic or blue mana"' in page.content.decode()
    assert "{" not in shown


@pytest.mark.parametrize("asked", ["Ember // Frost", "ember", "EMBER;FROST", "ember_;_frost"])
def test_another_spelling_leads_to_the_cards_own_address(asked):
    given(SPLIT)

    answer = Client().get(reverse("card", args=[asked.replace("/", ";")]))

    assert (answer.status_code, answer["Location"]) == (302, "/cards/ember;frost/")


def test_a_misspelt_name_is_not_found_and_the_closest_cards_are_offered():
    given(record("Elvish Warden"))

    page = Client().get("/cards/elvish_wardn/")

    assert page.status_code == 404
    assert '<a class="card-name" href="/cards/elvish_warden/">Elvish Warden</a>' in (
        page.content.decode()
    )


@pytest.mark.parametrize(
    "name",
    ["Jötun Grunt", "Æther “Vial”", "SP//dr, Piloted by Peni", "_____ Goblin", "_____-o-saurus"],
)
def test_every_name_leads_to_its_card(name):
    given(record(name))

    page = Client().get(card_address(name))

    assert page.status_code == 200
    assert f"<h1>{name}</h1>" in page.content.decode()

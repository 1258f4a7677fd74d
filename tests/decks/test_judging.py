"""Judging a list against the catalogue and a ban list."""

from __future__ import annotations

import pytest

from decks import banning, catalogue
from decks.models import Card, Rule
from decks.rules.affiliations import Affiliations

from .lists import ELVES, YESTERDAY, coalition, elves, register, report

pytestmark = pytest.mark.django_db


def test_allowed_card_goes_before_a_rule_that_names_it_alone():
    elves()
    deck, elf = register("Elves", ELVES), Card.objects.get(name="Llanowar Elves")
    banning.ban(coalition(), Rule.NAMED, "banned", "", YESTERDAY, None, [elf])
    assert not report(deck).legal

    banning.ban(coalition(), elf, "allowed", "", YESTERDAY, None)
    assert report(deck).legal


def test_report_says_that_an_editor_settled_the_affiliations_of_a_card():
    elves()
    deck, elf = register("Elves", ELVES), Card.objects.get(name="Llanowar Elves")

    catalogue.override(elf, Affiliations(frozenset({"Goblin"})), "A goblin in disguise.")

    assert [one.message for one in report(deck).problems] == [
        "Llanowar Elves belongs to Goblin, not to Elf"
        " (an editor settled this: A goblin in disguise): take it out, or change the type."
    ]

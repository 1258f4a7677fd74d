"""Judging a list against the catalogue and a ban list."""

from __future__ import annotations

import pytest

from decks import banning
from decks.models import Card, Rule

from .lists import ELVES, YESTERDAY, coalition, elves, register, report

pytestmark = pytest.mark.django_db


def test_allowed_card_goes_before_a_rule_that_names_it_alone():
    elves()
    deck, elf = register("Elves", ELVES), Card.objects.get(name="Llanowar Elves")
    banning.ban(coalition(), Rule.NAMED, "banned", "", YESTERDAY, None, [elf])
    assert not report(deck).legal

    banning.ban(coalition(), elf, "allowed", "", YESTERDAY, None)
    assert report(deck).legal

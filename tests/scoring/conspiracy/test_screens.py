"""What everybody sees of a game of Conspiracy: on the pad, the tablet, watching and own phones."""

import pytest
from django.test import Client

from scoring.models import GameSet
from scoring.rules.formats.conspiracy import CONSPIRACY, PutAgenda, PutConspiracy, TurnUp
from scoring.rules.formats.conspiracy.zone import seal
from scoring.rules.moves import CrownMonarch, PassTurn
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.scoring.rules.play import ANN, BO, CY

from ..browsing import words
from ..tables import address, holder, record, seat_holder, set_up, text

pytestmark = pytest.mark.django_db

SALT = "5f" * 16
NAMES = ("Llanowar Elves", "Wings of the Guard")
BOND = seal(ANN, SALT, "Summoner's Bond", NAMES)
SCREENS = ("score", "table", "watch", "seat")


@pytest.fixture
def table() -> GameSet:
    return set_up(3, ruleset=CONSPIRACY)


def screens(table: GameSet) -> list[str]:
    visitors = dict.fromkeys(SCREENS, Client())
    visitors |= {"score": holder(table), "seat": seat_holder(table, BO)}
    return [words(visitors[name].get(address(table, name))) for name in SCREENS]


def test_face_up_conspiracies_and_what_they_name_are_on_every_screen(table):
    """003 36: All may look at what is face up."""
    agendas = (PutAgenda(ANN, BOND), PutConspiracy(CY, "Sovereign's Realm"))
    record(table, *agendas, TurnUp(ANN, BOND, SALT, "Summoner's Bond", NAMES))

    for shown in screens(table):
        for name in ("Summoner's Bond", *NAMES, "Sovereign's Realm"):
            assert name in shown


def test_a_face_down_conspiracy_is_counted_on_every_screen_and_named_on_none(table):
    """003 37: All know how many are face down, and not which."""
    record(table, PutAgenda(ANN, BOND))

    for shown in screens(table):
        assert "1 face down" in shown
        assert "Bond" not in shown


def test_the_texts_of_others_conspiracies_are_on_the_own_phone(table):
    given(card("Sovereign's Realm", "Conspiracy", "Your starting hand size is five."))
    record(table, PutConspiracy(CY, "Sovereign's Realm"))

    (*_, own) = screens(table)

    assert "Conspiracies of the others Cy Sovereign's Realm Your starting hand size is five" in own


def test_no_screen_offers_that_nobody_is_the_monarch(table):
    """003 28: A game starts without a monarch; once there was one there is exactly one."""
    record(table, CrownMonarch(ANN), PassTurn())

    assert "No monarch" not in text(holder(table).get(address(table, "more", 1)))

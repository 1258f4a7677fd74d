"""The list of document 003: as many cards as there, each with the aids that its text asks for."""

from collections import Counter

from scoring.conspiracy import cards as listed
from scoring.conspiracy.cards import AIDS, CARDS

ALL = [card for cards in CARDS.values() for card in cards]


def test_the_list_has_as_many_cards_as_the_document():
    assert {heading: len(cards) for heading, cards in CARDS.items()} == {
        "Conspiracies": 12,
        "White": 13,
        "Blue": 10,
        "Black": 10,
        "Red": 9,
        "Green": 13,
        "Several colours": 5,
        "Artifact": 1,
        "Land": 1,
    }
    assert len(ALL) == len({card.name for card in ALL}) == 74


def test_each_aid_serves_as_many_cards_as_it_should():
    assert Counter(aid.name for card in ALL for aid in card.aids) == {
        "Monarch": 17,
        "Vote": 5,
        "Extra votes": 2,
        "Goad": 4,
        "Melee": 7,
        "Command zone": 12,
        "Hidden agenda": 6,
        "Double agenda": 1,
        "Draft face up": 7,
        "Draft reveal": 7,
        "Draft note": 11,
        "None needed": 13,
    }


def test_every_aid_of_the_legend_serves_a_card_and_has_an_icon_of_its_own():
    assert {aid for card in ALL for aid in card.aids} == set(AIDS)
    assert len({aid.icon for aid in AIDS}) == len({aid.name for aid in AIDS}) == len(AIDS)


def test_what_needs_no_aid_has_no_other():
    assert all(card.aids == (listed.NONE,) for card in ALL if listed.NONE in card.aids)

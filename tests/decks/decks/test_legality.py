"""Judging a list against the catalogue and a ban list."""

import pytest

from decks.bans import commands
from decks.catalogue import affiliations, memory
from decks.catalogue.heroes import Hero, heroes
from decks.decks import legality
from decks.models import Card, Rule
from decks.rules.affiliations import Affiliations
from decks.rules.rulesets import COALITION_906

from ..cards import face, given, record
from ..lists import ELVES, YESTERDAY, coalition, elves, register, report

pytestmark = pytest.mark.django_db


def test_allowed_card_goes_before_a_rule_that_names_it_alone():
    elves()
    deck, elf = register("Elves", ELVES), Card.objects.get(name="Llanowar Elves")
    commands.ban(coalition(), Rule.NAMED, "banned", "", YESTERDAY, None, [elf])
    assert not report(deck).legal

    commands.ban(coalition(), elf, "allowed", "", YESTERDAY, None)
    assert report(deck).legal


def test_what_follows_a_name_is_a_comment_but_the_other_half_of_a_split_card_is_not():
    elves()
    halves = [face("Fire", "Instant"), face("Ice", "Instant")]
    given(record("Fire // Ice", "Instant // Instant", layout="split", card_faces=halves))
    text = "4 Forest // basics, all\n2 Fire // Ice\n1 Fire // Ice // cheap"

    read = legality.read(text, COALITION_906)
    assert [one.name for one in read.deck_list.entries] == ["Forest", *["Fire // Ice"] * 2]
    assert {*read.cards} == {"Forest", "Fire // Ice"}


def test_report_says_that_an_editor_settled_the_affiliations_of_a_card():
    elves()
    deck, elf = register("Elves", ELVES), Card.objects.get(name="Llanowar Elves")

    affiliations.override(elf, Affiliations(frozenset({"Goblin"})), "A goblin in disguise.")

    assert [one.message for one in report(deck).problems] == [
        "Llanowar Elves belongs to Goblin, not to Elf"
        " (decided by an editor: A goblin in disguise): take it out, or change the type."
    ]


def test_a_hero_of_every_type_offers_those_of_the_catalogue_but_human():
    elves()
    given(record("Morophon", "Legendary Creature — Shapeshifter", "Changeling"))

    told = report(register("All", "60 Forest\n\nSideboard\n1 Morophon\n9 Forest"))

    assert (told.legal, told.coalition_type, len(told.possible_types)) == (True, "Advisor", 315)


def test_heroes_are_known_by_the_names_that_cards_print():
    elves()
    ezuri = "Ezuri, Claw of Progress"

    found = heroes([ezuri, ezuri.lower(), "Elvish Mystic", "Nobody"], memory.CATALOGUE.now())

    assert found == [Hero(ezuri, can_lead=True, types=["Elf", "Warrior"])]


@pytest.fixture
def legends() -> None:
    """Cards that people call by their first words."""
    faces = [face("Delver of Secrets"), face("Insectile Aberration")]
    given(
        record("Kaalia of the Vast"),
        record("Kaalia, Zenith Seeker"),
        record("Muxus, Goblin Grandee"),
        record("Delver of Secrets // Insectile Aberration", card_faces=faces),
        record("Muxu"),
        record("Beast Within"),
        record("Beast Whisperer"),
        record("Kaaliabane"),
    )


@pytest.mark.usefixtures("legends")
@pytest.mark.parametrize(
    ("name", "closest"),
    [
        ("Kaalia", ["Kaalia of the Vast", "Kaalia, Zenith Seeker"]),
        ("kaalia of", ["Kaalia of the Vast"]),
        ("Muxus", ["Muxus, Goblin Grandee", "Muxu"]),
        ("Delver", ["Delver of Secrets // Insectile Aberration"]),
        ("Delver of Secrest", ["Delver of Secrets // Insectile Aberration"]),
        ("Kaalia off the Vast", ["Kaalia of the Vast"]),
        ("Beast Wh", ["Beast Whisperer", "Beast Within"]),
        ("Muxus, G", ["Muxus, Goblin Grandee"]),
        ("Delv", []),
        ("Nobody", []),
    ],
)
def test_names_that_begin_with_what_was_typed_are_suggested_before_those_alike(name, closest):
    assert memory.closest_names([name]) == {name: closest}
